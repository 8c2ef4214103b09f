package io.fairlead.gateway.guard;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * An API server of a few objects that answers lists and watches, and whose watches have faults: what the past of API servers
 * knows of, at random. Its lists are right.
 */
final class TimeMachine {
    private static final int NAMES = 6;

    /** What goes wrong in a watch. */
    enum Fault {
        /** A deletion has the version that the object had before. */
        STALE_DELETE,

        /** What was sent is sent again from some event on, as by a cache that began anew. */
        REPLAY,

        /** One object appears as it was. */
        REWIND,

        /** A bookmark is older than what was sent. */
        STALE_BOOKMARK,

        /** The connection breaks in the middle of an event. */
        CUT
    }

    /** One change. */
    private record Change(String type, String name, long version, long before) {}

    private final Random random;
    private final boolean hasFaults;
    private final List<Change> history = new ArrayList<>();
    private final Map<String, Long> objects = new TreeMap<>();
    private long revision = 10;

    TimeMachine(Random random, boolean hasFaults) {
        this.random = random;
        this.hasFaults = hasFaults;
    }

    /** What there is, with the versions. */
    Map<String, Long> objects() {
        return new TreeMap<>(objects);
    }

    long revision() {
        return revision;
    }

    /** Changes some objects. */
    void change() {
        for (int count = random.nextInt(8); count >= 0; count--) {
            revision += 1 + random.nextInt(3);
            String name = "o" + random.nextInt(NAMES);
            long before = objects.getOrDefault(name, 0L);
            if (before > 0 && random.nextInt(3) == 0) {
                objects.remove(name);
                history.add(new Change("DELETED", name, revision, before));
            } else {
                objects.put(name, revision);
                history.add(new Change(before > 0 ? "MODIFIED" : "ADDED", name, revision, before));
            }
        }
    }

    /** What a watch from a version sends until it ends or breaks; changes happen meanwhile. */
    String watch(long from) {
        StringBuilder sent = new StringBuilder();
        int next = 0;
        while (next < history.size() && history.get(next).version() <= from) {
            next++;
        }
        int first = next;
        for (int turns = 1 + random.nextInt(4); turns > 0; turns--) {
            for (; next < history.size(); next++) {
                Fault fault = fault();
                if (fault == Fault.CUT) {
                    String event = event(history.get(next), false);
                    return sent.append(event, 0, random.nextInt(event.length())).toString();
                }
                sent.append(event(history.get(next), fault == Fault.STALE_DELETE));
                sent.append(more(fault, first, next));
            }
            change();
        }
        return sent.toString();
    }

    private @Nullable Fault fault() {
        boolean isFault = hasFaults && random.nextInt(12) == 0;
        return isFault ? Fault.values()[random.nextInt(Fault.values().length)] : null;
    }

    /** What comes behind an event. */
    private String more(@Nullable Fault fault, int first, int at) {
        Change past = history.get(random.nextInt(at + 1));
        return switch (fault) {
            case REPLAY -> {
                StringBuilder again = new StringBuilder();
                for (int i = Math.max(first, at - random.nextInt(20)); i <= at; i++) {
                    again.append(event(history.get(i), false));
                }
                yield again.toString();
            }
            case REWIND -> event(new Change("MODIFIED", past.name(), past.version(), 0), false);
            case STALE_BOOKMARK -> bookmark(past.version());
            case STALE_DELETE, CUT -> "";
            case null -> random.nextInt(6) == 0 ? bookmark(history.get(at).version()) : "";
        };
    }

    private static String bookmark(long version) {
        return "{\"type\":\"BOOKMARK\",\"object\":{\"metadata\":{\"resourceVersion\":\"" + version + "\"}}}\n";
    }

    private static String event(Change change, boolean isStale) {
        boolean isDeletion = change.type().equals("DELETED");
        return "{\"type\":\"" + change.type() + "\",\"object\":{\"metadata\":{\"name\":\"" + change.name()
                + "\",\"resourceVersion\":\"" + (isStale && isDeletion ? change.before() : change.version())
                + "\"}}}\n";
    }
}
