package io.fairlead.ittests;

import static org.assertj.core.api.Assertions.assertThat;

import io.fairlead.ittests.SeenObject.Event;
import io.fairlead.ittests.SeenObject.EventType;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The writes that were sent for one object, one after the other, and what became of each: what a list and the events of a watch have to
 * show.
 *
 * <pre>
 * SENT - the answer says that it is stored -> STORED
 * SENT - the answer says that it is not    -> (forgotten)
 * SENT - there was no answer, or one that does not say -> LOST
 * LOST - a list shows what it leaves       -> STORED
 * LOST - a list shows what was before      -> (forgotten)
 * </pre>
 *
 * <p>Threads: any.
 */
final class WriteHistory {
    private final String object;
    private final List<Write> stored = new ArrayList<>();
    private @Nullable Write pending;

    WriteHistory(String object) {
        this.object = object;
    }

    /** What it contains after the stored writes; null if it is not there. */
    synchronized @Nullable Map<String, String> content() {
        return stored.isEmpty() ? null : stored.getLast().leaves;
    }

    /** Of the last stored write; 0 if no answer told it. */
    synchronized long revision() {
        return stored.isEmpty() ? 0 : stored.getLast().revision;
    }

    /** Whether it is known what became of each write. */
    synchronized boolean isCertain() {
        return pending == null;
    }

    /** A write is sent that leaves this content, or null if it deletes. */
    synchronized void send(@Nullable Map<String, String> leaves) {
        if (pending != null) {
            throw new IllegalStateException(object + ": it is not known what became of the write before");
        }
        pending = new Write(leaves);
    }

    /**
     * It is stored.
     *
     * @param revision 0 if the answer did not tell it
     */
    synchronized void acknowledge(long revision) {
        store(revision);
    }

    /** It is not stored. */
    synchronized void refuse() {
        pending = null;
    }

    /** Finds out what became of a write without an answer, and fails if what a list shows is nothing that can be. */
    synchronized void settle(@Nullable SeenObject found, String when) {
        Write lost = pending;
        if (lost != null && isLeftBy(lost, found)) {
            store(found == null ? 0 : found.revision());
        }
        pending = null;
        Write last = stored.isEmpty() ? new Write(null) : stored.getLast();
        if (!isLeftBy(last, found)) {
            throw new AssertionError("%s: %s is %s after %s (expected %s)"
                    .formatted(when, object, found, lost == null ? "no write without an answer" : lost, last));
        }
        if (found != null && last.revision == 0) {
            last.revision = found.revision();
        }
    }

    /** Fails unless the events are those of the stored writes, each once and in order. */
    synchronized void assertTold(List<Event> events, String when) {
        for (int i = 0; i < Math.min(events.size(), stored.size()); i++) {
            Event event = events.get(i);
            Map<String, String> before = i == 0 ? null : stored.get(i - 1).leaves;
            Write write = stored.get(i);
            Map<String, String> shown = write.leaves == null ? before : write.leaves;
            boolean isAsWritten = event.type() == typeOf(before, write.leaves)
                    && event.object().content().equals(shown)
                    && (write.revision == 0 || write.revision == event.object().revision());
            if (!isAsWritten) {
                throw new AssertionError(
                        "%s: event %d of %s is %s (expected %s)".formatted(when, i + 1, object, event, write));
            }
            write.revision = event.object().revision();
        }
        assertThat(events)
                .as("%s: as many events of %s as stored writes", when, object)
                .hasSameSizeAs(stored);
        assertGrowing(when);
        assertOneUidEach(events, when);
    }

    private void store(long revision) {
        Write done = pending;
        if (done == null) {
            throw new IllegalStateException(object + ": nothing was sent");
        }
        done.revision = revision;
        stored.add(done);
        pending = null;
    }

    /** Revisions are known of all writes that a watch has told of. */
    private boolean isLeftBy(Write write, @Nullable SeenObject found) {
        if (found == null) {
            return write.leaves == null;
        }
        return found.content().equals(write.leaves) && (write.revision == 0 || write.revision == found.revision());
    }

    private void assertGrowing(String when) {
        assertThat(stored)
                .as("%s: revisions of %s", when, object)
                .extracting(write -> write.revision)
                .isSorted()
                .doesNotHaveDuplicates();
    }

    /** An object keeps its uid until it is deleted, and has it alone. */
    private void assertOneUidEach(List<Event> events, String when) {
        Set<String> ended = new HashSet<>();
        String uid = "";
        for (Event event : events) {
            String now = event.object().uid();
            assertThat(now).as("%s: the uid of %s, %s", when, object, event).isNotIn(ended);
            if (event.type() != EventType.ADDED) {
                assertThat(now).as("%s: the uid of %s, %s", when, object, event).isEqualTo(uid);
            }
            uid = now;
            if (event.type() == EventType.DELETED) {
                ended.add(now);
            }
        }
    }

    private static EventType typeOf(@Nullable Map<String, String> before, @Nullable Map<String, String> leaves) {
        return before == null ? EventType.ADDED : leaves == null ? EventType.DELETED : EventType.MODIFIED;
    }

    private static final class Write {
        private final @Nullable Map<String, String> leaves;
        private long revision;

        Write(@Nullable Map<String, String> leaves) {
            this.leaves = leaves;
        }

        @Override
        public String toString() {
            return (leaves == null ? "nothing" : leaves) + " at " + (revision == 0 ? "some revision" : revision);
        }
    }
}
