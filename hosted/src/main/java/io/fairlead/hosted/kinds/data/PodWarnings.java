package io.fairlead.hosted.kinds.data;

import io.fairlead.schema.field.FieldPath;
import io.fairlead.schema.field.GoText;
import io.fairlead.schema.text.Quantities;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/** What is odd about the spec of a pod, though it is taken (kubernetes {@code pkg/api/pod/warnings.go}): of one object. */
final class PodWarnings {
    private static final List<String> LISTS = List.of("initContainers", "containers", "ephemeralContainers");
    private static final int WARNINGS_MAX = 100; // an answer has no more
    private static final int PORTS_COMPARED_MAX = 100; // with each further one of the same number
    private static final int NAME_LOOKED_FOR_MAX = 256; // in the characters of a value
    private static final List<String> BYTES = List.of("memory", "ephemeral-storage");

    private final JsonNode spec;
    private final FieldPath path;
    private final List<String> warnings = new ArrayList<>();

    private PodWarnings(JsonNode spec, FieldPath path) {
        this.spec = spec;
        this.path = path;
    }

    /** @param path where the spec stands in its object */
    static List<String> of(JsonNode spec, FieldPath path) {
        PodWarnings warnings = new PodWarnings(spec, path);
        warnings.find();
        return warnings.warnings;
    }

    private void find() {
        int index = 0;
        for (JsonNode constraint : spec.path("topologySpreadConstraints")) {
            if (!constraint.path("labelSelector").isObject()) {
                FieldPath at = path.child("topologySpreadConstraints").index(index);
                add(at.child("labelSelector"), "a null labelSelector results in matching no pod");
            }
            index++;
        }
        secrets();
        Map<String, List<Port>> ports = new HashMap<>();
        Map<String, FieldPath> names = new HashMap<>();
        for (String list : LISTS) {
            index = 0;
            for (JsonNode container : spec.path(list)) {
                FieldPath at = path.child(list).index(index++);
                amounts(container.path("resources"), at.child("resources"));
                variables(container.path("env"), at.child("env"));
                ports(container.path("ports"), at.child("ports"), ports);
                portNames(container.path("ports"), at.child("ports"), names);
            }
        }
        if (spec.path("terminationGracePeriodSeconds").asLong(0) < 0) {
            add(
                    path.child("terminationGracePeriodSeconds"),
                    "must be >= 0; negative values are invalid and will be treated as 1");
        }
    }

    private void secrets() {
        Set<String> names = new HashSet<>();
        int index = 0;
        for (JsonNode secret : spec.path("imagePullSecrets")) {
            FieldPath at = path.child("imagePullSecrets").index(index++).child("name");
            String name = secret.path("name").asString("");
            if (!names.add(name)) {
                add(at, "duplicate name " + GoText.quote(name));
            }
            if (name.isEmpty()) {
                add(at, "invalid empty name \"\"");
            }
        }
    }

    private void amounts(JsonNode resources, FieldPath at) {
        for (String resource : BYTES) {
            for (String list : List.of("limits", "requests")) {
                String amount = resources.path(list).path(resource).asString("");
                BigDecimal value = Quantities.value(amount).orElse(BigDecimal.ZERO);
                if (value.remainder(BigDecimal.ONE).signum() != 0) {
                    add(
                            at.child(list).key(resource),
                            "fractional byte value " + GoText.quote(amount) + " is invalid, must be an integer");
                }
            }
        }
    }

    /** A variable that takes the place of one before it, without using it. */
    private void variables(JsonNode variables, FieldPath at) {
        Set<String> names = new HashSet<>();
        int index = 0;
        for (JsonNode variable : variables) {
            String name = variable.path("name").asString("");
            String value = variable.path("value").asString("");
            if (!names.add(name) && (variable.has("valueFrom") || !uses(value, name))) {
                add(
                        at.index(index),
                        "hides previous definition of " + GoText.quote(name)
                                + ", which may be dropped when using apply");
            }
            index++;
        }
    }

    private static boolean uses(String value, String name) {
        String reference = "$(" + name + ")";
        return name.length() <= NAME_LOOKED_FOR_MAX && !value.equals(reference) && value.contains(reference);
    }

    private void ports(JsonNode ports, FieldPath at, Map<String, List<Port>> known) {
        int index = 0;
        for (JsonNode node : ports) {
            Port port = new Port(
                    at.index(index++),
                    node.path("hostIP").asString(""),
                    node.path("hostPort").asLong(0));
            String key = node.path("containerPort").asLong(0) + "/"
                    + node.path("protocol").asString("");
            List<Port> others = known.computeIfAbsent(key, none -> new ArrayList<>());
            for (Port other : others) {
                String conflict = isFull() ? null : port.conflict(other);
                if (conflict != null) {
                    add(port.path, conflict + " port definition with " + other.path);
                }
            }
            if (others.size() < PORTS_COMPARED_MAX) {
                others.add(port);
            }
        }
    }

    private void portNames(JsonNode ports, FieldPath at, Map<String, FieldPath> known) {
        int index = 0;
        for (JsonNode port : ports) {
            FieldPath one = at.index(index++);
            String name = port.path("name").asString("");
            FieldPath other = name.isEmpty() ? null : known.putIfAbsent(name, one);
            if (other != null) {
                add(
                        one,
                        "duplicate port name " + GoText.quote(name) + " with " + other
                                + ", services and probes that select ports by name will use " + other);
            }
        }
    }

    private void add(FieldPath at, String text) {
        if (!isFull()) {
            warnings.add(at + ": " + text);
        }
    }

    private boolean isFull() {
        return warnings.size() >= WARNINGS_MAX;
    }

    /** A port of a container and where it is to be reached on the node. */
    private record Port(FieldPath path, String hostIp, long hostPort) {
        /** How it stands in the way of another of the same number and protocol; null if it does not. */
        @Nullable
        String conflict(Port other) {
            if (hostIp.equals(other.hostIp) && hostPort == other.hostPort) {
                return "duplicate";
            }
            if (hostPort == 0 || other.hostPort == 0) {
                return "overlapping";
            }
            boolean isAmbiguous = hostPort == other.hostPort && hostIp.isEmpty() != other.hostIp.isEmpty();
            return isAmbiguous ? "dangerously ambiguous" : null;
        }
    }
}
