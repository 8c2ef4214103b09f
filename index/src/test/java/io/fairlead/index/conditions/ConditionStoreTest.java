package io.fairlead.index.conditions;

import static org.assertj.core.api.Assertions.assertThat;

import io.fairlead.index.conditions.ConditionStore.Added;
import io.fairlead.model.ClusterName;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** The time lines of many objects, in a number of bytes. */
class ConditionStoreTest {
    private static final Instant NOON = Instant.parse("2026-01-02T12:00:00Z");
    private static final ClusterName PROD = new ClusterName("prod");
    private static final ObjectKey WEB = new ObjectKey(PROD, "shop", "web-0");

    private final ConditionStore store = new ConditionStore(List.of("Ready", "Initialized"), 1_000_000);

    @Test
    void transition_isAddedOnce_whateverElseChanges() {
        assertThat(see(WEB, "a", "True", 1)).hasSize(1);
        assertThat(see(WEB, "a", "True", 2)).as("a heartbeat").isEmpty();
        List<Added> added = see(WEB, "a", "False", 3);

        assertThat(added).singleElement().satisfies(row -> {
            assertThat(row.condition()).isEqualTo("Ready");
            assertThat(row.row().verdict()).isEqualTo(ConditionVerdict.STATED);
        });
        assertThat(store.of(WEB)).containsOnlyKeys("Ready");
    }

    @Test
    void conditionThatIsNotRecorded_isLeftOut() {
        assertThat(store.seen(WEB, "a", Map.of("Other", claim("True", 1)), "1", NOON))
                .isEmpty();
        assertThat(store.of(WEB)).isEmpty();
        assertThat(store.bytes()).isZero();
    }

    @Test
    void objectThatIsGone_keepsItsTimeLine_andAnotherOfItsNameBeginsAnew() {
        see(WEB, "a", "True", 1);

        assertThat(verdicts(store.removed(WEB, "9", NOON.plusSeconds(20)))).containsExactly(ConditionVerdict.REMOVED);
        assertThat(store.removed(WEB, "9", NOON.plusSeconds(21))).isEmpty();
        assertThat(verdicts(see(WEB, "b", "True", 3))).containsExactly(ConditionVerdict.FIRST_SIGHT);
        assertThat(store.removed(new ObjectKey(PROD, "shop", "unknown"), "9", NOON))
                .isEmpty();
    }

    @Test
    void list_saysWhatIsGone_inItsClusterAlone() {
        ObjectKey other = new ObjectKey(PROD, "shop", "web-1");
        ObjectKey elsewhere = new ObjectKey(new ClusterName("dev"), "shop", "web-0");
        for (ObjectKey key : List.of(WEB, other, elsewhere)) {
            see(key, "a", "True", 1);
        }

        List<Added> added = store.listed(PROD, Set.of(other), "50", NOON.plusSeconds(60));

        assertThat(added).extracting(Added::object).containsExactly(WEB);
    }

    @Test
    void whatWasStored_isRestored_andSeenAgainAsAFirstSight() {
        see(WEB, "a", "True", 1);
        see(WEB, "a", "False", 2);
        ConditionStore again = new ConditionStore(List.of("Ready", "Initialized"), 1_000_000);
        store.all().forEach(again::restore);
        again.restore(store.all().getLast()); // stored twice
        assertThat(again.of(WEB)).isEqualTo(store.of(WEB));
        assertThat(again.bytes()).isEqualTo(store.bytes());

        List<Added> seen = again.seen(WEB, "a", Map.of("Ready", claim("True", 3)), "3", NOON.plusSeconds(90));

        assertThat(verdicts(seen)).containsExactly(ConditionVerdict.FIRST_SIGHT);
        assertThat(verdicts(again.seen(WEB, "a", Map.of("Ready", claim("False", 4)), "4", NOON.plusSeconds(99))))
                .containsExactly(ConditionVerdict.STATED);
    }

    @Test
    void conditionThatIsRecordedNoMore_isNotRestored() {
        see(WEB, "a", "True", 1);
        ConditionStore again = new ConditionStore(List.of("Initialized"), 1_000_000);
        store.all().forEach(again::restore);

        assertThat(again.all()).isEmpty();
    }

