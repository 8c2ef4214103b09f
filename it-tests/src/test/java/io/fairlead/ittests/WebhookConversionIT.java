package io.fairlead.ittests;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.gson.JsonArray;
import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/**
 * A definition whose objects a webhook converts is taken, and its objects are served in every version, as by a real
 * kube-apiserver that calls the same webhook: the same statuses, objects, managed fields and messages, also of a webhook that lies.
 */
final class WebhookConversionIT {
    private static final String NAME = "WebhookConversionIT";
    private static final Path FOLDER = Checkout.scratch(NAME);
    private static final String CRDS = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions";
    private static final String V1 = "/apis/conversion.example.com/v1/namespaces/default/crates";
    private static final String V2 = "/apis/conversion.example.com/v2/namespaces/default/crates";
    private static final String JSON = "application/json";
    private static final String MERGE = "application/merge-patch+json";
    private static final String APPLY = "application/apply-patch+yaml";
    private static final Duration SERVED_WITHIN = Duration.ofSeconds(30);
    private static final TwinClusters TWINS = TwinClusters.startWithWebhooks(NAME, List.of(TwinClusters.ADMIN));

    private static ConversionWebhook webhook;

    @BeforeAll
    static void define() throws Exception {
        webhook = new ConversionWebhook(FOLDER);
        assertAlike("POST", CRDS, JSON, definition("crates", "Crate", conversion("['v1']", webhook.clientConfig())));
        Await.until("crates are served", SERVED_WITHIN, () -> {
            TwinClusters.Answers answers = TWINS.ask(request("GET", V2, JSON, ""));
            return answers.kube().status() == 200 && answers.hosted().status() == 200;
        });
    }

    @AfterAll
    static void close() {
        TWINS.close();
        webhook.close();
    }

    private static String conversion(String reviewVersions, String clientConfig) {
        return "{'strategy': 'Webhook', 'webhook': {'conversionReviewVersions': %s, 'clientConfig': %s}}"
                .formatted(reviewVersions, clientConfig);
    }

    private static String definition(String plural, String kind, String conversion) {
        return """
            {'apiVersion': 'apiextensions.k8s.io/v1', 'kind': 'CustomResourceDefinition',
             'metadata': {'name': '%1$s.conversion.example.com'},
             'spec': {'group': 'conversion.example.com', 'scope': 'Namespaced', 'names': {'plural': '%1$s', 'kind': '%2$s'},
              'conversion': %3$s,
              'versions': [
               {'name': 'v1', 'served': true, 'storage': true, 'subresources': {'status': {}},
                'schema': {'openAPIV3Schema': {'type': 'object', 'properties': {
                  'spec': {'type': 'object', 'properties': {'size': {'type': 'integer', 'maximum': 100}}},
                  'status': {'type': 'object', 'properties': {'phase': {'type': 'string'}}}}}}},
               {'name': 'v2', 'served': true, 'storage': false, 'subresources': {'status': {}},
                'additionalPrinterColumns': [{'name': 'Amount', 'type': 'string', 'jsonPath': '.spec.amount'}],
                'schema': {'openAPIV3Schema': {'type': 'object', 'properties': {
                  'spec': {'type': 'object', 'properties': {
                    'amount': {'type': 'string'}, 'colour': {'type': 'string', 'default': 'red'}}},
                  'status': {'type': 'object', 'properties': {'phase': {'type': 'string'}}}}}}}]}}
            """.formatted(plural, kind, conversion).replace('\'', '"');
    }

    private static String crate(String version, String name, String spec) {
        return "{'apiVersion': 'conversion.example.com/%s', 'kind': 'Crate', 'metadata': {'name': '%s'}, 'spec': {%s}}"
                .formatted(version, name, spec)
                .replace('\'', '"');
    }

    private static TwinClusters.Request request(String method, String target, String type, String body) {
        return new TwinClusters.Request(TwinClusters.ADMIN, method, target, type, body.replace('\'', '"'));
    }

    /** Asks both, and returns the status that both answered. */
    private static int assertAlike(String method, String target, String type, String body) throws Exception {
        return assertAlike(request(method, target, type, body));
    }

    private static int assertAlike(TwinClusters.Request request) throws Exception {
        TwinClusters.Answers answers = TWINS.ask(request);
        assertThat(text(answers.hosted())).as("%s", request).isEqualTo(text(answers.kube()));
        return answers.kube().status();
    }

