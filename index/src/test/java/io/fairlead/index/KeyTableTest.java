package io.fairlead.index;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.fairlead.model.GroupVersion;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** When keys get their numbers, and in which order they give them up. */
class KeyTableTest {
    private final KeyTable vocabulary = new KeyTable();

    /** Whatever was asked of it. */
    @AfterEach
    void lockIsFree() throws Exception {
        assertThat(CompletableFuture.supplyAsync(vocabulary::size).get(30, TimeUnit.SECONDS))
                .isNotNegative();
    }

    @Test
    void key_isFound_whileAViewHoldsIt() {
        ClaimedKeys none = vocabulary.holdNone();
        assertThat(find("foos")).isNull();

        ClaimedKeys one = vocabulary.hold(none, List.of(crd("foos")));
        vocabulary.release(none, one);
        assertThat(number("foos")).isNotNegative();
        assertThat(vocabulary.size()).isEqualTo(2);
        assertThat(vocabulary.claims(one.keys()))
                .containsExactly(new Claim("example.com", "v1", ""), new Claim("example.com", "v1", "foos"));

        ClaimedKeys empty = vocabulary.hold(one, List.of());
        assertThat(find("foos")).as("until the view that had it is replaced").isNotNull();
        vocabulary.release(one, empty);

        assertThat(find("foos")).isNull();
        assertThat(vocabulary.size()).isZero();
        vocabulary.assertConsistent(List.of(empty.keys()));
    }

    @Test
    void retirements_countEveryNumberThatIsGivenUp_andNoOther() {
        ClaimedKeys none = vocabulary.holdNone();
        ClaimedKeys both = vocabulary.hold(none, List.of(crd("foos"), crd("bars")));
        vocabulary.release(none, both);
        assertThat(vocabulary.retirements()).isZero();

        ClaimedKeys one = vocabulary.hold(both, List.of(crd("foos")));
        assertThat(vocabulary.retirements()).isZero();
        vocabulary.release(both, one);
        assertThat(vocabulary.retirements())
                .as("bars alone: the version is claimed still")
                .isEqualTo(1);

        vocabulary.releaseAll(one);
        assertThat(vocabulary.retirements()).isEqualTo(3);
    }

    @Test
    void number_isGivenOutAgain_onlyWhenNoViewHoldsItsKey() {
        ClaimedKeys none = vocabulary.holdNone();
        ClaimedKeys left = vocabulary.hold(none, List.of(crd("foos")));
        vocabulary.release(none, left);
        int number = number("foos");
        ClaimedKeys right = vocabulary.hold(vocabulary.holdNone(), List.of(crd("foos")));

        vocabulary.releaseAll(left);
        ClaimedKeys more = vocabulary.hold(right, List.of(crd("foos"), crd("bars")));
        assertThat(number("foos")).isEqualTo(number);
        assertThat(number("bars")).isNotEqualTo(number);

        ClaimedKeys bars = vocabulary.hold(more, List.of(crd("bars")));
        vocabulary.release(more, bars);
        vocabulary.hold(bars, List.of(crd("bars"), crd("bazs")));
        assertThat(number("bazs")).as("the number that foos gave up").isEqualTo(number);
    }

    @Test
    void equalSets_areOneObject() {
        ClaimedKeys left = vocabulary.hold(vocabulary.holdNone(), List.of(crd("foos")));
        ClaimedKeys right = vocabulary.hold(vocabulary.holdNone(), List.of(crd("foos")));

        assertThat(right.keys()).isSameAs(left.keys());
        assertThat(vocabulary.holdNone().keys()).isSameAs(vocabulary.holdNone().keys());
    }

    @Test
    void manyKeys_areFoundUnderDistinctNumbers_howeverManyWentBefore() {
        List<Holder> holders =
                IntStream.range(0, 1_000).mapToObj(i -> crd("r" + i)).toList();
        ClaimedKeys keys = vocabulary.holdNone();
        for (int round = 0; round < 3; round++) {
            ClaimedKeys all = vocabulary.hold(keys, holders);
            vocabulary.release(keys, all);
            Set<Integer> numbers = new TreeSet<>();
            for (int i = 0; i < holders.size(); i++) {
                numbers.add(number("r" + i));
            }
            assertThat(numbers).as("round %d", round).hasSize(holders.size());
            assertThat(numbers.iterator().next()).isNotNegative();
            vocabulary.assertConsistent(List.of(all.keys()));
            keys = vocabulary.hold(all, List.of());
            vocabulary.release(all, keys);
            assertThat(vocabulary.size()).isZero();
        }
    }

