package io.fairlead.hosted.view;

import io.fairlead.hosted.ApiRequest;
import io.fairlead.hosted.ApiResponse;
import io.fairlead.hosted.ObjectReader;
import io.fairlead.hosted.Representation;
import io.fairlead.hosted.ResourceType;
import io.fairlead.hosted.table.Representations;
import io.fairlead.model.GroupResource;
import io.fairlead.model.RequestInfo;
import io.fairlead.model.Status;
import io.fairlead.model.StatusException;
import io.fairlead.schema.json.Json;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.ObjectNode;

/**
 * The events of a cluster that keeps none: lists are empty and nothing can be created. Clients that show an object with its
 * events, as {@code kubectl describe} does, fail without the resource.
 */
final class NoEvents {
    private static final GroupResource EVENTS = new GroupResource("", "events");
    private static final GroupResource NAMESPACES = new GroupResource("", "namespaces");

    /** The resource as discovery lists it. */
    static final ResourceType TYPE = new ResourceType(
            "",
            "v1",
            "events",
            "event",
            "Event",
            "EventList",
            List.of("ev"),
            List.of(),
            true,
            List.of("get", "list"),
            Set.of(),
            "v1",
            false,
            null,
            null);

    private final ObjectReader objects;
    private final Representations representations;

    NoEvents(ObjectReader objects, Representations representations) {
        this.objects = objects;
        this.representations = representations;
    }

    /** Answers a request for events, else null. */
    @Nullable
    ApiResponse answer(ApiRequest request) {
        RequestInfo info = request.info();
        if (!info.resourceRequest()
                || !info.groupResource().equals(EVENTS)
                || !info.version().equals("v1")) {
            return null;
        }
        return switch (info.verb()) {
            case "list" -> emptyList(request);
            case "get" -> throw new StatusException(Status.notFound(EVENTS, info.name()));
            default ->
                throw new StatusException(Status.of(
                        405,
                        "MethodNotAllowed",
                        info.verb() + " is not supported on resources of kind \"events\": this cluster keeps none"));
        };
    }

    private ApiResponse emptyList(ApiRequest request) {
        Representation form = representations.of(request, TYPE, false);
        ObjectNode list = Json.object().put("kind", "EventList").put("apiVersion", "v1");
        list.putObject("metadata").put("resourceVersion", Long.toString(Math.max(1, objects.revision(NAMESPACES))));
        list.putArray("items");
        return new ApiResponse.Whole(200, form.contentType(), Map.of(), form.encode(form.list(list)));
    }
}
