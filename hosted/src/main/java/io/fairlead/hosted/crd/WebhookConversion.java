package io.fairlead.hosted.crd;

import io.fairlead.hosted.ConversionWebhooks;
import io.fairlead.hosted.objects.Conversion;
import io.fairlead.model.ClusterName;
import io.fairlead.model.Status;
import io.fairlead.model.StatusException;
import io.fairlead.schema.field.FieldErrors;
import io.fairlead.schema.field.FieldPath;
import io.fairlead.schema.field.GoText;
import io.fairlead.schema.json.Json;
import io.fairlead.schema.json.TreeSize;
import io.fairlead.schema.json.UnreadableDocumentException;
import io.fairlead.schema.meta.ObjectMetadata;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.function.Predicate;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * Conversion by the webhook of a definition (apiextensions {@code apiserver/conversion/webhook_converter.go}): what it makes of an
 * object may differ in all but the kind, and of its metadata in labels and annotations alone.
 *
 * <p>Threads: any; blocks.
 */
final class WebhookConversion implements Conversion {
    /** The versions of {@code ConversionReview} that are spoken. */
    private static final List<String> SPOKEN = List.of("v1", "v1beta1");

    private static final String GROUP = "apiextensions.k8s.io/";
    private static final String KIND = "ConversionReview";

    /** Of each object: as it is and as it is sent, or as it comes and as it is written. */
    private static final int TREES = 2;

    private static final int MESSAGE_CHARS_MAX = 4096;

    private final ClusterName cluster;
    private final JsonNode client;
    private final List<String> reviewVersions;
    private final ConversionWebhooks webhooks;
    private final ConversionRoom room;
    private final int objectBytesMax;

    /**
     * Of one definition.
     *
     * @param webhook {@code spec.conversion.webhook} of the definition
     * @param room for what the cluster has converted at a time
     * @param objectBytesMax how large an object may be as stored
     */
    WebhookConversion(
            ClusterName cluster,
            JsonNode webhook,
            ConversionWebhooks webhooks,
            ConversionRoom room,
            int objectBytesMax) {
        this.cluster = cluster;
        this.client = webhook.path("clientConfig");
        this.reviewVersions = webhook.path("conversionReviewVersions")
                .valueStream()
                .map(version -> version.asString(""))
                .toList();
        this.webhooks = webhooks;
        this.room = room;
        this.objectBytesMax = objectBytesMax;
    }

    @Override
    public boolean mayAsk() {
        return true;
    }

    @Override
    public List<ObjectNode> convert(List<ObjectNode> objects, String apiVersion) {
        objects.stream().filter(WebhookConversion::isEmpty).forEach(object -> object.put("apiVersion", apiVersion));
        Predicate<ObjectNode> isOther =
                object -> !object.path("apiVersion").asString("").equals(apiVersion);
        List<ObjectNode> others = objects.stream().filter(isOther).toList();
        if (others.isEmpty()) {
            return objects;
        }
        Iterator<ObjectNode> converted = ask(others, apiVersion).iterator();
        return objects.stream()
                .map(object -> isOther.test(object) ? converted.next() : object)
                .toList();
    }

    /** What a kind is like before anything is known of an object is the same in all versions. */
    private static boolean isEmpty(ObjectNode object) {
        return object.size() == 2 && object.has("apiVersion") && object.has("kind");
    }

    private List<ObjectNode> ask(List<ObjectNode> objects, String apiVersion) {
        ObjectNode first = objects.getFirst();
        String whose = "conversion webhook for " + first.path("apiVersion").asString("") + ", Kind="
                + first.path("kind").asString("");
        String version = SPOKEN.stream()
                .filter(reviewVersions::contains)
                .findFirst()
                .orElseThrow(() -> failure(whose + " failed: no supported conversion review versions"));
        String uid = UUID.randomUUID().toString();
        byte[] review = Json.write(review(objects, apiVersion, version, uid));
        int answerMax = answerBytesMax(review.length, objects.size());
        long held = review.length + TREES * TreeSize.ofJson(review).bytes() + answerMax;
        try (ConversionRoom.Hold hold = room.take(held)) {
            byte[] body = webhooks.call(cluster, client, review, answerMax);
            hold.grow(TREES * TreeSize.ofJson(body).bytes());
            JsonNode answer = Json.read(body);
            requireSuccess(answer, version, uid, whose);
            JsonNode converted = answer.path("response").path("convertedObjects");
            if (!converted.isArray() || converted.size() != objects.size()) {
                throw failure(whose + " returned " + (converted.isArray() ? converted.size() : 0)
                        + " objects, expected " + objects.size());
            }
            List<ObjectNode> result = new ArrayList<>();
            for (int i = 0; i < objects.size(); i++) {
                result.add(checked(objects.get(i), converted.get(i), i, apiVersion, whose));
            }
            return result;
        } catch (ConversionWebhooks.Failure | UnreadableDocumentException e) {
            throw failure(whose + " failed: " + cut(String.valueOf(e.getMessage())));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw failure(whose + " failed: the request has ended");
        }
    }

