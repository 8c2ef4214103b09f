package io.fairlead.net;

import static org.assertj.core.api.Assertions.assertThat;

import io.fairlead.http.RawConnection;
import io.netty.buffer.Unpooled;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.embedded.EmbeddedChannel;
import io.netty.handler.ssl.SslHandler;
import java.util.concurrent.TimeUnit;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLEngine;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** How long a connection that is closed waits for its peer; here, for one that never ends its TLS handshake. */
class RawConnectionTest {
    private final EmbeddedChannel channel = new EmbeddedChannel();
    private RawConnection connection;

    @BeforeEach
    void start() throws Exception {
        SSLEngine engine = SSLContext.getDefault().createSSLEngine();
        engine.setUseClientMode(true);
        SslHandler tls = new SslHandler(engine);
        tls.setHandshakeTimeoutMillis(0);
        ChannelInboundHandlerAdapter http = new ChannelInboundHandlerAdapter();
        channel.freezeTime();
        channel.pipeline().addLast(tls, http);
        connection = RawConnection.inPlaceOf(http, channel, Unpooled.EMPTY_BUFFER);
    }

    @AfterEach
    void stop() {
        channel.finishAndReleaseAll();
    }

    @Test
    void peerThatTakesNothing_isLeft() {
        connection.write(Unpooled.copyInt(1));
        connection.close();

        pass(29);
        assertThat(channel.isOpen()).isTrue();
        pass(2);
        assertThat(channel.isOpen()).isFalse();
    }

    @Test
    void peerThatTakesALittle_isWaitedFor() {
        connection.write(Unpooled.copyInt(1));
        connection.close();

        for (int i = 0; i < 10; i++) {
            channel.pipeline().firstContext().write(Unpooled.copyInt(i));
            pass(30);
            assertThat(channel.isOpen()).isTrue();
            channel.pipeline().firstContext().flush();
            pass(30);
            assertThat(channel.isOpen()).isTrue();
        }
        pass(31);
        assertThat(channel.isOpen()).isFalse();
    }

    private void pass(int seconds) {
        channel.advanceTimeBy(seconds, TimeUnit.SECONDS);
        channel.runScheduledPendingTasks();
    }
}
