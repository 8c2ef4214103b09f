package io.fairlead.hosted.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import io.fairlead.hosted.cluster.Api.Answer;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Empty and negative values that are not as if they were left out. Expected answers are those of a kube-apiserver 1.36. */
class EmptyValuesTest extends EveryKindFixture {
    private static final String AUTOSCALERS = "/apis/autoscaling/v2/namespaces/default/horizontalpodautoscalers";
    private static final String AUTOSCALER = """
        {apiVersion: autoscaling/v2, kind: HorizontalPodAutoscaler, metadata: {name: a}, spec: {maxReplicas: 3,
         scaleTargetRef: {apiVersion: apps/v1, kind: Deployment, name: d}, behavior: {%s}}}\
        """;

    @ParameterizedTest
    @ValueSource(strings = {"scaleUp", "scaleDown"})
    void noPolicies_areRefused_whereMissingOnesAreCompleted(String direction) {
        Answer refused = api.create(AUTOSCALERS, AUTOSCALER.formatted(direction + ": {policies: []}"));

        assertThat(refused.expect(422).message())
                .isEqualTo("HorizontalPodAutoscaler.autoscaling \"a\" is invalid: spec.behavior." + direction
                        + ".policies: Required value: must specify at least one Policy");
        assertThat(api.create(AUTOSCALERS, AUTOSCALER.formatted(direction + ": {}"))
                        .expect(201)
                        .at("/spec/behavior/" + direction + "/policies/0/periodSeconds"))
                .isEqualTo("15");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "/apis/networking.k8s.io/v1/namespaces/default/ingresses | networking.k8s.io/v1 | Ingress | rules: []"
                        + " | spec: Invalid value: []: either `defaultBackend` or `rules` must be specified",
                "/api/v1/persistentvolumes | v1 | PersistentVolume | capacity: {}, accessModes: [ReadWriteOnce],"
                    + " hostPath: {path: /x} | spec.capacity: Unsupported value: {}: supported values: \"storage\"]",
                "/apis/apps/v1/namespaces/default/deployments | apps/v1 | Deployment | selector: {matchLabels: {a:"
                    + " b}}, template: {metadata: {labels: {}}, spec: {containers: [{name: c, image: i}]}} |"
                    + " spec.template.metadata.labels: Invalid value: {}: `selector` does not match template `labels`",
            })
    void emptyListOrMap_isShownInTheRefusal(String path, String version, String kind, String spec, String problem) {
        Answer refused = api.create(
                path, "{apiVersion: %s, kind: %s, metadata: {name: x}, spec: {%s}}".formatted(version, kind, spec));

        assertThat(refused.expect(422).message()).endsWith(problem);
    }

    @Test
    void noRules_areDropped_whereTheyAreNotNeeded() {
        Answer created = api.create("/apis/networking.k8s.io/v1/namespaces/default/ingresses", """
            {apiVersion: networking.k8s.io/v1, kind: Ingress, metadata: {name: x},
             spec: {rules: [], defaultBackend: {service: {name: s, port: {number: 80}}}}}\
            """);

        assertThat(created.expect(201).body().at("/spec/rules").isMissingNode()).isTrue();
    }

    @ParameterizedTest
    @CsvSource({"'', 201", "Odd, 422"})
    void reclaimPolicyOfAStorageClass_mayBeEmpty(String policy, int code) {
        Answer answer = api.create("/apis/storage.k8s.io/v1/storageclasses", """
            {apiVersion: storage.k8s.io/v1, kind: StorageClass, metadata: {name: s}, provisioner: a/b, reclaimPolicy: '%s'}
            """.formatted(policy));

        assertThat(answer.code()).isEqualTo(code);
    }

    @Test
    void negativeHistoryLimitOfAStatefulSet_isWarnedOf() {
        Answer created = api.create("/apis/apps/v1/namespaces/default/statefulsets", """
            {apiVersion: apps/v1, kind: StatefulSet, metadata: {name: s}, spec: {revisionHistoryLimit: -1,
             selector: {matchLabels: {a: b}},
             template: {metadata: {labels: {a: b}}, spec: {containers: [{name: c, image: x}]}}}}\
            """);

        assertThat(created.expect(201).headers().toString())
                .contains(
                        "spec.revisionHistoryLimit: a negative value retains all historical revisions; a value >= 0 is"
                                + " recommended");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "[a/*, a/b] | webhooks[0].rules[0].resources[1]: Invalid value: \"a/b\": if 'a/*' is present, must not"
                        + " specify a/b",
                "['*/b', a/b] | webhooks[0].rules[0].resources[1]: Invalid value: \"a/b\": if '*/b' is present, must"
                        + " not specify a/b",
                "['*', a] | webhooks[0].rules[0].resources: Invalid value: [\"*\",\"a\"]: if '*' is present, must not"
                        + " specify other resources without subresources",
                "[a, '*/*'] | webhooks[0].rules[0].resources: Invalid value: [\"a\",\"*/*\"]: if '*/*' is present,"
                        + " must not specify other resources",
            })
    void resourcesThatAnotherMeans_areRefused(String resources, String problem) {
        assertThat(webhooks("[" + webhook(resources) + "]").expect(422).message())
                .isEqualTo("ValidatingWebhookConfiguration.admissionregistration.k8s.io \"w\" is invalid: " + problem);
    }

    @Test
    void webhooksOfOneName_areRefused() {
        assertThat(webhooks("[" + webhook("[a]") + ", " + webhook("[b]") + "]")
                        .expect(422)
                        .message())
                .isEqualTo("ValidatingWebhookConfiguration.admissionregistration.k8s.io \"w\" is invalid:"
                        + " webhooks[1].name: Duplicate value: \"a.b.c\"");
    }

    private Answer webhooks(String webhooks) {
        return api.create(
                "/apis/admissionregistration.k8s.io/v1/validatingwebhookconfigurations", """
                    {apiVersion: admissionregistration.k8s.io/v1, kind: ValidatingWebhookConfiguration, metadata: {name: w}, webhooks: %s}
                    """.formatted(webhooks));
    }

    private static String webhook(String resources) {
        return """
            {name: a.b.c, sideEffects: None, admissionReviewVersions: [v1], clientConfig: {url: 'https://a'},
             rules: [{operations: ['*'], apiGroups: [''], apiVersions: [v1], resources: %s}]}\
            """.formatted(resources);
    }

    @ParameterizedTest
    @ValueSource(ints = {70_000, -1, 0})
    void portOfAnApiService_isOneOfAService(int port) {
        Answer refused = api.create("/apis/apiregistration.k8s.io/v1/apiservices", """
            {apiVersion: apiregistration.k8s.io/v1, kind: APIService, metadata: {name: v1.a.b}, spec: {group: a.b, version: v1,
             groupPriorityMinimum: 1, versionPriority: 1, insecureSkipTLSVerify: true,
             service: {name: s, namespace: default, port: %d}}}
            """.formatted(port));

        assertThat(refused.expect(422).message())
                .isEqualTo("APIService.apiregistration.k8s.io \"v1.a.b\" is invalid: spec.service.port: Invalid value: "
                        + port + ": port is not valid: must be between 1 and 65535, inclusive");
    }

    @Test
    void timeThatIsNoText_isRefusedAsGoReadsTimes() {
        Answer refused = api.create(
                "/api/v1/namespaces/default/configmaps",
                "{apiVersion: v1, kind: ConfigMap, metadata: {name: m, creationTimestamp: 5}}");

        assertThat(refused.expect(400).message())
                .isEqualTo("ConfigMap in version \"v1\" cannot be handled as a ConfigMap: json: cannot unmarshal number"
                        + " into Go struct field ObjectMeta.metadata.creationTimestamp of type string");
    }

    @Test
    void claimOfAVolume_isManagedByItsMembers() {
        String volumes = "/api/v1/persistentvolumes";
        api.create(volumes, """
            {apiVersion: v1, kind: PersistentVolume, metadata: {name: v}, spec: {capacity: {storage: 1Gi},
             accessModes: [ReadWriteOnce], hostPath: {path: /x}}}\
            """).expect(201);

        Answer patched = api.send(
                "PATCH",
                volumes + "/v?fieldManager=binder",
                "application/merge-patch+json",
                "{\"spec\":{\"claimRef\":{\"name\":\"c\",\"namespace\":\"n\"}}}".getBytes(StandardCharsets.UTF_8));

        assertThat(patched.expect(200).body().at("/metadata/managedFields").toString())
                .contains("\"f:claimRef\":{\".\":{},\"f:name\":{},\"f:namespace\":{}}");
    }
}
