package io.fairlead.index;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.fairlead.model.GroupVersion;
import io.fairlead.model.TypeDigest;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What is kept once for all that are equal. */
class InternerTest {
    private final Interner<String> interner = new Interner<>();

    @Test
    void equalValues_areOneObject_andOthersAreNot() {
        String foos = fresh("foos");
        String again = fresh("foos");
        String alike = "Aa";
        String colliding = "BB";

        assertThat(interner.intern(foos)).isSameAs(foos);
        assertThat(interner.intern(again)).isSameAs(foos);
        assertThat(interner.intern(alike)).isSameAs(alike);
        assertThat(interner.intern(colliding)).as("of the same hash").isSameAs(colliding);
    }

    @Test
    void storedTypes_areEqual_ifTheirDigestsAre() {
        TypeDigest one = TypeDigest.of(new byte[] {1});
        TypeDigest other = TypeDigest.of(new byte[] {2});
        StoredType type = new StoredType(one, "text".repeat(1_000).getBytes(UTF_8));

        assertThat(type)
                .isEqualTo(new StoredType(one, new byte[0]))
                .hasSameHashCodeAs(new StoredType(one, new byte[0]))
                .isNotEqualTo(new StoredType(other, "text".getBytes(UTF_8)))
                .isNotEqualTo("type")
                .hasToString(one.text());
        assertThat(type.hashCode()).isEqualTo(one.hashCode());
        assertThat(type.size()).as("compressed").isBetween(1, 100);
    }

    @Test
    void sharedHolder_isTheSame_onlyIfAllItsPartsAreShared() {
        FleetIndex index = FleetIndex.create();
        Holder first = index.shared(holder("foos", "sha256:1"));

        assertThat(index.shared(first)).isSameAs(first);
        Holder second = index.shared(holder("foos", "sha256:1"));
        assertThat(second).isNotSameAs(first).isEqualTo(first);
        assertThat(second.hasPartsOf(first)).isTrue();
        assertThat(holder("foos", "sha256:1").hasPartsOf(first))
                .as("equal, but its own")
                .isFalse();
        assertThat(second.hasPartsOf(second.implementedBy(fresh("sha256:1")))).isFalse();
        assertThat(first.hasPartsOf(new Holder(
                        first.type(), fresh("foos"), "u", "1", first.contributions(), null, first.implementation())))
                .isFalse();
        Holder builtIn = new Holder(HolderType.BUILT_IN, "v1", "v1", "1", List.of());
        assertThat(index.shared(new Holder(HolderType.BUILT_IN, "v1", "v1", "1", List.of())))
                .isSameAs(index.shared(builtIn));
    }

    private static Holder holder(String name, String implementation) {
        Contribution contribution = Contribution.unlisted(new GroupVersion(fresh("g"), "v1"));
        return new Holder(HolderType.CRD, fresh(name), "u", "1", List.of(contribution), null, fresh(implementation));
    }

    /** An equal text that is another object. */
    private static String fresh(String text) {
        return String.copyValueOf(text.toCharArray());
    }
}
