package io.fairlead.hosted.cluster;

import io.fairlead.hosted.AdmissionHook;
import io.fairlead.hosted.ResourceType;
import io.fairlead.hosted.kinds.data.BalancerChecks;
import io.fairlead.hosted.kinds.data.DataObjects;
import io.fairlead.hosted.meta.Meta;
import io.fairlead.hosted.meta.Refusals;
import io.fairlead.hosted.objects.CommitGuard;
import io.fairlead.hosted.objects.WriteGate;
import io.fairlead.schema.field.FieldErrors;
import io.fairlead.schema.field.FieldPath;
import io.fairlead.schema.field.GoText;
import io.fairlead.schema.json.Json;
import io.fairlead.schema.text.IpText;
import io.fairlead.storage.RevisionedStore;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.IntFunction;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * Gives the services of one cluster their virtual addresses and node ports, each once (kubernetes {@code registry/core/service}):
 * from 10.96.0.0/12, and from 30000 to 32767. What the stored services have is read when something is to be given or checked; until
 * the service is stored, no other of the cluster is written. Threads: any.
 */
final class ServiceAddresses implements AdmissionHook, CommitGuard {
    private static final int NETWORK = 10 << 24 | 96 << 16;
    private static final int ADDRESSES = 1 << 20;
    /** The first ones are left for what clients choose, beginning with that of the API server. */
    private static final int FIRST_GIVEN = 256;

    private static final int ATTEMPTS = 200;
    private static final List<String> OF_ADDRESSES = List.of("clusterIP", "clusterIPs", "ipFamilies", "ipFamilyPolicy");

    private final RevisionedStore store;
    private final String prefix;
    private final RandomGenerator random;
    private final NodePorts nodePorts;
    /** Held from the admission of a service to its commit. */
    private final ReentrantLock writing = new ReentrantLock();

    /** @param prefix the keys of the cluster's services */
    ServiceAddresses(RevisionedStore store, String prefix, RandomGenerator random) {
        this.store = store;
        this.prefix = prefix;
        this.random = random;
        this.nodePorts = new NodePorts(random);
    }

    static boolean areOf(ResourceType type) {
        return type.group().isEmpty() && type.plural().equals("services");
    }

    @Override
    public void admit(Review review) {
        ObjectNode service = review.object();
        ObjectNode old = review.old();
        if (service != null && review.subresource().isEmpty()) {
            ObjectNode spec = service.withObjectProperty("spec");
            if (old != null) {
                keep(spec, old.path("spec"));
                leave(service, spec, old.path("spec"));
            }
            complete(review, service, spec, old);
        }
    }

    @Override
    public WriteGate.Passage enter() {
        writing.lock();
        return writing::unlock;
    }

    private void complete(Review review, ObjectNode service, ObjectNode spec, @Nullable ObjectNode old) {
        if (spec.path("type").asString("").equals("ExternalName")) {
            IpFamilies.leave(spec, old == null ? Json.object() : old.path("spec"));
            return;
        }
        if (old != null && isComplete(spec, old.path("spec"))) {
            return;
        }
        Taken taken = taken(Meta.uid(old == null ? service : old));
        address(review, spec, taken);
        nodePorts.give(review, spec, taken.nodePorts());
    }

    /** What an update leaves out stays as it is. */
    private static void keep(ObjectNode spec, JsonNode old) {
        for (String field : OF_ADDRESSES) {
            if (!spec.has(field) && old.has(field)) {
                spec.set(field, old.get(field).deepCopy());
            }
        }
        NodePorts.keep(spec, old);
    }

    /** What only another type has goes with it, unless the client changed it. */
    private static void leave(ObjectNode service, ObjectNode spec, JsonNode old) {
        boolean isBalanced = BalancerChecks.isBalancer(spec);
        boolean isOutside = isBalanced || spec.path("type").asString("").equals("NodePort");
        if (!isOutside && spec.path("externalTrafficPolicy").equals(old.path("externalTrafficPolicy"))) {
            spec.remove("externalTrafficPolicy");
        }
        for (String field : List.of("allocateLoadBalancerNodePorts", "loadBalancerClass")) {
            if (!isBalanced && spec.path(field).equals(old.path(field))) {
                spec.remove(field);
            }
        }
        if (!isBalanced && !service.at("/status/loadBalancer/ingress").isEmpty()) {
            service.withObjectProperty("status").putObject("loadBalancer");
        }
    }

    /** Whether nothing is to be given, and nothing that a client chose to be checked. */
    private static boolean isComplete(ObjectNode spec, JsonNode old) {
        return hasSameAddresses(spec, old) && NodePorts.areComplete(spec, old);
    }

    private static boolean hasSameAddresses(ObjectNode spec, JsonNode old) {
        return OF_ADDRESSES.stream()
                .allMatch(field -> spec.has(field) && spec.path(field).equals(old.path(field)));
    }

