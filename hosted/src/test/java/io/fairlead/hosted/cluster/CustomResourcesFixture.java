package io.fairlead.hosted.cluster;

import io.fairlead.schema.json.Json;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterEach;
import tools.jackson.databind.JsonNode;

/** A hosted cluster with a definition, over each engine. */
abstract class CustomResourcesFixture {
    static final String CRDS = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions";
    static final String FOOS = "/apis/example.com/v1/namespaces/default/foos";
    static final String BARS = "/apis/example.com/v1/namespaces/default/bars";

    final Fixture fixture;
    final Api api;

    CustomResourcesFixture(Engine engine, Path directory) {
        fixture = new Fixture(engine, directory);
        api = fixture.dev();
    }

    @AfterEach
    void close() {
        fixture.close();
    }

    static String crd(String plural, String kind) {
        return """
            apiVersion: apiextensions.k8s.io/v1
            kind: CustomResourceDefinition
            metadata: {name: %1$s.example.com}
            spec:
              group: example.com
              scope: Namespaced
              names: {plural: %1$s, kind: %2$s}
              versions:
              - name: v1
                served: true
                storage: true
                subresources: {status: {}}
                selectableFields: [{jsonPath: .spec.color}]
                schema:
                  openAPIV3Schema:
                    type: object
                    properties:
                      spec:
                        type: object
                        required: [size]
                        properties:
                          size: {type: integer, minimum: 1}
                          color: {type: string, default: red}
                      status:
                        type: object
                        properties:
                          phase: {type: string}
            """.formatted(plural, kind);
    }

    void establish(String plural, String kind) {
        api.create(CRDS, crd(plural, kind)).expect(201);
        awaitEstablished(plural);
    }

    void awaitEstablished(String plural) {
        Fixture.eventually(
                plural + " is established",
                () -> condition(plural, "Established").equals("True"));
    }

    String condition(String plural, String type) {
        JsonNode conditions =
                api.get(CRDS + "/" + plural + ".example.com").body().at("/status/conditions");
        return conditions
                .valueStream()
                .filter(condition -> condition.path("type").asString("").equals(type))
                .map(condition -> condition.path("status").asString(""))
                .findFirst()
                .orElse("");
    }

    static String foo(String name, int size) {
        return "apiVersion: example.com/v1\nkind: Foo\nmetadata: {name: " + name + "}\nspec: {size: " + size + "}";
    }

    static JsonNode tree(String json) {
        return Json.read(json.getBytes(StandardCharsets.UTF_8));
    }
}
