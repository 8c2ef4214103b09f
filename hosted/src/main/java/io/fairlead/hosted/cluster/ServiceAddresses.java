package io.fairlead.hosted.cluster;

import io.fairlead.hosted.AdmissionHook;
import io.fairlead.hosted.ResourceType;
import io.fairlead.hosted.meta.Causes;
import io.fairlead.hosted.meta.Meta;
import io.fairlead.hosted.meta.Refusals;
import io.fairlead.schema.field.FieldErrors;
import io.fairlead.schema.field.FieldPath;
import io.fairlead.schema.json.Json;
import io.fairlead.storage.RevisionedStore;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.IntFunction;
import java.util.random.RandomGenerator;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * Gives the services of one cluster their virtual addresses and node ports, each once (kubernetes {@code registry/core/service}):
 * from 10.96.0.0/12, and from 30000 to 32767. What the stored services have is read at each allocation. Threads: any, one at a
 * time allocates.
 */
final class ServiceAddresses implements AdmissionHook {
    private static final int NETWORK = 10 << 24 | 96 << 16;
    private static final int ADDRESSES = 1 << 20;
    /** The first ones are left for what a client chooses, beginning with that of the API server. */
    private static final int FIRST_FREE = 256;

    private static final int FIRST_NODE_PORT = 30_000;
    private static final int NODE_PORTS = 2_768;
    private static final int ATTEMPTS = 200;
    /** Given out, but maybe not yet stored. */
    private static final int RECENT_MAX = 1_000;

    private final RevisionedStore store;
    private final String prefix;
    private final RandomGenerator random;
    private final ReentrantLock allocating = new ReentrantLock();
    private final Set<String> recent = new HashSet<>();

    /** @param prefix the keys of the cluster's services */
    ServiceAddresses(RevisionedStore store, String prefix, RandomGenerator random) {
        this.store = store;
        this.prefix = prefix;
        this.random = random;
    }

    static boolean areOf(ResourceType type) {
        return type.group().isEmpty() && type.plural().equals("services");
    }

    @Override
    public void admit(Review review) {
        ObjectNode service = review.object();
        if (service == null || !review.subresource().isEmpty()) {
            return;
        }
        ObjectNode spec = service.withObjectProperty("spec");
        String type = spec.path("type").asString("");
        ObjectNode old = review.old();
        if (old != null) {
            keep(spec, old.path("spec"));
        }
        if (type.equals("ExternalName")) {
            spec.remove(List.of("clusterIP", "clusterIPs", "ipFamilies", "ipFamilyPolicy"));
            return;
        }
        allocating.lock();
        try {
            Taken taken = taken(Meta.uid(old == null ? service : old));
            address(review, spec, taken);
            if (type.equals("NodePort") || type.equals("LoadBalancer")) {
                nodePorts(review, spec, taken);
            }
        } finally {
            allocating.unlock();
        }
    }

    /** What an update leaves out stays as it is. */
    private static void keep(ObjectNode spec, JsonNode old) {
        if (spec.path("type").equals(old.path("type")) || !old.path("type").asString("").equals("ExternalName")) {
            for (String field : List.of("clusterIP", "clusterIPs", "ipFamilies", "ipFamilyPolicy")) {
                if (!spec.has(field) && old.has(field)) {
                    spec.set(field, old.get(field).deepCopy());
                }
            }
        }
        for (JsonNode port : spec.path("ports")) {
            for (JsonNode before : old.path("ports")) {
                boolean isSame = before.path("port").equals(port.path("port"))
                        && before.path("protocol").equals(port.path("protocol"));
                if (isSame && before.has("nodePort") && !port.has("nodePort") && mayHaveNodePorts(spec)) {
                    ((ObjectNode) port).set("nodePort", before.get("nodePort"));
                }
            }
        }
    }

    private static boolean mayHaveNodePorts(ObjectNode spec) {
        return List.of("NodePort", "LoadBalancer").contains(spec.path("type").asString(""));
    }

