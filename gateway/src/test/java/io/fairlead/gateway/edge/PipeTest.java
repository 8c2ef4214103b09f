package io.fairlead.gateway.edge;

import static io.fairlead.gateway.edge.UpgradeFixture.EXEC;
import static io.fairlead.gateway.edge.UpgradeFixture.SWITCH;
import static io.fairlead.gateway.edge.UpgradeFixture.upgrade;
import static io.fairlead.gateway.edge.UpgradeFixture.write;
import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;

import io.fairlead.gateway.Limited;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Connections that were upgraded: byte for byte, both ways, each way as fast as it is taken and with its own end. */
class PipeTest {
    private static final String HALF = "a sentence that is long enough to be told from an alert, and that never";
    private static final int PIECE_BYTES = 64 * 1024;
    private static final long FLOOD_BYTES = 48L * 1024 * 1024;
    private static final int TIMEOUT_SECONDS = 20;

    private TestEdge edge;
    private RawUpstream prod;

    @BeforeEach
    void start() throws Exception {
        edge = new TestEdge();
        prod = edge.attach("prod");
    }

    @AfterEach
    void stop() throws Exception {
        edge.close();
    }

    @Test
    void clientsEnd_isTheUpstreamsEnd_andTheOtherWayGoesOn() throws Exception {
        prod.talk((_, connection, in) -> {
            write(connection, SWITCH);
            String said = new String(in.readAllBytes(), ISO_8859_1);
            for (int i = 0; i < 100; i++) {
                write(connection, "you said " + said + ". ");
            }
        });

        try (RawClient client = edge.client()) {
            upgrade(client, EXEC, "SPDY/3.1");
            client.send("all I have");
            client.end();

            assertThat(client.rest()).isEqualTo("you said all I have. ".repeat(100));
            assertThat(client.wasEndSaid()).isTrue();
        }
    }

    @Test
    void upstreamsEnd_isTheClientsEnd_andTheOtherWayGoesOn() throws Exception {
        CompletableFuture<String> heard = new CompletableFuture<>();
        prod.talk((_, connection, in) -> {
            write(connection, SWITCH + "all I have");
            connection.shutdownOutput();
            heard.complete(new String(in.readAllBytes(), ISO_8859_1));
        });

        try (RawClient client = edge.client()) {
            upgrade(client, EXEC, "SPDY/3.1");
            assertThat(client.rest()).isEqualTo("all I have");
            for (int i = 0; i < 100; i++) {
                client.send("still here. ");
            }
            client.end();

            assertThat(heard.get(TIMEOUT_SECONDS, TimeUnit.SECONDS)).isEqualTo("still here. ".repeat(100));
        }
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void clientThatIsLost_isNoCleanEndForTheUpstream(boolean reset) throws Exception {
        CompletableFuture<Boolean> endSaid = new CompletableFuture<>();
        prod.talk((_, connection, in) -> {
            write(connection, SWITCH);
            count(in);
            endSaid.complete(prod.wasEndSaid(connection));
        });

        RawClient client = edge.client();
        upgrade(client, EXEC, "SPDY/3.1");
        client.send(HALF);
        Await.until(() -> prod.received().endsWith(HALF));
        client.vanish(reset);

        assertThat(endSaid.get(TIMEOUT_SECONDS, TimeUnit.SECONDS)).isFalse();
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void upstreamThatIsLost_isNoCleanEndForTheClient_butWhatItSaidArrives(boolean reset) throws Exception {
        CountDownLatch mayVanish = new CountDownLatch(1);
        prod.talk((_, connection, _) -> {
            write(connection, SWITCH + HALF);
            mayVanish.await();
            prod.vanish(connection, reset);
        });

        try (RawClient client = edge.client()) {
            upgrade(client, EXEC, "SPDY/3.1");
            assertThat(client.bytes(HALF.length())).isEqualTo(HALF);
            mayVanish.countDown();

            assertThat(client.rest()).isEmpty();
            assertThat(client.wasEndSaid()).isFalse();
        }
    }

    @Test
    void clientThatDoesNotRead_holdsTheUpstreamBack_untilItReads() throws Exception {
        AtomicLong written = new AtomicLong();
        prod.talk((_, connection, _) -> {
            write(connection, SWITCH);
            flood(connection.getOutputStream(), written);
            connection.close();
        });

        try (RawClient client = edge.client()) {
            upgrade(client, EXEC, "SPDY/3.1");
            assertThat(settled(written::get)).isPositive().isLessThan(FLOOD_BYTES / 2);

            assertThat(count(client.input())).isEqualTo(FLOOD_BYTES);
        }
    }

    /** Of a flood at least 32 KiB wait, the low water mark of an answer's queue; for the other client less does. */
    @Test
    void clientsThatDoNotRead_beyondWhatThereIsMemoryFor_areEnded() throws Exception {
        CountDownLatch mayEnd = new CountDownLatch(1);
        try (TestEdge small = new TestEdge(Limited.by(Map.of("limits.unreadBytesMax", "24Ki")));
                RawClient waiting = small.client();
                RawClient silent = small.client()) {
            RawUpstream upstream = small.attach("prod");
            upstream.talk((_, connection, _) -> {
                write(connection, SWITCH + HALF);
                mayEnd.await();
            });
            upgrade(waiting, EXEC, "SPDY/3.1");
            upstream.talk((_, connection, _) -> {
                write(connection, SWITCH);
                flood(connection.getOutputStream(), new AtomicLong());
            });
            upgrade(silent, EXEC, "SPDY/3.1");

            Await.until(() -> small.reached("limits.unreadBytesMax") == 1);
            assertThat(waiting.bytes(HALF.length())).isEqualTo(HALF);
            assertThat(count(silent.input())).isLessThan(FLOOD_BYTES / 2);
            mayEnd.countDown();
        }
    }

    @Test
    void upstreamThatDoesNotRead_holdsTheClientBack_untilItReads() throws Exception {
        AtomicLong written = new AtomicLong();
        CountDownLatch mayRead = new CountDownLatch(1);
        CompletableFuture<Long> read = new CompletableFuture<>();
        prod.talk((_, connection, _) -> {
            write(connection, SWITCH);
            mayRead.await();
            read.complete(count(connection.getInputStream()));
        });

        try (RawClient client = edge.client()) {
            upgrade(client, EXEC, "SPDY/3.1");
            Thread.startVirtualThread(() -> {
                try {
                    flood(client.output(), written);
                    client.end();
                } catch (IOException e) {
                    read.completeExceptionally(e);
                }
            });
            assertThat(settled(written::get)).isPositive().isLessThan(FLOOD_BYTES / 2);
            mayRead.countDown();

            assertThat(read.get(TIMEOUT_SECONDS, TimeUnit.SECONDS)).isEqualTo(FLOOD_BYTES);
        }
    }

    private static void flood(OutputStream out, AtomicLong written) throws IOException {
        byte[] piece = new byte[PIECE_BYTES];
        while (written.get() < FLOOD_BYTES) {
            out.write(piece);
            written.addAndGet(PIECE_BYTES);
        }
        out.flush();
    }

    private static long count(InputStream in) throws IOException {
        byte[] piece = new byte[PIECE_BYTES];
        long total = 0;
        for (int read = in.read(piece); read >= 0; read = in.read(piece)) {
            total += read;
        }
        return total;
    }

    /** A number that has stayed the same for a while. */
    private static long settled(LongSupplier number) {
        long last = number.getAsLong();
        for (int same = 0; same < 100; ) {
            Await.moment();
            long now = number.getAsLong();
            same = now == last && now > 0 ? same + 1 : 0;
            last = now;
        }
        return last;
    }
}
