package io.fairlead.index.conflicts;

import static org.assertj.core.api.Assertions.assertThat;

import io.fairlead.index.conflicts.Standing.Peer;
import io.fairlead.index.conflicts.Standing.Role;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** Who stays with a key, who does not, and what each learns of the others. */
final class ConflictTableTest {
    private static final ConflictKey KEY = new ConflictKey("cluster-identity", List.of("0f6c"));
    private static final Instant TIME = Instant.parse("2026-11-24T12:00:00Z");

    private final ConflictTable table = new ConflictTable(ConflictPolicy.INCUMBENT_STAYS);

    @Test
    void holderOfAnUnknownKey_isBeingEvaluated() {
        assertThat(table.standing("a")).isEqualTo(Standing.EVALUATING);

        table.put("a", List.of());

        assertThat(table.standing("a").state()).isEqualTo(ConflictState.HELD);
    }

    @Test
    void older_stays_andBothNameTheOther() {
        claim("b", 1, false);
        Set<String> concerned = claim("a", 0, false);

        assertThat(concerned).containsExactlyInAnyOrder("a", "b");
        assertThat(table.standing("a")).isEqualTo(standing(ConflictState.HELD, new Peer("b", "b", Role.CHALLENGER)));
        assertThat(table.standing("b")).isEqualTo(standing(ConflictState.CONFLICT, new Peer("a", "a", Role.INCUMBENT)));
    }

    @Test
    void liveOutput_staysBeforeAnOlderHolder() {
        claim("b", 1, true);
        claim("a", 0, false);

        assertThat(table.standing("a").state()).isEqualTo(ConflictState.CONFLICT);
        assertThat(table.standing("b").state()).isEqualTo(ConflictState.HELD);
    }

    @Test
    void ofTheSameMoment_theSmallerUidStays() {
        claim("b", 0, false);
        claim("a", 0, false);

        assertThat(table.standing("a").state()).isEqualTo(ConflictState.HELD);
        assertThat(table.standing("b").state()).isEqualTo(ConflictState.CONFLICT);
    }

    @Test
    void loserWithALiveOutput_withdrawsItFirst() {
        claim("a", 0, true);
        claim("b", 1, true);
        assertThat(table.standing("b").state()).isEqualTo(ConflictState.WITHDRAWING);

        claim("b", 1, false);

        assertThat(table.standing("b").state()).isEqualTo(ConflictState.CONFLICT);
    }

    @Test
    void ofThree_theTwoThatStayLoseTheOneThatLeaves() {
        claim("a", 0, true);
        claim("b", 1, false);
        claim("c", 2, false);

        assertThat(table.remove("a")).containsExactlyInAnyOrder("a", "b", "c");

        assertThat(table.standing("b")).isEqualTo(standing(ConflictState.HELD, new Peer("c", "c", Role.CHALLENGER)));
        assertThat(table.standing("c")).isEqualTo(standing(ConflictState.CONFLICT, new Peer("b", "b", Role.INCUMBENT)));
    }

    @Test
    void allLose_untilOneIsAlone() {
        ConflictTable all = new ConflictTable(ConflictPolicy.ALL_LOSE);
        all.put("a", List.of(new KeyClaim(KEY, holder("a", 0), true)));
        all.put("b", List.of(new KeyClaim(KEY, holder("b", 1), false)));
        assertThat(all.standing("a"))
                .isEqualTo(standing(ConflictState.WITHDRAWING, new Peer("b", "b", Role.CHALLENGER)));
        assertThat(all.standing("b")).isEqualTo(standing(ConflictState.CONFLICT, new Peer("a", "a", Role.CHALLENGER)));

        all.put("b", List.of());

        assertThat(all.standing("a")).isEqualTo(new Standing(ConflictState.HELD, List.of()));
    }

    @Test
    void aMillionClaims_changeOneByOne() {
        int count = 1_000_000;
        for (int i = 0; i < count; i++) {
            String uid = Integer.toString(i);
            KeyHolder holder = new KeyHolder(uid, uid, TIME);
            table.put(uid, List.of(new KeyClaim(new ConflictKey("name", List.of(uid)), holder, true)));
        }
        List<Set<String>> concerned = new ArrayList<>();
        KeyHolder late = new KeyHolder("late", "late", TIME.plusSeconds(1));
        for (int i = 0; i < 10_000; i++) { // Each would take a second if all claims were looked at.
            ConflictKey key = new ConflictKey("name", List.of(Integer.toString(i)));
            concerned.add(table.put("late", List.of(new KeyClaim(key, late, false))));
        }

        assertThat(concerned).allSatisfy(few -> assertThat(few.size()).isLessThanOrEqualTo(3));
        assertThat(table.standing("late").conflicts().getFirst().peers())
                .containsExactly(new Peer("9999", "9999", Role.INCUMBENT));
    }

    private Set<String> claim(String name, int second, boolean isLive) {
        return table.put(name, List.of(new KeyClaim(KEY, holder(name, second), isLive)));
    }

    private static KeyHolder holder(String name, int second) {
        return new KeyHolder(name, name, TIME.plusSeconds(second));
    }

    private static Standing standing(ConflictState state, Peer peer) {
        return new Standing(state, List.of(new Standing.Conflict(KEY, state, List.of(peer))));
    }
}
