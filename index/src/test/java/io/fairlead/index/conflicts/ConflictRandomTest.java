package io.fairlead.index.conflicts;

import static org.assertj.core.api.Assertions.assertThat;

import io.fairlead.index.conflicts.Standing.Peer;
import io.fairlead.index.conflicts.Standing.Role;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Random fleets of claims: the index, a scan, a comparison of all pairs and a restart find the same. */
final class ConflictRandomTest {
    private static final int FLEETS = 1_000;
    private static final int EVENTS = 40;
    private static final int HOLDERS = 8;
    private static final int KEYS = 4;

    @ParameterizedTest
    @EnumSource
    void anyOrderOfEvents_givesWhatAllPairsGive(ConflictPolicy policy) {
        for (int seed = 0; seed < FLEETS; seed++) {
            Random random = new Random(seed);
            ConflictTable table = new ConflictTable(policy);
            Map<String, List<KeyClaim>> fleet = new TreeMap<>();
            for (int event = 0; event < EVENTS; event++) {
                change(random, table, fleet);
                assertSame("seed " + seed + ", event " + event, policy, table, fleet);
            }
            assertSame("restart of seed " + seed, policy, restarted(random, policy, fleet), fleet);
        }
    }

    @ParameterizedTest
    @EnumSource
    void whatFollowsItsStanding_settlesWithOneHolderOfEachKeyAtMost(ConflictPolicy policy) {
        for (int seed = 0; seed < FLEETS; seed++) {
            Random random = new Random(seed);
            ConflictTable table = new ConflictTable(policy);
            Map<String, List<KeyClaim>> fleet = new TreeMap<>();
            for (int event = 0; event < EVENTS; event++) {
                change(random, table, fleet);
                if (random.nextInt(4) == 0) {
                    settle(table, fleet);
                    assertSettled("seed " + seed + ", event " + event, policy, fleet);
                }
            }
            settle(table, fleet);
            ConflictTable again = restarted(random, policy, fleet);
            fleet.keySet().forEach(uid -> assertThat(again.standing(uid)).isEqualTo(table.standing(uid)));
        }
    }

    private static void change(Random random, ConflictTable table, Map<String, List<KeyClaim>> fleet) {
        String uid = "uid-" + random.nextInt(HOLDERS);
        if (random.nextInt(4) == 0) {
            fleet.remove(uid);
            table.remove(uid);
            return;
        }
        KeyHolder holder = new KeyHolder("name-" + uid, uid, Instant.ofEpochSecond(uid.hashCode() % 3));
        Map<ConflictKey, KeyClaim> claims = new HashMap<>();
        for (int i = random.nextInt(3); i > 0; i--) {
            ConflictKey key = new ConflictKey("name", List.of("key-" + random.nextInt(KEYS)));
            claims.put(key, new KeyClaim(key, holder, random.nextInt(3) == 0 && isFree(key, uid, fleet)));
        }
        fleet.put(uid, List.copyOf(claims.values()));
        table.put(uid, of(fleet, uid));
    }

    private static List<KeyClaim> of(Map<String, List<KeyClaim>> fleet, String uid) {
        return fleet.getOrDefault(uid, List.of());
    }

    private static boolean isFree(ConflictKey key, String uid, Map<String, List<KeyClaim>> fleet) {
        return fleet.entrySet().stream()
                .filter(other -> !other.getKey().equals(uid))
                .flatMap(other -> other.getValue().stream())
                .noneMatch(claim -> claim.key().equals(key) && claim.isLive());
    }

    /** Holders that lost withdraw, and those that may have outputs make them, until nothing changes. */
    private static void settle(ConflictTable table, Map<String, List<KeyClaim>> fleet) {
        boolean isQuiet = false;
        while (!isQuiet) {
            isQuiet = true;
            for (String uid : List.copyOf(fleet.keySet())) {
                ConflictState state = table.standing(uid).state();
                List<KeyClaim> now = of(fleet, uid).stream()
                        .map(claim -> new KeyClaim(claim.key(), claim.holder(), !state.isLost()))
                        .toList();
                isQuiet &= now.equals(fleet.put(uid, now));
                table.put(uid, now);
            }
        }
    }

