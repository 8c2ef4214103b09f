package io.fairlead.gateway.edge;

import static org.assertj.core.api.Assertions.assertThat;

import io.fairlead.config.Configuration;
import io.fairlead.gateway.Limited;
import io.fairlead.gateway.edge.RawClient.RawAnswer;
import java.time.Duration;
import java.util.Collections;
import java.util.Map;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;

/** Clients that send or read too slowly, or nothing at all. */
class SlowClientTest {
    private static final Duration SHORT = Duration.ofMillis(300);
    private static final Configuration IMPATIENT_OF_BODIES = Limited.by(Map.of("limits.bodyPaceWindow", SHORT));
    private static final Configuration IMPATIENT_OF_READERS = Limited.by(Map.of("limits.stalledReaderTimeout", SHORT));
    private static final Configuration IMPATIENT_OF_IDLERS = Limited.by(Map.of("limits.connectionIdleTimeout", "2s"));
    private static final String PIECE = "x".repeat(1 << 16);
    private static final int PIECES = 512;

    @Test
    void slowBody_toAnAttachedCluster_is408AndCancelled() throws Exception {
        FakeUpstream fake = new FakeUpstream();
        try (TestEdge edge = new TestEdge(IMPATIENT_OF_BODIES);
                RawClient client = edge.client()) {
            edge.attach("fake", fake);
            client.send(post("/clusters/fake/api/v1/pods", 100) + "{");

            RawAnswer answer = client.answer(false);
            assertThat(answer.status()).isEqualTo(408);
            assertThat(answer.body()).contains("\"kind\":\"Status\"", "at least 1024 bytes a second");
            assertThat(client.isClosed()).isTrue();
            assertThat(fake.next().event()).isEqualTo("cancel");
            assertReached(edge, "limits.bodyBytesPerSecondMin");
        }
    }

    @Test
    void slowBody_toAHostedCluster_is408() throws Exception {
        try (TestEdge edge = new TestEdge(IMPATIENT_OF_BODIES);
                RawClient client = edge.client()) {
            FakeHosted dev = edge.host("dev");
            client.send(post("/clusters/dev/api/v1/pods", 100) + "{");

            assertThat(client.answer(false).status()).isEqualTo(408);
            assertThat(dev.requests()).isEmpty();
        }
    }

    @Test
    void slowBody_overHttp2_is408() throws Exception {
        FakeUpstream fake = new FakeUpstream();
        try (TestEdge edge = new TestEdge(IMPATIENT_OF_BODIES);
                RawHttp2Client client = new RawHttp2Client(edge.pki, edge.address)) {
            edge.attach("fake", fake);
            RawHttp2Client.Stream stream = client.open(
                    RawHttp2Client.head("POST", "/clusters/fake/api/v1/pods").add("authorization", "Bearer jane-token"),
                    false);
            stream.send("{", false);

            assertThat(stream.next()).isEqualTo("head 408");
            assertThat(fake.next().event()).isEqualTo("cancel");
        }
    }

    @Test
    void restOfABodyThatNobodyWants_isNotAwaitedForEver() throws Exception {
        try (TestEdge edge = new TestEdge(IMPATIENT_OF_BODIES);
                RawClient client = edge.client()) {
            client.send(post("/clusters/nowhere/api/v1/pods", 100) + "{");

            assertThat(client.answer(false).status()).isEqualTo(404);
            assertThat(client.isClosed()).isTrue();
        }
    }

    @Test
    void stalledReader_ofAWatch_isGivenUp_ofALogIsNot() throws Exception {
        FakeUpstream fake = new FakeUpstream();
        try (TestEdge edge = new TestEdge(IMPATIENT_OF_READERS);
                RawClient logging = edge.client();
                RawClient watching = edge.client()) {
            edge.attach("fake", fake);
            logging.send(get("/clusters/fake/api/v1/namespaces/x/pods/y/log?follow=1"));
            FakeUpstream.Call log = fake.next();
            fill(log);
            watching.send(get("/clusters/fake/api/v1/pods?watch=1"));
            FakeUpstream.Call watch = fake.next();
            fill(watch);

            awaitCancel(watch);
            assertReached(edge, "limits.stalledReaderTimeout");

            logging.head();
            for (long bytes = 0; bytes < (long) PIECES << 16; ) {
                bytes += logging.chunk().length();
            }
            assertThat(log.events).doesNotContain("cancel");
        }
    }

