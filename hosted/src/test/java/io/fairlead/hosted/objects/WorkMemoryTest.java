package io.fairlead.hosted.objects;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.fairlead.hosted.HostedMemory;
import io.fairlead.hosted.TestMemory;
import io.fairlead.hosted.objects.WorkMemory.OfCluster;
import io.fairlead.model.ByteBudget;
import io.fairlead.model.CallerName;
import io.fairlead.model.StatusException;
import io.fairlead.storage.RevisionedStore.Entry;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Of ten objects that may be read at once, five are one cluster's, and two one caller's. */
class WorkMemoryTest {
    private static final int OBJECT_BYTES = 10_000;
    private static final long WORK_BYTES = 8L * OBJECT_BYTES;
    private static final CallerName ANN = CallerName.ofGateway("ann");
    private static final CallerName BOB = CallerName.ofGateway("bob");
    private static final CallerName CID = CallerName.ofGateway("cid");

    private final List<String> reached = new CopyOnWriteArrayList<>();
    private final WorkMemory memory = memory(Duration.ofMillis(50));
    private final OfCluster dev = memory.ofCluster();
    private final OfCluster prod = memory.ofCluster();
    private final List<Work> open = new ArrayList<>();

    private WorkMemory memory(Duration patience) {
        HostedMemory shares = TestMemory.of(ByteBudget.of(1 << 20));
        return new WorkMemory(new HostedMemory(
                shares.budget(),
                shares.clusterBytesMax(),
                shares.callerBytesMax(),
                10 * WORK_BYTES,
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

    /** A text without members, of which reading takes eight times the bytes. */
    private static Entry object(int count) {
        return new Entry("key", ("\"" + "x".repeat(count * OBJECT_BYTES - 2) + "\"").getBytes(UTF_8), 1, 1);
    }

    private Work read(OfCluster cluster, CallerName caller, int count) {
        Work work = cluster.begin(caller);
        open.add(work);
        assertThat(work.toRead(() -> object(count))).isNotNull();
        return work;
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
    void objectBeyondAPart_isWorkedOnAlone() {
        read(dev, ANN, 4);
        assertRefused(() -> read(prod, ANN, 1));
        read(dev, BOB, 1);

        Work large = prod.begin(CID);
        assertRefused(() -> large.toRead(() -> object(20)));
        open.forEach(Work::close);
        assertThat(large.toRead(() -> object(20))).isNotNull();
        assertRefused(() -> read(dev, BOB, 1));
        large.close();
    }

    @Test
    void objectThatIsAwaited_isNotKept_butReadAnew_andMayHaveGrown() throws Exception {
        WorkMemory patient = memory(Duration.ofSeconds(20));
        OfCluster cluster = patient.ofCluster();
        Work before = cluster.begin(ANN);
        assertThat(before.toRead(() -> object(2))).isNotNull();
        AtomicInteger reads = new AtomicInteger();
        CompletableFuture<Entry> read = new CompletableFuture<>();
        Work work = cluster.begin(ANN);
        Thread waiting = Thread.ofPlatform()
                .start(() -> read.complete(work.toRead(() -> object(reads.incrementAndGet() == 1 ? 1 : 2))));
        while (waiting.getState() != Thread.State.TIMED_WAITING) {
            Thread.onSpinWait();
        }
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
        Work change = dev.begin(ANN);
        open.add(change);
        change.sends(object(20).value(), Work.Form.JSON);
        assertThat(memory.taken()).isEqualTo(20 * WORK_BYTES);
        change.keepsOnly(0);
        change.sends(object(1).value(), Work.Form.JSON);
        assertThat(memory.taken()).as("a small body alone").isZero();
        assertThat(change.toChange(() -> object(1))).isNotNull();
        assertThat(memory.taken()).isEqualTo((20 + 8) * OBJECT_BYTES);
        change.close();

        assertThat(toCreate("{\"a\":[\"1,2{\\\"[\",{}]}", Work.Form.JSON)).isEqualTo(12L * 20_000 + 1_100 * 4_000);
        assertThat(toCreate("a: [it\"s,{}]\n", Work.Form.YAML)).isEqualTo(12L * 13_000 + 1_100 * 4_000);
        assertThat(toCreate("binary", Work.Form.BINARY)).isEqualTo(12L * 6_000 + 1_100 * 1_000);
    }

    private long toCreate(String thousandTimes, Work.Form form) {
        try (Work work = dev.begin(ANN)) {
            work.sends(thousandTimes.repeat(1_000).getBytes(UTF_8), form);
            work.creates();
            return memory.taken();
        }
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
            assertThat(work.toRead(() -> null)).isNull();
            assertThat(memory.taken()).isZero();
        }
    }
}
