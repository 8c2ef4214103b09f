package io.fairlead.hosted.cluster;

import io.fairlead.hosted.AdmissionHook.Review;
import io.fairlead.hosted.kinds.data.BalancerChecks;
import io.fairlead.hosted.meta.Refusals;
import io.fairlead.schema.field.FieldErrors;
import io.fairlead.schema.field.FieldPath;
import io.fairlead.schema.json.Json;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.random.RandomGenerator;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** Gives services their node ports, from 30000 to 32767, and one to check their health (kubernetes {@code registry/core/service/storage/alloc.go}). */
final class NodePorts {
    private static final int FIRST = 30_000;
    private static final int COUNT = 2_768;
    /** The first ones are left for what clients choose, as long as others are free (KEP-3668). */
    private static final int CHOSEN = 86;

    private static final String NODE_PORT = "nodePort";
    private static final String HEALTH_CHECK = "healthCheckNodePort";

    private final RandomGenerator random;

    NodePorts(RandomGenerator random) {
        this.random = random;
    }

    static boolean mayBeOf(ObjectNode spec) {
        String type = spec.path("type").asString("");
        return type.equals("NodePort")
                || (BalancerChecks.isBalancer(spec)
                        && spec.path("allocateLoadBalancerNodePorts").asBoolean(true));
    }

    /** What an update leaves out stays as it is, and node ports go with a type that has them. */
    static void keep(ObjectNode spec, JsonNode old) {
        keepPorts(spec, old);
        if (!BalancerChecks.isHealthChecked(spec)) {
            if (spec.path(HEALTH_CHECK).equals(old.path(HEALTH_CHECK))) {
                spec.remove(HEALTH_CHECK);
            }
        } else if (BalancerChecks.isHealthChecked(old) && !spec.has(HEALTH_CHECK) && old.has(HEALTH_CHECK)) {
            spec.set(HEALTH_CHECK, old.get(HEALTH_CHECK));
        }
    }

    private static void keepPorts(ObjectNode spec, JsonNode old) {
        Map<String, JsonNode> before = new HashMap<>();
        old.path("ports").forEach(port -> before.putIfAbsent(key(port), port.path(NODE_PORT)));
        boolean keeps = mayBeOf(spec);
        for (JsonNode port : spec.path("ports")) {
            JsonNode nodePort = before.getOrDefault(key(port), Json.nodes().missingNode());
            if (keeps && nodePort.isNumber() && !port.has(NODE_PORT)) {
                ((ObjectNode) port).set(NODE_PORT, nodePort);
            } else if (!keeps && nodePort.equals(port.path(NODE_PORT))) {
                ((ObjectNode) port).remove(NODE_PORT);
            }
        }
    }

    private static String key(JsonNode port) {
        return port.path("protocol").asString("") + port.path("port").asString("");
    }

    /** Whether nothing is to be given, and nothing that a client chose to be checked. */
    static boolean areComplete(ObjectNode spec, JsonNode old) {
        Set<String> before = new HashSet<>();
        old.path("ports").forEach(port -> before.add(port.path(NODE_PORT).asString("")));
        boolean needs = mayBeOf(spec);
        boolean isSame = !BalancerChecks.isHealthChecked(spec) || hasHealthCheck(old);
        for (JsonNode port : spec.path("ports")) {
            isSame &= port.has(NODE_PORT) ? before.contains(port.path(NODE_PORT).asString("")) : !needs;
        }
        return isSame;
    }

    private static boolean hasHealthCheck(JsonNode spec) {
        return BalancerChecks.isHealthChecked(spec) && spec.path(HEALTH_CHECK).asInt(0) != 0;
    }

