package io.fairlead.net;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.fairlead.testkit.Effort;
import java.util.concurrent.atomic.AtomicInteger;
import org.jetbrains.lincheck.LincheckAssertionError;
import org.jetbrains.lincheck.datastructures.ModelCheckingOptions;
import org.jetbrains.lincheck.datastructures.Operation;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** In every interleaving a connection is refused only while none is left, of the part or of the whole. */
@Timeout(600)
class ConnectionBudgetLincheckTest {
    @Test
    void partsOfOneWhole_areLinearizable() {
        options().check(Whole.class);
    }

    @Test
    void budgetThatTakesBeforeItLooks_isCaught() {
        assertThatThrownBy(() -> options().check(TakesBeforeItLooks.class)).isInstanceOf(LincheckAssertionError.class);
    }

    private static ModelCheckingOptions options() {
        return new ModelCheckingOptions()
                .iterations(Effort.rounds(4))
                .invocationsPerIteration(100)
                .threads(2)
                .actorsBefore(1)
                .actorsPerThread(3)
                .actorsAfter(1)
                .minimizeFailedScenario(false);
    }

    /** Two parts, of which both cannot have all that they may. */
    public static final class Whole {
        private final ConnectionBudget all = new ConnectionBudget(2);
        private final ConnectionBudget one = all.part(1);
        private final ConnectionBudget other = all.part(2);
        private boolean held = one.take();

        @Operation
        public boolean takeOne() {
            return one.take();
        }

        @Operation
        public boolean takeOther() {
            return other.take();
        }

        /** Only what was taken is given back. */
        @Operation(nonParallelGroup = "holder")
        public void giveBack() {
            if (held) {
                held = false;
                one.giveBack();
            }
        }
    }

    /** A budget that is full for a moment for those whose connection it then refuses. */
    public static final class TakesBeforeItLooks {
        private final AtomicInteger taken = new AtomicInteger(1);
        private boolean held = true;

        @Operation
        public boolean take() {
            if (taken.incrementAndGet() > 1) {
                taken.decrementAndGet();
                return false;
            }
            return true;
        }

        @Operation(nonParallelGroup = "holder")
        public void giveBack() {
            if (held) {
                held = false;
                taken.decrementAndGet();
            }
        }
    }
}
