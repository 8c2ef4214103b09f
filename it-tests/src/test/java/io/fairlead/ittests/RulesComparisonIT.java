package io.fairlead.ittests;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.gson.Gson;
import com.google.gson.GsonBuilder;
import com.google.gson.JsonArray;
import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.Reader;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.stream.StreamSupport;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.yaml.snakeyaml.Yaml;

/**
 * Rules in CEL are refused, and judge objects, as in a real kube-apiserver: with the same status and the same causes, whose
 * order does not count.
 */
final class RulesComparisonIT {
    private static final Gson GSON = new GsonBuilder().serializeNulls().create();
    private static final String CRDS = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions";
    private static final String THINGS = "/apis/rules.example.com/v1/namespaces/default/things";
    private static final JsonObject TABLE = table();
    private static final TwinClusters TWINS = TwinClusters.start("RulesComparisonIT", List.of(TwinClusters.ADMIN));

    /** The causes of a refusal, sorted; none of what was taken. */
    private record Verdict(int status, List<String> causes) {
        static Verdict of(TwinClusters.Answer answer) {
            JsonObject body = JsonParser.parseString(answer.body()).getAsJsonObject();
            List<String> causes = new ArrayList<>();
            if (answer.status() >= 400) {
                JsonElement details = body.get("details");
                JsonArray listed =
                        details == null ? null : details.getAsJsonObject().getAsJsonArray("causes");
                StreamSupport.stream((listed == null ? new JsonArray() : listed).spliterator(), false)
                        .map(JsonElement::getAsJsonObject)
                        .map(cause -> text(cause, "field") + " " + text(cause, "reason") + " " + text(cause, "message"))
                        .map(cause ->
                                cause.replaceAll("selfType[0-9]+", "@self").replaceAll("\"uid\":\"[^\"]*\"", "UID"))
                        .sorted()
                        .forEach(causes::add);
            }
            return new Verdict(answer.status(), causes);
        }

        private static String text(JsonObject cause, String name) {
            return cause.has(name) ? cause.get(name).getAsString() : "";
        }
    }

    @BeforeAll
    static void define() {
        List<JsonObject> schemas = new ArrayList<>();
        TABLE.getAsJsonArray("judged")
                .forEach(one -> schemas.add(one.getAsJsonObject().getAsJsonObject("schema")));
        TWINS.apply(definition("things", schemas));
        TWINS.kubectl("wait", "--for", "condition=Established", "crd", "--all");
    }

    @AfterAll
    static void close() {
        TWINS.close();
    }

    @Test
    void definitions_areRefusedAlike() throws Exception {
        List<String> differences = new ArrayList<>();
        for (JsonElement schema : TABLE.getAsJsonArray("refused")) {
            String body = definition("others", List.of(schema.getAsJsonObject()));
            TwinClusters.Answers answers = ask("POST", CRDS + "?dryRun=All", "application/json", body);
            compare(schema.toString(), answers, differences);
        }
        assertThat(differences).isEmpty();
    }

    @Test
    void objects_areJudgedAlike() throws Exception {
        List<String> differences = new ArrayList<>();
        JsonArray judged = TABLE.getAsJsonArray("judged");
        for (int i = 0; i < judged.size(); i++) {
            JsonObject one = judged.get(i).getAsJsonObject();
            for (JsonElement value : one.getAsJsonArray("values")) {
                TwinClusters.Answers answers =
                        ask("POST", THINGS + "?dryRun=All", "application/json", thing("a", i, value));
                compare(one.get("schema") + " has " + value, answers, differences);
            }
            JsonArray updates = one.has("updates") ? one.getAsJsonArray("updates") : new JsonArray();
            for (int j = 0; j < updates.size(); j++) {
                update(i, "u" + i + "-" + j, updates.get(j).getAsJsonArray(), differences);
            }
        }
        assertThat(differences).isEmpty();
    }

    @Test
    void unchangedValues_areForgivenAlike() throws Exception {
        String loose = definition("relics", List.of()).replace("Thing", "Relic");
        List<String> differences = new ArrayList<>();
        TWINS.apply(loose);
        TWINS.kubectl("wait", "--for", "condition=Established", "crd", "--all");
        String relics = THINGS.replace("things", "relics");
        String relic = """
            {"apiVersion": "rules.example.com/v1", "kind": "Relic", "metadata": {"name": "old"},
             "spec": {"n": 1, "m": {"x": {"n": 1}}, "l": [{"k": "a", "n": 1}], "s": ["b"]}}
            """;
        ask("POST", relics, "application/json", relic);
        TWINS.apply(strict(loose));
        Await.until("the rules are in force", Duration.ofSeconds(20), () -> {
            TwinClusters.Answers answers =
                    ask("POST", relics + "?dryRun=All", "application/json", relic.replace("old", "new"));
            return answers.kube().status() == 422 && answers.hosted().status() == 422;
        });
        for (String patch : List.of(
                "{\"metadata\":{\"labels\":{\"a\":\"b\"}}}",
                "{\"spec\":{\"o\":1}}",
                "{\"spec\":{\"n\":2}}",
                "{\"spec\":{\"m\":{\"y\":{\"n\":1}}}}",
                "{\"spec\":{\"m\":{\"x\":{\"o\":1}}}}",
                "{\"spec\":{\"l\":[{\"k\":\"b\",\"n\":1},{\"k\":\"a\",\"n\":1}]}}",
                "{\"spec\":{\"l\":[{\"k\":\"a\",\"n\":1,\"o\":1}]}}",
                "{\"spec\":{\"s\":[\"b\",\"c\"]}}",
                "{\"spec\":{\"t\":1}}")) {
            TwinClusters.Answers answers =
                    ask("PATCH", relics + "/old?dryRun=All", "application/merge-patch+json", patch);
            compare(patch, answers, differences);
        }
        assertThat(differences).isEmpty();
    }

