package io.fairlead.ittests;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.gson.JsonArray;
import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import com.google.gson.JsonPrimitive;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.stream.StreamSupport;
import org.junit.jupiter.api.Test;

/**
 * Writes of several field managers have the same results in a hosted cluster as in a real kube-apiserver: the same status, the
 * same object with the same managed fields, the same causes of refusals.
 *
 * <p>{@code -Dfairlead.applied.requests} and {@code -Dfairlead.applied.seed} ask for others than are asked always.
 */
final class ServerSideApplyIT {
    private static final Set<String> DIFFERENT = Set.of("uid", "resourceVersion", "creationTimestamp");

    @Test
    void writesOfManyManagers_haveTheSameResults() throws Exception {
        int requests = Integer.getInteger("fairlead.applied.requests", 700);
        long seed = Long.getLong("fairlead.applied.seed", 1);
        List<String> differences = new ArrayList<>();
        int[] statuses = new int[600];
        try (var twins = TwinClusters.start("ServerSideApplyIT", List.of(TwinClusters.ADMIN))) {
            twins.apply(AppliedRequests.DEFINITION);
            twins.kubectl("wait", "--for", "condition=Established", "crd", "--all");
            var next = new AppliedRequests(new SplittableRandom(seed));
            for (int i = 0; i < requests; i++) {
                TwinClusters.Request request = next.next();
                TwinClusters.Answers answers = twins.ask(request);
                String kube = result(request, answers.kube());
                String hosted = result(request, answers.hosted());
                statuses[answers.kube().status()]++;
                if (!kube.equals(hosted)) {
                    differences.add("%n%d %s%n  kube   %s%n  hosted %s".formatted(i, request, kube, hosted));
                }
            }
        }
        assertThat(differences).as("seed %d", seed).isEmpty();
        for (int status : List.of(200, 201, 404, 409, 422)) {
            assertThat(statuses[status]).as("requests answered with %d", status).isGreaterThan(requests / 100);
        }
    }

    /** What must be the same. Of a deletion only its status, as some kinds answer the object; of refusals not how they are joined. */
    private static String result(TwinClusters.Request request, TwinClusters.Answer answer) {
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
    private static JsonElement comparable(JsonElement value) {
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
