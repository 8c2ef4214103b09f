package io.fairlead.hosted.cluster;

import io.fairlead.hosted.ConversionWebhooks;
import io.fairlead.model.ClusterName;
import io.fairlead.schema.json.Json;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.UnaryOperator;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** A webhook for a kind whose {@code spec.size} of v1 is the text {@code spec.amount} in v2, and which can be made to lie. */
final class AmountWebhook implements ConversionWebhooks {
    /** How many objects each review had. */
    final List<Integer> reviews = new CopyOnWriteArrayList<>();

    private volatile Deed before = () -> {};
    private volatile UnaryOperator<ObjectNode> lie = UnaryOperator.identity();

    /** Something that may fail. */
    @FunctionalInterface
    interface Deed {
        void run() throws Failure, InterruptedException;
    }

    /** Has something done before each answer. */
    void before(Deed deed) {
        before = deed;
    }

    /** Has all answers changed. */
    void lie(UnaryOperator<ObjectNode> how) {
        lie = how;
    }

    @Override
    public byte[] call(ClusterName cluster, JsonNode client, byte[] review, int bytesMax)
            throws Failure, InterruptedException {
        before.run();
        JsonNode request = Json.read(review).path("request");
        reviews.add(request.path("objects").size());
        ObjectNode answer = Json.object().put("kind", "ConversionReview").put("apiVersion", "apiextensions.k8s.io/v1");
        ObjectNode response =
                answer.putObject("response").put("uid", request.path("uid").stringValue());
        response.putObject("result").put("status", "Success");
        ArrayNode converted = response.putArray("convertedObjects");
        for (JsonNode object : request.path("objects")) {
            converted.add(converted(
                    (ObjectNode) object, request.path("desiredAPIVersion").stringValue()));
        }
        return Json.write(lie.apply(answer));
    }

    private static ObjectNode converted(ObjectNode object, String apiVersion) {
        object.put("apiVersion", apiVersion);
        if (object.get("spec") instanceof ObjectNode spec) {
            if (apiVersion.endsWith("/v2") && spec.has("size")) {
                spec.put("amount", spec.remove("size").asString() + " pieces").put("unknown", true);
            } else if (apiVersion.endsWith("/v1") && spec.has("amount")) {
                spec.put(
                        "size",
                        Integer.parseInt(spec.remove("amount").stringValue().split(" ", -1)[0]));
            }
        }
        return object;
    }
}