    /** @param taken those of other services; those that are given are added */
    void give(Review review, ObjectNode spec, Set<String> taken) {
        ObjectNode old = review.old();
        boolean isChecked = old != null && hasHealthCheck(old.path("spec"));
        if (isChecked && BalancerChecks.isHealthChecked(spec)) {
            taken.add(spec.path(HEALTH_CHECK).asString(""));
        }
        if (mayBeOf(spec)) {
            ofPorts(review, spec, taken);
        }
        if (!isChecked && BalancerChecks.isHealthChecked(spec)) {
            ofHealthCheck(spec, taken);
        }
    }

    /** A chosen one that is not free is an internal error in Kubernetes, too. */
    private void ofHealthCheck(ObjectNode spec, Set<String> taken) {
        int wanted = spec.path(HEALTH_CHECK).asInt(0);
        spec.path("ports").forEach(port -> taken.add(port.path(NODE_PORT).asString("")));
        if (wanted == 0) {
            spec.put(HEALTH_CHECK, free(taken));
            return;
        }
        String problem = problem(wanted, taken);
        if (!problem.isEmpty()) {
            throw Refusals.internal("failed to allocate requested HealthCheck NodePort " + wanted + ": " + problem);
        }
    }

    /** Adds all that a service has. */
    static void add(JsonNode spec, Set<String> taken) {
        spec.path("ports").forEach(port -> taken.add(port.path(NODE_PORT).asString("")));
        taken.add(spec.path(HEALTH_CHECK).asString(""));
    }

    private void ofPorts(Review review, ObjectNode spec, Set<String> taken) {
        boolean isNew = review.old() == null;
        Map<String, Integer> byNumber = isNew ? named(spec) : new HashMap<>();
        Set<String> own = new HashSet<>();
        FieldErrors errors = new FieldErrors();
        int index = 0;
        for (JsonNode port : spec.path("ports")) {
            FieldPath path = FieldPath.of("spec", "ports").index(index++).child(NODE_PORT);
            String number = port.path("port").asString("");
            int named = port.path(NODE_PORT).asInt(0);
            int wanted = named == 0 ? byNumber.getOrDefault(number, 0) : named;
            if (wanted == 0) {
                wanted = free(taken);
                if (isNew) {
                    byNumber.put(number, wanted);
                }
            } else if (!own.contains(Integer.toString(wanted))) {
                check(wanted, taken, path, errors);
            }
            if (!errors.isEmpty()) {
                break;
            }
            own.add(Integer.toString(wanted));
            ((ObjectNode) port).put(NODE_PORT, wanted);
        }
        taken.addAll(own);
        errors.throwIfAny("", "Service", review.name());
    }

    /** The node ports that a client named, by the port: one that is open by two protocols is so on nodes, too. */
    private static Map<String, Integer> named(ObjectNode spec) {
        Map<String, Integer> named = new HashMap<>();
        for (JsonNode port : spec.path("ports")) {
            int nodePort = port.path(NODE_PORT).asInt(0);
            if (nodePort != 0) {
                named.putIfAbsent(port.path("port").asString(""), nodePort);
            }
        }
        return named;
    }

    private static void check(int wanted, Set<String> taken, FieldPath path, FieldErrors errors) {
        String problem = problem(wanted, taken);
        if (!problem.isEmpty()) {
            errors.invalid(path, Json.nodes().numberNode(wanted), problem);
        }
    }

    /** Why a client may not have the port that it chose; empty if it may. */
    private static String problem(int wanted, Set<String> taken) {
        if (wanted < FIRST || wanted >= FIRST + COUNT) {
            return "provided port is not in the valid range. The range of valid ports is 30000-32767";
        }
        return taken.contains(Integer.toString(wanted)) ? "provided port is already allocated" : "";
    }

    private int free(Set<String> taken) {
        int given = COUNT - CHOSEN;
        int start = random.nextInt(given);
        String found = ServiceAddresses.free(
                taken,
                "a node port",
                attempt -> Integer.toString(
                        attempt < given ? FIRST + CHOSEN + (start + attempt) % given : FIRST + attempt - given),
                COUNT);
        taken.add(found);
        return Integer.parseInt(found);
    }
}
