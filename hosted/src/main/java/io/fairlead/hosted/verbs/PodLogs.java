package io.fairlead.hosted.verbs;

import io.fairlead.hosted.ApiRequest;
import io.fairlead.hosted.ApiResponse;
import io.fairlead.hosted.meta.Causes;
import io.fairlead.hosted.meta.Refusals;
import io.fairlead.hosted.objects.ServedResource;
import io.fairlead.hosted.objects.Work;
import io.fairlead.model.ClusterName;
import io.fairlead.model.Status;
import io.fairlead.model.StatusException;
import io.fairlead.schema.field.FieldErrors;
import io.fairlead.schema.field.FieldPath;
import io.fairlead.schema.json.Json;
import io.fairlead.schema.typed.Times;
import io.fairlead.storage.RevisionedStore;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/**
 * The subresource {@code log} of pods, as far as kube-apiserver answers it without the kubelet of a node (kubernetes
 * {@code registry/core/pod/rest/log.go}, and {@code LogLocation} in {@code registry/core/pod/strategy.go}).
 *
 * <p>Threads: any; blocks.
 *
 * @param cluster whose pods they are
 * @param nodes those of the cluster; null if it serves none
 */
public record PodLogs(
        RevisionedStore store,
        ClusterName cluster,
        @Nullable ServedResource nodes) {
    static final String SUBRESOURCE = "log";

    private static final Pattern INTEGER = Pattern.compile("[+-]?[0-9]+");
    private static final int NO_CONTENT = 204;

    /**
     * The log of a pod that no node has, which is empty.
     *
     * @throws StatusException 400, 404 and 422 for the problems of the request; 501 if a kubelet would have the log
     */
    ApiResponse get(ApiRequest request, Addressed place, Warnings warnings, Work work) {
        requireValidOptions(request, place.name());
        ServedResource pods = place.resource();
        RevisionedStore.Entry entry = work.toRead(pods.codec(), () -> store.get(place.key()));
        if (entry == null) {
            throw Refusals.notFound(pods.groupResource(), place.name());
        }
        JsonNode spec = pods.read(entry).path("spec");
        String container = request.parameter("container");
        requireContainer(spec, container == null ? "" : container, place.name());
        String node = spec.path("nodeName").asString("");
        if (node.isEmpty()) {
            return new ApiResponse.Whole(NO_CONTENT, "", warnings.headers(), new byte[0]);
        }
        if (nodes == null || store.get(nodes.key("", node)) == null) {
            throw Refusals.notFound(pods.groupResource(), node); // of which kube-apiserver speaks as of a pod
        }
        throw notOffered();
    }

    private static void requireValidOptions(ApiRequest request, String pod) {
        Long seconds = integer(request, "sinceSeconds");
        String time = request.parameter("sinceTime");
        if (time != null && !time.isEmpty()) {
            Times.problem(time).ifPresent(problem -> {
                throw Refusals.badRequest(problem);
            });
        }
        Long lines = integer(request, "tailLines");
        Long bytes = integer(request, "limitBytes");
        FieldErrors errors = new FieldErrors();
        requireAtLeast(0, lines, "tailLines", "must be greater than or equal to 0", errors);
        requireAtLeast(1, bytes, "limitBytes", "must be greater than 0", errors);
        if (seconds != null && time != null) {
            errors.forbidden(FieldPath.of("[]"), "at most one of `sinceTime` or `sinceSeconds` may be specified");
        } else {
            requireAtLeast(1, seconds, "sinceSeconds", "must be greater than 0", errors);
        }
        if (request.parameter("stream") != null) {
            errors.forbidden(FieldPath.of("stream"), "may not be specified");
        }
        if (!errors.isEmpty()) {
            throw Refusals.invalid("", "PodLogOptions", pod, Causes.of(errors));
        }
    }

    private static void requireAtLeast(
            int least, @Nullable Long number, String field, String detail, FieldErrors errors) {
        if (number != null && number < least) {
            errors.invalid(FieldPath.of(field), Json.nodes().numberNode(number), detail);
        }
    }

    private static @Nullable Long integer(ApiRequest request, String parameter) {
        String text = request.parameter(parameter);
        if (text == null) {
            return null;
        }
        try {
            return Long.valueOf(text);
        } catch (NumberFormatException e) {
            String problem = INTEGER.matcher(text).matches() ? "value out of range" : "invalid syntax";
            throw Refusals.badRequest("strconv.ParseInt: parsing \"" + text + "\": " + problem);
        }
    }

    /** Of several containers one must be named. */
    private static void requireContainer(JsonNode spec, String container, String pod) {
        List<String> names = new ArrayList<>();
        for (String list : List.of("initContainers", "containers", "ephemeralContainers")) {
            spec.path(list).forEach(one -> names.add(one.path("name").asString("")));
        }
        if (container.isEmpty() && spec.path("containers").size() > 1) {
            throw Refusals.badRequest("a container name must be specified for pod " + pod + ", choose one of: ["
                    + String.join(" ", names) + "]");
        }
        if (!container.isEmpty() && !names.contains(container)) {
            throw Refusals.badRequest("container " + container + " is not valid for pod " + pod);
        }
    }

    private StatusException notOffered() {
        return new StatusException(Status.withCause(
                501,
                "NotImplemented",
                "cluster \"" + cluster
                        + "\": it is hosted and runs no pods, so that they have no logs (expected an attached"
                        + " cluster)",
                "LogsNotOffered",
                0));
    }
}