    private void address(Review review, ObjectNode spec, Taken taken) {
        String wanted = spec.path("clusterIP").asString("");
        if (wanted.isEmpty()) {
            wanted = spec.path("clusterIPs").path(0).asString("");
        }
        if (wanted.isEmpty()) {
            wanted = free(
                    taken.addresses(), "an address", this::address, FIRST_FREE + random.nextInt(ADDRESSES - FIRST_FREE - 1));
        } else if (!wanted.equals("None") && taken.addresses().contains(wanted)) {
            FieldErrors errors = new FieldErrors();
            errors.invalid(
                    FieldPath.of("spec", "clusterIPs"),
                    Json.array().add(wanted),
                    "failed to allocate IP " + wanted + ": provided IP is already allocated");
            throw invalid(review, errors);
        }
        spec.put("clusterIP", wanted);
        spec.putArray("clusterIPs").add(wanted);
        if (!spec.has("ipFamilies")) {
            spec.putArray("ipFamilies").add("IPv4");
        }
        if (!spec.has("ipFamilyPolicy")) {
            spec.put("ipFamilyPolicy", "SingleStack");
        }
    }

    private void nodePorts(Review review, ObjectNode spec, Taken taken) {
        if (!spec.path("allocateLoadBalancerNodePorts").asBoolean(true)) {
            return;
        }
        Set<Integer> own = new HashSet<>();
        int index = 0;
        for (JsonNode port : spec.path("ports")) {
            int wanted = port.path("nodePort").asInt(0);
            if (wanted == 0) {
                String found = free(
                        taken.nodePorts(),
                        "a node port",
                        number -> Integer.toString(FIRST_NODE_PORT + number),
                        random.nextInt(NODE_PORTS));
                taken.nodePorts().add(found);
                ((ObjectNode) port).put("nodePort", Integer.parseInt(found));
            } else if (taken.nodePorts().contains(Integer.toString(wanted)) && !own.contains(wanted)) {
                FieldErrors errors = new FieldErrors();
                errors.invalid(
                        FieldPath.of("spec", "ports").index(index).child("nodePort"),
                        Json.nodes().numberNode(wanted),
                        "provided port is already allocated");
                throw invalid(review, errors);
            }
            own.add(port.path("nodePort").asInt(0));
            index++;
        }
    }

    private static RuntimeException invalid(Review review, FieldErrors errors) {
        return Refusals.invalid("", "Service", review.name(), Causes.of(errors));
    }

    /** The first that is free of those from a random one on. */
    private String free(Set<String> taken, String what, IntFunction<String> text, int first) {
        for (int attempt = 0; attempt < ATTEMPTS; attempt++) {
            String candidate = text.apply(first + attempt);
            if (!taken.contains(candidate) && !recent.contains(candidate)) {
                if (recent.size() == RECENT_MAX) {
                    recent.clear();
                }
                recent.add(candidate);
                return candidate;
            }
        }
        throw Refusals.internal(what + " could not be allocated: those that were tried are taken");
    }

    private String address(int number) {
        int address = NETWORK + number % ADDRESSES;
        return (address >>> 24) + "." + (address >>> 16 & 255) + "." + (address >>> 8 & 255) + "." + (address & 255);
    }

    /** What other services have. */
    private Taken taken(String uid) {
        Taken taken = new Taken(new HashSet<>(), new HashSet<>());
        store.forEach(prefix, store.revision(), entry -> {
            JsonNode service = Json.read(entry.value());
            if (!service.at("/metadata/uid").asString("").equals(uid)) {
                service.at("/spec/clusterIPs").forEach(address -> taken.addresses().add(address.asString("")));
                service.at("/spec/ports")
                        .forEach(port -> taken.nodePorts().add(port.path("nodePort").asString("")));
            }
        });
        return taken;
    }

    private record Taken(Set<String> addresses, Set<String> nodePorts) {}
}
