package io.fairlead.cli.cluster;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** What is decided when a cluster is registered: its labels, and what it waits for; a {@link picocli.CommandLine.Mixin}. */
final class RegistrationOptions {
    @Option(
            names = "--label",
            paramLabel = "KEY=VALUE",
            description = "a label of the Cluster, by which publications, pins and rules select it; may be repeated")
    private Map<String, String> labels = new LinkedHashMap<>();

    @Option(
            names = "--require-api-service",
            paramLabel = "VERSION.GROUP",
            description = "an APIService that must be available before the cluster is Available; may be repeated")
    private List<String> required = List.of();

    @Option(
            names = "--gate-timeout",
            paramLabel = "DURATION",
            description = "after how long of waiting for them that is said to take too long, as in 90s (default: 60s)")
    @Nullable
    private String gateTimeout;

    boolean isGiven() {
        return !labels.isEmpty() || !required.isEmpty() || gateTimeout != null;
    }

    /** Writes them to a new {@code Cluster} with its {@code metadata} and {@code spec}. */
    void describe(ObjectNode registration) {
        if (!labels.isEmpty()) {
            ObjectNode all = registration.withObjectProperty("metadata").putObject("labels");
            labels.forEach(all::put);
        }
        ObjectNode spec = registration.withObjectProperty("spec");
        if (!required.isEmpty()) {
            ArrayNode names = spec.putArray("requiredAPIServices");
            required.forEach(names::add);
        }
        if (gateTimeout != null) {
            spec.put("gateTimeout", gateTimeout);
        }
    }

    /** What to say of a new cluster that waits; empty if it does not. */
    String waiting(String cluster) {
        return required.isEmpty()
                ? ""
                : "\nit is Available once what it requires is there: kubectl --context root wait cluster/" + cluster
                        + " --for=condition=Available";
    }
}
