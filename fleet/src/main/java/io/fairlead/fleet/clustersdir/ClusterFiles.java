package io.fairlead.fleet.clustersdir;

import io.fairlead.fleet.ReadinessCheck;
import io.fairlead.fleet.root.RootApi;
import io.fairlead.fleet.root.WorkLog;
import io.fairlead.model.FileFault;
import io.fairlead.model.Repetitions;
import io.fairlead.model.Supervised;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.spi.LoggingEventBuilder;

/*
 * The folder is polled: notifications miss network file systems and the swapped links of mounted ConfigMaps. Nothing is
 * done while it changes, so that neither a file that is being written nor one that an editor has moved away for a
 * moment is applied. An invalid file changes nothing: the objects declared by it before stay.
 */
/**
 * A folder of YAML files that declare clusters, kept applied to the root cluster. The files win over other writers.
 *
 * <p>Threads: its own thread writes; any may read the counts.
 */
public final class ClusterFiles implements ReadinessCheck, AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(ClusterFiles.class);

    /** The placeholder for a file's name. */
    private static final String FOLDER = "";

    private static final Duration LOOK_INTERVAL = Duration.ofMillis(500);
    private static final int LOOKS_BETWEEN_CHECKS = 20;
    private static final Duration END = Duration.ofSeconds(5);

    private final Path folder;
    private final int filesMax;
    private final DeclaredObjects objects;
    private final Duration lookInterval;
    private final Supervised work =
            new Supervised("cluster-files", Thread.ofPlatform().daemon(), this::follow, new WorkLog());
    private final Repetitions lines = Repetitions.ofChanges();
    private volatile Map<String, String> problems = Map.of();
    private volatile int fileCount;

    /** The last applied state; confined to the starter, then to the thread. */
    private Map<String, Stamp> done = Map.of();

    /**
     * Files of a folder; nothing happens before {@link #start}.
     *
     * @param filesMax how many there may be; if there are more, no change of the folder is applied
     */
    public ClusterFiles(Path folder, RootApi api, int filesMax) {
        this(folder, api, filesMax, LOOK_INTERVAL);
    }

    ClusterFiles(Path folder, RootApi api, int filesMax, Duration lookInterval) {
        this.folder = folder;
        this.filesMax = filesMax;
        this.objects = new DeclaredObjects(api);
        this.lookInterval = lookInterval;
    }

    /**
     * Applies the files, and follows changes from then on. What no file declares any more is removed once the folder is seen
     * not to change: it may be just being filled.
     *
     * @throws IOException if the folder cannot be read
     */
    public void start() throws IOException {
        done = look();
        apply(done.keySet(), false);
        work.start();
    }

    /** The supervised threads, for readiness. */
    public Supervised work() {
        return work;
    }

    /** The number of files. */
    public int fileCount() {
        return fileCount;
    }

    /** How many files, or the folder itself, are not applied. */
    public int failedCount() {
        return problems.size();
    }

    @Override
    public String name() {
        return "clusters-dir";
    }

    /** Never fails: one bad file must not remove all clusters. */
    @Override
    public Optional<String> failure() {
        return Optional.empty();
    }

    @Override
    public Optional<String> detail() {
        int failed = failedCount();
        return failed == 0
                ? Optional.empty()
                : Optional.of(failed + " of " + Math.max(fileCount, failed) + " files not applied, see the log");
    }

    @Override
    public void close() {
        work.close(END);
    }

    /** The identity and time of a file, from its folder. */
    private record Stamp(String key, long size, long modifiedNanos) {}

    private void follow() throws InterruptedException {
        @Nullable Map<String, Stamp> before = done;
        boolean removes = true; // which the start left out
        int looks = 0;
        while (!work.isClosed()) {
            try {
                work.pause(lookInterval);
                Map<String, Stamp> now = look();
                boolean changed = !now.equals(done);
                if (now.equals(before) && (changed || removes || ++looks >= LOOKS_BETWEEN_CHECKS)) {
                    apply(now.keySet(), true);
                    done = now;
                    removes = false;
                    looks = 0;
                }
                before = now;
            } catch (IOException unreadable) {
                reportAll("the folder cannot be read (" + FileFault.of(unreadable) + ")");
                done = Map.of();
                before = null;
            } catch (RuntimeException failure) {
                reportAll(String.valueOf(failure.getMessage()));
            }
        }
    }

    private Map<String, Stamp> look() throws IOException {
        Map<String, Stamp> stamps = new TreeMap<>();
        try (Stream<Path> files = Files.list(folder)) {
            for (Path file : files.filter(ClusterFiles::isOurs).sorted().toList()) {
                if (stamps.size() == filesMax) {
                    throw new IOException(
                            "more than " + filesMax + " files; limits.clusterFilesMax says how many there may be");
                }
                stamp(file).ifPresent(stamp -> stamps.put(file.getFileName().toString(), stamp));
            }
        }
        return stamps;
    }

    /** Empty if it is not a file. One without readable attributes, such as a dangling link, is an unreadable file. */
    private static Optional<Stamp> stamp(Path file) {
        try {
            BasicFileAttributes found = Files.readAttributes(file, BasicFileAttributes.class);
            return found.isRegularFile()
                    ? Optional.of(new Stamp(
                            String.valueOf(found.fileKey()),
                            found.size(),
                            found.lastModifiedTime().to(TimeUnit.NANOSECONDS)))
                    : Optional.empty();
        } catch (IOException unreadable) {
            return Optional.of(new Stamp(FileFault.of(unreadable), -1, -1));
        }
    }

    private static boolean isOurs(Path file) {
        String name = file.getFileName().toString();
        return !name.startsWith(".") && (name.endsWith(".yaml") || name.endsWith(".yml") || name.endsWith(".json"));
    }

    private void apply(Set<String> names, boolean isStable) {
        fileCount = names.size();
        Map<String, String> failed = new TreeMap<>();
        List<ClusterFile> files = read(names, failed);
        Map<DeclaredObjects.Key, String> sources = objects.from(failed.keySet());
        for (ClusterFile file : files) {
            apply(file, sources, failed);
        }
        if (isStable) {
            objects.removeOthers(new HashSet<>(sources.keySet()), new HashSet<>(failed.keySet()));
        }
        report(names, failed);
    }

    private List<ClusterFile> read(Set<String> names, Map<String, String> failed) {
        List<ClusterFile> files = new ArrayList<>();
        for (String name : names) {
            try {
                files.add(ClusterFile.read(folder.resolve(name)));
            } catch (ClusterFile.UnusableException unusable) {
                failed.put(name, unusable.problem());
            }
        }
        return files;
    }

    private void apply(ClusterFile file, Map<DeclaredObjects.Key, String> sources, Map<String, String> failed) {
        Optional<DeclaredObjects.Key> taken = file.objects().stream()
                .map(DeclaredObjects.Key::of)
                .filter(sources::containsKey)
                .findFirst();
        if (taken.isPresent()) {
            failed.put(
                    file.name(), taken.get() + " is declared in " + Objects.requireNonNull(sources.get(taken.get())));
            return;
        }
        file.objects().forEach(object -> sources.put(DeclaredObjects.Key.of(object), file.name()));
        objects.apply(file).ifPresent(problem -> failed.put(file.name(), problem));
    }

    /** A problem of the folder; meanwhile nothing is known of its files. */
    private void reportAll(String problem) {
        Map<String, String> failed = new TreeMap<>(problems);
        failed.put(FOLDER, problem);
        report(failed.keySet(), failed);
    }

    private void report(Set<String> names, Map<String, String> failed) {
        failed.forEach((file, problem) -> {
            if (!problem.equals(problems.get(file))) {
                tell(file, LOG.atWarn().addKeyValue("problem", problem), "A file of clusters is not applied");
            }
        });
        problems.keySet().stream()
                .filter(file -> !failed.containsKey(file))
                .forEach(file -> tell(
                        file,
                        LOG.atInfo(),
                        names.contains(file) || file.equals(FOLDER)
                                ? "A file of clusters is applied again"
                                : "A file of clusters that was not applied was removed"));
        problems = Map.copyOf(failed);
    }

    private void tell(String file, LoggingEventBuilder line, String what) {
        lines.next(file)
                .ifPresent(leftOut -> line.addKeyValue("file", folder.resolve(file))
                        .addKeyValue("leftOut", leftOut)
                        .log(what));
    }
}