    private void address(Review review, ObjectNode spec, Taken taken) {
        JsonNode all = spec.path("clusterIPs");
        String wanted = spec.path("clusterIP").asString("");
        if (wanted.isEmpty()) {
            wanted = all.path(0).asString("");
        }
        ObjectNode old = review.old();
        JsonNode before = old == null ? Json.object() : old.path("spec");
        if (!hasSameAddresses(spec, before)) {
            IpFamilies.complete(
                    review,
                    spec,
                    before,
                    all.isEmpty() && !wanted.isEmpty() ? Json.array().add(wanted) : all);
        }
        FieldErrors errors = new FieldErrors();
        if (old == null && !all.isEmpty() && spec.path("clusterIP").asString("").isEmpty()) {
            errors.invalid(FieldPath.of("spec", "clusterIPs"), all, "must be empty when `clusterIP` is not specified");
        } else if (wanted.isEmpty()) {
            int first = FIRST_GIVEN + random.nextInt(ADDRESSES - FIRST_GIVEN - ATTEMPTS - 1);
            wanted = free(taken.addresses(), "an address", attempt -> address(first + attempt), ATTEMPTS);
            requireName(review, wanted, errors);
        } else {
            check(review, wanted, all, taken, errors);
        }
        errors.throwIfAny("", "Service", review.name());
        spec.put("clusterIP", wanted);
        spec.putArray("clusterIPs").add(wanted);
    }

    /** In kube-apiserver an address is an object that names its service, so that one without a name gets none. */
    private static void requireName(Review review, String address, FieldErrors errors) {
        if (review.name().isEmpty()) {
            errors.invalid(
                    FieldPath.of("spec", "clusterIPs"),
                    Json.array().add(""),
                    "failed to allocate IP: IPAddress.networking.k8s.io " + GoText.quote(address)
                            + " is invalid: spec.parentRef.name: Required value");
        }
    }

    /** What a client chose is an address of the range in its usual form, free, and no change. */
    private static void check(Review review, String wanted, JsonNode all, Taken taken, FieldErrors errors) {
        FieldPath path = FieldPath.of("spec", "clusterIPs");
        JsonNode value = all.isEmpty() ? Json.array().add(wanted) : all;
        ObjectNode old = review.old();
        String before = old == null ? "" : old.at("/spec/clusterIP").asString("");
        if (all.size() > 1) {
            errors.invalid(path, value, "may hold one address: clusters have one family of addresses");
        } else if (!before.isEmpty() && !before.equals(wanted)) {
            errors.invalid(path.index(0), Json.array().add(wanted), "may not change once set");
        } else if (!all.isEmpty() && !all.path(0).asString("").equals(wanted)) {
            errors.invalid(path, value, "first value must match `clusterIP`");
        } else if (wanted.equals("None")) {
            return;
        } else if (!BalancerChecks.addressProblems(wanted).isEmpty()) {
            errors.invalid(path.index(0), wanted, BalancerChecks.addressProblems(wanted));
        } else if (!isInRange(wanted)) {
            errors.invalid(
                    path,
                    value,
                    "failed to allocate IP " + wanted
                            + ": the provided IP is not in the valid range. The range of valid IPs is "
                            + DataObjects.SERVICE_RANGE);
        } else if (taken.addresses().contains(wanted) || isOfTheApi(wanted, review)) {
            errors.invalid(path, value, "failed to allocate IP " + wanted + ": provided IP is already allocated");
        }
    }

    /** A cluster that starts makes the service of its API anew, if that was deleted. */
    private static boolean isOfTheApi(String address, Review review) {
        boolean isApi = review.namespace().equals("default") && review.name().equals(DataObjects.KUBERNETES);
        return address.equals(DataObjects.SERVICE_ADDRESS) && !isApi;
    }

    private static boolean isInRange(String text) {
        if (text.contains(":") || !IpText.isAddress(text, false)) {
            return false;
        }
        int number = 0;
        for (String part : text.split("\\.", -1)) {
            number = number << 8 | Integer.parseInt(part);
        }
        return (number & -ADDRESSES) == NETWORK;
    }

    /** The first that is free of some candidates. */
    static String free(Set<String> taken, String what, IntFunction<String> candidates, int count) {
        for (int attempt = 0; attempt < count; attempt++) {
            String candidate = candidates.apply(attempt);
            if (!taken.contains(candidate)) {
                return candidate;
            }
        }
        throw Refusals.internal(what + " could not be allocated: those that were tried are taken");
    }

    private static String address(int number) {
        int address = NETWORK + number;
        return (address >>> 24) + "." + (address >>> 16 & 255) + "." + (address >>> 8 & 255) + "." + (address & 255);
    }

    /** What other services have. */
    private Taken taken(String uid) {
        Taken taken = new Taken(new HashSet<>(), new HashSet<>());
        store.forEach(prefix, store.revision(), entry -> {
            JsonNode service = Json.read(entry.value());
            if (!service.at("/metadata/uid").asString("").equals(uid)) {
                service.at("/spec/clusterIPs")
                        .forEach(address -> taken.addresses().add(address.asString("")));
                NodePorts.add(service.path("spec"), taken.nodePorts());
            }
        });
        return taken;
    }

    private record Taken(Set<String> addresses, Set<String> nodePorts) {}
}
