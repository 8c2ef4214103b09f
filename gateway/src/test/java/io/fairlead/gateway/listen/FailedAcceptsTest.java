package io.fairlead.gateway.listen;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.fairlead.testkit.LogLines;
import io.netty.channel.Channel;
import io.netty.channel.ChannelConfig;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.EventLoop;
import io.netty.channel.embedded.EmbeddedChannel;
import java.io.IOException;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** A listener that cannot accept pauses, never for ever, and says so, never without end. */
class FailedAcceptsTest {
    private final IOException full = new IOException("accept(..) failed: Too many open files");

    @Test
    void pauseThatCannotBeEnded_isNotBegun() {
        List<Object> autoRead = new ArrayList<>();
        ChannelConfig config = fake(ChannelConfig.class, (proxy, method, arguments) -> {
            autoRead.add(arguments[0]);
            return proxy;
        });
        EventLoop loop = fake(EventLoop.class, (_, _, _) -> {
            throw new OutOfMemoryError("of the test");
        });
        Channel channel = fake(Channel.class, (_, method, _) -> method.getName().equals("config") ? config : loop);
        ChannelHandlerContext ctx = fake(ChannelHandlerContext.class, (_, _, _) -> channel);

        assertThatThrownBy(() -> new FailedAccepts().exceptionCaught(ctx, full)).isInstanceOf(OutOfMemoryError.class);
        assertThat(autoRead).isEmpty();
    }

    @Test
    void listenerThatFailsNowAndThen_isToldOfOnceAMinute() {
        EmbeddedChannel channel = new EmbeddedChannel(new FailedAccepts());
        try (LogLines lines = new LogLines(FailedAccepts.class)) {
            for (int i = 0; i < 100; i++) {
                channel.pipeline().fireExceptionCaught(full);
                channel.writeInbound("a connection");
            }

            assertThat(lines.texts()).hasSize(2);
            assertThat(lines.texts().getFirst()).startsWith("WARN Cannot accept connections");
            assertThat(lines.texts().getLast()).isEqualTo("INFO Connections are accepted again");
        } finally {
            channel.finishAndReleaseAll();
        }
    }

    private static <T> T fake(Class<T> type, InvocationHandler answers) {
        return type.cast(Proxy.newProxyInstance(type.getClassLoader(), new Class<?>[] {type}, answers));
    }
}
