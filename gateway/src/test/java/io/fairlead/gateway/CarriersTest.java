package io.fairlead.gateway;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Virtual threads beside others that compute and never wait. */
class CarriersTest {
    @Test
    @Timeout(value = 2, unit = TimeUnit.MINUTES)
    void virtualThread_besideAsManyThatComputeAsThereAreProcessors_runs() throws Exception {
        Process jvm = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-cp",
                        System.getProperty("java.class.path"),
                        Computing.class.getName())
                .redirectErrorStream(true)
                .start();
        try {
            assertThat(jvm.waitFor(1, TimeUnit.MINUTES)).as("it ends").isTrue();
            assertThat(new String(jvm.getInputStream().readAllBytes(), UTF_8)).contains("ran");
        } finally {
            jvm.destroyForcibly();
        }
    }

    /** Ends only if a virtual thread runs that is started after those that compute. */
    static final class Computing {
        private static volatile boolean stopped;

        private Computing() {}

        public static void main(String[] arguments) throws InterruptedException {
            Carriers.provide();
            List<Thread> computing = new ArrayList<>();
            for (int i = 0; i < Runtime.getRuntime().availableProcessors(); i++) {
                computing.add(Thread.startVirtualThread(Computing::compute));
            }
            Thread.ofVirtual().start(() -> stopped = true).join();
            for (Thread each : computing) {
                each.join();
            }
            System.out.println("ran");
        }

        private static void compute() {
            while (!stopped) {
                Thread.onSpinWait();
            }
        }
    }
}
