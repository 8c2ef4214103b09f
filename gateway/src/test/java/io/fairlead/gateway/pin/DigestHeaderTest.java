package io.fairlead.gateway.pin;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.fairlead.fleet.pins.judge.Boats;
import io.fairlead.fleet.pins.judge.KnownType;
import io.fairlead.index.DefinedType;
import io.fairlead.index.FleetIndex;
import io.fairlead.model.ClusterName;
import io.fairlead.model.RequestInfo;
import io.fairlead.model.StatusException;
import org.junit.jupiter.api.Test;

/** What a request's own pin accepts. */
class DigestHeaderTest {
    private static final RequestInfo LIST = new RequestInfo(
            true, "/apis/example.com/v1/boats", "list", "apis", "example.com", "v1", "", "boats", "", "", "");

    private final FleetIndex index = FleetIndex.create();

    @Test
    void typeWithTheDigest_isAccepted() {
        DefinedType type = Boats.upTo(8, index);

        assertThatCode(() -> require(type)).doesNotThrowAnyException();
    }

    @Test
    void typeThatIsNotUnderstood_isRefusedWhateverItsDigest() {
        DefinedType type = Boats.with("\"x-kubernetes-of-tomorrow\": true", index);

        assertThatThrownBy(() -> require(type))
                .isInstanceOfSatisfying(
                        StatusException.class,
                        refused -> assertThat(refused.status().code()).isEqualTo(412))
                .hasMessageContaining("not understood");
    }

    private static void require(DefinedType type) {
        DigestHeader.require(type.api(), new ClusterName("prod"), LIST, new KnownType.Defined(type, ""), _ -> {});
    }
}
