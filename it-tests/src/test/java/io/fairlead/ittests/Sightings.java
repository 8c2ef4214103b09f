package io.fairlead.ittests;

import static org.assertj.core.api.Assertions.assertThat;

import io.fairlead.ittests.Sighting.What;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** All that one informer was told, in order. Safe for use by several threads. */
final class Sightings {
    private final List<Sighting> all = new ArrayList<>();
    private final Map<String, Version> held = new TreeMap<>();
    private long newest;

    synchronized void add(What what, String uid, String resourceVersion, String name) {
        long revision = Long.parseLong(resourceVersion);
        all.add(new Sighting(what, uid, revision, name));
        newest = Math.max(newest, revision);
        switch (what) {
            case ADDED, UPDATED -> held.put(name, new Version(uid, resourceVersion));
            case DELETED -> held.remove(name);
            case UNCHANGED, INITIAL, WATCHED_ADDED, WATCHED_MODIFIED, WATCHED_DELETED -> {}
        }
    }

    /** What a handler that keeps a copy would hold, by name. */
    synchronized Map<String, Version> held() {
        return new TreeMap<>(held);
    }

    /** The newest version of any object. */
    synchronized long newest() {
        return newest;
    }

    synchronized int count(What what) {
        return (int) all.stream().filter(sighting -> sighting.what() == what).count();
    }

    /** Fails if anything was told twice, or of an object something older than before, or something after its end. */
    synchronized void assertEachOnceAndInOrder(String whose) {
        Set<Sighting> seen = new HashSet<>();
        Map<String, Sighting> ofUid = new HashMap<>();
        Map<String, Sighting> ofName = new HashMap<>();
        for (Sighting sighting : all) {
            if (!sighting.what().mayRepeat()) {
                assertThat(seen.add(sighting))
                        .as("%s is told once of %s", whose, sighting)
                        .isTrue();
            }
            switch (sighting.what()) {
                case ADDED, UPDATED, DELETED -> {
                    Sighting before = ofUid.put(sighting.uid(), sighting);
                    Sighting another = ofName.put(sighting.name(), sighting);
                    if (before == null) {
                        assertBegins(whose, another, sighting);
                    } else {
                        assertFollows(whose, before, sighting);
                    }
                }
                case UNCHANGED, INITIAL, WATCHED_ADDED, WATCHED_MODIFIED, WATCHED_DELETED -> {}
            }
        }
    }

    /** Where an object took another's name while the informer was away, informers tell it as an update. */
    private static void assertBegins(String whose, @Nullable Sighting another, Sighting now) {
        if (another == null || another.what() == What.DELETED) {
            assertThat(now.what())
                    .as("the first that %s is told of %s", whose, now)
                    .isEqualTo(What.ADDED);
        } else {
            assertThat(now.what())
                    .as("what %s is told of %s, which replaces %s", whose, now, another)
                    .isEqualTo(What.UPDATED);
        }
        assertThat(now.resourceVersion())
                .as("%s is told %s after %s", whose, now, another)
                .isGreaterThan(another == null ? 0 : another.resourceVersion());
    }

    private static void assertFollows(String whose, Sighting before, Sighting now) {
        assertThat(before.what()).as("what %s is told before %s", whose, now).isNotEqualTo(What.DELETED);
        assertThat(now.what()).as("what %s is told after %s", whose, before).isNotEqualTo(What.ADDED);
        // Where the end itself was missed, the last version known is told again.
        long least = now.what() == What.DELETED ? before.resourceVersion() : before.resourceVersion() + 1;
        assertThat(now.resourceVersion())
                .as("%s is told %s after %s", whose, now, before)
                .isGreaterThanOrEqualTo(least);
    }

    /** One version of one object. */
    record Version(String uid, String resourceVersion) {}
}
