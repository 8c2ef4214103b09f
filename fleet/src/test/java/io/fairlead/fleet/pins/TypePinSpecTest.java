package io.fairlead.fleet.pins;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.fairlead.fleet.pins.judge.TypePin;
import io.fairlead.fleet.pins.judge.TypePin.Requirement;
import io.fairlead.model.ClusterName;
import io.fairlead.schema.json.Yaml;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** A pin that was read once goes by the clusters that are registered when it is asked. */
class TypePinSpecTest {
    private static final ClusterName PROD = new ClusterName("prod");

    private Map<ClusterName, Map<String, String>> registered = Map.of();

    @Test
    void clusterThatIsRegisteredLater_isSelected() {
        TypePin pin = read("clusters: {matchLabels: {stage: prod}}, consistentAcross: {all: true}");

        registered = Map.of(PROD, Map.of("stage", "prod"));

        assertThat(pin.clusters().has(PROD)).isTrue();
        assertThat(((Requirement.SameAcross) pin.requirement()).clusters().names())
                .containsExactly(PROD);

        registered = Map.of(PROD, Map.of("stage", "dev"));

        assertThat(pin.clusters().has(PROD)).isFalse();
    }

    private TypePin read(String spec) {
        return new TypePinSpec(() -> registered)
                .read(Yaml.read(("{metadata: {name: p}, spec: {group: example.com, " + spec + "}}").getBytes(UTF_8)));
    }
}