    private static String text(TwinClusters.Answer answer) {
        return ComparedAnswers.text(ComparedAnswers.common(answer));
    }

    @Test
    void definitions_areTakenAndRefusedAlike() throws Exception {
        String good = webhook.clientConfig();
        List<Integer> statuses = new ArrayList<>();
        for (String conversion : List.of(
                "{'strategy': 'Webhook'}",
                "{'strategy': 'Webhook', 'webhook': {}}",
                "{'strategy': 'None', 'webhook': {'conversionReviewVersions': ['v1'], 'clientConfig': " + good + "}}",
                conversion("[]", good),
                conversion("['v2']", good),
                conversion("['v2', 'v1beta1', 'v2', 'V']", good),
                conversion("['v1']", "{}"),
                conversion("['v1']", "{'url': 'https://a', 'service': {'name': 'a', 'namespace': 'b'}}"),
                conversion("['v1']", "{'url': 'http://me@a/b?c#d'}"),
                conversion("['v1']", "{'url': 'https:///b'}"),
                conversion("['v1']", "{'url': ''}"),
                conversion("['v1']", "{'service': {'name': '', 'namespace': ''}}"),
                conversion("['v1']", "{'service': {'name': 'a', 'namespace': 'b', 'port': 0, 'path': '//'}}"),
                conversion("['v1']", "{'service': {'name': 'a', 'namespace': 'b', 'port': 65536, 'path': 'c//D/'}}"),
                conversion("['v1']", "{'service': {'name': 'a', 'namespace': 'b', 'path': '/c/d/'}}"),
                conversion("['v1']", "{'url': 'https://a', 'caBundle': 'Cg=='}"),
                conversion("['v1']", "{'url': 'https://a', 'caBundle': 'no base64'}"))) {
            statuses.add(assertAlike("POST", CRDS + "?dryRun=All", JSON, definition("boxes", "Box", conversion)));
        }
        assertThat(statuses).contains(201, 400, 422);
    }

    @Test
    void certificatesThatCannotBeRead_keepADefinitionFromBeingServedAlike() throws Exception {
        String bins = CRDS + "/bins.conversion.example.com";
        assertAlike(
                "POST",
                CRDS,
                JSON,
                definition("bins", "Bin", conversion("['v1']", "{'url': 'https://a', 'caBundle': 'Cg=='}")));
        Await.until("both tell why", SERVED_WITHIN, () -> {
            TwinClusters.Answers answers = TWINS.ask(request("GET", bins, JSON, ""));
            return answers.kube().body().contains("InvalidCABundle")
                    && answers.hosted().body().contains("InvalidCABundle");
        });
        assertThat(established(TWINS.ask(request("GET", bins, JSON, "")).hosted()))
                .isEqualTo(established(TWINS.ask(request("GET", bins, JSON, "")).kube()));
        String bundle = "{'spec': {'conversion': {'webhook': {'clientConfig': {'caBundle': %s}}}}}";
        String trusted = JsonParser.parseString(webhook.clientConfig())
                .getAsJsonObject()
                .get("caBundle")
                .toString();

        assertThat(List.of(
                        statusOf(bins, bundle.formatted("'Cwo='")),
                        statusOf(bins, bundle.formatted("null")),
                        statusOf(CRDS + "/crates.conversion.example.com", bundle.formatted("'Cg=='")),
                        statusOf(CRDS + "/crates.conversion.example.com", bundle.formatted(trusted))))
                .contains(200, 422);
    }

    /** Of a change that both would make, or refuse for the same causes: their controllers have other names. */
    private static int statusOf(String definition, String change) throws Exception {
        TwinClusters.Answers answers = TWINS.ask(request("PATCH", definition + "?dryRun=All", MERGE, change));
        assertThat(answers.hosted().status())
                .as("%s: %s", change, answers)
                .isEqualTo(answers.kube().status());
        if (answers.kube().status() >= 400) {
            assertThat(ComparedAnswers.text(answers.hosted())).isEqualTo(ComparedAnswers.text(answers.kube()));
        }
        return answers.kube().status();
    }