    /** The definition with rules that its object does not keep. */
    private static String strict(String loose) {
        String rule = "\"x-kubernetes-validations\": [{\"rule\": \"self > 4\"}]";
        String n = "{\"type\": \"integer\", " + rule + "}";
        String o = "{\"type\": \"integer\"}";
        String schema = """
            {"type": "object", "x-kubernetes-validations": [{"rule": "!has(self.t) || self.t == oldSelf.?t.orValue(0)"}],
             "properties": {"n": %1$s, "o": %2$s, "t": %2$s,
             "m": {"type": "object", "maxProperties": 9, "additionalProperties":
               {"type": "object", "properties": {"n": %1$s, "o": %2$s}}},
             "l": {"type": "array", "maxItems": 9, "x-kubernetes-list-type": "map", "x-kubernetes-list-map-keys": ["k"],
               "items": {"type": "object", "required": ["k"],
                 "properties": {"k": {"type": "string", "maxLength": 9}, "n": %1$s, "o": %2$s}}},
             "s": {"type": "array", "maxItems": 9, "items": {"type": "string", "maxLength": 9,
               "x-kubernetes-validations": [{"rule": "self == 'a'"}]}}}}
            """.formatted(n, o);
        JsonObject definition = JsonParser.parseString(loose).getAsJsonObject();
        definition
                .getAsJsonObject("spec")
                .getAsJsonArray("versions")
                .get(0)
                .getAsJsonObject()
                .getAsJsonObject("schema")
                .getAsJsonObject("openAPIV3Schema")
                .getAsJsonObject("properties")
                .add("spec", JsonParser.parseString(schema));
        return GSON.toJson(definition);
    }

    private static void update(int field, String name, JsonArray change, List<String> differences) throws Exception {
        ask("POST", THINGS, "application/json", thing(name, field, change.get(0)));
        JsonObject replace = new JsonObject();
        replace.addProperty("op", "add");
        replace.addProperty("path", "/spec/p" + field);
        replace.add("value", change.get(1));
        JsonArray patch = new JsonArray();
        patch.add(replace);
        TwinClusters.Answers answers =
                ask("PATCH", THINGS + "/" + name + "?dryRun=All", "application/json-patch+json", GSON.toJson(patch));
        compare("update " + field + " " + change, answers, differences);
    }

    private static TwinClusters.Answers ask(String method, String target, String type, String body) throws Exception {
        return TWINS.ask(new TwinClusters.Request(TwinClusters.ADMIN, method, target, type, body));
    }

    private static void compare(String what, TwinClusters.Answers answers, List<String> differences) {
        Verdict kube = Verdict.of(answers.kube());
        Verdict hosted = Verdict.of(answers.hosted());
        if (!kube.equals(hosted)) {
            differences.add("%n%s%n  kube   %s%n  hosted %s".formatted(what, kube, hosted));
        }
    }

    private static String thing(String name, int field, JsonElement value) {
        return """
            {"apiVersion": "rules.example.com/v1", "kind": "Thing", "metadata": {"name": "%s"}, "spec": {"p%d": %s}}
            """.formatted(name, field, GSON.toJson(value));
    }

    private static String definition(String plural, List<JsonObject> schemas) {
        JsonObject fields = new JsonObject();
        for (int i = 0; i < schemas.size(); i++) {
            fields.add("p" + i, schemas.get(i));
        }
        return """
            {"apiVersion": "apiextensions.k8s.io/v1", "kind": "CustomResourceDefinition",
             "metadata": {"name": "%1$s.rules.example.com"},
             "spec": {"group": "rules.example.com", "scope": "Namespaced", "names": {"kind": "Thing", "plural": "%1$s"},
              "versions": [{"name": "v1", "served": true, "storage": true, "schema": {"openAPIV3Schema":
               {"type": "object", "properties": {"spec": {"type": "object",
                "x-kubernetes-preserve-unknown-fields": true, "properties": %2$s}}}}}]}}
            """.formatted(plural, GSON.toJson(fields));
    }

    private static JsonObject table() {
        try (Reader reader = new InputStreamReader(
                Objects.requireNonNull(RulesComparisonIT.class.getResourceAsStream("/rules.yaml")),
                StandardCharsets.UTF_8)) {
            Object read = new Yaml().load(reader);
            return GSON.toJsonTree(read).getAsJsonObject();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
