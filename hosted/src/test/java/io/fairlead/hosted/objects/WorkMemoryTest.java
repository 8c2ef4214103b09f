package io.fairlead.hosted.objects;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.fairlead.hosted.HostedMemory;
import io.fairlead.hosted.ResourceType;
import io.fairlead.hosted.TestMemory;
import io.fairlead.hosted.objects.WorkMemory.OfCluster;
import io.fairlead.model.ByteBudget;
import io.fairlead.model.CallerName;
import io.fairlead.model.StatusException;
import io.fairlead.schema.json.Json;
import io.fairlead.schema.json.TreeSize;
import io.fairlead.storage.RevisionedStore.Entry;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.node.ObjectNode;

/** Of ten objects that may be read at once, five are one cluster's, and two one caller's; as many again are for larger ones. */
class WorkMemoryTest {
    private static final ResourceType TYPE = new ResourceType(
            "example.com",
            "v1",
            "widgets",
            "",
            "Widget",
            "WidgetList",
            List.of(),
            List.of(),
            true,
            List.of(),
            Set.of(),
            "v1",
            true,
            null,
            null);

    private static final int OBJECT_BYTES = 10_000;
    private static final long WORK_BYTES = 10L * OBJECT_BYTES;
    private static final CallerName ANN = CallerName.ofGateway("ann");
    private static final CallerName BOB = CallerName.ofGateway("bob");
    private static final CallerName CID = CallerName.ofGateway("cid");

    private static final Executor THREADS = Thread::startVirtualThread;

    private final List<String> reached = new CopyOnWriteArrayList<>();
    private final WorkMemory memory = memory(Duration.ofMillis(50));
    private final OfCluster dev = memory.ofCluster();
    private final OfCluster prod = memory.ofCluster();
    private final List<Work> open = new ArrayList<>();
    private final Codec codec = codec("{\"type\":\"object\"}");

    private static Codec codec(String schema) {
        return StructuralCodec.of(TYPE, (ObjectNode) Json.read(schema.getBytes(UTF_8)));
    }

    private WorkMemory memory(Duration patience) {
        return memory(patience, 20 * WORK_BYTES);
    }

    private WorkMemory memory(Duration patience, long bytesMax) {
        HostedMemory shares = TestMemory.of(ByteBudget.of(1 << 20));
        return new WorkMemory(new HostedMemory(
                shares.budget(),
                shares.clusterBytesMax(),
                shares.callerBytesMax(),
                bytesMax,
                patience,
                shares.pagesAtOnceMax(),
                shares.history(),
                shares.definitions(),
                shares.kept(),
                reached::add));
    }

    @AfterEach
    void nothingStaysTaken() {
        open.forEach(Work::close);
        assertThat(memory.taken()).isZero();
    }

    /** A text without members, of which reading takes ten times the bytes. */
    private static Entry object(int count) {
        return new Entry("key", ("\"" + "x".repeat(count * OBJECT_BYTES - 2) + "\"").getBytes(UTF_8), 1, 1);
    }

    private Work read(OfCluster cluster, CallerName caller, int count) {
        Work work = cluster.begin(caller);
        open.add(work);
        assertThat(work.toRead(codec, () -> object(count))).isNotNull();
        return work;
    }

    /** A thread that waits for room. */
    private static Thread startWaiting(Runnable read) {
        Thread waiting = Thread.ofPlatform().start(read);
        while (waiting.getState() != Thread.State.TIMED_WAITING) {
            Thread.onSpinWait();
        }
        return waiting;
    }

    private void assertRefused(ThrowingCallable read) {
        reached.clear();
        assertThatThrownBy(read)
                .isInstanceOfSatisfying(
                        StatusException.class,
                        refused -> assertThat(refused.status().code()).isEqualTo(429))
                .hasMessageContaining("limits.hostedWorkBytesMax");
        assertThat(reached).containsExactly("limits.hostedWorkBytesMax");
    }

    @Test
    void callerHasAQuarter_andOthersStillRead() {
        Work first = read(dev, ANN, 1);
        read(prod, ANN, 1);

        assertRefused(() -> read(prod, ANN, 1));
        read(prod, BOB, 1);
        first.close();
        read(prod, ANN, 1);
    }

