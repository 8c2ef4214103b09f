package io.fairlead.gateway.edge;

import static io.fairlead.gateway.edge.BoatFleet.API;
import static io.fairlead.gateway.edge.BoatFleet.BOATS;
import static io.fairlead.gateway.edge.BoatFleet.DEV;
import static io.fairlead.gateway.edge.BoatFleet.IN_DEV;
import static io.fairlead.gateway.edge.BoatFleet.OTHER_API;
import static io.fairlead.gateway.edge.BoatFleet.PROD;
import static io.fairlead.gateway.edge.BoatFleet.SCHEMA;
import static org.assertj.core.api.Assertions.assertThat;

import io.fairlead.fleet.pins.judge.Boats;
import io.fairlead.fleet.pins.judge.ClusterSet;
import io.fairlead.fleet.pins.judge.PinSet;
import io.fairlead.fleet.pins.judge.TypePin;
import io.fairlead.fleet.pins.judge.TypePin.Action;
import io.fairlead.fleet.pins.judge.TypePin.Requirement;
import io.fairlead.gateway.edge.RawClient.RawAnswer;
import io.fairlead.index.FleetIndex;
import io.fairlead.index.HolderType;
import io.fairlead.model.ClusterName;
import io.fairlead.model.TypeDigest;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** What a pin that compares types, implementations and definitions allows and tells. */
final class PinAcrossTest extends PinFixture {
    @Test
    void sameAcross_deniesWhileAClusterDrifts() throws Exception {
        fleet.edge.pins.use(new PinSet(List.of(
                pin("same", new Requirement.SameAcross(new ClusterSet.Named(Set.of(PROD, DEV))), Action.DENY))));
        assertThat(fleet.post(BOATS).status()).isEqualTo(200);

        fleet.define(DEV, fleet.type(OTHER_API), "");

        RawAnswer answer = fleet.post(BOATS);
        assertThat(answer.status()).isEqualTo(403);
        assertThat(answer.body()).contains(API.text(), OTHER_API.text(), "\\\"prod\\\"", "\\\"dev\\\"");
        assertThat(fleet.post(IN_DEV).status()).isEqualTo(403);

        fleet.define(DEV, fleet.type(API), "");
        assertThat(fleet.post(BOATS).status()).isEqualTo(200);

        fleet.ledger(DEV).relist(Set.of(HolderType.CRD), List.of(), "");
        assertThat(fleet.post(BOATS).status()).as("dev does not hold the type").isEqualTo(200);
    }

    @Test
    void sameAcross_withAClusterOfWhichLittleIsKnown_is503() throws Exception {
        fleet.edge.pins.use(new PinSet(List.of(
                pin("same", new Requirement.SameAcross(new ClusterSet.Named(Set.of(PROD, DEV))), Action.DENY))));
        fleet.edge.silentNanos.put(DEV, Long.MAX_VALUE);

        RawAnswer answer = fleet.post(BOATS);

        assertThat(answer.status()).isEqualTo(503);
        assertThat(answer.body()).contains("\\\"dev\\\"");
    }

    @Test
    void sameAcross_callerWhoMayNotEnterTheOther_isToldThatThereIsOneAlone() throws Exception {
        ClusterName test = new ClusterName("test");
        fleet.edge.root.allow((_, request) -> !Set.of("dev", "test").contains(request.name()));
        fleet.edge.pins.use(new PinSet(List.of(
                pin("same", new Requirement.SameAcross(new ClusterSet.Named(Set.of(PROD, DEV, test))), Action.DENY))));

        fleet.define(DEV, fleet.type(OTHER_API), "");
        RawAnswer forDev = fleet.post(BOATS, "Audit-ID: 1");
        fleet.define(DEV, fleet.type(API), "");
        fleet.define(test, fleet.type(SCHEMA), "");
        RawAnswer forTest = fleet.post(BOATS, "Audit-ID: 1");

        assertThat(forDev.status()).isEqualTo(403);
        assertThat(forDev.body())
                .contains("\\\"prod\\\"", API.text(), "in another cluster (expected the same)")
                .doesNotContain("dev", OTHER_API.text())
                .isEqualTo(forTest.body());
        assertThat(fleet.prod.received()).isEmpty();
    }

    @Test
    void sameAcross_warningAndStaleness_nameNoClusterThatTheCallerMayNotEnter() throws Exception {
        fleet.edge.root.allow((_, request) -> !request.name().equals("dev"));
        Requirement same = new Requirement.SameAcross(new ClusterSet.Named(Set.of(PROD, DEV)));
        fleet.define(DEV, fleet.type(OTHER_API), "");
        fleet.edge.pins.use(new PinSet(List.of(pin("same", same, Action.WARN))));

        RawAnswer warned = fleet.post(BOATS);
        fleet.edge.pins.use(new PinSet(List.of(pin("same", same, Action.DENY))));
        fleet.edge.silentNanos.put(DEV, Long.MAX_VALUE);
        RawAnswer stale = fleet.post(BOATS);

        assertThat(warned.status()).isEqualTo(200);
        assertThat(warned.header("Warning"))
                .contains("in another cluster (expected the same)", API.text())
                .doesNotContain("dev", OTHER_API.text());
        assertThat(stale.status()).isEqualTo(503);
        assertThat(stale.header("Retry-After")).isEqualTo("1");
        assertThat(stale.body())
                .contains("too little is known now of another cluster's types")
                .doesNotContain("dev");
    }

