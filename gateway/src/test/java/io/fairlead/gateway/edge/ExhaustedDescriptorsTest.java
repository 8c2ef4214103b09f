package io.fairlead.gateway.edge;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.BufferedReader;
import java.io.FileInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;

/** A process that has no descriptor left to accept a connection with. */
@EnabledOnOs(OS.LINUX)
class ExhaustedDescriptorsTest {
    private static final String LIMIT = "ulimit -n 256 && exec \"$@\"";
    private static final String WORD = "word: ";
    private static final int TIMEOUT_MILLIS = 20_000;
    private static final long PROCESS_SECONDS_MAX = 60;

    /** More than are given back after all were taken: that of the connection that was answered before. */
    private static final int WAITING = 4;

    @Test
    void connectionWithoutADescriptor_waits_andIsServedOnceThereIsOne() throws Exception {
        Process jvm = new ProcessBuilder(
                        "sh",
                        "-c",
                        LIMIT,
                        "sh",
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "--enable-native-access=ALL-UNNAMED",
                        "--sun-misc-unsafe-memory-access=allow",
                        "-cp",
                        System.getProperty("java.class.path"),
                        Exhausting.class.getName())
                .redirectError(ProcessBuilder.Redirect.DISCARD)
                .start();
        // What waits for its words then reads their end.
        CompletableFuture.delayedExecutor(PROCESS_SECONDS_MAX, TimeUnit.SECONDS).execute(jvm::destroyForcibly);
        List<Socket> waiting = new ArrayList<>();
        try (BufferedReader said = new BufferedReader(new InputStreamReader(jvm.getInputStream(), UTF_8))) {
            int port = Integer.parseInt(word(said));
            try (Socket before = ask(port)) {
                assertThat(answer(before)).startsWith("HTTP/1.0 400");
            }
            tell(jvm, "take");
            assertThat(word(said)).isEqualTo("taken");
            for (int i = 0; i < WAITING; i++) {
                waiting.add(ask(port));
            }
            awaitLine(said, "Cannot accept connections");
            tell(jvm, "give");
            assertThat(word(said)).isEqualTo("given");

            for (Socket each : waiting) {
                assertThat(answer(each)).startsWith("HTTP/1.0 400");
            }
        } finally {
            jvm.destroyForcibly();
            for (Socket each : waiting) {
                each.close();
            }
        }
    }

    /** Plain HTTP is answered before anything of TLS. */
    private static Socket ask(int port) throws IOException {
        Socket socket = new Socket(InetAddress.getLoopbackAddress(), port);
        socket.setSoTimeout(TIMEOUT_MILLIS);
        socket.getOutputStream().write("GET / HTTP/1.1\r\n\r\n".getBytes(UTF_8));
        return socket;
    }

    private static String answer(Socket socket) throws IOException {
        return new String(socket.getInputStream().readNBytes(12), UTF_8);
    }

    /** The next word; between them stand lines of the log. */
    private static String word(BufferedReader said) throws IOException {
        String line = said.readLine();
        while (line != null && !line.startsWith(WORD)) {
            line = said.readLine();
        }
        return line == null ? "" : line.substring(WORD.length());
    }

    private static void awaitLine(BufferedReader said, String part) throws IOException {
        String line = said.readLine();
        while (line != null && !line.contains(part)) {
            line = said.readLine();
        }
        assertThat(line).as("a line of the log with: " + part).isNotNull();
    }

    private static void tell(Process jvm, String word) throws IOException {
        jvm.getOutputStream().write((word + "\n").getBytes(UTF_8));
        jvm.getOutputStream().flush();
    }

    /** A front end in a process of its own, which opens files until it cannot. */
    static final class Exhausting {
        private Exhausting() {}

        public static void main(String[] arguments) throws IOException {
            TestEdge edge = new TestEdge();
            BufferedReader told = new BufferedReader(new InputStreamReader(System.in, UTF_8));
            List<InputStream> open = new ArrayList<>();
            System.out.println(WORD + edge.address.getPort());
            told.readLine();
            takeAll(open);
            System.out.println(WORD + "taken");
            told.readLine();
            for (InputStream file : open) {
                file.close();
            }
            System.out.println(WORD + "given");
            told.readLine();
        }

        private static void takeAll(List<InputStream> open) {
            try {
                while (true) {
                    open.add(new FileInputStream("/dev/null"));
                }
            } catch (IOException none) {
                // There is none left.
            }
        }
    }
}
