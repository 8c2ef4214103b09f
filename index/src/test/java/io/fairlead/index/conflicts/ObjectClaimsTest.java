package io.fairlead.index.conflicts;

import static org.assertj.core.api.Assertions.assertThat;

import io.fairlead.index.conditions.ObjectKey;
import io.fairlead.model.ClusterName;
import io.fairlead.testkit.LiveHeap;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import java.util.UUID;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

class ObjectClaimsTest {
    private static final ClusterName EU = new ClusterName("eu");
    private static final Instant NOON = Instant.parse("2026-11-24T12:00:00Z");
    private final ObjectClaims claims =
            new ObjectClaims("exclusive-key", "r", ConflictPolicy.INCUMBENT_STAYS, new Random(1));

    @Test
    void twoObjectsOfOneKey_areInConflict_andTheOlderStays() {
        claims.put(object("young", 1, NOON.plusSeconds(60)), Set.of(key(7)), 1);

        Set<KeyHash> concerned = claims.put(object("old", 2, NOON), Set.of(key(7), key(8)), 1);

        assertThat(concerned).containsExactlyInAnyOrder(key(7), key(8));
        assertThat(claims.conflicts()).containsExactly(key(7));
        assertThat(claims.of(key(7)).claims())
                .extracting(claim -> claim.holder().name())
                .containsExactly("eu/ns/old", "eu/ns/young");
    }

    @Test
    void anEditedKey_endsTheConflict_ofBoth() {
        claims.put(object("a", 1, NOON), Set.of(key(7)), 1);
        claims.put(object("b", 2, NOON), Set.of(key(7)), 1);

        assertThat(claims.put(object("b", 2, NOON), Set.of(key(9)), 1)).containsExactlyInAnyOrder(key(7), key(9));
        assertThat(claims.conflicts()).isEmpty();
        assertThat(claims.put(object("b", 2, NOON), Set.of(key(9)), 1)).isEmpty();
    }

    @Test
    void anObjectMadeAgain_isAnotherHolder() {
        claims.put(object("a", 1, NOON), Set.of(key(7)), 1);
        claims.setLive(at("a"), true);

        claims.put(object("a", 2, NOON.plusSeconds(5)), Set.of(key(7)), 1);

        assertThat(claims.of(key(7)).claims()).singleElement().satisfies(claim -> {
            assertThat(claim.holder().uid()).isEqualTo(new UUID(0, 2).toString());
            assertThat(claim.isLive()).isFalse();
        });
    }

    @Test
    void aUidThatIsNoUuid_isKeptAsItIs() {
        claims.put(new ObjectClaims.Incarnation(at("a"), "not a uuid", NOON), Set.of(key(7)), 1);

        assertThat(claims.claimants(key(7), 10))
                .containsExactly(new ObjectClaims.Incarnation(at("a"), "not a uuid", NOON));
        assertThat(claims.touch(at("a"), "not a uuid", 2)).isTrue();
        assertThat(claims.touch(at("a"), "another", 2)).isFalse();
    }

    @Test
    void whatIsNotInTheList_isGone_inThatClusterOnly() {
        claims.put(object("a", 1, NOON), Set.of(key(7)), 1);
        claims.put(object("b", 2, NOON), Set.of(key(7)), 2);
        ObjectKey elsewhere = new ObjectKey(new ClusterName("us"), "ns", "a");
        claims.put(new ObjectClaims.Incarnation(elsewhere, new UUID(0, 3).toString(), NOON), Set.of(key(8)), 1);

        assertThat(claims.removeBefore(EU, 2)).containsExactly(key(7));
        assertThat(claims.objects()).isEqualTo(2);
        assertThat(claims.conflicts()).isEmpty();
    }

    /** 1,000 fleets: after each of 40 changes all pairs are compared, and a scan of all claims gives the same contests. */
    @Test
    void randomFleets_agreeWithAllPairs() {
        for (int seed = 0; seed < 1_000; seed++) {
            Random random = new Random(seed);
            ConflictPolicy policy = random.nextBoolean() ? ConflictPolicy.INCUMBENT_STAYS : ConflictPolicy.ALL_LOSE;
            ObjectClaims table = new ObjectClaims("exclusive-key", "r", policy, random);
            Map<ObjectKey, Model> model = new HashMap<>();
            for (int step = 0; step < 40; step++) {
                change(table, model, random, step);
                compare(table, model, policy, seed);
            }
        }
    }

    private record Model(ObjectClaims.Incarnation object, Set<KeyHash> keys, boolean isLive) {}