    private static String established(TwinClusters.Answer answer) {
        JsonArray conditions = JsonParser.parseString(answer.body())
                .getAsJsonObject()
                .getAsJsonObject("status")
                .getAsJsonArray("conditions");
        for (JsonElement condition : conditions) {
            if (condition.getAsJsonObject().get("type").getAsString().equals("Established")) {
                JsonObject object = condition.getAsJsonObject();
                object.remove("lastTransitionTime");
                return object.toString();
            }
        }
        return "";
    }

    @Test
    void objects_areServedAlikeInEveryVersion() throws Exception {
        List<Integer> statuses = new ArrayList<>();
        List<String> differences = new ArrayList<>();
        for (TwinClusters.Request request : List.of(
                request("POST", V1 + "?fieldManager=ann", JSON, crate("v1", "a", "'size': 3")),
                request("GET", V2 + "/a", JSON, ""),
                request("POST", V2 + "?fieldManager=ben", JSON, crate("v2", "b", "'amount': '7 pieces', 'odd': 1")),
                request("GET", V1 + "/b", JSON, ""),
                request("GET", V2, JSON, ""),
                request("GET", V1, JSON, ""),
                request("GET", V2, JSON, "").accepting(TwinClusters.TABLE),
                request(
                        "PATCH",
                        V2 + "/a?fieldManager=ben",
                        MERGE,
                        "{'spec': {'amount': '9 pieces', 'colour': 'blue'}}"),
                request("GET", V1 + "/a", JSON, ""),
                request("POST", V2, JSON, crate("v2", "c", "'amount': 5")),
                request("PUT", V2 + "/b", JSON, crate("v2", "b", "'amount': '101 pieces'")),
                request("PATCH", V2 + "/a/status?fieldManager=eve", MERGE, "{'status': {'phase': 'Full'}}"),
                request("GET", V1 + "/a", JSON, ""),
                request("PATCH", V1 + "/d?fieldManager=ann", APPLY, crate("v1", "d", "'size': 5")),
                request("PATCH", V2 + "/d?fieldManager=ben", APPLY, crate("v2", "d", "'amount': '5 pieces'")),
                request("PATCH", V2 + "/d?fieldManager=ben", APPLY, crate("v2", "d", "'amount': '6 pieces'")),
                request(
                        "PATCH",
                        V2 + "/d?fieldManager=ben&force=true",
                        APPLY,
                        crate("v2", "d", "'amount': '6 pieces'")),
                request("GET", V1 + "/d", JSON, ""),
                request("PATCH", V1 + "/d?fieldManager=ann", APPLY, crate("v1", "d", "")),
                request("PATCH", V2 + "/d?fieldManager=ben", APPLY, crate("v2", "d", "'colour': 'green'")),
                request("GET", V1 + "/d", JSON, ""),
                request("GET", V2 + "?fieldSelector=metadata.name%3Da", JSON, ""),
                request("DELETE", V2 + "/b", JSON, ""),
                request("DELETE", V2, JSON, ""),
                request("GET", V1, JSON, ""))) {
            TwinClusters.Answers answers = TWINS.ask(request);
            statuses.add(answers.kube().status());
            if (!text(answers.hosted()).equals(text(answers.kube()))) {
                differences.add("%n%s%n  kube   %s%n  hosted %s"
                        .formatted(request, text(answers.kube()), text(answers.hosted())));
            }
        }
        assertThat(differences).isEmpty();
        assertThat(statuses).contains(200, 201, 409, 422);
    }

    @Test
    void objectsThatDifferInTheirVersionAlone_areDefaultedAlike() throws Exception {
        String plain = definition("plains", "Plain", "{'strategy': 'None'}")
                .replace(
                        "'size': {'type': 'integer', 'maximum': 100}".replace('\'', '"'),
                        "'size': {'type': 'integer'}, 'weight': {'type': 'integer', 'default': 5}".replace('\'', '"'));
        assertAlike("POST", CRDS, JSON, plain);
        String v1 = V1.replace("crates", "plains");
        String v2 = V2.replace("crates", "plains");
        Await.until("plains are served", SERVED_WITHIN, () -> {
            TwinClusters.Answers answers = TWINS.ask(request("GET", v2, JSON, ""));
            return answers.kube().status() == 200 && answers.hosted().status() == 200;
        });
        for (TwinClusters.Request request : List.of(
                request("POST", v1, JSON, crate("v1", "a", "'size': 3").replace("Crate", "Plain")),
                request("GET", v2 + "/a", JSON, ""),
                request("GET", v2, JSON, ""),
                request("POST", v2, JSON, crate("v2", "b", "'amount': 'x'").replace("Crate", "Plain")),
                request("GET", v1 + "/b", JSON, ""),
                request("GET", v2 + "/b", JSON, ""),
                request("PATCH", v2 + "/a", MERGE, "{'metadata': {'labels': {'a': 'b'}}}"),
                request("GET", v1 + "/a", JSON, ""))) {
            TwinClusters.Answers answers = TWINS.ask(request);
            assertThat(withoutManagers(answers.hosted())).as("%s", request).isEqualTo(withoutManagers(answers.kube()));
        }
    }