    @Test
    void slowReader_thatReadsAllTheTime_isNotGivenUp() throws Exception {
        FakeUpstream fake = new FakeUpstream();
        try (TestEdge edge = new TestEdge(IMPATIENT_OF_READERS);
                RawClient slow = edge.client();
                ExecutorService sending = Executors.newVirtualThreadPerTaskExecutor()) {
            edge.attach("fake", fake);
            slow.send(get("/clusters/fake/api/v1/pods?watch=1"));
            FakeUpstream.Call watch = fake.next();
            Future<?> filled = sending.submit(() -> {
                fill(watch);
                return null;
            });

            slow.head();
            for (int i = 0; i < 50; i++) {
                slow.chunk();
                LockSupport.parkNanos(SHORT.toNanos() / 5);
            }
            filled.get();
            assertThat(watch.events).doesNotContain("cancel");
        }
    }

    @Test
    void stalledReader_ofAStream_resetsThatStreamAlone() throws Exception {
        FakeUpstream fake = new FakeUpstream();
        try (TestEdge edge = new TestEdge(IMPATIENT_OF_READERS);
                RawHttp2Client client = new RawHttp2Client(edge.pki, edge.address)) {
            edge.attach("fake", fake);
            watchWithoutReading(client);
            FakeUpstream.Call watch = fake.next();
            fill(watch);

            awaitCancel(watch);
            assertThat(client.open(RawHttp2Client.head("GET", "/livez"), true).next())
                    .isEqualTo("head 200");
        }
    }

    /** Both are exempt from the timeout or far from it; one has more in its queue, the other at its source. */
    @Test
    void stalledReaders_ofMoreThanThereIsMemoryFor_areEnded_aReaderIsNot() throws Exception {
        FakeUpstream fake = new FakeUpstream();
        try (TestEdge edge = new TestEdge(Limited.by(Map.of("limits.unreadBytesMax", "16Mi")));
                RawClient logging = edge.client();
                RawClient reading = edge.client();
                RawHttp2Client streams = new RawHttp2Client(edge.pki, edge.address)) {
            edge.attach("fake", fake);
            reading.send(get("/clusters/fake/api/v1/nodes?watch=1"));
            FakeUpstream.Call read = fake.next();
            read.answer(200);
            read.data(PIECE);
            logging.send(get("/clusters/fake/api/v1/namespaces/x/pods/y/log?follow=1"));
            FakeUpstream.Call log = fake.next();
            fill(log);
            awaitCancel(log);
            assertReached(edge, "limits.unreadBytesMax");

            watchWithoutReading(streams);
            FakeUpstream.Call watch = fake.next();
            watch.answer(200);
            watch.waiting(Collections.nCopies(PIECES, PIECE));

            awaitCancel(watch);
            assertReachedOften(edge, "limits.unreadBytesMax");
            reading.head();
            assertThat(reading.chunk()).isNotEmpty();
            assertThat(read.events).doesNotContain("cancel");
        }
    }

    @Test
    void stalledReader_ofAWholeAnswer_isGivenUp() throws Exception {
        try (TestEdge edge = new TestEdge(IMPATIENT_OF_READERS);
                RawClient client = edge.client()) {
            edge.host("dev").answer(_ -> FakeHosted.json(200, "x".repeat(32 << 20)));
            client.send(get("/clusters/dev/api/v1/pods"));

            Await.until(() -> edge.reached("limits.stalledReaderTimeout") == 1);
        }
    }

