package io.fairlead.fleet.pins.judge;

import static org.assertj.core.api.Assertions.assertThat;

import io.fairlead.fleet.pins.judge.TypePin.Action;
import io.fairlead.fleet.pins.judge.TypePin.Requirement;
import io.fairlead.index.ClusterLedger;
import io.fairlead.index.DefinedType;
import io.fairlead.index.FleetIndex;
import io.fairlead.index.Holder;
import io.fairlead.index.HolderType;
import io.fairlead.model.ClusterName;
import io.fairlead.model.GroupResource;
import io.fairlead.model.TypeDigest;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** What is judged while definitions change, are called otherwise or are not readable. */
class JudgeTest {
    private static final ClusterName PROD = new ClusterName("prod");
    private static final ClusterName DEV = new ClusterName("dev");
    private static final Set<HolderType> CRDS = Set.of(HolderType.CRD);
    private static final GroupResource BOATS = new GroupResource("example.com", "boats");
    private static final TypePin ALIKE =
            pin(new Requirement.SameAcross(new ClusterSet.Named(Set.of(PROD, DEV))), Set.of());

    private final FleetIndex index = FleetIndex.create();
    private final DefinedType good = Boats.upTo(8, index);
    private final DefinedType bad = Boats.upTo(10, index);
    private final Map<ClusterName, ClusterLedger> ledgers = new HashMap<>();
    private Runnable whileLookedAt = () -> {};
    private final Judge judge =
            new Judge(new KnownTypes(index, this::silentNanos, Duration.ofMinutes(2)), index.types());

    @Test
    void definitionThatChangesWhileItIsLookedAt_isNotRememberedAsAgreeing() {
        define(PROD, Boats.crd("boats", good));
        define(DEV, Boats.crd("boats", good));
        whileLookedAt = () -> define(PROD, Boats.crd("boats", bad));

        judge.judge(ALIKE, PROD, BOATS, "v1");

        assertThat(judge.judge(ALIKE, DEV, BOATS, "v1")).isInstanceOf(Verdict.Broken.class);
    }

    @Test
    void sameKindUnderAnotherName_isTheSameType() {
        define(PROD, Boats.crd("boats", good));
        define(DEV, Boats.crd("ships", Boats.called("ships", index)));

        assertThat(judge.judge(ALIKE, PROD, BOATS, "v1"))
                .isInstanceOfSatisfying(
                        Verdict.Broken.class,
                        broken -> assertThat(broken.why()).contains("Boat.example.com", "\"dev\""));
    }

    @Test
    void definitionThatCannotBeRead_mayBeOfTheKind() {
        define(PROD, Boats.crd("boats", good));
        define(DEV, Boats.crd("ships", null));

        assertThat(judge.judge(ALIKE, PROD, BOATS, "v1"))
                .isInstanceOfSatisfying(
                        Verdict.Broken.class,
                        broken -> assertThat(broken.why()).contains("ships.example.com", "cannot be read"));
    }

    @Test
    void thousandDigests_areNotAllNamed() {
        define(PROD, Boats.crd("boats", good));
        Set<TypeDigest> digests = IntStream.range(0, 1_000)
                .mapToObj(i -> TypeDigest.of(new byte[] {(byte) i, (byte) (i >> 8)}))
                .collect(Collectors.toSet());
        Set<String> images =
                IntStream.range(0, 1_000).mapToObj(i -> "sha256:" + i).collect(Collectors.toSet());

        for (TypePin pin :
                List.of(pin(new Requirement.OneOf(digests), Set.of()), pin(new Requirement.Anything(), images))) {
            assertThat(judge.judge(pin, PROD, BOATS, "v1"))
                    .isInstanceOfSatisfying(
                            Verdict.Broken.class,
                            broken -> assertThat(broken.why())
                                    .hasSizeLessThan(600)
                                    .contains(" or one of 997 more)"));
        }
    }

    @Test
    void typeThatIsNotTheSameAcross_isDeniedWithThePlaceThatDiffers() {
        define(PROD, Boats.crd("boats", good));
        define(DEV, Boats.crd("boats", bad));

        assertThat(why(ALIKE)).isEqualTo(told(good) + ", and cluster \"dev\" as " + bad.api() + " (expected the same)");
        judge.work();

        assertThat(why(ALIKE))
                .isEqualTo(told(good) + ", and cluster \"dev\" as " + bad.api()
                        + ", which differs at v1 .length (maximum) (expected the same)");
    }

    @Test
    void typeThatIsNarrower_isDeniedWithThePlaceThatDoesHarm() {
        define(PROD, Boats.crd("boats", good));
        define(DEV, Boats.crd("boats", bad));
        TypePin fits = pin(new Requirement.CompatibleWith(bad.api()), Set.of());
        judge.judge(fits, PROD, BOATS, "v1");
        judge.work();

        assertThat(why(fits))
                .isEqualTo(told(good) + ", which is Narrower beside " + bad.api()
                        + " at v1 .length (maximum) (expected Equal or Wider)");
    }

    @Test
    void typeThatIsNotAllowed_isDeniedWithThePlaceWhereItDiffersFromOneThatIs() {
        define(PROD, Boats.crd("boats", good));
        define(DEV, Boats.crd("boats", bad));
        TypePin one = pin(new Requirement.OneOf(Set.of(bad.api())), Set.of());
        TypeDigest nowhere = TypeDigest.of(new byte[0]);
        TypePin two = pin(new Requirement.OneOf(Set.of(bad.api(), nowhere)), Set.of());
        judge.judge(one, PROD, BOATS, "v1");
        judge.work();

        assertThat(why(one))
                .isEqualTo(told(good) + " (expected " + bad.api() + ", from which it differs at v1 .length (maximum))");
        assertThat(why(two))
                .startsWith(told(good) + " (expected ")
                .endsWith(", and it differs from " + bad.api() + " at v1 .length (maximum))");
    }

    private static String told(DefinedType type) {
        return "cluster \"prod\" defines Boat.example.com as " + type.api();
    }

    /** Why a pin is broken by what prod defines. */
    private String why(TypePin pin) {
        return judge.judge(pin, PROD, BOATS, "v1") instanceof Verdict.Broken broken ? broken.why() : "";
    }

    private static TypePin pin(Requirement requirement, Set<String> implementations) {
        return new TypePin(
                "pin",
                new ClusterSet.All(Map::of),
                "example.com",
                "Boat",
                Set.of(),
                TypePin.WRITES,
                requirement,
                implementations,
                Action.DENY);
    }

    /** Asked for while a cluster is looked at; always heard. */
    private long silentNanos(ClusterName cluster) {
        Runnable once = whileLookedAt;
        whileLookedAt = () -> {};
        once.run();
        return 0;
    }

    private void define(ClusterName cluster, Holder crd) {
        ledgers.computeIfAbsent(cluster, name -> index.open(name, CRDS)).relist(CRDS, List.of(crd), "");
    }
}
