package io.fairlead.hosted.representation;

import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.fairlead.hosted.ApiRequest;
import io.fairlead.hosted.ListBody;
import io.fairlead.hosted.ResourceType;
import io.fairlead.model.RequestInfo;
import io.fairlead.model.Status;
import io.fairlead.model.StatusException;
import io.fairlead.model.UserInfo;
import io.fairlead.schema.json.Json;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Set;
import tools.jackson.databind.node.ObjectNode;

/** Answers in the forms that a client may ask for. Forms and messages were taken from a kube-apiserver 1.36. */
abstract class RepresentationsFixture {
    static final String TABLE = "application/json;as=Table;v=v1;g=meta.k8s.io";
    static final String METADATA = "\"creationTimestamp\":\"2026-11-20T23:58:20Z\",\"resourceVersion\":\"7\"";
    static final ResourceType CONFIG_MAPS = builtIn("", "configmaps", "ConfigMap");

    final Representations representations = new Representations(() -> Instant.parse("2026-11-21T00:00:00Z"));

    Representation form(String accept, String verb, ResourceType type) {
        return representations.of(request(accept, verb, Map.of()), type, false);
    }

    Representation watch(String accept) {
        return representations.of(request(accept, "watch", Map.of()), CONFIG_MAPS, true);
    }

    Status refusal(ApiRequest request) {
        return catchThrowableOfType(StatusException.class, () -> representations.of(request, CONFIG_MAPS, false))
                .status();
    }

    /** A list as it is written piece by piece, read. */
    static ObjectNode list(Representation form, ObjectNode list) {
        return (ObjectNode) Json.read(written(form, list));
    }

    static byte[] written(Representation form, ObjectNode list) {
        ListBody body = form.list("v1", "ConfigMapList", true);
        ByteArrayOutputStream items = new ByteArrayOutputStream();
        list.path("items")
                .forEach(item -> items.writeBytes(body.item(((ObjectNode) item).deepCopy(), items.size() == 0)));
        ByteArrayOutputStream whole = new ByteArrayOutputStream();
        whole.writeBytes(body.begin(list.deepCopy().without(List.of("items")), items.size()));
        whole.writeBytes(items.toByteArray());
        whole.writeBytes(body.end());
        return whole.toByteArray();
    }

    static String text(Representation form, ObjectNode body) {
        return new String(form.encode(body), StandardCharsets.UTF_8);
    }

    static ApiRequest request(String accept, String verb, Map<String, List<String>> query) {
        RequestInfo info = new RequestInfo(true, "/", verb, "api", "", "v1", "ns", "configmaps", "", "", "");
        return new ApiRequest(info, "GET", query, Map.of("accept", accept), UserInfo.of("u", List.of()), new byte[0]);
    }

    static ResourceType builtIn(String group, String plural, String kind) {
        return type(group, plural, kind, false);
    }

    static ResourceType type(String group, String plural, String kind, boolean custom) {
        return new ResourceType(
                group,
                "v1",
                plural,
                "",
                kind,
                kind + "List",
                List.of(),
                List.of(),
                true,
                List.of(),
                Set.of(),
                "v1",
                custom,
                null,
                null);
    }

    static ObjectNode object(String json) {
        return (ObjectNode) Json.read(json);
    }
}