    @Test
    void idleConnection_isClosed_oneWithAWatchIsNot() throws Exception {
        FakeUpstream fake = new FakeUpstream();
        try (TestEdge edge = new TestEdge(IMPATIENT_OF_IDLERS);
                RawClient watching = edge.client();
                RawClient idle = edge.client();
                RawClient silent = edge.client()) {
            edge.attach("fake", fake);
            watching.send(get("/clusters/fake/api/v1/pods?watch=1"));
            FakeUpstream.Call watch = fake.next();
            watch.answer(200);
            watching.head();

            assertThat(idle.get("/livez").status()).isEqualTo(200);
            assertThat(idle.isClosed()).isTrue();
            assertThat(silent.isClosed()).isTrue();
            watch.data("{}\n");
            assertThat(watching.chunk()).isEqualTo("{}\n");
            assertReachedOften(edge, "limits.connectionIdleTimeout");
        }
    }

    @Test
    void idleHttp2Connection_isClosed() throws Exception {
        try (TestEdge edge = new TestEdge(IMPATIENT_OF_IDLERS);
                RawHttp2Client client = new RawHttp2Client(edge.pki, edge.address)) {
            assertThat(client.open(RawHttp2Client.head("GET", "/livez"), true).next())
                    .isEqualTo("head 200");
            assertThat(client.end()).isEqualTo("NO_ERROR, NO_ERROR");
        }
    }

    @Test
    void heldBody_isLetGoWithItsStream() throws Exception {
        FakeUpstream fake = new FakeUpstream();
        fake.holdBodies();
        try (TestEdge edge = new TestEdge(IMPATIENT_OF_IDLERS);
                RawHttp2Client client = new RawHttp2Client(edge.pki, edge.address)) {
            edge.attach("fake", fake);
            RawHttp2Client.Stream stream = upload(client);
            FakeUpstream.Call call = fake.next();
            stream.reset();

            assertThat(call.event()).isEqualTo("cancel");
            assertThat(client.end()).isEqualTo("NO_ERROR, NO_ERROR");
        }
    }

    @Test
    void heldBody_isLetGoWithItsConnection() throws Exception {
        FakeUpstream fake = new FakeUpstream();
        fake.holdBodies();
        try (TestEdge edge = new TestEdge()) {
            edge.attach("fake", fake);
            FakeUpstream.Call call;
            try (RawHttp2Client client = new RawHttp2Client(edge.pki, edge.address)) {
                upload(client);
                call = fake.next();
            }
            assertThat(call.event()).isEqualTo("cancel");
        }
    }

    private static void watchWithoutReading(RawHttp2Client client) {
        client.open(
                        RawHttp2Client.head("GET", "/clusters/fake/api/v1/pods?watch=1")
                                .add("authorization", "Bearer jane-token"),
                        true)
                .stopReading();
    }

    private static RawHttp2Client.Stream upload(RawHttp2Client client) {
        RawHttp2Client.Stream stream = client.open(
                RawHttp2Client.head("POST", "/clusters/fake/api/v1/pods").add("authorization", "Bearer jane-token"),
                false);
        stream.send("{", false);
        stream.send("}", false);
        return stream;
    }

    /** Sends more than sockets hold. */
    private static void fill(FakeUpstream.Call call) throws InterruptedException {
        call.answer(200);
        for (int i = 0; i < PIECES; i++) {
            call.data(PIECE);
        }
        assertThat(call.event()).isEqualTo("reading false");
    }

    private static void awaitCancel(FakeUpstream.Call call) {
        Await.until(() -> call.events.contains("cancel"));
    }

    private static void assertReached(TestEdge edge, String limit) {
        assertThat(edge.reached(limit)).isEqualTo(1);
    }

    private static void assertReachedOften(TestEdge edge, String limit) {
        assertThat(edge.reached(limit)).isEqualTo(2);
    }

    private static String get(String target) {
        return "GET " + target + " HTTP/1.1\r\nHost: localhost\r\n" + TestEdge.ADMIN + "\r\n\r\n";
    }

    private static String post(String target, int length) {
        return "POST " + target + " HTTP/1.1\r\nHost: localhost\r\n" + TestEdge.ADMIN + "\r\nContent-Length: " + length
                + "\r\n\r\n";
    }
}