    @Test
    void sameAcross_hostedCluster_namesNoClusterThatTheCallerMayNotEnter() throws Exception {
        fleet.edge.root.allow((_, request) -> !request.name().equals("prod"));
        fleet.define(PROD, fleet.type(OTHER_API), "");
        fleet.edge.pins.use(new PinSet(List.of(
                pin("same", new Requirement.SameAcross(new ClusterSet.Named(Set.of(PROD, DEV))), Action.DENY))));

        RawAnswer answer = fleet.post(IN_DEV);

        assertThat(answer.status()).isEqualTo(403);
        assertThat(answer.body()).contains("\\\"dev\\\"").doesNotContain("prod", OTHER_API.text());
    }

    @Test
    void compatibleWith_allowsEqualAndWider_onceItIsWorkedOut() throws Exception {
        fleet.define(DEV, Boats.upTo(10, fleet.edge.index), "");
        TypeDigest wanted = Boats.upTo(10, fleet.edge.index).api();
        fleet.edge.pins.use(new PinSet(List.of(pin("fits", new Requirement.CompatibleWith(wanted), Action.DENY))));

        assertThat(fleet.post(IN_DEV).status()).as("equal").isEqualTo(200);
        fleet.define(DEV, Boats.upTo(12, fleet.edge.index), "");
        assertThat(fleet.post(IN_DEV).status()).as("not compared yet").isEqualTo(503);
        fleet.edge.judge.work();
        assertThat(fleet.post(IN_DEV).status()).as("wider").isEqualTo(200);

        fleet.define(DEV, Boats.upTo(8, fleet.edge.index), "");
        fleet.post(IN_DEV);
        fleet.edge.judge.work();
        RawAnswer narrower = fleet.post(IN_DEV);
        assertThat(narrower.status()).isEqualTo(403);
        assertThat(narrower.body()).contains("Narrower", wanted.text());
    }

    @Test
    void compatibleWith_aTypeThatNobodyDefines_isDenied() throws Exception {
        fleet.define(DEV, Boats.upTo(10, fleet.edge.index), "");
        fleet.edge.pins.use(new PinSet(List.of(pin("fits", new Requirement.CompatibleWith(OTHER_API), Action.DENY))));
        fleet.post(IN_DEV);
        fleet.edge.judge.work();

        RawAnswer answer = fleet.post(IN_DEV);

        assertThat(answer.status()).isEqualTo(403);
        assertThat(answer.body()).contains("Unknown", OTHER_API.text());

        fleet.ledger(new ClusterName("test"));
        answer = fleet.post(IN_DEV);
        assertThat(answer.status()).as("test may define it").isEqualTo(503);
        assertThat(answer.body()).contains("not listed", OTHER_API.text());
    }

    @Test
    void compatibleWith_aTypeThatIsListedAtLast_isStillToBeCompared() throws Exception {
        fleet.define(DEV, Boats.upTo(10, fleet.edge.index), "");
        FleetIndex elsewhere = FleetIndex.create();
        TypeDigest wanted = Boats.upTo(8, elsewhere).api();
        fleet.edge.pins.use(new PinSet(List.of(pin("fits", new Requirement.CompatibleWith(wanted), Action.DENY))));
        fleet.post(IN_DEV);
        fleet.edge.judge.work();
        assertThat(fleet.post(IN_DEV).status()).isEqualTo(403);

        fleet.define(PROD, Boats.upTo(8, fleet.edge.index), "");

        assertThat(fleet.post(IN_DEV).status()).isEqualTo(503);
        fleet.edge.judge.work();
        assertThat(fleet.post(IN_DEV).status()).isEqualTo(200);
    }

    @Test
    void implementation_mustBeOneOfThose() throws Exception {
        TypePin pin = allow("p", Action.DENY, API);
        fleet.edge.pins.use(new PinSet(List.of(new TypePin(
                "p",
                pin.clusters(),
                "example.com",
                "Boat",
                Set.of(),
                TypePin.WRITES,
                new Requirement.Anything(),
                Set.of("sha256:good"),
                Action.DENY))));

        assertThat(fleet.post(BOATS).body()).contains("not recorded", "sha256:good");
        fleet.define(PROD, fleet.type(API), "sha256:bad");
        assertThat(fleet.post(BOATS).body()).contains("sha256:bad", "sha256:good");
        fleet.define(PROD, fleet.type(API), "sha256:good");
        assertThat(fleet.post(BOATS).status()).isEqualTo(200);
    }
}
