package io.fairlead.ittests;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.gson.JsonParser;
import io.fairlead.ittests.HttpProbe.Answer;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Random;
import java.util.TreeMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;

/**
 * Several writers that create, replace, patch and delete ConfigMaps, Secrets and custom resources of a cluster, each those of its
 * own names and as many a second as all are to write together. They note each version that was acknowledged.
 */
final class ArchiveWriters implements AutoCloseable {
    private static final int WRITERS = 16;
    private static final int NAMES = 5;

    /** How long one of them takes for a write and the pause behind it: together they write more than a hundred times a second. */
    private static final Duration INTERVAL = Duration.ofMillis(125);

    private static final Duration STOP_TIMEOUT = Duration.ofMinutes(1);

    private final HttpProbe probe;
    private final List<Kind> kinds;
    private final ExecutorService threads = Executors.newFixedThreadPool(WRITERS);
    private final List<Writer> writers = new ArrayList<>();
    private final List<Future<?>> writing = new ArrayList<>();
    private final AtomicLong newest = new AtomicLong();
    private final AtomicLong acknowledged = new AtomicLong();
    private final long began = System.nanoTime();
    private volatile boolean stopped;

    /**
     * A resource that is written to.
     *
     * @param key what the keys of its objects begin with in archives
     * @param path of its lists, in a namespace
     * @param object of which {@code NAME} and {@code NUMBER} are replaced
     */
    record Kind(String key, String path, String object) {
        static final Kind CONFIG_MAPS = new Kind(
                "core/configmaps/default/",
                "/api/v1/namespaces/default/configmaps",
                "{\"metadata\":{\"name\":\"NAME\"},\"data\":{\"n\":\"NUMBER\"}}");
        static final Kind SECRETS = new Kind(
                "core/secrets/default/",
                "/api/v1/namespaces/default/secrets",
                "{\"metadata\":{\"name\":\"NAME\"},\"stringData\":{\"n\":\"NUMBER\"}}");

        /** Custom resources. */
        static Kind of(BoundedType type) {
            return new Kind(
                    type.group() + "/" + type.plural() + "/default/",
                    "/apis/" + type.group() + "/v1/namespaces/default/" + type.plural(),
                    "{\"apiVersion\":\"%s/v1\",\"kind\":\"%s\",\"metadata\":{\"name\":\"NAME\"},\"spec\":{\"%s\":NUMBER}}"
                            .formatted(type.group(), type.kind(), type.field()));
        }
    }

    /**
     * A version that was acknowledged.
     *
     * @param wasDeleted whether the object was deleted next
     */
    private record Version(boolean wasDeleted) {}

    /** Starts to write to a cluster's URL. */
    ArchiveWriters(String base, String token, long seed, List<Kind> kinds) {
        this.probe = HttpProbe.withToken(base, token);
        this.kinds = kinds;
        for (int i = 0; i < WRITERS; i++) {
            Writer writer = new Writer("w" + i, new Random(seed + i));
            writers.add(writer);
            writing.add(threads.submit(writer));
        }
    }

    /** The newest version that was acknowledged. */
    long newest() {
        return newest.get();
    }

    /** How many writes were acknowledged. */
    long acknowledged() {
        return acknowledged.get();
    }

    /** How many of them a second since the start. */
    double perSecond() {
        return acknowledged.get() / ((System.nanoTime() - began) / 1e9);
    }

    /** Finishes the writes under way; no others follow. Fails if one was refused. */
    void stop() throws Exception {
        stopped = true;
        for (Future<?> each : writing) {
            each.get(STOP_TIMEOUT.toSeconds(), TimeUnit.SECONDS);
        }
    }

    /**
     * After {@link #stop}: an archive has of each object the last version that was acknowledged up to its revision. It may lack one
     * that was deleted next, since acknowledgements of deletions say no revision.
     *
     * @return how many objects are in it
     */
    int assertLastVersionsIn(ArchiveFile archive) {
        Map<String, Long> revisions = archive.revisions();
        int found = 0;
        for (Writer writer : writers) {
            for (Map.Entry<String, NavigableMap<Long, Version>> object : writer.versions.entrySet()) {
                Map.Entry<Long, Version> last = object.getValue().floorEntry(archive.revision());
                Long archived = revisions.get(object.getKey());
                boolean wasDeleted = last == null || last.getValue().wasDeleted();
                if (!wasDeleted || archived != null) {
                    assertThat(archived).as(object.getKey()).isEqualTo(last == null ? null : last.getKey());
                    found++;
                }
            }
        }
        return found;
    }

    @Override
    public void close() {
        stopped = true;
        threads.shutdownNow();
        probe.close();
    }

    /** One of them, alone with its names. */
    private final class Writer implements Runnable {
        private final String prefix;
        private final Random random;
        private final Map<String, NavigableMap<Long, Version>> versions = new TreeMap<>();

        Writer(String prefix, Random random) {
            this.prefix = prefix;
            this.random = random;
        }

        @Override
        public void run() {
            long next = System.nanoTime();
            for (int number = 0; !stopped; number++) {
                try {
                    write(kinds.get(random.nextInt(kinds.size())), prefix + "-" + random.nextInt(NAMES), number % 1000);
                } catch (IOException e) {
                    throw new AssertionError("a write was not answered", e);
                } catch (InterruptedException e) {
                    Thread.currentThread().interrupt();
                    return;
                }
                next += INTERVAL.toNanos();
                LockSupport.parkNanos(next - System.nanoTime());
            }
        }

        private void write(Kind kind, String name, int number) throws IOException, InterruptedException {
            NavigableMap<Long, Version> known = versions.computeIfAbsent(kind.key() + name, _ -> new TreeMap<>());
            boolean exists = !known.isEmpty() && !known.lastEntry().getValue().wasDeleted();
            String object = kind.object().replace("NAME", name).replace("NUMBER", "" + number);
            String path = kind.path() + "/" + name;
            int choice = random.nextInt(10);
            if (!exists) {
                note(known, 201, probe.send("POST", kind.path(), "application/json", object));
            } else if (choice < 4) {
                String merge = "{\"metadata\":{\"labels\":{\"n\":\"%d\"}}}".formatted(number);
                note(known, 200, probe.send("PATCH", path, "application/merge-patch+json", merge));
            } else if (choice < 8) {
                note(known, 200, probe.send("PUT", path, "application/json", versioned(object, known.lastKey())));
            } else {
                require(200, probe.delete(path));
                known.put(known.lastKey(), new Version(true));
            }
        }

        /** Custom resources are replaced only by who names the version. */
        private static String versioned(String object, long version) {
            return object.replace("\"metadata\":{", "\"metadata\":{\"resourceVersion\":\"" + version + "\",");
        }

        private void note(NavigableMap<Long, Version> known, int status, Answer answer) {
            require(status, answer);
            long version = JsonParser.parseString(answer.body())
                    .getAsJsonObject()
                    .getAsJsonObject("metadata")
                    .get("resourceVersion")
                    .getAsLong();
            known.put(version, new Version(false));
            newest.accumulateAndGet(version, Math::max);
        }

        private void require(int status, Answer answer) {
            if (answer.status() != status) {
                throw new AssertionError("a write was refused: " + answer);
            }
            acknowledged.incrementAndGet();
        }
    }
}
