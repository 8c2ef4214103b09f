package io.fairlead.ittests;

import com.google.gson.JsonArray;
import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import com.google.gson.JsonPrimitive;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.StreamSupport;

/** Answers of two servers to the same request as texts that are equal if the answers mean the same. */
final class ComparedAnswers {
    private static final Set<String> DIFFERENT = Set.of("uid", "resourceVersion", "creationTimestamp");

    private ComparedAnswers() {}

    /** What must be the same. Of a deletion only its status, as some kinds answer the object; of refusals not how they are joined. */
    static String text(TwinClusters.Request request, TwinClusters.Answer answer) {
        if (request.method().equals("DELETE")) {
            return Integer.toString(answer.status());
        }
        JsonObject body = JsonParser.parseString(answer.body()).getAsJsonObject();
        if (answer.status() >= 400) {
            String reason = body.has("reason") ? body.get("reason").getAsString() : "";
            String[] lines = comparable(answer.status(), body.get("message").getAsString());
            Arrays.sort(lines);
            return answer.status() + " " + reason + " " + List.of(lines) + " " + causes(body);
        }
        return answer.status() + " " + comparable(body);
    }

    /** The lines of a message: of 422 the causes say all, and of 500 kube-apiserver names any one of the problems. */
    private static String[] comparable(int status, String message) {
        return switch (status) {
            case 422 -> new String[0];
            case 500 -> new String[] {message.replaceFirst("\\): .*", ")")};
            default -> message.split("\n", -1);
        };
    }

    private static List<String> causes(JsonObject status) {
        JsonElement causes =
                status.has("details") ? status.getAsJsonObject("details").get("causes") : null;
        return StreamSupport.stream((causes == null ? new JsonArray() : causes.getAsJsonArray()).spliterator(), false)
                .map(cause -> comparable(cause).toString())
                .distinct()
                .sorted()
                .toList();
    }

    /** With sorted members and entries of managers, and without what two servers cannot have in common. */
    static JsonElement comparable(JsonElement value) {
        if (value.isJsonArray()) {
            JsonArray array = new JsonArray();
            value.getAsJsonArray().forEach(element -> array.add(comparable(element)));
            return array;
        }
        if (!value.isJsonObject()) {
            return value;
        }
        JsonObject object = new JsonObject();
        new TreeMap<>(value.getAsJsonObject().asMap()).forEach((name, member) -> {
            if (name.equals("managedFields")) {
                object.addProperty(
                        name,
                        StreamSupport.stream(member.getAsJsonArray().spliterator(), false)
                                .map(entry -> comparable(entry).toString())
                                .sorted()
                                .toList()
                                .toString());
            } else if (!DIFFERENT.contains(name)) {
                object.add(name, name.equals("time") ? new JsonPrimitive("then") : comparable(member));
            }
        });
        return object;
    }
}
