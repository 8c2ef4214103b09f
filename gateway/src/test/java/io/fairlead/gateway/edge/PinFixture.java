package io.fairlead.gateway.edge;

import io.fairlead.fleet.pins.judge.ClusterSet;
import io.fairlead.fleet.pins.judge.TypePin;
import io.fairlead.fleet.pins.judge.TypePin.Action;
import io.fairlead.fleet.pins.judge.TypePin.Requirement;
import io.fairlead.model.TypeDigest;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;

/** A gateway with clusters whose types a test pins. */
abstract class PinFixture {
    BoatFleet fleet;

    @BeforeEach
    void start() throws Exception {
        fleet = new BoatFleet();
    }

    @AfterEach
    void stop() throws Exception {
        fleet.close();
    }

    static TypePin allow(String name, Action action, TypeDigest digest) {
        return pin(name, new Requirement.OneOf(Set.of(digest)), action);
    }

    static TypePin pin(String name, Requirement requirement, Action action) {
        return new TypePin(
                name,
                new ClusterSet.All(Map::of),
                "example.com",
                "Boat",
                Set.of(),
                TypePin.WRITES,
                requirement,
                Set.of(),
                action);
    }
}