    private static void change(ObjectClaims table, Map<ObjectKey, Model> model, Random random, int step) {
        ObjectKey key = new ObjectKey(
                new ClusterName("c" + random.nextInt(3)), "n" + random.nextInt(2), "o" + random.nextInt(4));
        Model known = model.get(key);
        switch (random.nextInt(5)) {
            case 0 -> {
                table.remove(key);
                model.remove(key);
            }
            case 1 -> {
                boolean isLive = random.nextBoolean();
                table.setLive(key, isLive);
                model.computeIfPresent(key, (_, one) -> new Model(one.object(), one.keys(), isLive));
            }
            default -> {
                Set<KeyHash> keys = new HashSet<>();
                for (int i = random.nextInt(3); i > 0; i--) {
                    keys.add(key(random.nextInt(5)));
                }
                Model same = random.nextInt(4) > 0 ? known : null;
                ObjectClaims.Incarnation object = same != null
                        ? same.object()
                        : new ObjectClaims.Incarnation(
                                key,
                                random.nextBoolean() ? new UUID(random.nextLong(), step).toString() : "u" + step,
                                NOON.plusSeconds(random.nextInt(3)));
                table.put(object, keys, 1);
                model.put(key, new Model(object, keys, same != null && same.isLive()));
            }
        }
    }

    private static void compare(ObjectClaims table, Map<ObjectKey, Model> model, ConflictPolicy policy, int seed) {
        List<KeyClaim> all = new ArrayList<>();
        Set<KeyHash> conflicts = new TreeSet<>();
        Collection<Model> objects = model.values();
        for (Model one : objects) {
            KeyHolder holder = new KeyHolder(
                    one.object().key().cluster() + "/" + one.object().key().path(),
                    one.object().uid(),
                    one.object().created());
            one.keys().forEach(key -> all.add(new KeyClaim(shown(key), holder, one.isLive())));
            for (Model other : objects) {
                if (!other.object().equals(one.object())) {
                    one.keys().stream().filter(other.keys()::contains).forEach(conflicts::add);
                }
            }
        }
        assertThat(table.conflicts()).as("seed %d", seed).containsExactlyElementsOf(conflicts);
        assertThat(table.objects()).isEqualTo(model.size());
        assertThat(table.claims()).isEqualTo(all.size());
        Candidates scan = Candidates.scan(policy, all);
        for (int number = 0; number < 5; number++) {
            Contest mine = table.of(key(number));
            Contest scanned = scan.of(shown(key(number)));
            assertThat(mine.claims()).as("seed %d", seed).isEqualTo(scanned.claims());
            assertThat(table.first(key(number), 2).claims())
                    .isEqualTo(scanned.claims().stream().limit(2).toList());
            assertThat(table.count(key(number))).isEqualTo(scanned.claims().size());
            mine.claims().forEach(claim -> assertThat(mine.state(claim)).isEqualTo(scanned.state(claim)));
        }
    }

    /** Measured by what the heap has after a collection; the figure that the table itself names must not be too low. */
    @Test
    void anObject_takesAtMost200Bytes() {
        int count = 200_000;
        long before = LiveHeap.bytes();
        ObjectClaims many = new ObjectClaims("exclusive-key", "r", ConflictPolicy.INCUMBENT_STAYS, new Random(1));
        Random random = new Random(2);
        for (int i = 0; i < count; i++) {
            ObjectKey key = new ObjectKey(new ClusterName("c" + i % 20), "team-" + i % 500, "binding-" + i);
            many.put(
                    new ObjectClaims.Incarnation(
                            key, new UUID(random.nextLong(), random.nextLong()).toString(), NOON.plusSeconds(i)),
                    Set.of(new KeyHash(random.nextLong(), random.nextLong())),
                    1);
        }
        long perObject = (LiveHeap.bytes() - before) / count;

        assertThat(many.objects()).isEqualTo(count);
        assertThat(perObject).isLessThanOrEqualTo(200);
        assertThat(many.bytes() / count).isBetween(perObject * 9 / 10, perObject * 13 / 10);
    }

    /** Names of one hash of {@code String} are in different chains. */
    @Test
    void namesOfOneHash_areFoundAsFastAsOthers() {
        List<String> parts = List.of("Aa", "BB");
        List<String> names = List.of("");
        for (int i = 0; i < 14; i++) {
            names = names.stream()
                    .flatMap(name -> parts.stream().map(part -> name + part))
                    .collect(Collectors.toList());
        }
        long began = System.nanoTime();
        for (String name : names) {
            claims.put(object(name, name.hashCode(), NOON), Set.of(), 1);
        }
        long millis = (System.nanoTime() - began) / 1_000_000;

        assertThat(names.stream().map(String::hashCode).distinct()).hasSize(1);
        assertThat(claims.objects()).isEqualTo(1 << 14);
        assertThat(millis).isLessThan(2_000);
    }

    private static ObjectClaims.Incarnation object(String name, long uid, Instant created) {
        return new ObjectClaims.Incarnation(at(name), new UUID(0, uid).toString(), created);
    }

    private static ObjectKey at(String name) {
        return new ObjectKey(EU, "ns", name);
    }

    private static KeyHash key(int number) {
        return new KeyHash(number * 0x1234_5678_9ABCL, number);
    }

    private static ConflictKey shown(KeyHash key) {
        return new ConflictKey("exclusive-key", List.of("r", key.toString()));
    }
}
