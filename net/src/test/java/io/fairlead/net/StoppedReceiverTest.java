package io.fairlead.net;

import static io.fairlead.net.Rig.get;
import static io.fairlead.net.Rig.head;
import static io.fairlead.net.Rig.text;
import static org.assertj.core.api.Assertions.assertThat;

import io.fairlead.http.HttpMethod;
import io.fairlead.http.MutableFields;
import io.netty.buffer.ByteBuf;
import io.netty.handler.codec.http.HttpRequest;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CopyOnWriteArrayList;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** A client that cannot take the rest of a piece stops its source while it is handed that piece. */
class StoppedReceiverTest {
    private final Rig rig = new Rig();

    @AfterEach
    void close() throws Exception {
        rig.close();
    }

    @Test
    void receiverThatStopsAmidTheLastPiece_hearsTheEndBehindIt() {
        FakeServer server = rig.server("h2", (ctx, piece) -> {
            if (piece instanceof HttpRequest) {
                text(ctx, 200, "answer");
            }
        });
        Upstream upstream = rig.upstream(server);
        Stopping stopping = new Stopping();
        Exchange exchange = upstream.send(head(HttpMethod.GET, "/", 0), Upstream.Kind.SHORT, null, stopping);
        stopping.exchange = exchange;
        exchange.reading(false);
        assertThat(stopping.answer.status()).isEqualTo(200);
        // Comes behind the end of the first answer, on the same connection.
        assertThat(get(upstream, "/").body()).isEqualTo("answer");
        assertThat(server.accepted()).isEqualTo(1);
        assertThat(stopping.heard).isEmpty();

        exchange.reading(true);

        assertThat(stopping.answer.body()).isEqualTo("answer");
        assertThat(stopping.heard).containsExactly("data", "taken", "end");
    }

    private static final class Stopping implements ResponseReceiver {
        final Recorder answer = new Recorder();
        final List<String> heard = new CopyOnWriteArrayList<>();
        private volatile @Nullable Exchange exchange;

        @Override
        public void onHead(int status, MutableFields headers) {
            answer.onHead(status, headers);
        }

        @Override
        public void onData(ByteBuf data) {
            heard.add("data");
            Objects.requireNonNull(exchange).reading(false);
            heard.add("taken");
            answer.onData(data);
        }

        @Override
        public void onEnd() {
            heard.add("end");
            answer.onEnd();
        }

        @Override
        public void onFailure(UpstreamFailure failure) {
            answer.onFailure(failure);
        }
    }
}
