package io.fairlead.hosted.objects;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.fairlead.testkit.Effort;
import java.util.concurrent.atomic.AtomicInteger;
import org.jetbrains.lincheck.LincheckAssertionError;
import org.jetbrains.lincheck.datastructures.ModelCheckingOptions;
import org.jetbrains.lincheck.datastructures.Operation;
import org.jetbrains.lincheck.datastructures.Validate;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** In every interleaving a controller that closed something and drained the gate has seen all that was created in it. */
@Timeout(600)
class WriteGateLincheckTest {
    @Test
    void createsBesideADrain_areAllSeen_andNothingBlocksForEver() {
        options().check(Gated.class);
    }

    @Test
    void createsWithoutAGate_areCaught() {
        assertThatThrownBy(() -> options().check(Ungated.class)).isInstanceOf(LincheckAssertionError.class);
    }

    private static ModelCheckingOptions options() {
        return new ModelCheckingOptions()
                .iterations(Effort.rounds(3))
                .invocationsPerIteration(80)
                .threads(3)
                .actorsBefore(0)
                .actorsPerThread(2)
                .actorsAfter(0)
                .minimizeFailedScenario(false);
    }

    /** A namespace and a resource that creates go into until they are closed. */
    public abstract static class Subject {
        private static final int OPEN = -1;

        private volatile boolean namespaceClosed;
        private volatile boolean resourceClosed;
        private final AtomicInteger created = new AtomicInteger();
        private final AtomicInteger seenInNamespace = new AtomicInteger(OPEN);
        private final AtomicInteger seenOfResource = new AtomicInteger(OPEN);

        abstract WriteGate.Passage pass(String resource, String namespace);

        abstract void drain(String key);

        @Operation
        public void create() {
            try (WriteGate.Passage _ = pass("boats", "harbour")) {
                if (!namespaceClosed && !resourceClosed) {
                    created.incrementAndGet();
                }
            }
        }

        /** The other way round: the stripes are taken in one order all the same. */
        @Operation
        public void createElsewhere() {
            pass("harbour", "boats").close();
        }

        @Operation(nonParallelGroup = "namespace controller")
        public void closeNamespace() {
            namespaceClosed = true;
            drain("harbour");
            seenInNamespace.compareAndSet(OPEN, created.get());
        }

        @Operation(nonParallelGroup = "definition controller")
        public void closeResource() {
            resourceClosed = true;
            drain("boats");
            seenOfResource.compareAndSet(OPEN, created.get());
        }

        @Validate
        public void allIsSeen() {
            for (AtomicInteger seen : new AtomicInteger[] {seenInNamespace, seenOfResource}) {
                if (seen.get() != OPEN && seen.get() != created.get()) {
                    throw new AssertionError(seen + " were seen of " + created);
                }
            }
        }
    }

    /** The gate as it is. */
    public static final class Gated extends Subject {
        private final WriteGate gate = new WriteGate();

        @Override
        WriteGate.Passage pass(String resource, String namespace) {
            return gate.pass(resource, namespace);
        }

        @Override
        void drain(String key) {
            gate.drain(key);
        }
    }

    /** None. */
    public static final class Ungated extends Subject {
        @Override
        WriteGate.Passage pass(String resource, String namespace) {
            return () -> {};
        }

        @Override
        void drain(String key) {}
    }
}