    @Test
    void beyondItsBytes_theObjectThatChangedTheLongestAgoGoes() {
        ConditionStore small = new ConditionStore(List.of("Ready"), 3_000);
        for (int i = 0; i < 100; i++) {
            ObjectKey key = new ObjectKey(PROD, "shop", "web-" + i);
            small.seen(key, "u", Map.of("Ready", claim("True", 1)), "1", NOON.plusSeconds(i));
            small.seen(new ObjectKey(PROD, "shop", "web-0"), "u", Map.of("Ready", claim("True", 1)), "1", NOON);
        }

        assertThat(small.bytes()).isLessThanOrEqualTo(3_000);
        assertThat(small.evicted()).isPositive();
        assertThat(small.of(new ObjectKey(PROD, "shop", "web-99"))).isNotEmpty();
        assertThat(small.of(new ObjectKey(PROD, "shop", "web-1"))).isEmpty();
    }

    @Test
    void objectThatKeepsChanging_staysWhileOthersGo() {
        ConditionStore small = new ConditionStore(List.of("Ready"), 30_000);
        for (int i = 0; i < 100; i++) {
            String status = i % 2 == 0 ? "True" : "False";
            small.seen(WEB, "u", Map.of("Ready", claim(status, i)), "1", NOON.plusSeconds(i));
            small.seen(new ObjectKey(PROD, "x", "o-" + i), "u", Map.of("Ready", claim("True", 1)), "1", NOON);
        }

        assertThat(small.evicted()).isPositive();
        assertThat(small.of(WEB).get("Ready"))
                .isNotNull()
                .satisfies(line -> assertThat(line.rows()).hasSize(32));
    }

    @Test
    void forgottenCluster_leavesNothing() {
        see(WEB, "a", "True", 1);
        store.forget(PROD);

        assertThat(store.all()).isEmpty();
        assertThat(store.bytes()).isZero();
    }

    @Test
    void randomObservations_keepTheSumOfBytes_andEqualTheLinesOfEachObject() {
        long seed = System.nanoTime();
        Random random = new Random(seed);
        ConditionStore bounded = new ConditionStore(List.of("Ready"), 20_000);
        ConditionStore whole = new ConditionStore(List.of("Ready"), Long.MAX_VALUE);
        Map<ObjectKey, TimeLine> model = new HashMap<>();
        for (int i = 0; i < 5_000; i++) {
            ObjectKey key = new ObjectKey(PROD, "", "o" + random.nextInt(40));
            ConditionClaim claim = claim(random.nextBoolean() ? "True" : "False", random.nextInt(50));
            Instant now = NOON.plusSeconds(i);
            bounded.seen(key, "u", Map.of("Ready", claim), "1", now);
            whole.seen(key, "u", Map.of("Ready", claim), "1", now);
            model.merge(key, TimeLine.EMPTY.with(claim, now), (line, _) -> line.with(claim, now));
            if (random.nextInt(1_000) == 0) {
                bounded.forget(PROD);
            }
            assertThat(bounded.isConsistent()).as("seed %s, step %s", seed, i).isTrue();
        }
        Map<ObjectKey, TimeLine> found = new HashMap<>();
        List<ObjectKey> keys = new ArrayList<>(model.keySet());
        keys.forEach(key -> found.put(key, whole.of(key).get("Ready")));
        assertThat(found).as("seed %s", seed).isEqualTo(model);
        assertThat(whole.isConsistent()).isTrue();
    }

    private List<Added> see(ObjectKey key, String uid, String status, int second) {
        return store.seen(
                key, uid, Map.of("Ready", claim(status, second)), "" + second, NOON.plusSeconds(10L * second));
    }

    private static ConditionClaim claim(String status, int second) {
        return new ConditionClaim(status, NOON.plusSeconds(second).toString(), "" + second, "");
    }

    private static List<ConditionVerdict> verdicts(List<Added> added) {
        return added.stream().map(each -> each.row().verdict()).toList();
    }
}