    @Test
    void clusterHasAHalf_andOthersStillRead() {
        read(dev, ANN, 2);
        read(dev, BOB, 2);
        read(dev, CID, 1);

        assertRefused(() -> read(dev, CID, 1));
        read(prod, CID, 1);
    }

    @Test
    void largeObjects_areWorkedOnOneAtATimeOfACaller_andHoldUpNoOther() {
        read(dev, ANN, 3);
        assertRefused(() -> read(prod, ANN, 3));
        read(dev, ANN, 2);
        assertRefused(() -> read(dev, BOB, 3));
        read(prod, BOB, 4);

        Work large = prod.begin(CID);
        assertRefused(() -> large.toRead(codec, () -> object(4)));
        open.forEach(Work::close);
        assertThat(large.toRead(codec, () -> object(20))).as("beyond all").isNotNull();
        assertRefused(() -> read(dev, BOB, 3));
        read(prod, BOB, 2);
        read(dev, ANN, 2);
        large.close();
    }

    @Test
    void changeBeyondTheWholeBound_isRefused_butItsObjectCanBeRead() {
        Work change = dev.begin(ANN);
        open.add(change);

        assertThatThrownBy(() -> change.toChange(codec, () -> object(10)))
                .isInstanceOfSatisfying(
                        StatusException.class,
                        refused -> assertThat(refused.status().code()).isEqualTo(413))
                .hasMessageContaining("takes about 2200000 bytes while it is changed (expected at most 2000000")
                .hasMessageContaining("limits.hostedWorkBytesMax");
        assertThat(reached).containsExactly("limits.hostedWorkBytesMax");
        assertThat(memory.taken()).isZero();
        assertThat(change.toRead(codec, () -> object(10))).isNotNull();
    }

    /** It keeps what it has until there is room among the large ones. */
    @Test
    void workThatBecomesLarge_givesItsOrdinaryPartBack() {
        Work work = read(dev, ANN, 2);
        assertThat(work.toRead(codec, () -> object(3))).isNotNull();

        assertThat(memory.taken()).isEqualTo(3 * WORK_BYTES);
        read(dev, ANN, 2);
    }

    /** Else any number of them would have their ordinary part at once. */
    @Test
    void workThatWaitsToBecomeLarge_countsAsOrdinaryMeanwhile() throws Exception {
        WorkMemory patient = memory(Duration.ofSeconds(20));
        OfCluster cluster = patient.ofCluster();
        Work large = cluster.begin(ANN);
        assertThat(large.toRead(codec, () -> object(3))).isNotNull();
        Work growing = cluster.begin(ANN);
        assertThat(growing.toRead(codec, () -> object(2))).isNotNull();
        Thread waiting = startWaiting(() -> growing.toRead(codec, () -> object(3)));
        Work further = cluster.begin(ANN);
        CompletableFuture<Entry> read =
                CompletableFuture.supplyAsync(() -> further.toRead(codec, () -> object(2)), THREADS);

        assertThat(read).failsWithin(Duration.ofMillis(300)).withThrowableOfType(TimeoutException.class);
        assertThat(patient.taken()).isEqualTo(5 * WORK_BYTES);
        large.close();
        assertThat(read.get(20, TimeUnit.SECONDS)).isNotNull();
        waiting.join();
        growing.close();
        further.close();
        assertThat(patient.taken()).isZero();
    }

    @Test
    void answerToLargeWork_isOrdinary_ifThereIsRoom() {
        Work first = read(dev, ANN, 3);
        first.keepsOnly(WORK_BYTES);
        Work second = read(dev, ANN, 3);
        read(dev, ANN, 1);

        second.keepsOnly(WORK_BYTES);
        assertThat(memory.taken()).isEqualTo(3 * WORK_BYTES);
        assertRefused(() -> read(dev, ANN, 3));
    }

    @Test
    void objectThatIsAwaited_isNotKept_butReadAnew_andMayHaveGrown() throws Exception {
        WorkMemory patient = memory(Duration.ofSeconds(20));
        OfCluster cluster = patient.ofCluster();
        Work before = cluster.begin(ANN);
        assertThat(before.toRead(codec, () -> object(2))).isNotNull();
        AtomicInteger reads = new AtomicInteger();
        CompletableFuture<Entry> read = new CompletableFuture<>();
        Work work = cluster.begin(ANN);
        Thread waiting = startWaiting(() ->
                read.complete(work.toRead(codec, () -> object(reads.incrementAndGet() == 1 ? 1 : 2))));
        assertThat(reads).hasValue(1);
        before.close();

        assertThat(read.get(20, TimeUnit.SECONDS).value()).hasSize(2 * OBJECT_BYTES);
        assertThat(reads).hasValueGreaterThan(1);
        assertThat(patient.taken()).isEqualTo(2 * WORK_BYTES);
        work.close();
        waiting.join();
        assertThat(patient.taken()).isZero();
    }

