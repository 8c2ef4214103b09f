package io.fairlead.ittests;

import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import io.fairlead.ittests.HttpProbe.Answer;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * One client that creates, updates, patches, applies and deletes objects of its own, one after the other, until the server is gone or
 * stores nothing more. Each write has a stamp of its own, which it leaves in several places.
 */
final class MixedWriter {
    /** Refusals in a row after which it gives up, as people do. */
    private static final int REFUSALS_MAX = 8;

    private static final int STAMPS_MAX = 150;
    private static final String MERGE = "application/merge-patch+json";

    private final int number;
    private final List<Target> targets;
    private final SplittableRandom random;
    private final Queue<String> faults = new ConcurrentLinkedQueue<>();
    private int written;
    private long newest;

    MixedWriter(int number, List<Target> targets, SplittableRandom random) {
        this.number = number;
        this.targets = targets;
        this.random = random;
    }

    /** An object that it writes. */
    record Target(String cluster, StoredKind kind, String name, WriteHistory history) {
        String collection() {
            return kind.collection(cluster);
        }

        String path() {
            return collection() + "/" + name;
        }
    }

    /** A request, and what it leaves of its object: null if it deletes. */
    private record Sending(
            String method,
            String path,
            String contentType,
            String body,
            @Nullable Map<String, String> leaves) {}

    List<Target> targets() {
        return targets;
    }

    /** Answers that nothing explains. */
    List<String> faults() {
        return List.copyOf(faults);
    }

    /**
     * Writes on.
     *
     * @param mayRefuse whether the server may have a disk that takes nothing
     * @param acknowledged counts the writes that were acknowledged
     */
    void write(HttpProbe probe, boolean mayRefuse, AtomicInteger acknowledged) {
        int refused = 0;
        while (refused < REFUSALS_MAX) {
            List<Target> certain = targets.stream()
                    .filter(target -> target.history().isCertain())
                    .toList();
            if (certain.isEmpty()) {
                return;
            }
            Target target = certain.get(random.nextInt(certain.size()));
            Sending sending = sending(target);
            target.history().send(sending.leaves());
            try {
                Answer answer = probe.send(sending.method(), sending.path(), sending.contentType(), sending.body());
                if (answer.status() / 100 == 2) {
                    acknowledge(target, sending, answer);
                    acknowledged.incrementAndGet();
                    refused = 0;
                } else {
                    refuse(target, sending, answer, mayRefuse);
                    refused++;
                }
            } catch (IOException gone) {
                // So is the answer, which says what became of it.
                return;
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                return;
            }
        }
    }

    private void acknowledge(Target target, Sending sending, Answer answer) {
        if (sending.leaves() == null) {
            target.history().acknowledge(0);
            return;
        }
        JsonObject object = JsonParser.parseString(answer.body()).getAsJsonObject();
        SeenObject stored = SeenObject.of(target.kind(), object);
        if (!stored.content().equals(sending.leaves()) || stored.revision() <= newest) {
            faults.add(sending + " was answered " + answer.body() + " after " + newest);
        }
        newest = stored.revision();
        target.history().acknowledge(stored.revision());
    }

    private void refuse(Target target, Sending sending, Answer answer, boolean mayRefuse) {
        if (!mayRefuse || answer.status() != 500 || !answer.body().contains("the disk")) {
            faults.add(sending + " was answered " + answer.status() + ": " + answer.body());
        }
        if (!answer.body().contains("is not known")) {
            target.history().refuse();
        }
    }

    private Sending sending(Target target) {
        String stamp = "w" + number + "-" + ++written;
        Map<String, String> before = target.history().content();
        int choice = random.nextInt(100);
        if (before == null) {
            return choice < 70 ? create(target, stamp) : apply(target, new TreeMap<>(), stamp);
        }
        if (choice < 30) {
            return update(target, stamp);
        }
        if (choice < 50) {
            return merge(target, before, stamp, MERGE);
        }
        if (choice < 60) {
            return merge(
                    target,
                    before,
                    stamp,
                    target.kind().isBuiltIn() ? "application/strategic-merge-patch+json" : MERGE);
        }
        if (choice < 70) {
            return patchIfUnchanged(target, before, stamp);
        }
        return choice < 85 ? apply(target, before, stamp) : new Sending("DELETE", target.path(), MERGE, "", null);
    }

    private Sending create(Target target, String stamp) {
        Map<String, String> whole = whole(stamp);
        String body = target.kind().object(target.name(), whole, 0);
        return new Sending("POST", target.collection(), "application/json", body, whole);
    }

    /** Custom resources are updated from a version only. */
    private Sending update(Target target, String stamp) {
        Map<String, String> whole = whole(stamp);
        boolean isBlind = target.kind().isBuiltIn() && random.nextBoolean();
        String body = target.kind()
                .object(target.name(), whole, isBlind ? 0 : target.history().revision());
        return new Sending("PUT", target.path(), "application/json", body, whole);
    }

    private static Sending merge(Target target, Map<String, String> before, String stamp, String contentType) {
        String body = target.kind().mergePatch(stamps(stamp));
        return new Sending("PATCH", target.path(), contentType, body, with(before, stamps(stamp)));
    }

    private static Sending patchIfUnchanged(Target target, Map<String, String> before, String stamp) {
        String body = target.kind().jsonPatch(stamps(stamp), "stamp", before.getOrDefault("stamp", ""));
        return new Sending("PATCH", target.path(), "application/json-patch+json", body, with(before, stamps(stamp)));
    }

    private static Sending apply(Target target, Map<String, String> before, String stamp) {
        Map<String, String> applied = with(stamps(stamp), Map.of("applied", stamp));
        String path = target.path() + "?fieldManager=applier&force=true";
        String body = target.kind().object(target.name(), applied, 0);
        return new Sending("PATCH", path, "application/apply-patch+yaml", body, with(before, applied));
    }

    private Map<String, String> whole(String stamp) {
        return with(stamps(stamp), Map.of("filler", stamp.repeat(random.nextInt(STAMPS_MAX))));
    }

    private static Map<String, String> stamps(String stamp) {
        return Map.of("stamp", stamp, "twin", stamp);
    }

    private static Map<String, String> with(Map<String, String> content, Map<String, String> more) {
        Map<String, String> all = new TreeMap<>(content);
        all.putAll(more);
        return all;
    }
}
