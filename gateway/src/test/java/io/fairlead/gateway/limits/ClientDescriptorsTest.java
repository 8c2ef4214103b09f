package io.fairlead.gateway.limits;

import static org.assertj.core.api.Assertions.assertThat;

import io.fairlead.gateway.listen.FailedAccepts;
import io.netty.channel.embedded.EmbeddedChannel;
import java.io.IOException;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** How many descriptors clients get, and what happens when there is none. */
class ClientDescriptorsTest {
    @ParameterizedTest
    @CsvSource({"100, 25", "300, 75", "512, 256", "1024, 768", "4096, 3072", "1048576, 786432"})
    void clients_getThreeQuarters_andLessOfFew(long max, int forClients) {
        assertThat(ClientDescriptors.forClients(max)).isEqualTo(forClients);
    }

    @Test
    void unlimitedDescriptors_areEnough() {
        assertThat(ClientDescriptors.forClients(Long.MAX_VALUE)).isEqualTo(Integer.MAX_VALUE);
    }

    @Test
    void limitOfThisProcess_isKnown() {
        assertThat(ClientDescriptors.max()).isPositive().isLessThan(Long.MAX_VALUE);
    }

    @Test
    void failedAccept_pausesTheListener() {
        EmbeddedChannel listener = new EmbeddedChannel(new FailedAccepts());
        listener.freezeTime();
        listener.pipeline().fireExceptionCaught(new IOException("accept(..) failed: Too many open files"));
        assertThat(listener.config().isAutoRead()).isFalse();

        listener.advanceTimeBy(1, TimeUnit.SECONDS);
        listener.runScheduledPendingTasks();
        assertThat(listener.config().isAutoRead()).isTrue();
        assertThat(listener.isOpen()).isTrue();
        listener.finishAndReleaseAll();
    }
}
