package io.fairlead.hosted.verbs;

import io.fairlead.hosted.meta.LabelSelector;
import io.fairlead.hosted.meta.Meta;
import io.fairlead.hosted.meta.Refusals;
import io.fairlead.hosted.objects.Caller;
import io.fairlead.hosted.objects.ObjectWriter;
import io.fairlead.hosted.objects.ServedResource;
import io.fairlead.hosted.objects.Work;
import io.fairlead.model.GroupResource;
import io.fairlead.model.Status;
import io.fairlead.model.StatusException;
import io.fairlead.schema.json.Json;
import io.fairlead.storage.RevisionedStore;
import io.fairlead.storage.RevisionedStore.Entry;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** The disruption budgets of pods ({@code checkAndDecrement} of kubernetes {@code registry/core/pod/storage/eviction.go}). */
record Budgets(
        RevisionedStore store,
        ObjectWriter writer,
        @Nullable ServedResource budgets,
        InstantSource clock) {
    private static final String VIOLATED = "Cannot evict pod as it would violate the pod's disruption budget.";
    private static final GroupResource NAMED = new GroupResource("policy", "poddisruptionbudget");
    private static final String ALLOWED = "DisruptionAllowed";
    private static final int DISRUPTED_MAX = 2_000;
    private static final int RETRY_SECONDS = 10;

    /**
     * Takes a disruption off the budget of a running pod, if it has one.
     *
     * @return the name of the budget if it lets the pod go only for as long as that is not ready, which takes nothing off; else null
     * @throws StatusException 429 if it allows none, 500 if the pod has several, 403 if its status makes no sense
     */
    @Nullable
    String allow(Caller caller, ObjectNode pod) {
        List<ObjectNode> found = of(pod, caller.work());
        if (found.size() > 1) {
            throw new StatusException(Status.of(
                    500,
                    "",
                    "This pod has more than one PodDisruptionBudget, which the eviction subresource does not"
                            + " support."));
        }
        ServedResource served = budgets;
        if (found.isEmpty() || served == null) {
            return null;
        }
        ObjectNode budget = found.getFirst();
        if (!isReady(pod) && letsGoUnready(budget)) {
            return Meta.name(budget);
        }
        if (caller.dryRun()) {
            require(budget);
            return null;
        }
        Caller server =
                new Caller(caller.user(), caller.isUserEverywhere(), false, "kube-apiserver", _ -> {}, caller.work());
        String name = Meta.name(pod);
        var _ = writer.update(
                server, served, Meta.namespace(pod), Meta.name(budget), "status", stored -> taken(stored, name));
        return null;
    }

    static StatusException beingProcessed(String budget) {
        return violated("The disruption budget " + budget + " is still being processed by the server.", RETRY_SECONDS);
    }

    private List<ObjectNode> of(ObjectNode pod, Work work) {
        ServedResource served = budgets;
        if (served == null) {
            return List.of();
        }
        List<String> keys = new ArrayList<>();
        store.forEach(served.prefix(Meta.namespace(pod)), store.revision(), entry -> keys.add(entry.key()));
        List<ObjectNode> found = new ArrayList<>();
        for (String key : keys) {
            Entry entry = work.toRead(served.codec(), () -> store.get(key));
            if (entry != null) {
                ObjectNode budget = served.read(entry);
                JsonNode selector = budget.at("/spec/selector");
                if (selector.isObject()
                        && LabelSelector.parse(LabelSelector.text(selector)).matches(pod)) {
                    found.add(budget);
                }
            }
        }
        return found;
    }

    private static boolean isReady(ObjectNode pod) {
        return pod.at("/status/conditions")
                .valueStream()
                .anyMatch(condition -> condition.path("type").asString("").equals("Ready")
                        && condition.path("status").asString("").equals("True"));
    }

    private static boolean letsGoUnready(ObjectNode budget) {
        long desired = budget.at("/status/desiredHealthy").asLong(0);
        return budget.at("/spec/unhealthyPodEvictionPolicy").asString("").equals("AlwaysAllow")
                || (budget.at("/status/currentHealthy").asLong(0) >= desired && desired > 0);
    }

    private ObjectNode taken(ObjectNode stored, String pod) {
        require(stored);
        ObjectNode budget = stored.deepCopy();
        ObjectNode status = budget.withObjectProperty("status");
        long left = status.path("disruptionsAllowed").asLong(0) - 1;
        status.put("disruptionsAllowed", left);
        if (left == 0) {
            exhaust(status);
        }
        status.withObjectProperty("disruptedPods").put(pod, Meta.time(clock.instant()));
        return budget;
    }

    private void exhaust(ObjectNode status) {
        ObjectNode condition = condition(status) instanceof ObjectNode known
                ? known
                : status.withArrayProperty("conditions").addObject().put("type", ALLOWED);
        if (!condition.path("status").asString("").equals("False")) {
            condition.put("status", "False").put("lastTransitionTime", Meta.time(clock.instant()));
        }
        condition.put("reason", "InsufficientPods").put("message", "");
        condition.put("observedGeneration", status.path("observedGeneration").asLong(0));
    }

    private static JsonNode condition(JsonNode status) {
        for (JsonNode condition : status.path("conditions")) {
            if (condition.path("type").asString("").equals(ALLOWED)) {
                return condition;
            }
        }
        return Json.nodes().missingNode();
    }

    private static void require(ObjectNode budget) {
        JsonNode status = budget.path("status");
        String name = Meta.name(budget);
        if (status.path("observedGeneration").asLong(0)
                < Meta.of(budget).path("generation").asLong(0)) {
            throw beingProcessed(name);
        }
        long allowed = status.path("disruptionsAllowed").asLong(0);
        if (allowed < 0) {
            throw Refusals.forbidden(NAMED, name, "pdb disruptions allowed is negative", List.of());
        }
        if (status.path("disruptedPods").size() > DISRUPTED_MAX) {
            throw Refusals.forbidden(
                    NAMED,
                    name,
                    "DisruptedPods map too big - too many evictions not confirmed by PDB controller",
                    List.of());
        }
        if (allowed == 0) {
            throw violated(why(status, name), 0);
        }
    }

    private static String why(JsonNode status, String name) {
        JsonNode condition = condition(status);
        String message = condition.path("message").asString("");
        String reason = condition.path("reason").asString("");
        boolean isSaid = condition.path("status").asString("").equals("False") && !message.isEmpty();
        long current = status.path("currentHealthy").asLong(0);
        long desired = status.path("desiredHealthy").asLong(0);
        String start = "The disruption budget " + name;
        if (isSaid && reason.equals("SyncFailed")) {
            return start + " does not allow evicting pods currently because it failed sync: " + message;
        }
        if (current <= desired) {
            return start + " needs " + desired + " healthy pods and has " + current + " currently";
        }
        return start + " does not allow evicting pods currently" + (isSaid ? " (" + reason + "): " + message : "");
    }

    private static StatusException violated(String why, int retrySeconds) {
        return new StatusException(new Status(
                429,
                "TooManyRequests",
                VIOLATED,
                new Status.Details(
                        "", "", "", "", List.of(new Status.Cause("DisruptionBudget", why, "")), retrySeconds)));
    }
}