    private static void assertSettled(String when, ConflictPolicy policy, Map<String, List<KeyClaim>> fleet) {
        Map<ConflictKey, List<KeyClaim>> byKey = new HashMap<>();
        fleet.values()
                .forEach(claims -> claims.forEach(claim -> byKey.computeIfAbsent(claim.key(), _ -> new ArrayList<>())
                        .add(claim)));
        byKey.forEach((key, claims) -> {
            long live = claims.stream().filter(KeyClaim::isLive).count();
            assertThat(live).as("%s: live holders of %s", when, key).isLessThanOrEqualTo(1);
            boolean isSimple = claims.stream()
                    .allMatch(claim -> of(fleet, claim.holder().uid()).size() == 1);
            if (isSimple) {
                long expected = policy == ConflictPolicy.INCUMBENT_STAYS || claims.size() == 1 ? 1 : 0;
                assertThat(live).as("%s: live holders of %s", when, key).isEqualTo(expected);
            }
        });
    }

    private static ConflictTable restarted(Random random, ConflictPolicy policy, Map<String, List<KeyClaim>> fleet) {
        List<String> order = new ArrayList<>(fleet.keySet());
        Collections.shuffle(order, random);
        ConflictTable table = new ConflictTable(policy);
        order.forEach(uid -> table.put(uid, of(fleet, uid)));
        return table;
    }

    private static void assertSame(
            String when, ConflictPolicy policy, ConflictTable table, Map<String, List<KeyClaim>> fleet) {
        List<KeyClaim> all = fleet.values().stream().flatMap(List::stream).toList();
        Candidates scan = Candidates.scan(policy, all);
        fleet.forEach((uid, own) -> {
            Standing expected = byPairs(policy, own, all);
            assertThat(table.standing(uid)).as("%s: by index, %s", when, uid).isEqualTo(expected);
            assertThat(Standing.of(own, scan)).as("%s: by scan, %s", when, uid).isEqualTo(expected);
        });
    }

    /** Compares each claim with every other one, knowing nothing of contests. */
    private static Standing byPairs(ConflictPolicy policy, List<KeyClaim> own, List<KeyClaim> all) {
        List<Standing.Conflict> conflicts = new ArrayList<>();
        boolean isLost = false;
        boolean isLiveAndLost = false;
        for (KeyClaim mine : own) {
            List<KeyClaim> others = all.stream()
                    .filter(other ->
                            other.key().equals(mine.key()) && !other.holder().equals(mine.holder()))
                    .sorted(ConflictRandomTest::compare)
                    .toList();
            if (others.isEmpty()) {
                continue;
            }
            boolean stays = policy == ConflictPolicy.INCUMBENT_STAYS
                    && others.stream().allMatch(other -> compare(mine, other) < 0);
            List<Peer> peers = new ArrayList<>();
            for (KeyClaim other : others) {
                boolean isFirst = policy == ConflictPolicy.INCUMBENT_STAYS && peers.isEmpty() && !stays;
                peers.add(new Peer(
                        other.holder().name(), other.holder().uid(), isFirst ? Role.INCUMBENT : Role.CHALLENGER));
            }
            isLost |= !stays;
            isLiveAndLost |= !stays && mine.isLive();
            ConflictState state =
                    stays ? ConflictState.HELD : mine.isLive() ? ConflictState.WITHDRAWING : ConflictState.CONFLICT;
            conflicts.add(new Standing.Conflict(mine.key(), state, peers));
        }
        conflicts.sort(Comparator.comparing(conflict -> conflict.key().toString()));
        ConflictState state =
                isLiveAndLost ? ConflictState.WITHDRAWING : isLost ? ConflictState.CONFLICT : ConflictState.HELD;
        return new Standing(state, conflicts);
    }

    private static int compare(KeyClaim one, KeyClaim other) {
        if (one.isLive() != other.isLive()) {
            return one.isLive() ? -1 : 1;
        }
        int age = one.holder().created().compareTo(other.holder().created());
        return age != 0 ? age : one.holder().uid().compareTo(other.holder().uid());
    }
}
