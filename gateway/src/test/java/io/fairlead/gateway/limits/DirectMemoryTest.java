package io.fairlead.gateway.limits;

import static org.assertj.core.api.Assertions.assertThat;

import io.fairlead.gateway.Gateway;
import io.fairlead.gateway.listen.LingeringClose;
import io.fairlead.gateway.listen.Listener;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.embedded.EmbeddedChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** What happens when there is no memory for another buffer. */
class DirectMemoryTest {
    @Test
    void limitedMemory_endsWithNettysError_beforeTheJvmsLimit() throws Exception {
        assertThat(errorOf("limited")).isEqualTo("io.netty.util.internal.OutOfDirectMemoryError");
    }

    /** Whichever class of Netty is loaded first has the limit for all. */
    @Test
    void limitIsSet_beforeAnythingIsLoadedInAdvance() throws Exception {
        assertThat(errorOf("preloaded")).isEqualTo("io.netty.util.internal.OutOfDirectMemoryError");
    }

    /** The JVM's own error comes after it has slept. */
    @Test
    void unlimitedMemory_endsWithTheJvmsError() throws Exception {
        assertThat(errorOf("unlimited")).isEqualTo("java.lang.OutOfMemoryError");
    }

    @Test
    void connectionWithoutMemory_closesAtOnce() {
        EmbeddedChannel channel = new EmbeddedChannel(new LingeringClose(), new ChannelInboundHandlerAdapter() {
            @Override
            public void exceptionCaught(ChannelHandlerContext ctx, Throwable cause) {
                Listener.closeAfter(cause, ctx);
            }
        });
        channel.pipeline().fireExceptionCaught(new OutOfMemoryError("as if"));

        assertThat(channel.isOpen()).isFalse();
    }

    private static String errorOf(String mode) throws Exception {
        Process jvm = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-Xmx64m",
                        "-XX:MaxDirectMemorySize=16m",
                        "--enable-native-access=ALL-UNNAMED",
                        "--sun-misc-unsafe-memory-access=allow",
                        "-cp",
                        System.getProperty("java.class.path"),
                        Exhausting.class.getName(),
                        mode)
                .redirectError(ProcessBuilder.Redirect.DISCARD)
                .start();
        try {
            String said = new String(jvm.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
            assertThat(jvm.waitFor(1, TimeUnit.MINUTES)).isTrue();
            return said.strip();
        } finally {
            jvm.destroyForcibly();
        }
    }

    /** Takes buffers as a listener does until there are no more. */
    static final class Exhausting {
        private static final int BUFFER_BYTES = 64 * 1024;
        private static final int BUFFERS_MAX = 10_000;

        private Exhausting() {}

        public static void main(String[] arguments) {
            switch (arguments[0]) {
                case "limited" -> DirectMemory.limit();
                case "preloaded" -> Gateway.preload();
                default -> {}
            }
            List<ByteBuf> kept = new ArrayList<>();
            try {
                while (kept.size() < BUFFERS_MAX) {
                    kept.add(ByteBufAllocator.DEFAULT.directBuffer(BUFFER_BYTES));
                }
            } catch (OutOfMemoryError e) {
                System.out.println(e.getClass().getName());
            }
        }
    }
}
