package io.fairlead.hosted.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import io.fairlead.hosted.cluster.Api.Answer;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

/** The scale subresource of custom resources. Expected answers are those of a kube-apiserver 1.36. */
class ScaleTest {
    private static final String CRDS = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions";
    private static final String FOOS = "/apis/example.com/v1/namespaces/default/foos";
    private static final String SCALE = """
        apiVersion: autoscaling/v1
        kind: Scale
        metadata: {name: x, namespace: default%s}
        spec: {replicas: %s}
        """;

    private final Fixture fixture = new Fixture();
    private final Api api = fixture.dev();

    @BeforeEach
    void createDefinition() {
        api.create(CRDS, """
            apiVersion: apiextensions.k8s.io/v1
            kind: CustomResourceDefinition
            metadata: {name: foos.example.com}
            spec:
              group: example.com
              scope: Namespaced
              names: {plural: foos, singular: foo, kind: Foo}
              versions:
              - name: v1
                served: true
                storage: true
                subresources:
                  status: {}
                  scale:
                    specReplicasPath: .spec.replicas
                    statusReplicasPath: .status.replicas
                    labelSelectorPath: .status.selector
                schema:
                  openAPIV3Schema:
                    type: object
                    properties:
                      spec: {type: object, properties: {replicas: {type: integer}}}
                      status:
                        type: object
                        properties: {replicas: {type: integer}, selector: {type: string}}
            """).expect(201);
        Fixture.eventually("foos are served", () -> api.get(FOOS).code() == 200);
        api.create(
                        FOOS,
                        "{apiVersion: example.com/v1, kind: Foo, metadata: {name: x, labels: {a: b}}, spec: {replicas:"
                                + " 3}}")
                .expect(201);
    }

    @AfterEach
    void close() {
        fixture.close();
    }

    private static String numbers(Answer scale) {
        return scale.body().path("spec") + " " + scale.body().path("status");
    }

    @Test
    void get_showsTheNumbersOfTheObject() {
        Answer foo = api.get(FOOS + "/x");

        Answer scale = api.get(FOOS + "/x/scale").expect(200);

        assertThat(scale.at("/kind") + " " + scale.at("/apiVersion")).isEqualTo("Scale autoscaling/v1");
        assertThat(scale.body().path("metadata").propertyNames())
                .containsExactlyInAnyOrder("name", "namespace", "uid", "resourceVersion", "creationTimestamp");
        assertThat(scale.resourceVersion()).isEqualTo(foo.resourceVersion());
        assertThat(numbers(scale)).isEqualTo("{\"replicas\":3} {\"replicas\":0}");
        api.merge(FOOS + "/x/status", "{\"status\":{\"replicas\":2,\"selector\":\"a=b\"}}")
                .expect(200);
        assertThat(numbers(api.get(FOOS + "/x/scale")))
                .isEqualTo("{\"replicas\":3} {\"replicas\":2,\"selector\":\"a=b\"}");
    }

    @Test
    void table_showsTheNumbers() {
        Answer table = api.get(FOOS + "/x/scale", "application/json;as=Table;v=v1;g=meta.k8s.io")
                .expect(200);

        assertThat(table.body()
                        .path("columnDefinitions")
                        .valueStream()
                        .map(column -> column.path("name").asString()))
                .containsExactly("Name", "Desired", "Available", "Age");
        assertThat(table.body().at("/rows/0/cells").toString()).startsWith("[\"x\",3,0,\"");
    }

    @Test
    void put_changesTheWantedNumberAlone() {
        Answer scaled = api.replace(FOOS + "/x/scale", SCALE.formatted("", "5")).expect(200);

        assertThat(numbers(scaled)).isEqualTo("{\"replicas\":5} {\"replicas\":0}");
        JsonNode foo = api.get(FOOS + "/x").body();
        assertThat(foo.at("/spec/replicas").asInt()).isEqualTo(5);
        assertThat(foo.at("/metadata/generation").asInt()).isEqualTo(2);
        assertThat(foo.at("/metadata/labels/a").asString()).isEqualTo("b");
        assertThat(foo.at("/metadata/resourceVersion").asString()).isEqualTo(scaled.resourceVersion());
    }

