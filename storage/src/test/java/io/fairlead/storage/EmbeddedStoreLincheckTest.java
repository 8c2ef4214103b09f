package io.fairlead.storage;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.fairlead.storage.RevisionedStore.CommitResult;
import io.fairlead.storage.RevisionedStore.Entry;
import io.fairlead.storage.RevisionedStore.Write;
import io.fairlead.testkit.Effort;
import java.io.IOException;
import java.nio.file.Path;
import java.util.concurrent.atomic.AtomicInteger;
import org.jetbrains.lincheck.LincheckAssertionError;
import org.jetbrains.lincheck.datastructures.Operation;
import org.jetbrains.lincheck.datastructures.StressOptions;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * Writes that are committed in groups are judged one after the other: of those of one group that expect the same revision one
 * succeeds. By stress, since the store's writer has a thread of its own.
 */
@Timeout(600)
class EmbeddedStoreLincheckTest {
    private static final AtomicInteger COUNTERS = new AtomicInteger();
    private static @TempDir Path directory = Path.of("");
    private static RevisionedStore store = new MemoryStore();

    @BeforeAll
    static void open() throws IOException {
        store = EmbeddedStore.open(directory, TestOptions.defaults());
    }

    @AfterAll
    static void close() {
        store.close();
    }

    @Test
    void counterOfConditionalWrites_isLinearizable() {
        options(25).check(Counter.class);
    }

    @Test
    void counterThatDoesNotMindOtherWrites_isCaught() {
        assertThatThrownBy(() -> options(100).check(Unminding.class)).isInstanceOf(LincheckAssertionError.class);
    }

    private static StressOptions options(int invocations) {
        return new StressOptions()
                .iterations(Effort.rounds(2))
                .invocationsPerIteration(invocations)
                .threads(3)
                .actorsBefore(0)
                .actorsPerThread(2)
                .actorsAfter(1)
                .minimizeFailedScenario(false);
    }

    /** A number under a key of its own. */
    public abstract static class Subject {
        private final String key = "/c/u/g/counters/" + COUNTERS.incrementAndGet();

        @Operation
        public int read() {
            return value(store.get(key));
        }

        /** What the number was raised to; null if another write came first. */
        private @Nullable Integer tryIncrement() {
            Entry current = store.get(key);
            int next = value(current) + 1;
            long expected = current == null ? 0 : current.revision();
            Write write = new Write.Put(key, Integer.toString(next).getBytes(UTF_8), expected);
            return store.commit(write) instanceof CommitResult.Committed || !minds() ? next : null;
        }

        abstract boolean minds();

        private static int value(@Nullable Entry entry) {
            return entry == null ? 0 : Integer.parseInt(new String(entry.value(), UTF_8));
        }

        @Operation
        public int increment() {
            Integer raised = tryIncrement();
            while (raised == null) {
                raised = tryIncrement();
            }
            return raised;
        }
    }

    /** One whose writes hold only where nothing came between. */
    public static final class Counter extends Subject {
        @Override
        boolean minds() {
            return true;
        }
    }

    /** One that does not mind what came between. */
    public static final class Unminding extends Subject {
        @Override
        boolean minds() {
            return false;
        }
    }
}
