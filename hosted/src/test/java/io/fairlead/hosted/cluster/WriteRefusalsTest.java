package io.fairlead.hosted.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import io.fairlead.hosted.cluster.Api.Answer;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;

/** What changes are refused for, in which order, and what they are not. Expected texts are those of a kube-apiserver 1.36. */
class WriteRefusalsTest extends EveryKindFixture {
    private static final String MAPS = "/api/v1/namespaces/default/configmaps";
    private static final String SETS = "/apis/apps/v1/namespaces/default/daemonsets";
    private static final String REVISIONS = "/apis/apps/v1/namespaces/default/controllerrevisions";
    private static final String LEVELS = "/apis/flowcontrol.apiserver.k8s.io/v1/prioritylevelconfigurations";
    private static final String BUDGETS = "/apis/policy/v1/namespaces/default/poddisruptionbudgets";
    private static final String EVENTS = "/api/v1/namespaces/default/events";
    private static final String SET = "{metadata: {name: s}, spec: {selector: {matchLabels: {a: b}}, template:"
            + " {metadata: {labels: {a: b}}, spec: {containers: [{name: c, image: i}]}}}, status: {numberReady: %d}}";

    @Test
    void doubledKeysOfAConfiguration_areToldOnceItIsApplied() {
        apply(MAPS + "/m", "ann", "{apiVersion: v1, kind: ConfigMap, metadata: {name: m}, data: {a: b}}")
                .expect(201);
        String doubled = "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: m}\ndata: {a: c, a: %s}";

        Answer conflict = apply(MAPS + "/m", "ben", doubled.formatted("c")).expect(409);
        Answer refused = apply(MAPS + "/m?fieldValidation=Strict", "ann", doubled.formatted("b"))
                .expect(400);
        Answer warned = apply(MAPS + "/m", "ann", doubled.formatted("b")).expect(200);

        assertThat(conflict.headers()).doesNotContainKey("Warning");
        assertThat(refused.message()).startsWith("error strict decoding YAML: ");
        assertThat(warned.headers()).containsKey("Warning");
    }

    @Test
    void otherNameInAConfiguration_isToldAfterConflicts() {
        apply(MAPS + "/m", "ann", "{apiVersion: v1, kind: ConfigMap, metadata: {name: m}, data: {a: b}}")
                .expect(201);
        String other = "{apiVersion: v1, kind: ConfigMap, metadata: {name: other}, data: {a: %s}}";

        apply(MAPS + "/m", "ben", other.formatted("c")).expect(409);
        Answer refused = apply(MAPS + "/m", "ben", other.formatted("b")).expect(400);

        assertThat(refused.message())
                .isEqualTo("the name of the object (other) does not match the name on the URL (m)");
    }

    @Test
    void configurationOfAnotherType_isToldWithTheNamespaceThatItNames() {
        Answer refused = apply(
                "/api/v1/nodes/host",
                "ann",
                "{apiVersion: v1, kind: Node, metadata: {name: host, namespace: two}, unknownField: 1}");

        assertThat(refused.expect(500).message())
                .isEqualTo("failed to create typed patch object (two/host; /v1, Kind=Node): .unknownField: field not"
                        + " declared in schema");
    }

    @Test
    void namespaceOfAConfiguration_isDroppedWhereAKindHasNone() {
        Answer applied = apply(
                "/api/v1/nodes/host", "ann", "{apiVersion: v1, kind: Node, metadata: {name: host, namespace: two}}");

        assertThat(applied.expect(201).body().at("/metadata").has("namespace")).isFalse();
    }

    @Test
    void statusWithoutTheGenerationOfTheTemplate_takesThatOver_andChangesItNot() {
        api.create(SETS + "?fieldManager=ann", SET.formatted(0)).expect(201);

        Answer updated = api.replace(SETS + "/s/status?fieldManager=ben", SET.formatted(3))
                .expect(200);

        assertThat(updated.body()
                        .at("/metadata/annotations")
                        .path("deprecated.daemonset.template.generation")
                        .asString(""))
                .isEqualTo("1");
        assertThat(updated.body().at("/metadata/managedFields/1/fieldsV1").toString())
                .isEqualTo("{\"f:metadata\":{\"f:annotations\":{\"f:deprecated.daemonset.template.generation\":{}}},"
                        + "\"f:status\":{\"f:numberReady\":{}}}");
    }

    @Test
    void dataOfARevision_areJudgedOnCreation_andCannotBeChanged() {
        api.create(REVISIONS, "{metadata: {name: r}, data: 7, revision: 1}").expect(422);
        api.create(REVISIONS, "{metadata: {name: r}, data: {a: 1}, revision: 1}")
                .expect(201);

        Answer changed = api.merge(REVISIONS + "/r", "{\"data\": 7}").expect(422);

        assertThat(changed.message())
                .isEqualTo("ControllerRevision.apps \"r\" is invalid: data: Invalid value: 7: field is immutable");
    }

