package io.fairlead.hosted.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

/** What the OpenAPI documents of a cluster say of a type that a definition makes. */
class PublishedTypesTest {
    private static final String DOCUMENT = "/openapi/v3/apis/example.com/v1";
    private static final String SCALE = "/apis/example.com/v1/namespaces/{namespace}/boats/{name}/scale";
    private static final String DEFINITION = """
        apiVersion: apiextensions.k8s.io/v1
        kind: CustomResourceDefinition
        metadata: {name: boats.example.com}
        spec:
          group: example.com
          scope: Namespaced
          names: {plural: boats, kind: Boat}
          versions:
          - name: v1
            served: true
            storage: true
            selectableFields: [{jsonPath: .spec.color}]
            subresources: {scale: {specReplicasPath: .spec.crew, statusReplicasPath: .status.crew}}
            schema:
              openAPIV3Schema:
                type: object
                properties:
                  spec: {type: object, properties: {color: {type: string}, crew: {type: integer}}}
                  status: {type: object, properties: {crew: {type: integer}}}
        """;

    private final Fixture fixture = Fixture.withItsViews();

    @AfterEach
    void close() {
        fixture.close();
    }

    private Api define() {
        Api api = fixture.dev();
        api.create("/apis/apiextensions.k8s.io/v1/customresourcedefinitions", DEFINITION)
                .expect(201);
        Fixture.eventually("it is published", () -> api.get(DOCUMENT).code() == 200);
        return api;
    }

    @Test
    void scale_isOfItsOwnKind() {
        JsonNode published = define().get(DOCUMENT).body();

        JsonNode scale = published.path("paths").path(SCALE);
        assertThat(scale.propertyNames()).containsExactlyInAnyOrder("get", "put", "patch", "parameters");
        JsonNode put = scale.path("put");
        assertThat(put.path("operationId").asString()).isEqualTo("replaceExampleComV1NamespacedBoatScale");
        assertThat(put.path("x-kubernetes-group-version-kind").toString())
                .isEqualTo("{\"group\":\"autoscaling\",\"kind\":\"Scale\",\"version\":\"v1\"}");
        assertThat(put.findValuesAsString("$ref"))
                .contains("#/components/schemas/io.k8s.api.autoscaling.v1.Scale")
                .doesNotContain("#/components/schemas/com.example.v1.Boat");
        assertThat(published
                        .at("/components/schemas/io.k8s.api.autoscaling.v1.Scale/properties/spec")
                        .isObject())
                .isTrue();
    }

    @Test
    void typeOfADefinition_hasItsSelectableFieldsAndItsScale() {
        Api api = define();

        JsonNode published = api.get(DOCUMENT).body();
        JsonNode schemas = published.at("/components/schemas");

        String fields = "[{\"fieldPath\":\"spec.color\"}]";
        assertThat(schemas.at("/com.example.v1.Boat/x-kubernetes-selectable-fields")
                        .toString())
                .isEqualTo(fields);
        assertThat(schemas.at("/com.example.v1.BoatList/x-kubernetes-selectable-fields")
                        .toString())
                .isEqualTo(fields);
        assertThat(published.path("paths").propertyNames()).contains(SCALE);
        assertThat(api.get("/openapi/v2").expect(200).body().path("paths").propertyNames())
                .contains(SCALE);
    }
}