    /** kube-apiserver forgets the managers of an object that has fields which its version in a request does not declare. */
    private static String withoutManagers(TwinClusters.Answer answer) {
        JsonObject body = JsonParser.parseString(answer.body()).getAsJsonObject();
        if (body.get("metadata") instanceof JsonObject metadata) {
            metadata.remove("managedFields");
        }
        if (body.get("items") instanceof JsonArray items) {
            items.forEach(
                    item -> item.getAsJsonObject().getAsJsonObject("metadata").remove("managedFields"));
        }
        return text(new TwinClusters.Answer(answer.status(), body.toString(), answer.warnings()));
    }

    @Test
    void webhookThatLies_isToldAlike() throws Exception {
        String lied = V1.replace("default", "kube-public");
        assertThat(assertAlike("POST", lied, JSON, crate("v1", "a", "'size': 3")))
                .isEqualTo(201);
        List<String> differences = new ArrayList<>();
        try {
            for (Map.Entry<String, String> lie : List.of(
                    Map.entry("response", "null"),
                    Map.entry("response.uid", "'other'"),
                    Map.entry("response.result", "{'status': 'Failure', 'message': 'it is late'}"),
                    Map.entry("response.result", "{'status': ''}"),
                    Map.entry("response.result", "{}"),
                    Map.entry("response.convertedObjects", "[]"),
                    Map.entry("response.convertedObjects.apiVersion", "'conversion.example.com/v1'"),
                    Map.entry("response.convertedObjects.kind", "'Box'"),
                    Map.entry("response.convertedObjects.metadata", "{}"),
                    Map.entry("response.convertedObjects.metadata.name", "'b'"),
                    Map.entry("response.convertedObjects.metadata.namespace", "'b'"),
                    Map.entry("response.convertedObjects.metadata.uid", "'b'"),
                    Map.entry("response.convertedObjects.metadata.labels", "{'a b': 'c'}"),
                    Map.entry("response.convertedObjects.metadata.labels", "{'a': 'b'}"),
                    Map.entry("response.convertedObjects.metadata.annotations", "{'a b': 'c'}"),
                    Map.entry("response.convertedObjects.metadata.finalizers", "['example.com/a']"),
                    Map.entry("response.convertedObjects.spec", "{'amount': 5}"),
                    Map.entry("response.convertedObjects.spec", "{'amount': '5', 'unknown': {}}"),
                    Map.entry("response.convertedObjects.spec", "null"))) {
                webhook.lie(answer -> lied(answer, lie.getKey(), lie.getValue().replace('\'', '"')));
                TwinClusters.Answers answers = TWINS.ask(request("GET", lied.replace("/v1/", "/v2/") + "/a", JSON, ""));
                if (!said(answers.hosted()).equals(said(answers.kube()))) {
                    differences.add("%n%s%n  kube   %s%n  hosted %s"
                            .formatted(lie, said(answers.kube()), said(answers.hosted())));
                }
            }
            assertThat(differences).isEmpty();
        } finally {
            webhook.lie(answer -> answer);
        }
    }

    private static String said(TwinClusters.Answer answer) {
        TwinClusters.Answer common = ComparedAnswers.common(answer);
        return answer.status() >= 400 ? common.body() : ComparedAnswers.text(common);
    }

    private static JsonObject lied(JsonObject answer, String place, String value) {
        JsonObject at = answer;
        String[] steps = place.split("\\.", -1);
        for (int i = 0; i < steps.length - 1; i++) {
            JsonElement next = at.get(steps[i]);
            at = next instanceof JsonArray array ? array.get(0).getAsJsonObject() : next.getAsJsonObject();
        }
        at.add(steps[steps.length - 1], JsonParser.parseString(value));
        return answer;
    }
}
