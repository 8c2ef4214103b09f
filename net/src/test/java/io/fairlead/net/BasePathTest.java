package io.fairlead.net;

import static io.fairlead.net.Rig.get;
import static io.fairlead.net.Rig.head;
import static io.fairlead.net.Rig.text;
import static io.fairlead.net.Rig.utf8;
import static org.assertj.core.api.Assertions.assertThat;

import io.fairlead.http.HttpMethod;
import io.netty.handler.codec.http.HttpRequest;
import io.netty.handler.codec.http.LastHttpContent;
import java.net.URI;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What is asked for is below the path of the endpoint's URL. */
final class BasePathTest {
    private final Rig rig = new Rig();
    private final List<String> asked = new CopyOnWriteArrayList<>();

    @AfterEach
    void closeAll() throws Exception {
        rig.close();
    }

    @ParameterizedTest
    @CsvSource({
        "h2, /k8s/clusters/c-1, /k8s/clusters/c-1",
        "http/1.1, /k8s/clusters/c-1, /k8s/clusters/c-1",
        "h2, /clusters/root:x/, /clusters/root:x",
        "http/1.1, /clusters/root:x/, /clusters/root:x",
        "h2, /, ''",
        "http/1.1, '', ''"
    })
    void request_goesBelowThePath_withABodyOrWithout(String protocol, String path, String base) {
        Upstream upstream = open(echoing(protocol), path);

        assertThat(get(upstream, "/api/v1/pods?limit=1").body()).isEqualTo(base + "/api/v1/pods?limit=1");
        Recorder posted = new Recorder();
        Exchange exchange = upstream.send(head(HttpMethod.POST, "/api/v1/pods", 2), Upstream.Kind.SHORT, null, posted);
        exchange.write(utf8("{}"));
        exchange.end();
        assertThat(posted.body()).isEqualTo(base + "/api/v1/pods");
        assertThat(asked).hasSize(2);
    }

    @ParameterizedTest
    @CsvSource({"h2", "http/1.1"})
    void requestThatIsSentElsewhere_goesBelowThePathOfThatEndpoint(String protocol) throws Exception {
        FakeServer server = echoing(protocol);
        URI dead = Rig.unusedUrl().resolve("/dead");
        Upstream upstream = rig.opened(rig.client(UpstreamLimits.defaults(), true)
                .open(new UpstreamSpec(
                        List.of(dead, server.url().resolve("/alive")), Rig.PKI.caPem(), null, null, null)));

        assertThat(get(upstream, "/version").body()).isEqualTo("/alive/version");
        assertThat(get(upstream, "/version").body()).isEqualTo("/alive/version");
    }

    private FakeServer echoing(String protocol) {
        return rig.server(protocol, (ctx, piece) -> {
            if (piece instanceof HttpRequest request) {
                asked.add(request.uri());
            }
            if (piece instanceof LastHttpContent) {
                text(ctx, 200, asked.getLast());
            }
        });
    }

    private Upstream open(FakeServer server, String path) {
        URI url = URI.create(server.url() + path);
        return rig.opened(rig.client(UpstreamLimits.defaults(), true)
                .open(new UpstreamSpec(List.of(url), Rig.PKI.caPem(), null, null, null)));
    }
}