    @Test
    void patch_changesTheWantedNumber() {
        assertThat(numbers(api.merge(FOOS + "/x/scale", "{\"spec\":{\"replicas\":7}}")
                        .expect(200)))
                .isEqualTo("{\"replicas\":7} {\"replicas\":0}");
        assertThat(numbers(
                        api.patch(FOOS + "/x/scale", "[{\"op\":\"replace\",\"path\":\"/spec/replicas\",\"value\":0}]")
                                .expect(200)))
                .isEqualTo("{} {\"replicas\":0}");
        api.send("PATCH", FOOS + "/x/scale", "application/strategic-merge-patch+json", new byte[] {'{', '}'})
                .expect(415);
    }

    @Test
    void scale_ofAnObjectWithoutTheNumber_isAFaultUntilItIsSet() {
        api.create(FOOS, "{apiVersion: example.com/v1, kind: Foo, metadata: {name: bare}}")
                .expect(201);

        assertThat(api.get(FOOS + "/bare/scale").expect(500).message())
                .isEqualTo("Internal error occurred: the spec replicas field \".spec.replicas\" does not exist");
        assertThat(numbers(api.merge(FOOS + "/bare/scale", "{\"spec\":{\"replicas\":2}}")
                        .expect(200)))
                .isEqualTo("{\"replicas\":2} {\"replicas\":0}");
    }

    @Test
    void scale_isRefusedInTheWordsOfKubernetes() {
        Answer negative =
                api.merge(FOOS + "/x/scale", "{\"spec\":{\"replicas\":-1}}").expect(422);
        assertThat(negative.message())
                .isEqualTo(
                        "Foo.example.com \"x\" is invalid: .spec.replicas: Invalid value: -1: should be a non-negative"
                                + " integer");
        assertThat(negative.at("/details/causes/0/field")).isEqualTo(".spec.replicas");
        assertThat(api.replace(FOOS + "/x/scale", SCALE.formatted(", resourceVersion: '1'", "5"))
                        .expect(409)
                        .message())
                .startsWith("Operation cannot be fulfilled on foos.example.com \"x\": the object has been modified");
        assertThat(api.replace(FOOS + "/nope/scale", SCALE.formatted("", "5").replace("name: x", "name: nope"))
                        .expect(404)
                        .message())
                .isEqualTo("foos.example.com \"nope\" not found");
        assertThat(api.replace(FOOS + "/x/scale", SCALE.formatted("", "5").replace("name: x", "name: z"))
                        .expect(400)
                        .message())
                .isEqualTo("the name of the object (z) does not match the name on the URL (x)");
        api.replace(FOOS + "/x/scale", SCALE.formatted("", "many")).expect(400);
        assertThat(api.delete(FOOS + "/x/scale").expect(405).message())
                .isEqualTo("delete is not supported on resources of kind \"foos.example.com\"");
        assertThat(api.create(
                                FOOS,
                                "{apiVersion: example.com/v1, kind: Foo, metadata: {name: z}, spec: {replicas: -2}}")
                        .expect(422)
                        .message())
                .contains(".spec.replicas: Invalid value: -2: should be a non-negative integer");
    }

    @Test
    void dryRun_changesNothing() {
        assertThat(numbers(api.merge(FOOS + "/x/scale?dryRun=All", "{\"spec\":{\"replicas\":9}}")
                        .expect(200)))
                .isEqualTo("{\"replicas\":9} {\"replicas\":0}");
        assertThat(numbers(api.get(FOOS + "/x/scale"))).isEqualTo("{\"replicas\":3} {\"replicas\":0}");
        assertThat(List.of(
                        api.get(FOOS + "/x").body().at("/metadata/generation").asInt()))
                .containsExactly(1);
    }

    /** What a scale manages has no time of its own, and so stands before what has one. */
    @Test
    void managersOfAScale_haveNoTime_unlessTheyManagedSomethingBefore() {
        api.create(
                        FOOS + "?fieldManager=ann",
                        "{apiVersion: example.com/v1, kind: Foo, metadata: {name: w}, spec: {replicas: 3}}")
                .expect(201);

        api.merge(FOOS + "/w/scale?fieldManager=ben", "{\"spec\":{\"replicas\":4}}")
                .expect(200);

        api.merge(FOOS + "/w?fieldManager=ann", "{\"metadata\":{\"labels\":{\"a\":\"b\"}}}")
                .expect(200);
        JsonNode managers = api.get(FOOS + "/w").body().at("/metadata/managedFields");
        assertThat(managers.valueStream().map(entry -> entry.path("manager").asString("")))
                .containsExactly("ben", "ann");
        assertThat(managers.get(0).path("subresource").asString("")).isEqualTo("scale");
        assertThat(managers.get(0).has("time")).isFalse();
        assertThat(managers.get(1).has("time")).isTrue();
    }
}
