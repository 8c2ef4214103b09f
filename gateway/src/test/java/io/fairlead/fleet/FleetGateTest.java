package io.fairlead.fleet;

import static io.fairlead.fleet.root.RootCluster.ADMIN;
import static io.fairlead.fleet.root.RootCluster.CLUSTERS;
import static io.fairlead.fleet.root.RootCluster.eventually;
import static org.assertj.core.api.Assertions.assertThat;

import io.fairlead.clustersync.source.Finding;
import io.fairlead.fleet.availability.Requirement;
import io.fairlead.fleet.root.RootCluster.Answer;
import io.fairlead.model.ClusterName;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A cluster that waits for the APIServices that its object requires. */
final class FleetGateTest extends FleetFixture {
    private static final ClusterName LATE = new ClusterName("late");
    private static final String REQUIRING = "{hosted: {}, requiredAPIServices: [v1.example.com], gateTimeout: 10m}";
    private static final Finding ALL = Finding.yes("AllAvailable", "1 of 1 available");
    private static final Finding MISSING = Finding.no("APIServiceNotFound", "v1.example.com is not there");

    private void awaitCondition(String type, String expected) {
        eventually(
                type + " is " + expected + "; " + condition("late", type),
                () -> said(type).equals(expected));
    }

    private String said(String type) {
        return condition("late", type).path("status").asString("") + " "
                + condition("late", type).path("reason").asString("");
    }

    private Requirement requirement() {
        return Requirement.of(root.cluster("late"));
    }

    private void tell(Fleet process, Finding available) {
        process.servicesAvailable(Map.of(LATE, new Requirement.Look(requirement(), available)));
    }

    @Test
    void anotherClusterOfTheSameName_waitsForALookOfItsOwn() {
        register("late", REQUIRING);
        Requirement before = requirement();
        tell(fleet, ALL);
        awaitCondition("Available", "True Available");
        delete("late");

        register("late", REQUIRING);
        awaitReady("late", "True", "Ready");
        fleet.servicesAvailable(Map.of(LATE, new Requirement.Look(before, ALL)));
        observeAnew("late");
        assertThat(said("Available")).isEqualTo("Unknown NotObserved");

        tell(fleet, ALL);
        awaitCondition("Available", "True Available");
    }

    @Test
    void clusterWaits_untilItIsToldThatAllIsAvailable_andIsAvailableFromThenOn() {
        register("late", REQUIRING);
        awaitReady("late", "True", "Ready");
        assertThat(fleet.facts().requirements()).containsEntry(LATE, requirement());
        assertThat(said("Available")).isEqualTo("Unknown NotObserved");
        assertThat(said("APIServicesAvailable")).isEqualTo("Unknown NotObserved");
        assertThat(fleet.isWaiting(LATE)).isTrue();

        tell(fleet, MISSING);
        awaitCondition("APIServicesAvailable", "False APIServiceNotFound");
        assertThat(said("Available")).isEqualTo("False APIServicesNotAvailable");
        assertThat(fleet.isWaiting(LATE)).isTrue();

        tell(fleet, ALL);
        awaitCondition("Available", "True Available");
        assertThat(said("APIServicesAvailable")).isEqualTo("True AllAvailable");
        assertThat(fleet.isWaiting(LATE)).isFalse();

        tell(fleet, MISSING);
        awaitCondition("APIServicesAvailable", "False APIServiceNotFound");
        assertThat(said("Available")).isEqualTo("True Available");
        assertThat(fleet.isWaiting(LATE)).isFalse();
    }

    @Test
    void timeoutIsTold_withoutAnotherChange() {
        register("late", REQUIRING.replace("10m", "2s"));
        awaitReady("late", "True", "Ready");
        tell(fleet, MISSING);
        awaitCondition("Available", "False APIServicesNotAvailable");

        eventually("it takes too long", () -> {
            tell(fleet, MISSING);
            return said("Available").equals("False GateTimedOut");
        });
        assertThat(condition("late", "Available").path("message").asString(""))
                .isEqualTo("not within 2s: v1.example.com is not there");

        tell(fleet, ALL);
        awaitCondition("Available", "True Available");
    }

