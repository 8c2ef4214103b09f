package io.fairlead.gateway.edge;

import io.fairlead.schema.json.Json;
import java.io.InputStream;
import java.io.OutputStream;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Predicate;
import tools.jackson.databind.JsonNode;

/** An API server that answers reviews, and everything else with {@code {}}. */
final class Reviewing {
    private static final String REVIEWS = "POST /apis/authorization.k8s.io/v1/subjectaccessreviews ";

    final RawUpstream server;
    final List<String> questions = new CopyOnWriteArrayList<>();
    private final List<JsonNode> specs = new CopyOnWriteArrayList<>();

    /** The names that may be acted as; all of them with {@code *}. */
    volatile Set<String> allowed = Set.of("*");

    /** The verbs that may be. */
    volatile Predicate<String> verbs = _ -> true;

    Reviewing(RawUpstream server) {
        this.server = server;
        server.answer(this::answer);
    }

    /** What was asked: user, uid, groups, verb, group, version, resource, subresource or namespace, name. */
    List<String> asked() {
        return specs.stream().map(Reviewing::text).toList();
    }

    /** The heads of all other requests. */
    List<String> served() {
        List<String> heads = new ArrayList<>(server.heads());
        heads.removeIf(head -> head.startsWith(REVIEWS));
        return heads;
    }

    private static String text(JsonNode spec) {
        JsonNode asked = asked(spec);
        List<String> groups = new ArrayList<>();
        spec.path("groups").forEach(group -> groups.add(group.asString()));
        return String.join(
                " ",
                spec.path("user").asString(),
                spec.path("uid").asString(),
                groups.toString(),
                asked.path("verb").asString(),
                asked.path("group").asString(),
                asked.path("version").asString(),
                asked.path("resource").asString(),
                asked.path("subresource").asString() + asked.path("namespace").asString(),
                asked.path("name").asString() + asked.path("path").asString());
    }

    private static JsonNode asked(JsonNode spec) {
        return spec.has("nonResourceAttributes") ? spec.path("nonResourceAttributes") : spec.path("resourceAttributes");
    }

    void answer(String head, InputStream in, OutputStream out) throws Exception {
        if (!head.startsWith(REVIEWS)) {
            RawUpstream.respond(out, 200, "{}");
            return;
        }
        questions.add(head);
        JsonNode spec = Json.read(in.readNBytes(length(head))).path("spec");
        specs.add(spec);
        JsonNode asked = asked(spec);
        boolean isAllowed =
                (allowed.contains("*") || allowed.contains(asked.path("name").asString()))
                        && verbs.test(asked.path("verb").asString());
        RawUpstream.respond(out, 201, "{\"status\":{\"allowed\":" + isAllowed + ",\"reason\":\"no rule\"}}");
    }

    private static int length(String head) {
        return head.lines()
                .filter(line -> line.regionMatches(true, 0, "content-length:", 0, 15))
                .mapToInt(line -> Integer.parseInt(line.substring(15).strip()))
                .findFirst()
                .orElseThrow();
    }
}
