package io.fairlead.hosted.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import io.fairlead.hosted.cluster.Api.Answer;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What is judged of a custom resource when a controller reports its status. Expected answers are those of a kube-apiserver 1.36. */
class CustomStatusTest {
    private static final String CRDS = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions";
    private static final String FOOS = "/apis/example.com/v1/namespaces/default/foos";
    private static final String SCHEMA = "/spec/versions/0/schema/openAPIV3Schema";

    private final Fixture fixture = new Fixture();
    private final Api api = fixture.dev();

    @AfterEach
    void close() {
        fixture.close();
    }

    /** An operator's new version narrows the schema, and must still be able to say what is wrong with old objects. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "{\"op\":\"add\",\"path\":\"" + SCHEMA + "/required\",\"value\":[\"spec\"]}",
                "{\"op\":\"add\",\"path\":\"" + SCHEMA + "/properties/spec/properties/replicas/maximum\",\"value\":1}",
            })
    void narrowedSchema_refusesNoStatus(String narrowing) {
        establish();
        api.create(FOOS, "{apiVersion: example.com/v1, kind: Foo, metadata: {name: a}}")
                .expect(201);
        api.patch(CRDS + "/foos.example.com", "[" + narrowing + "]").expect(200);

        Fixture.eventually(
                "the new schema counts",
                () -> narrowing.contains("maximum")
                        || api.merge(FOOS + "/a", "{\"metadata\":{\"labels\":{\"a\":\"b\"}}}")
                                        .code()
                                == 422);
        api.merge(FOOS + "/a/status", "{\"status\":{\"phase\":\"Bad\"}}").expect(200);
        Answer wrong =
                api.merge(FOOS + "/a/status", "{\"status\":{\"phase\":1}}").expect(422);
        assertThat(wrong.message()).contains("status.phase: Invalid value");
    }

    @Test
    void embeddedResourceInTheStatus_isNotJudged_butInTheObjectItIs() {
        establish();
        api.create(FOOS, "{apiVersion: example.com/v1, kind: Foo, metadata: {name: a}}")
                .expect(201);

        api.merge(FOOS + "/a/status", "{\"status\":{\"last\":{\"metadata\":{\"name\":\"x\"}}}}")
                .expect(200);
        assertThat(api.merge(FOOS + "/a", "{\"spec\":{\"template\":{\"metadata\":{\"name\":\"x\"}}}}")
                        .expect(422)
                        .message())
                .contains("spec.template.apiVersion: Required value");
    }

    @Test
    void replicasOfTheStatus_areJudgedWithIt() {
        establish();
        api.create(FOOS, "{apiVersion: example.com/v1, kind: Foo, metadata: {name: a}}")
                .expect(201);

        assertThat(api.merge(FOOS + "/a/status", "{\"status\":{\"replicas\":-1}}")
                        .expect(422)
                        .message())
                .contains("status.replicas");
    }

    /** Argo CD's and Flux' have no slash. */
    @Test
    void finalizerWithoutADomain_isWarnedOfOnce() {
        establish();
        String finalizer = "resources-finalizer.argocd.argoproj.io";
        Answer created = api.create(
                        FOOS,
                        "{apiVersion: example.com/v1, kind: Foo, metadata: {name: a, finalizers: [" + finalizer + "]}}")
                .expect(201);
        Answer changed = api.merge(FOOS + "/a", "{\"metadata\":{\"labels\":{\"a\":\"b\"}}}")
                .expect(200);
        Answer added = api.merge(FOOS + "/a", "{\"metadata\":{\"finalizers\":[\"" + finalizer + "\",\"another\"]}}")
                .expect(200);

        assertThat(warnings(created)).singleElement().asString().contains(finalizer);
        assertThat(warnings(changed)).isEmpty();
        assertThat(warnings(added))
                .singleElement()
                .asString()
                .contains("another")
                .doesNotContain(finalizer);
    }

    private static List<String> warnings(Answer answer) {
        return answer.headers().getOrDefault("Warning", List.of());
    }

    private void establish() {
        api.create(CRDS, """
            apiVersion: apiextensions.k8s.io/v1
            kind: CustomResourceDefinition
            metadata: {name: foos.example.com}
            spec:
              group: example.com
              scope: Namespaced
              names: {plural: foos, kind: Foo}
              versions:
              - name: v1
                served: true
                storage: true
                subresources:
                  status: {}
                  scale: {specReplicasPath: .spec.replicas, statusReplicasPath: .status.replicas}
                schema:
                  openAPIV3Schema:
                    type: object
                    properties:
                      spec:
                        type: object
                        properties:
                          replicas: {type: integer}
                          template: {type: object, x-kubernetes-embedded-resource: true,
                                     x-kubernetes-preserve-unknown-fields: true}
                      status:
                        type: object
                        properties:
                          phase: {type: string}
                          replicas: {type: integer}
                          last: {type: object, x-kubernetes-embedded-resource: true,
                                 x-kubernetes-preserve-unknown-fields: true}
            """).expect(201);
        Fixture.eventually(
                "it is established",
                () -> api.get(CRDS + "/foos.example.com")
                        .body()
                        .at("/status/conditions")
                        .toString()
                        .contains("\"Established\""));
        Fixture.eventually("it is served", () -> api.get(FOOS).code() == 200);
    }
}