    @Test
    void anotherProcess_knowsWhetherItWaits_beforeAnythingIsObserved() {
        register("late", REQUIRING);
        awaitReady("late", "True", "Ready");
        restart(0, again -> {
            assertThat(again.isWaiting(LATE)).isTrue();
            tell(again, ALL);
            awaitCondition("Available", "True Available");
        });
        restart(0, again -> {
            assertThat(again.isWaiting(LATE)).isFalse();
            root.send(ADMIN, "PATCH", CLUSTERS + "/late", "{metadata: {labels: {stage: test}}}");
            eventually(
                    "the label is seen",
                    () -> again.facts().labels().getOrDefault(LATE, Map.of()).containsKey("stage"));
            awaitReady("late", "True", "Ready");
            assertThat(said("Available")).isEqualTo("True Available");
            assertThat(said("APIServicesAvailable")).isEqualTo("True AllAvailable");
            tell(again, MISSING);
            awaitCondition("APIServicesAvailable", "False APIServiceNotFound");
            assertThat(said("Available")).isEqualTo("True Available");
        });
    }

    /** Its object names nothing. */
    @Test
    void clusterThatWaitsForAPublication_isKnownToWaitByItsStatus() {
        register("late", "{hosted: {}}");
        awaitReady("late", "True", "Ready");
        assertThat(fleet.isWaiting(LATE)).isFalse();
        tell(fleet, Finding.no("EndpointsNotFound", "APIPublication widgets"));
        awaitCondition("Available", "False APIServicesNotAvailable");
        assertThat(fleet.isWaiting(LATE)).isTrue();

        restart(0, again -> assertThat(again.isWaiting(LATE)).isTrue());
    }

    @Test
    void storedFinding_standsForTheSpecThatItIsAbout() {
        register("late", REQUIRING);
        awaitReady("late", "True", "Ready");
        tell(fleet, ALL);
        awaitCondition("APIServicesAvailable", "True AllAvailable");

        root.send(ADMIN, "PATCH", CLUSTERS + "/late", "{spec: {requiredAPIServices: [v1.a, v1.b]}}");

        awaitCondition("APIServicesAvailable", "Unknown NotObserved");
        assertThat(said("Available")).isEqualTo("True Available");
    }

    @Test
    void clusterThatIsDeleted_waitsNoMore() {
        register("late", REQUIRING);
        awaitReady("late", "True", "Ready");
        assertThat(fleet.isWaiting(LATE)).isTrue();
        assertThat(fleet.facts().which(LATE))
                .startsWith(root.cluster("late").at("/metadata/uid").asString("-") + "/");

        delete("late");

        eventually("it is forgotten", () -> !fleet.isWaiting(LATE));
        assertThat(fleet.facts().which(LATE)).isEmpty();
    }

    @Test
    void whatBecomesRequiredLater_takesNoClusterAway() {
        register("late", "{hosted: {}}");
        awaitReady("late", "True", "Ready");
        tell(fleet, Finding.yes("NoneRequired", "no APIService is required"));
        awaitCondition("Available", "True Available");

        root.send(ADMIN, "PATCH", CLUSTERS + "/late", "{spec: {requiredAPIServices: [v1.example.com]}}");
        tell(fleet, MISSING);

        awaitCondition("APIServicesAvailable", "False APIServiceNotFound");
        assertThat(said("Available")).isEqualTo("True Available");
        assertThat(fleet.isWaiting(LATE)).isFalse();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "requiredAPIServices: [example.com/v1]",
                "requiredAPIServices: [V1.example.com]",
                "requiredAPIServices: ['']",
                "requiredAPIServices: [v1.a, v1.a]",
                "gateTimeout: 0s",
                "gateTimeout: 25h",
                "gateTimeout: soon",
                "gateTimeout: 60"
            })
    void whatIsNoNameOrDuration_isRefusedByField(String wrong) {
        Answer refused = root.send(
                ADMIN,
                "POST",
                CLUSTERS,
                "{apiVersion: fairlead.io/v1alpha1, kind: Cluster, metadata: {name: late}, spec: {hosted: {}, " + wrong
                        + "}}");

        assertThat(refused.code()).isEqualTo(422);
        assertThat(refused.body().toString()).contains("spec." + wrong.substring(0, wrong.indexOf(':')));
    }
}