    /** No object may be larger than it can be stored. */
    private int answerBytesMax(int bytes, int objects) {
        long most = Math.min(
                Conversion.answerBytesMax(bytes), Conversion.answerBytesMax(0) + (long) objects * objectBytesMax);
        return (int) Math.min(most, Integer.MAX_VALUE / 2);
    }

    private static String cut(String text) {
        return text.substring(0, Math.min(text.length(), MESSAGE_CHARS_MAX));
    }

    private static ObjectNode review(List<ObjectNode> objects, String apiVersion, String version, String uid) {
        ObjectNode review = Json.object().put("kind", KIND).put("apiVersion", GROUP + version);
        ObjectNode request = review.putObject("request").put("uid", uid).put("desiredAPIVersion", apiVersion);
        ArrayNode sent = request.putArray("objects");
        objects.forEach(sent::add);
        return review;
    }

    private static void requireSuccess(JsonNode answer, String version, String uid, String whose) {
        String kind = answer.path("apiVersion").asString("") + ", Kind="
                + answer.path("kind").asString("");
        String expected = GROUP + version + ", Kind=" + KIND;
        JsonNode response = answer.path("response");
        // Of v1beta1 neither the kind nor the uid was ever looked at.
        boolean isExact = version.equals("v1");
        if (isExact && !kind.equals(expected)) {
            throw failure(whose + " failed: expected webhook response of " + expected + ", got " + kind);
        }
        if (!response.isObject()) {
            throw failure(whose + " failed: no response provided");
        }
        String answered = response.path("uid").asString("");
        if (isExact && !answered.equals(uid)) {
            throw failure(
                    whose + " failed: expected response.uid=" + GoText.quote(uid) + ", got " + GoText.quote(answered));
        }
        JsonNode result = response.path("result");
        String status = result.path("status").asString("");
        String message = result.path("message").asString("");
        if (!status.equals("Success")) {
            throw failure(whose + " failed: "
                    + (message.isEmpty()
                            ? "response.result.status was '" + cut(status) + "', not 'Success'"
                            : cut(message)));
        }
    }

    /** What the webhook made of an object, with the object's own metadata but for labels and annotations. */
    private static ObjectNode checked(
            ObjectNode original, JsonNode answered, int index, String apiVersion, String whose) {
        String version = answered.path("apiVersion").asString("");
        if (!(answered instanceof ObjectNode converted) || !version.equals(apiVersion)) {
            throw failure(whose + " returned invalid object at index " + index + ": invalid groupVersion (expected "
                    + apiVersion + ", received " + version + ")");
        }
        String kind = original.path("kind").asString("");
        String answeredKind = converted.path("kind").asString("");
        if (!kind.equals(answeredKind)) {
            throw failure(whose + " returned invalid object at index " + index + ": invalid kind (expected " + kind
                    + ", received " + answeredKind + ")");
        }
        String invalid = whose + " returned invalid object: ";
        JsonNode before = original.path("metadata");
        JsonNode after = converted.path("metadata");
        for (Map.Entry<String, String> same :
                List.of(Map.entry("name", "name"), Map.entry("namespace", "namespace"), Map.entry("uid", "UID"))) {
            String expected = before.path(same.getKey()).asString("");
            String actual = after.path(same.getKey()).asString("");
            if (!expected.equals(actual)) {
                throw failure(invalid + "must have the same " + same.getValue() + ": " + expected + " != " + actual);
            }
        }
        if (!after.isObject()) {
            throw failure(whose + " returned invalid metadata: missing metadata in converted object");
        }
        ObjectNode metadata = before.isObject() ? ((ObjectNode) before).deepCopy() : Json.object();
        for (String member : List.of("labels", "annotations")) {
            take(member, after.path(member), metadata, whose + " returned invalid metadata: ");
        }
        converted.set("metadata", metadata);
        return converted;
    }

    private static void take(String member, JsonNode texts, ObjectNode metadata, String invalid) {
        if (texts.isMissingNode() || texts.isNull()) {
            metadata.remove(member);
            return;
        }
        if (!texts.isObject()) {
            throw failure(invalid + "invalid metadata." + member + " in converted object (expected an object)");
        }
        for (Map.Entry<String, JsonNode> text : texts.properties()) {
            if (!text.getValue().isString()) {
                throw failure(invalid + "metadata." + member + "[" + text.getKey()
                        + "] must be a string in converted object");
            }
        }
        if (!texts.equals(metadata.path(member))) {
            FieldErrors errors = new FieldErrors();
            if (member.equals("labels")) {
                ObjectMetadata.labels(texts, FieldPath.of("metadata", "labels"), errors);
            } else {
                ObjectMetadata.annotations(texts, FieldPath.of("metadata", "annotation"), errors);
            }
            if (!errors.isEmpty()) {
                throw failure(invalid + errors.message());
            }
        }
        metadata.set(member, texts);
    }

    /** As an error of kube-apiserver that is no Status: without a reason. */
    private static StatusException failure(String message) {
        return new StatusException(Status.of(500, "", message));
    }
}
