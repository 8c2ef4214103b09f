package io.fairlead.index;

import static io.fairlead.index.HolderType.API_SERVICE;
import static io.fairlead.index.HolderType.BUILT_IN;
import static io.fairlead.index.HolderType.CRD;
import static io.fairlead.index.HolderType.PUBLICATION;
import static org.assertj.core.api.Assertions.assertThat;

import io.fairlead.model.GroupVersion;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** What holders claim, and that both ways of finding it out agree. */
class ClaimTest {
    private static final GroupVersion V1 = new GroupVersion("g", "v1");
    private static final GroupVersion V2 = new GroupVersion("g", "v2");

    @Test
    void crd_claimsItsVersionsAndItsResourceInEach() {
        assertThat(words(holder(CRD, Contribution.of(V1, Set.of("foos")), Contribution.of(V2, Set.of("foos")))))
                .containsExactly("g/v1", "g/v1/foos", "g/v2", "g/v2/foos");
    }

    @Test
    void whatRoutes_claimsTheWholeVersion_andAServerThatDoesNotSay_leavesItOpen() {
        assertThat(words(holder(API_SERVICE, Contribution.unlisted(V1)))).containsExactly("g/v1", "g/v1/*");
        assertThat(words(holder(PUBLICATION, Contribution.of(V1, Set.of("foos")))))
                .containsExactly("g/v1", "g/v1/*", "g/v1/foos");
        assertThat(words(holder(BUILT_IN, Contribution.unlisted(V1)))).containsExactly("g/v1", "g/v1/?");
    }

    @Test
    void isMadeBy_saysWhatTheListOfClaimsSays() {
        List<Holder> holders = Stream.of(HolderType.values())
                .flatMap(type -> Stream.of(
                        holder(type, Contribution.unlisted(V1)),
                        holder(type, Contribution.of(V1, Set.of("foos"))),
                        holder(type, Contribution.of(V2, Set.of("foos")), Contribution.of(V1, Set.of("bars"))),
                        holder(type)))
                .toList();
        for (Holder holder : holders) {
            for (String group : List.of("g", "h")) {
                for (String version : List.of("v1", "v2")) {
                    for (String resource : List.of("", "*", "?", "foos", "bars")) {
                        Claim claim = new Claim(group, version, resource);
                        assertThat(claim.isMadeBy(holder))
                                .as("%s by %s %s", claim, holder, holder.contributions())
                                .isEqualTo(Claim.of(holder).contains(claim));
                    }
                }
            }
        }
    }

    @Test
    void claims_areOrderedByGroupVersionAndResource() {
        List<Claim> ordered = List.of(
                new Claim("", "v1", "pods"),
                new Claim("a", "v2", "z"),
                new Claim("b", "v1", "z"),
                new Claim("b", "v2", ""),
                new Claim("b", "v2", "a"));

        assertThat(ordered.reversed().stream().sorted()).containsExactlyElementsOf(ordered);
        assertThat(ordered.getFirst()).isEqualByComparingTo(new Claim("", "v1", "pods"));
    }

    @Test
    void holder_isOfAGroup_byItsWholeName() {
        Holder foos = new Holder(CRD, "foos.example.com", "u", "1", List.of());

        assertThat(foos.isOfGroup("example.com")).isTrue();
        assertThat(foos.isOfGroup("com")).isFalse();
        assertThat(foos.isOfGroup("xample.com")).isFalse();
        assertThat(foos.isOfGroup("example.org")).isFalse();
        assertThat(new Holder(CRD, ".com", "u", "1", List.of()).isOfGroup("com"))
                .isFalse();
        assertThat(new Holder(CRD, "com", "u", "1", List.of()).isOfGroup("com")).isFalse();
        assertThat(new Holder(API_SERVICE, "v1.example.com", "u", "1", List.of()).isOfGroup("example.com"))
                .isFalse();
    }

    @Test
    void incarnation_isToldByTypeNameAndUid() {
        Holder foos = new Holder(CRD, "foos", "u", "1", List.of());

        assertThat(foos.isSameIncarnation(new Holder(CRD, "foos", "u", "2", List.of())))
                .isTrue();
        assertThat(foos.isSameIncarnation(new Holder(CRD, "foos", "u2", "1", List.of())))
                .isFalse();
        assertThat(foos.isSameIncarnation(new Holder(CRD, "bars", "u", "1", List.of())))
                .isFalse();
        assertThat(foos.isSameIncarnation(new Holder(BUILT_IN, "foos", "u", "1", List.of())))
                .isFalse();
        assertThat(foos).hasToString("CRD foos (uid u, resourceVersion 1)");
    }

    private static List<String> words(Holder holder) {
        return Claim.of(holder).stream().map(Claim::toString).toList();
    }

    private static Holder holder(HolderType type, Contribution... contributions) {
        return new Holder(type, "n", "u", "1", List.of(contributions));
    }
}