    @Test
    void whatIsChanged_takesMore_andWhatIsMadeOfABody() {
        WorkMemory wide = memory(Duration.ofMillis(50), 400 * WORK_BYTES);
        Work change = wide.ofCluster().begin(ANN);
        open.add(change);
        change.sends(object(20).value(), Work.Form.JSON);
        assertThat(wide.taken()).isEqualTo(20 * WORK_BYTES);
        change.keepsOnly(0);
        change.sends(object(1).value(), Work.Form.JSON);
        assertThat(wide.taken()).as("a small body alone").isZero();
        assertThat(change.toChange(codec, () -> object(1))).isNotNull();
        assertThat(wide.taken()).as("with the body").isEqualTo(2 * 22 * OBJECT_BYTES);
        change.close();

        byte[] json = "[{},".repeat(5_000).getBytes(UTF_8);
        Work creation = wide.ofCluster().begin(ANN);
        open.add(creation);
        creation.sends(json, Work.Form.JSON);
        creation.creates(codec);
        assertThat(wide.taken())
                .isEqualTo(12L * json.length + 6 * TreeSize.ofJson(json).bytes());
    }

    @Test
    void defaultsThatAnObjectWillHave_areCounted() {
        Codec defaulting = codec("{\"type\":\"object\",\"properties\":{\"a\":{\"type\":\"string\",\"default\":\""
                + "x".repeat(OBJECT_BYTES) + "\"}}}");
        Work work = dev.begin(ANN);
        open.add(work);

        work.toRead(defaulting, () -> new Entry("key", "{}".getBytes(UTF_8), 1, 1));

        assertThat(memory.taken()).isBetween(2L * OBJECT_BYTES, 3L * OBJECT_BYTES);
    }

    /** Each had room for its body, and needs to be alone for its object. */
    @Test
    void twoThatWaitForMore_doNotWaitForEachOther() throws Exception {
        int bodyBytes = 200_000;
        WorkMemory patient = memory(Duration.ofSeconds(20), 160L * bodyBytes);
        OfCluster cluster = patient.ofCluster();
        List<CompletableFuture<Void>> changes = new ArrayList<>();
        CountDownLatch sent = new CountDownLatch(2);
        for (int i = 0; i < 2; i++) {
            changes.add(CompletableFuture.runAsync(
                    () -> {
                        try (Work work = cluster.begin(ANN)) {
                            work.sends(new byte[bodyBytes], Work.Form.JSON);
                            sent.countDown();
                            sent.await();
                            assertThat(work.toChange(codec, () -> object(50))).isNotNull();
                        } catch (InterruptedException e) {
                            throw new AssertionError(e);
                        }
                    },
                    THREADS));
        }

        for (CompletableFuture<Void> change : changes) {
            change.get(10, TimeUnit.SECONDS);
        }
        assertThat(patient.taken()).isZero();
    }

    @Test
    void textOfAnObject_isAllThatStays_onceItIsEncoded() {
        Work work = read(dev, ANN, 2);

        work.keepsOnly(OBJECT_BYTES);

        assertThat(memory.taken()).isEqualTo(OBJECT_BYTES);
    }

    /** By the thread that writes the answer, and by one that hears that the client left. */
    @Test
    void workThatIsClosedTwiceAtOnce_givesBackOnce() throws Exception {
        read(dev, BOB, 1);
        for (int i = 0; i < 2_000; i++) {
            Work work = read(dev, ANN, 1);
            Thread other = Thread.ofVirtual().start(work::close);
            work.close();
            other.join();
            assertThat(memory.taken()).isEqualTo(WORK_BYTES);
        }
    }

    @Test
    void noObject_takesNothing() {
        try (Work work = dev.begin(ANN)) {
            assertThat(work.toRead(codec, () -> null)).isNull();
            assertThat(memory.taken()).isZero();
        }
    }
}
