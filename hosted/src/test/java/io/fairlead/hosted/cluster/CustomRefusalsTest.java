package io.fairlead.hosted.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import io.fairlead.hosted.cluster.Api.Answer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What is refused of custom resources, and what is not. Expected texts are those of a kube-apiserver 1.36. */
class CustomRefusalsTest {
    private static final String FOOS = CustomResourcesFixture.FOOS;

    private final Fixture fixture = new Fixture();
    private final Api api = fixture.dev();

    @BeforeEach
    void define() {
        String definition = CustomResourcesFixture.crd("foos", "Foo")
                .replace(
                        "        required: [size]",
                        "        required: [size]\n            x-kubernetes-validations: [{rule: self.size > 0}]");
        api.create(CustomResourcesFixture.CRDS, definition).expect(201);
        Fixture.eventually("foos are served", () -> api.get(FOOS).code() == 200);
    }

    @AfterEach
    void close() {
        fixture.close();
    }

    @Test
    void rules_areNotEvaluatedOfAnObjectWithoutAName() {
        Answer refused = api.create(FOOS, CustomResourcesFixture.foo("''", 1)).expect(422);

        assertThat(refused.message())
                .contains("metadata.name: Required value: name or generateName is required")
                .contains("<nil>: Invalid value: null: some validation rules were not checked because the object was"
                        + " invalid; correct the existing errors to complete validation");
    }

    @Test
    void prefixOfNames_isJudgedOnCreationAlone() {
        api.create(FOOS, CustomResourcesFixture.foo("f, generateName: Bad_", 1)).expect(422);
        api.create(FOOS, CustomResourcesFixture.foo("f", 1)).expect(201);

        Answer changed = api.merge(FOOS + "/f", "{\"metadata\":{\"generateName\":\"Bad_\"}}");

        assertThat(changed.expect(200).at("/metadata/generateName")).isEqualTo("Bad_");
    }

    @Test
    void otherKind_isToldAfterTheOtherNamespace() {
        Answer refused = api.create(
                FOOS,
                "{apiVersion: example.com/v1, kind: Pod, metadata: {name: f, namespace: other}, spec: {size: 1}}");

        assertThat(refused.expect(400).message())
                .isEqualTo("the namespace of the provided object does not match the namespace sent on the request");
    }

    @Test
    void namespace_selectsNoObjectsOfAKindThatHasNone() {
        String definition = CustomResourcesFixture.crd("bars", "Bar").replace("scope: Namespaced", "scope: Cluster");
        api.create(CustomResourcesFixture.CRDS, definition).expect(201);
        String bars = "/apis/example.com/v1/bars";
        Fixture.eventually("bars are served", () -> api.get(bars).code() == 200);

        Answer refused = api.get(bars + "?fieldSelector=metadata.namespace%3Ddefault");

        assertThat(refused.expect(400).message()).isEqualTo("field label not supported: metadata.namespace");
        api.get(FOOS + "?fieldSelector=metadata.namespace%3Ddefault").expect(200);
    }

    @Test
    void selectorOfAScale_isAText() {
        String definition = CustomResourcesFixture.crd("bars", "Bar")
                .replace(
                        "subresources: {status: {}}",
                        "subresources: {scale: {specReplicasPath: .spec.size, statusReplicasPath: .status.size,"
                                + " labelSelectorPath: .status.phase}}")
                .replace("phase: {type: string}", "phase: {x-kubernetes-preserve-unknown-fields: true}");
        api.create(CustomResourcesFixture.CRDS, definition).expect(201);
        Fixture.eventually(
                "bars are served", () -> api.get(CustomResourcesFixture.BARS).code() == 200);

        Answer refused = api.create(
                CustomResourcesFixture.BARS,
                "{apiVersion: example.com/v1, kind: Bar, metadata: {name: b}, spec: {size: 1}, status: {phase: {}}}");

        assertThat(refused.expect(422).message())
                .contains(".status.phase: Invalid value: \"\": .status.phase accessor error: map[] is of the type"
                        + " map[string]interface {}, expected string");
    }
}
