package io.fairlead.gateway.guard;

import static java.nio.charset.StandardCharsets.US_ASCII;

import io.fairlead.index.history.WatchEventType;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/*
 * Go's decoders take the last of two members of one name, others the first, and some decode escapes in names where others
 * compare bytes. Where that could matter, the event is not clear, and the guard changes nothing in it: a wrong rewrite would
 * be worse than none.
 */
/** Picks out of the values of a stream what the guard needs of each event. One thread. */
final class EventMembers implements ValueSink {
    /** An API server puts one row into an event; each takes some memory until the event is complete. */
    static final int ROWS_MAX = 128;

    /** Of all names and versions in them: a server may send long ones, and stop before the end of the event. */
    static final int ROWS_CHARS_MAX = 16 * 1024;

    /** As deep as the annotations of a row's object are. */
    private static final int LEVELS = 7;

    private static final byte[] TABLE = "Table".getBytes(US_ASCII);
    private static final byte[] TABLE_GROUP = "meta.k8s.io/".getBytes(US_ASCII);

    private final Level[] levels = new Level[LEVELS];
    /** The members that each level has had, by their bits. */
    private final int[] seen = new int[LEVELS];

    private int depth;

    /** The member whose value comes next; null if it is not read. */
    private @Nullable Member member;

    private final List<ReadVersion> rows = new ArrayList<>(1);
    private int rowsChars;
    private Subject whole = new Subject();
    private @Nullable Subject row;
    private String type = "";
    private long from;
    private int marksOfTable;
    private boolean endsInitialEvents;
    private Doubt doubt = Doubt.NONE;
    private @Nullable ReadEvent complete;

    /** Where the event can be read in two ways. */
    private enum Doubt {
        NONE,

        /** In rows, which count only if the object is a Table. */
        IN_ROWS,
        EVERYWHERE
    }

    /** The object that is being read. */
    private static final class Subject {
        private String name = "";
        private String namespace = "";
        private String version = "";
        private long from;
        private long to;

        ReadVersion read() {
            String key = name.isEmpty() || namespace.isEmpty() ? name : namespace + "/" + name;
            return new ReadVersion(key, version, from, to);
        }
    }

    /** The event that was completed last; null if it was taken before, or there is none. */
    @Nullable
    ReadEvent take() {
        ReadEvent taken = complete;
        complete = null;
        return taken;
    }

    @Override
    public void beginObject(long position) {
        if (depth == 0) {
            begin(position);
            push(Level.EVENT);
            return;
        }
        Level level = level().ofObject(member);
        if (level == Level.OTHER) {
            expect(Member.Content.OBJECT);
        } else if (level == Level.ROW_OBJECT) {
            row = new Subject();
        }
        push(level);
    }

    @Override
    public void beginArray() {
        Level level = level().ofArray(member);
        if (level == Level.OTHER) {
            expect(Member.Content.ANY);
        }
        push(level);
    }

    @Override
    public void end(long position) {
        depth--;
        member = null;
        if (depth < LEVELS && levels[depth] == Level.ROW_OBJECT) {
            endRow();
        }
        if (depth == 0) {
            complete = event(position);
        }
    }

    @Override
    public boolean wantsText(boolean isName) {
        return isName ? level().hasMembers() : member != null && member.content() == Member.Content.TEXT;
    }

    @Override
    public void name(Text text) {
        Level level = level();
        if (!level.hasMembers()) {
            return;
        }
        member = level.member(text);
        if (member != null) {
            if ((seen[depth - 1] & member.bit()) != 0) {
                doubt();
            }
            seen[depth - 1] |= member.bit();
            endsInitialEvents |= member == Member.INITIAL_EVENTS_END;
        } else if (text.isEscaped() && level != Level.ANNOTATIONS) {
            doubt();
        }
    }

    @Override
    public void string(Text text) {
        expect(Member.Content.TEXT);
        if (member == null || member.content() != Member.Content.TEXT) {
            return;
        }
        if (text.isEscaped() || (!text.isPlain() && isOfAKey(member))) {
            doubt();
        } else {
            take(member, text);
        }
    }

    @Override
    public void nothing() {
        // As if the member were not there.
    }

    @Override
    public void scalar() {
        expect(Member.Content.ANY);
    }

    private void begin(long position) {
        from = position;
        type = "";
        rows.clear();
        rowsChars = 0;
        whole = new Subject();
        row = null;
        marksOfTable = 0;
        endsInitialEvents = false;
        doubt = Doubt.NONE;
    }

    private ReadEvent event(long to) {
        boolean isTable = marksOfTable == (Member.KIND.bit() | Member.API_VERSION.bit());
        boolean isClear = isTable ? doubt == Doubt.NONE : doubt != Doubt.EVERYWHERE;
        return new ReadEvent(
                WatchEventType.of(type, endsInitialEvents),
                whole.read(),
                isTable ? List.copyOf(rows) : List.of(),
                isClear,
                from,
                to);
    }

    private void endRow() {
        Subject ended = row;
        row = null;
        if (ended == null) {
            return;
        }
        ReadVersion read = ended.read();
        rowsChars += read.key().length() + read.text().length();
        if (rows.size() == ROWS_MAX || rowsChars > ROWS_CHARS_MAX) {
            doubt = doubt == Doubt.EVERYWHERE ? doubt : Doubt.IN_ROWS;
        } else {
            rows.add(read);
        }
    }

    private void take(Member of, Text text) {
        Subject subject = row == null ? whole : row;
        switch (of) {
            case TYPE -> type = text.toString();
            case KIND -> markIf(text.is(TABLE), of);
            case API_VERSION -> markIf(text.beginsWith(TABLE_GROUP), of);
            case NAME -> subject.name = text.toString();
            case NAMESPACE -> subject.namespace = text.toString();
            case RESOURCE_VERSION -> {
                subject.version = text.toString();
                subject.from = text.from();
                subject.to = text.to();
            }
            case OBJECT, METADATA, ROWS, ANNOTATIONS, INITIAL_EVENTS_END -> {}
        }
    }

    private void markIf(boolean isOfTable, Member of) {
        if (isOfTable) {
            marksOfTable |= of.bit();
        }
    }

    private static boolean isOfAKey(Member member) {
        return member == Member.NAME || member == Member.NAMESPACE;
    }

    /** The value of the present member is of a kind, which must be the one that it can be. */
    private void expect(Member.Content kind) {
        Member of = member;
        if (of != null && level().hasMembers() && of.content() != Member.Content.ANY && of.content() != kind) {
            doubt();
        }
    }

    private void doubt() {
        boolean inRows = depth > 2 && levels[2] == Level.ROWS;
        doubt = inRows && doubt != Doubt.EVERYWHERE ? Doubt.IN_ROWS : Doubt.EVERYWHERE;
    }

    private void push(Level level) {
        if (depth < LEVELS) {
            levels[depth] = level;
            seen[depth] = 0;
        }
        depth++;
        member = null;
    }

    private Level level() {
        return depth > LEVELS ? Level.OTHER : levels[depth - 1];
    }
}
