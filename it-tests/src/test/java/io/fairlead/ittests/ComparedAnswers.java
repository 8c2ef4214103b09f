package io.fairlead.ittests;

import com.google.gson.JsonArray;
import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import com.google.gson.JsonParseException;
import com.google.gson.JsonParser;
import com.google.gson.JsonPrimitive;
import java.time.Duration;
import java.time.Instant;
import java.time.format.DateTimeParseException;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.TreeMap;
import java.util.regex.Pattern;
import java.util.stream.StreamSupport;
import org.jspecify.annotations.Nullable;

/** Answers of two servers to the same request as texts that are equal if the answers mean the same. */
final class ComparedAnswers {
    private static final Set<String> DIFFERENT = Set.of("uid", "resourceVersion", "creationTimestamp");
    /** What two servers cannot have in common: uids, times, and the addresses and ports that services are given. */
    private static final Pattern OWN =
            Pattern.compile("(?<=in record \\()\\d+(?=\\))|good-[a-z0-9]{5}|[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}"
                + "|\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\dZ|\"\\d+s\"|(?<=resourceVersion\\\\{1,7}\":\\\\{1,7}\")\\d+"
                + "|10\\.(?:0|9[6-9]|10\\d|11[01])\\.\\d+\\.\\d+|3[012]\\d{3}(?!\\d)");

    private ComparedAnswers() {}

    /**
     * What both can have in common; of a Table not the descriptions of its columns, and not its objects; of a list not the token
     * that continues it.
     */
    static TwinClusters.Answer common(TwinClusters.Answer answer) {
        JsonObject body = object(answer.body());
        if (body == null) {
            return answer;
        }
        if (body.get("columnDefinitions") instanceof JsonArray columns) {
            columns.forEach(column -> column.getAsJsonObject().remove("description"));
        }
        if (body.get("rows") instanceof JsonArray rows) {
            rows.forEach(row -> row.getAsJsonObject().remove("object"));
        }
        if (body.has("items") || body.has("rows")) {
            if (body.get("metadata") instanceof JsonObject metadata && metadata.has("continue")) {
                metadata.addProperty("continue", "@next");
            }
        }
        return new TwinClusters.Answer(
                answer.status(), OWN.matcher(body.toString()).replaceAll("1"), answer.warnings());
    }

    /** What must be the same; of refusals not how they are joined. */
    static String text(TwinClusters.Answer answer) {
        String warnings = answer.warnings().isEmpty() ? "" : " " + answer.warnings();
        JsonObject body = object(answer.body());
        if (body == null) {
            return answer.status() + " " + answer.body() + warnings;
        }
        if (answer.status() >= 400 && body.has("message")) {
            String reason = body.has("reason") ? body.get("reason").getAsString() : "";
            String[] lines = comparable(answer.status(), body.get("message").getAsString());
            Arrays.sort(lines);
            return answer.status() + " " + reason + " " + List.of(lines) + " " + causes(body) + warnings;
        }
        return answer.status() + " " + comparable(body) + warnings;
    }

    private static @Nullable JsonObject object(String body) {
        try {
            return JsonParser.parseString(body) instanceof JsonObject object ? object : null;
        } catch (JsonParseException e) {
            return null;
        }
    }

    /** The lines of a message: of 422 the causes say all, and of 500 kube-apiserver names any one of the problems, or all in any order. */
    private static String[] comparable(int status, String message) {
        return switch (status) {
            case 422 -> new String[0];
            case 500 -> message.replaceFirst("\\): .*", ")").split("\n", -1);
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
                                .map(entry -> comparable(entry).toString().replaceFirst(",\"time\":\"then\"", ""))
                                .sorted()
                                .toList()
                                .toString());
            } else if (!DIFFERENT.contains(name)) {
                object.add(name, isMoment(name, member) ? new JsonPrimitive("then") : comparable(member));
            }
        });
        return object;
    }

    /** Whether this is when the server did something: two servers that are asked one after the other differ by a second at times. */
    private static boolean isMoment(String name, JsonElement value) {
        return name.equals("time") || (name.equals("deletionTimestamp") && isRecent(value.getAsString()));
    }

    /** Whether a server wrote it just now, and did not take it over from a request; what is no time is compared as it is. */
    private static boolean isRecent(String time) {
        try {
            return Duration.between(Instant.parse(time), Instant.now()).abs().compareTo(Duration.ofHours(1)) < 0;
        } catch (DateTimeParseException e) {
            return false;
        }
    }
}