    @Test
    void priorityLevelThatQueues_mustSayHow() {
        String level = "{metadata: {name: l}, spec: {type: Limited, limited: {limitResponse: {type: %s}}}}";

        Answer refused = api.create(LEVELS, level.formatted("Queue")).expect(422);

        assertThat(refused.message())
                .isEqualTo("PriorityLevelConfiguration.flowcontrol.apiserver.k8s.io \"l\" is invalid:"
                        + " spec.limited.limitResponse.queuing: Required value: must not be empty if"
                        + " limited.limitResponse.type is Limited");
        api.create(LEVELS, level.formatted("Reject")).expect(201);
    }

    @Test
    void provisioner_isShownInLowerCase() {
        Answer refused = api.create(
                "/apis/storage.k8s.io/v1/storageclasses", "{metadata: {name: s}, provisioner: 'Not_A-Name!'}");

        assertThat(refused.expect(422).message()).contains("provisioner: Invalid value: \"not_a-name!\": name part");
    }

    @Test
    void numberThatIsNoInt32_isToldAsSuch_whereATextCouldStand() {
        String budget = "{metadata: {name: b}, spec: {maxUnavailable: %s}}";

        Answer large = api.create(BUDGETS, budget.formatted("-2147483649")).expect(400);
        Answer broken = api.create(BUDGETS, budget.formatted("1.5")).expect(400);

        assertThat(large.message())
                .endsWith("json: cannot unmarshal number -2147483649 into Go struct field"
                        + " PodDisruptionBudgetSpec.spec.maxUnavailable of type int32");
        assertThat(broken.message())
                .endsWith("json: cannot unmarshal number 1.5 into Go struct field"
                        + " PodDisruptionBudgetSpec.spec.maxUnavailable of type int32");
    }

    @Test
    void nullAsAPatch_changesNothingByTheRulesOfItsKind_andIsNoMergePatch() {
        api.create(MAPS, "{metadata: {name: m}, data: {a: b}}").expect(201);

        Answer strategic = api.send(
                "PATCH",
                MAPS + "/m",
                "application/strategic-merge-patch+json",
                "null".getBytes(StandardCharsets.UTF_8));
        Answer merge = api.merge(MAPS + "/m", "null");

        assertThat(strategic.expect(200).at("/data/a")).isEqualTo("b");
        assertThat(merge.expect(400).message()).isEqualTo("Invalid JSON Patch");
    }

    @Test
    void resourceVersionOfAMissingObject_mustBeANumber() {
        Answer refused = api.replace(
                EVENTS + "/e", "{metadata: {name: e, resourceVersion: x}, involvedObject: {namespace: default}}");

        assertThat(refused.expect(400).message()).contains("resourceVersion");
        api.get(EVENTS + "/e").expect(404);
    }

    @Test
    void nameThatIsNoText_isNotShownAsTheName() {
        Answer refused = apply(MAPS + "/m", "ann", "{apiVersion: v1, kind: ConfigMap, metadata: {name: 7}}");

        assertThat(refused.expect(500).message())
                .isEqualTo("failed to create typed patch object (/; /v1, Kind=ConfigMap): .metadata.name: expected"
                        + " string, got &value.valueUnstructured{Value:7}");
    }

    @Test
    void mergedObject_isShownWithWhatThePatchHasSorted() {
        String roles = "/apis/rbac.authorization.k8s.io/v1/clusterroles";
        api.create(roles, "{metadata: {name: r}, rules: [{verbs: [get], apiGroups: [''], resources: [pods]}]}")
                .expect(201);

        Answer refused = api.merge(
                roles + "/r",
                "{\"metadata\":{\"name\":\"r\"},\"rules\":[{\"apiGroups\":[\"\"],\"resources\":[\"pods\"],\"verbs\":[\"get\"]},[]]}");

        assertThat(refused.expect(422).message())
                .contains("\\\"metadata\\\":{\\\"creationTimestamp\\\":")
                .contains(
                        "\\\"rules\\\":[{\\\"apiGroups\\\":[\\\"\\\"],\\\"resources\\\":[\\\"pods\\\"],\\\"verbs\\\":");
    }

    @Test
    void valueThatAJsonPatchCopies_isShownInTheOrderOfItsType() {
        api.create("/api/v1/nodes", "{metadata: {name: host}, status: {allocatable: {cpu: 4}, capacity: {cpu: 4}}}")
                .expect(201);

        Answer refused = api.patch(
                "/api/v1/nodes/host", "[{\"op\":\"copy\",\"from\":\"/status\",\"path\":\"/spec/unschedulable\"}]");

        assertThat(refused.expect(422).message())
                .contains("\\\"unschedulable\\\":{\\\"capacity\\\":{\\\"cpu\\\":\\\"4\\\"},\\\"allocatable\\\":");
    }

    @Test
    void itemsOfASchema_thatAreNeitherObjectNorArray_arePassedOver() {
        String definition = CustomResourcesFixture.crd("foos", "Foo")
                .replace("phase: {type: string}", "phase: {type: string, items: 7}");

        api.create(CustomResourcesFixture.CRDS, definition).expect(201);
    }

    private Answer apply(String path, String manager, String configuration) {
        return api.send(
                "PATCH",
                path + (path.contains("?") ? "&" : "?") + "fieldManager=" + manager,
                "application/apply-patch+yaml",
                configuration.getBytes(StandardCharsets.UTF_8));
    }
}