    @Test
    void differenceOfOneHolder_isWhatAllHoldersTogetherClaim() {
        List<Holder> holders = new ArrayList<>(List.of(crd("foos"), crd("bars"), crd("foos", "v2")));
        ClaimedKeys keys = vocabulary.hold(vocabulary.holdNone(), holders);

        for (Holder next : List.of(crd("foos", "v1", "v2"), crd("bazs", "v3"), crd("bars", "v2"))) {
            Holder before = holders.removeFirst();
            holders.add(next);
            keys = vocabulary.hold(keys, before, next);
            ClaimedKeys anew = vocabulary.hold(keys, holders);
            assertThat(keys.keys()).isEqualTo(anew.keys());
            assertThat(keys.shared()).isEqualTo(anew.shared());
            vocabulary.assertShared(keys.shared(), holders);
        }
    }

    @Test
    void holderWithManyResources_inAnyOrder_isOneSet() {
        ClaimedKeys none = vocabulary.holdNone();
        Contribution many = Contribution.of(
                new GroupVersion("example.com", "v1"),
                IntStream.range(0, 20).mapToObj(i -> "r" + i).collect(Collectors.toSet()));
        Holder one = new Holder(HolderType.CRD, "many", "u", "1", List.of(many));
        ClaimedKeys forwards = vocabulary.hold(none, List.of(one, crd("foos", "v1", "v2", "v3")));

        ClaimedKeys backwards =
                vocabulary.hold(vocabulary.holdNone(), List.of(crd("foos", "v3", "v2", "v1", "v2"), one));

        assertThat(backwards.keys()).isSameAs(forwards.keys());
        assertThat(backwards.keys().ids()).isSorted().hasSize(1 + 20 + 2 + 2 + 1);
        ClaimedKeys single = vocabulary.hold(none, null, crd("foos", "v3", "v1"));
        assertThat(vocabulary.claims(single.keys()))
                .containsExactlyInAnyOrder(
                        new Claim("example.com", "v1", ""),
                        new Claim("example.com", "v1", "foos"),
                        new Claim("example.com", "v3", ""),
                        new Claim("example.com", "v3", "foos"));
        assertThat(single.keys().ids()).isSorted();
    }

    @Test
    void countsThatAreWrong_areFound() {
        ClaimedKeys none = vocabulary.holdNone();
        ClaimedKeys one = vocabulary.hold(none, List.of(crd("foos"), crd("foos", "v2")));

        assertThatThrownBy(() -> vocabulary.assertConsistent(List.of(one.keys())))
                .as("a view that was not given up")
                .isInstanceOf(AssertionError.class);
        vocabulary.release(none, one);
        vocabulary.assertConsistent(List.of(one.keys()));
        assertThatThrownBy(() -> vocabulary.assertConsistent(List.of(one.keys(), one.keys())))
                .isInstanceOf(AssertionError.class);
        assertThatThrownBy(() -> vocabulary.assertConsistent(List.of())).isInstanceOf(AssertionError.class);
        assertThatThrownBy(() -> vocabulary.assertShared(one.shared().with(0), List.of(crd("foos"))))
                .isInstanceOf(AssertionError.class);
    }

    private int number(String plural) {
        return Objects.requireNonNull(find(plural), plural).id;
    }

    private @Nullable Key find(String plural) {
        return vocabulary.find("example.com", "v1", plural);
    }

    private static Holder crd(String plural) {
        return crd(plural, "v1");
    }

    private static Holder crd(String plural, String... versions) {
        List<Contribution> contributions = new ArrayList<>();
        for (String version : versions) {
            contributions.add(Contribution.of(new GroupVersion("example.com", version), Set.of(plural)));
        }
        return new Holder(HolderType.CRD, plural + ".example.com", "u", "1", contributions);
    }
}
