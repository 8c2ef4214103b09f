package io.fairlead.hosted.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

/** Rules in CEL from the definition to the objects. */
class ValidationRulesTest {
    private static final String CRDS = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions";
    private static final String BOATS = "/apis/example.com/v1/namespaces/default/boats";

    private final Fixture fixture = new Fixture();
    private final Api api = fixture.dev();

    @AfterEach
    void close() {
        fixture.close();
    }

    @Test
    void object_thatBreaksRules_isRefusedByFieldAndMessage() {
        define("""
            [{rule: "self.replicas <= 10", message: at most ten, fieldPath: .replicas},
             {rule: "self.replicas >= oldSelf.replicas", messageExpression: "'only ' + 'grows'"}]\
            """);

        assertThat(causes(api.create(BOATS, boat("a", 11))))
                .containsExactly("spec.replicas FieldValueInvalid Invalid value: at most ten");
        api.create(BOATS, boat("a", 5)).expect(201);
        api.merge(BOATS + "/a", "{\"spec\":{\"replicas\":6}}").expect(200);
        assertThat(causes(api.merge(BOATS + "/a", "{\"spec\":{\"replicas\":4}}")))
                .containsExactly("spec FieldValueInvalid Invalid value: only grows");
    }

    @Test
    void definition_whoseRuleDoesNotCompile_isRefused() {
        assertThat(causes(api.create(CRDS, definition("[{rule: \"self.z == 1\"}]"))))
                .singleElement()
                .asString()
                .startsWith("spec.validation.openAPIV3Schema.properties[spec].x-kubernetes-validations[0].rule ")
                .contains("compilation failed: ERROR: <input>:1:5: undefined field 'z'");
        assertThat(causes(api.create(CRDS, definition("[{rule: \"self.replicas ==\"}]"))))
                .singleElement()
                .asString()
                .contains("Syntax error: mismatched input '<EOF>'");
    }

    @Test
    void definition_whoseRuleMayCostTooMuch_isRefused() {
        assertThat(causes(api.create(CRDS, definition("[{rule: \"self.list.all(a, self.list.all(b, a == b))\"}]"))))
                .hasSize(3)
                .anySatisfy(cause ->
                        assertThat(cause).contains("estimated rule cost exceeds budget by factor of more than 100x"));
    }

    @Test
    void object_thatCostsTooMuch_isRefused() {
        define("[{rule: \"self.few.all(a, self.few.all(b, a + b == b + a))\"}]");
        String few = "1,".repeat(724) + "1";

        assertThat(causes(api.create(BOATS, boat("a", 1).replace("{replicas: 1}", "{few: [" + few + "]}"))))
                .singleElement()
                .asString()
                .contains("call cost exceeds limit");
    }

    private void define(String rules) {
        api.create(CRDS, definition(rules)).expect(201);
        Fixture.eventually("established", () -> api.get(BOATS).code() == 200);
    }

    private static String definition(String rules) {
        return """
            metadata: {name: boats.example.com}
            spec:
              group: example.com
              scope: Namespaced
              names: {plural: boats, singular: boat, kind: Boat}
              versions:
              - name: v1
                served: true
                storage: true
                schema:
                  openAPIV3Schema:
                    type: object
                    properties:
                      spec:
                        type: object
                        properties:
                          replicas: {type: integer}
                          list: {type: array, items: {type: string}}
                          few: {type: array, maxItems: 725, items: {type: integer}}
                        x-kubernetes-validations: %s
            """.formatted(rules);
    }

    private static String boat(String name, int replicas) {
        return "{apiVersion: example.com/v1, kind: Boat, metadata: {name: " + name + "}, spec: {replicas: " + replicas
                + "}}";
    }

    private static List<String> causes(Api.Answer response) {
        response.expect(422);
        return response.body()
                .at("/details/causes")
                .valueStream()
                .map(cause -> text(cause, "field") + " " + text(cause, "reason") + " " + text(cause, "message"))
                .toList();
    }

    private static String text(JsonNode cause, String name) {
        return cause.path(name).asString("");
    }
}
