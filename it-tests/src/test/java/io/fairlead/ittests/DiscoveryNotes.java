package io.fairlead.ittests;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.locks.LockSupport;

/**
 * What clients of some API servers find out about what these serve, while it is open: a {@link DiscoveryProgram} ten times a second, and
 * {@code kubectl api-resources}, which lists each server in turn.
 */
final class DiscoveryNotes implements AutoCloseable {
    /** What a group may be in aggregated discovery. */
    static final String CURRENT = "Current";

    static final String STALE = "Stale";
    static final String EMPTY = "Current, without resources";
    static final String ABSENT = "absent";

    private static final Duration SOON = Duration.ofSeconds(30);
    private static final Duration PAUSE = Duration.ofMillis(200);

    private final OwnedProcess program;
    private final Path file;
    private final Thread lister;
    private final Queue<Listing> listings = new ConcurrentLinkedQueue<>();
    private final long begun;
    private final List<Note> notes = new ArrayList<>();

    /** By target and group. */
    private final Map<String, Map<String, String>> states = new HashMap<>();

    /** Up to where the file was read. */
    private long offset;

    private volatile boolean isOver;

    /** What is noted. */
    enum Kind {
        /** The groups of a moment are the ones that were there before. */
        BEGUN,
        /** How often {@code /apis} was answered so far, and how long the longest answer took, in milliseconds. */
        POLLED,
        /** No 2xx. */
        FAILED,
        /** Answered later than is bearable. */
        SLOW,
        /** A group that was there before answers otherwise. */
        CHANGED,
        /** Another group is not what it was. */
        STATE
    }

    /**
     * Something at an API server, between two moments.
     *
     * @param subject a path, or a group
     */
    record Note(Kind kind, long begun, long ended, String target, String subject, String what) {
        String line() {
            return String.join(
                    "\t",
                    kind.name(),
                    String.valueOf(begun),
                    String.valueOf(ended),
                    target,
                    subject,
                    what.replaceAll("\\s+", " "));
        }

        static Note of(String line) {
            String[] words = line.split("\t", 6);
            return new Note(
                    Kind.valueOf(words[0]),
                    Long.parseLong(words[1]),
                    Long.parseLong(words[2]),
                    words[3],
                    words[4],
                    words[5]);
        }
    }

    /** A run of {@code kubectl api-resources}. */
    record Listing(String target, long begun, long ended, Output output) {}

    /** Begins; the groups that are there now are the ones that were there before. */
    static DiscoveryNotes open(NetworkNamespace network, Path folder, Map<String, KubeCluster> targets) {
        List<String> arguments = new ArrayList<>(List.of(KubeCluster.ADMIN_TOKEN));
        targets.forEach((name, target) -> arguments.addAll(List.of(name, target.url())));
        OwnedProcess program =
                OwnedProcess.start("discovery", folder, Map.of(), network.program(DiscoveryProgram.class, arguments));
        Map<String, Kubectl> listers = new TreeMap<>();
        targets.forEach((name, target) ->
                listers.put(name, new Kubectl(folder.resolve("lists-" + name), target.kubeconfig(), network)));
        return new DiscoveryNotes(program, folder.resolve("discovery.out"), listers);
    }

    private DiscoveryNotes(OwnedProcess program, Path file, Map<String, Kubectl> listers) {
        this.program = program;
        this.file = file;
        Await.until(
                "the groups are known; " + program.tail(),
                SOON,
                () -> !program.isAlive() || count(Kind.BEGUN) == listers.size());
        begun = System.currentTimeMillis();
        lister = Thread.ofPlatform().daemon().name("api-resources").start(() -> list(listers));
    }

    private long count(Kind kind) {
        return notes().stream().filter(note -> note.kind() == kind).count();
    }

    /** All so far. */
    synchronized List<Note> notes() {
        readOn();
        return List.copyOf(notes);
    }

    /** What each group that was not there at first is now in a target. */
    synchronized Map<String, String> states(String target) {
        readOn();
        return Map.copyOf(states.getOrDefault(target, Map.of()));
    }

    /** Reads what was written since the last time, but for a line that is not whole. */
    private void readOn() {
        if (!program.isAlive()) {
            throw new AssertionError("discovery is polled no more; " + program.tail());
        }
        try (InputStream in = Files.newInputStream(file)) {
            in.skipNBytes(offset);
            String text = new String(in.readAllBytes(), UTF_8);
            String whole = text.substring(0, text.lastIndexOf('\n') + 1);
            offset += whole.getBytes(UTF_8).length;
            whole.lines().map(Note::of).forEach(this::add);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private void add(Note note) {
        notes.add(note);
        if (note.kind() == Kind.STATE) {
            Map<String, String> groups = states.computeIfAbsent(note.target(), _ -> new TreeMap<>());
            groups.put(note.subject(), note.what());
            groups.values().removeIf(ABSENT::equals);
        }
    }

    /** All runs of kubectl so far. */
    List<Listing> listings() {
        return List.copyOf(listings);
    }

    /** Since when. */
    long begun() {
        return begun;
    }

    @Override
    public void close() {
        isOver = true;
        program.close();
        try {
            lister.join(SOON);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private void list(Map<String, Kubectl> listers) {
        while (!isOver) {
            listers.forEach((target, kubectl) -> {
                long from = System.currentTimeMillis();
                Output output = kubectl.run("api-resources", "--cached=false", "-o", "name");
                listings.add(new Listing(target, from, System.currentTimeMillis(), output));
                LockSupport.parkNanos(PAUSE.toNanos());
            });
        }
    }
}
