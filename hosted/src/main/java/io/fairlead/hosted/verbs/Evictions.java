package io.fairlead.hosted.verbs;

import io.fairlead.hosted.ApiRequest;
import io.fairlead.hosted.meta.Meta;
import io.fairlead.hosted.meta.Refusals;
import io.fairlead.hosted.meta.StatusObjects;
import io.fairlead.hosted.objects.Caller;
import io.fairlead.hosted.objects.DeleteOptions;
import io.fairlead.hosted.objects.ObjectWriter;
import io.fairlead.hosted.objects.Preconditions;
import io.fairlead.hosted.objects.ServedResource;
import io.fairlead.hosted.objects.Work;
import io.fairlead.model.StatusException;
import io.fairlead.schema.json.Json;
import io.fairlead.schema.typed.ApiTypes;
import io.fairlead.schema.typed.GoType.Struct;
import io.fairlead.schema.typed.TypedDecoder;
import io.fairlead.storage.RevisionedStore;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.ObjectNode;

/**
 * The subresource {@code eviction} of pods (kubernetes {@code registry/core/pod/storage/eviction.go}): a pod is deleted if its
 * disruption budget allows it. What a budget allows is what its status says, which a controller writes.
 *
 * <p>Threads: any; blocks.
 */
public final class Evictions {
    static final String SUBRESOURCE = "eviction";

    private static final String KIND = "Eviction";
    private static final Set<String> ENDED_OR_PENDING = Set.of("Succeeded", "Failed", "Pending");

    private final RevisionedStore store;
    private final ObjectWriter writer;
    private final Budgets budgets;
    private final InstantSource clock;

    /** @param budgets the PodDisruptionBudgets of the cluster; null if it serves none */
    public Evictions(
            RevisionedStore store, ObjectWriter writer, @Nullable ServedResource budgets, InstantSource clock) {
        this.store = store;
        this.writer = writer;
        this.budgets = new Budgets(store, writer, budgets, clock);
        this.clock = clock;
    }

    /**
     * Evicts a pod.
     *
     * @return the status that is answered with 201
     * @throws StatusException 429 if the budget allows no disruption; 400, 404, 409 and 422 for the problems of the request
     */
    ObjectNode create(ApiRequest request, Addressed place, Bodies bodies, Warnings warnings, Work work) {
        WriteOptions options = WriteOptions.of(request, "CreateOptions");
        ObjectNode eviction = decoded(request, bodies, options, warnings);
        Writes.requireNoOtherNamespace(place, eviction);
        if (!Meta.name(eviction).equals(place.name())) {
            throw Refusals.badRequest("name in URL does not match name in Eviction object");
        }
        Deletion asked = Deletion.of(eviction.path("deleteOptions"), options.dryRun());
        Caller caller = new Caller(
                request.user(), request.isUserEverywhere(), asked.dryRun(), options.manager(), warnings::add, work);
        evict(caller, place, asked.options());
        return StatusObjects.success().put("code", 201);
    }

    /** Looked up when it is needed: its table is one that few processes ever read. */
    private static Struct type() {
        return Objects.requireNonNull(ApiTypes.ofKind("policy/v1", KIND));
    }

    private static ObjectNode decoded(ApiRequest request, Bodies bodies, WriteOptions options, Warnings warnings) {
        Bodies.Body body = bodies.object(request, true);
        String kind = body.object().path("kind").asString("");
        if (!kind.isEmpty() && !kind.equals(KIND)) {
            throw Refusals.undecodable(KIND, "v1", "no kind \"" + kind + "\" is evicted (expected " + KIND + ")");
        }
        TypedDecoder.Decoded decoded = TypedDecoder.decode(type(), body.object(), "", false);
        if (decoded.problem() != null) {
            throw Refusals.undecodable(KIND, "v1", decoded.problem());
        }
        List<String> problems = new ArrayList<>(body.problems());
        decoded.unknownFields().forEach(path -> problems.add("unknown field \"" + path + "\""));
        Writes.validate(
                options,
                warnings,
                problems,
                all -> KIND + " in version \"v1\" cannot be handled as a " + KIND + ": strict decoding error: " + all);
        return decoded.tree();
    }

    private void evict(Caller caller, Addressed place, DeleteOptions options) {
        ServedResource pods = place.resource();
        ObjectNode pod = pod(place, caller.work());
        String phase = pod.at("/status/phase").asString("");
        if (Meta.isTerminating(pod) || ENDED_OR_PENDING.contains(phase)) {
            boolean mayBecomeReady = phase.equals("Pending") && !Meta.isTerminating(pod);
            delete(caller, pods, place, mayBecomeReady ? unchanged(options, pod) : options);
            return;
        }
        String unhealthyBy = budgets.allow(caller, pod);
        if (unhealthyBy == null || options.resourceVersion() != null) {
            delete(caller, pods, place, options);
            return;
        }
        try {
            delete(caller, pods, place, unchanged(options, pod));
        } catch (StatusException e) {
            throw e.status().code() == 409 ? Budgets.beingProcessed(unhealthyBy) : e;
        }
    }

    /** With room for what is done to it: once its budget was changed it is not to be refused for want of that. */
    private ObjectNode pod(Addressed place, Work work) {
        RevisionedStore.Entry entry = work.toChange(place.resource().codec(), () -> store.get(place.key()));
        if (entry == null) {
            throw Refusals.notFound(place.resource().groupResource(), place.name());
        }
        return place.resource().read(entry);
    }

    /** Only as long as the pod is as it was judged. */
    private static DeleteOptions unchanged(DeleteOptions options, ObjectNode pod) {
        return options.resourceVersion() == null
                ? new DeleteOptions(options.uid(), Meta.resourceVersion(pod), options.propagation())
                : options;
    }

    /** Says in the pod's status why it goes, for those who see it last, and deletes it. */
    private void delete(Caller caller, ServedResource pods, Addressed place, DeleteOptions options) {
        DeleteOptions last = options;
        if (!caller.dryRun()) {
            ObjectNode marked = writer.update(
                            caller, pods, place.namespace(), place.name(), "status", pod -> marked(pods, pod, options))
                    .object();
            last = options.resourceVersion() == null
                    ? options
                    : new DeleteOptions(options.uid(), Meta.resourceVersion(marked), options.propagation());
        }
        var _ = writer.delete(caller, pods, place.namespace(), place.name(), last);
    }

    private ObjectNode marked(ServedResource pods, ObjectNode stored, DeleteOptions options) {
        Preconditions.ofDelete(pods, stored, options);
        ObjectNode pod = stored.deepCopy();
        ObjectNode status = pod.withObjectProperty("status");
        ObjectNode condition = Json.object().put("type", "DisruptionTarget");
        condition.putNull("lastProbeTime");
        condition
                .put("status", "True")
                .put("lastTransitionTime", Meta.time(clock.instant()))
                .put("reason", "EvictionByEvictionAPI")
                .put("message", "Eviction API: evicting");
        List<ObjectNode> others = status.path("conditions")
                .valueStream()
                .filter(other -> !other.path("type").asString("").equals("DisruptionTarget"))
                .map(ObjectNode.class::cast)
                .toList();
        status.putArray("conditions").addAll(others).add(condition);
        return pod;
    }
}
