package io.fairlead.hosted.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import io.fairlead.hosted.cluster.Api.Answer;
import io.fairlead.schema.json.Json;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What pods take as a whole, beside their containers. Expected texts are those of a kube-apiserver 1.36. */
class PodResourcesTest extends EveryKindFixture {
    private static final String PODS = "/api/v1/namespaces/default/pods";

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "`resources: {limits: {a/b: 1}}` | `` | resources.limits[a/b]: Unsupported value: \"a/b\": supported"
                        + " values: \"cpu\", \"hugepages-\", \"memory\"",
                "`resources: {limits: {ephemeral-storage: 1}}` | `` | resources.limits[ephemeral-storage]: Unsupported"
                        + " value: \"ephemeral-storage\": supported values: \"cpu\", \"hugepages-\", \"memory\"",
                "`resources: {limits: {x: 1}}` | `` | resources.limits[x]: Invalid value: \"x\": must be a standard"
                        + " resource type or fully qualified",
                "`os: {name: windows}, resources: {limits: {cpu: 1}}` | `` | resources: Forbidden: may not be set for a"
                        + " windows pod",
                "`resources: {claims: [{name: a}]}, resourceClaims: [{name: a, resourceClaimName: a}]` | `` |"
                        + " resources.claims: Forbidden: claims may not be set for Resources at pod-level",
                "`resources: {requests: {cpu: 1}}` | `requests: {cpu: 1500m}` | resources.requests[cpu]: Invalid value:"
                        + " \"1\": must be greater than or equal to aggregate container requests of 1500m",
                "`resources: {limits: {cpu: 1}}` | `requests: {cpu: 500m}, limits: {cpu: 2}` |"
                        + " resources.containers[0][cpu].limits: Invalid value: \"2\": must be less than or equal to"
                        + " pod limits of 1",
            })
    void resourcesOfAPod_areThoseThatItMayHave_andNotBelowThoseOfItsContainers(
            String fields, String ofContainer, String problem) {
        assertThat(pod(fields, ofContainer).expect(422).message()).isEqualTo("Pod \"p\" is invalid: spec." + problem);
    }

    @Test
    void hugePagesOfAPod_areThoseOfItsContainersAtLeast() {
        assertThat(pod("resources: {limits: {cpu: 2, hugepages-2Mi: 2Mi}}", "limits: {cpu: 1, hugepages-2Mi: 4Mi}")
                        .expect(422)
                        .message())
                .isEqualTo("Pod \"p\" is invalid: [spec.resources.requests[hugepages-2Mi]: Invalid value: \"2Mi\": must"
                        + " be greater than or equal to aggregate container requests of 4Mi,"
                        + " spec.resources.limits[hugepages-2Mi]: Invalid value: \"2Mi\": must be greater than or equal"
                        + " to aggregate container limits of 4Mi, spec.resources.containers[0][hugepages-2Mi].limits:"
                        + " Invalid value: \"4Mi\": must be less than or equal to pod limits of 2Mi]");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "`limits: {cpu: 2, memory: 1Gi}` | `` | {\"cpu\":\"2\",\"memory\":\"1Gi\"} | Guaranteed",
                "`limits: {cpu: 2, memory: 1Gi}` | `requests: {cpu: 1}` | {\"cpu\":\"1\",\"memory\":\"1Gi\"} |"
                        + " Burstable",
                "`limits: {cpu: 2}` | `requests: {cpu: 500m, memory: 1Gi}` | {\"cpu\":\"500m\",\"memory\":\"1Gi\"} |"
                        + " Burstable",
                "`requests: {cpu: 2}` | `requests: {memory: 1Gi}` | {\"cpu\":\"2\"} | Burstable",
            })
    void podWithLimits_requestsWhatItsContainersDo_orItsLimits(
            String ofPod, String ofContainer, String requests, String quality) {
        Answer pod = pod("resources: {" + ofPod + "}", ofContainer).expect(201);

        assertThat(pod.body().at("/spec/resources/requests")).isEqualTo(Json.read(requests));
        assertThat(pod.at("/status/qosClass")).isEqualTo(quality);
    }

    /** Those that run beside the others count with them, and the others one at a time. */
    @Test
    void initContainers_countAsTheyRun() {
        Answer pod = api.create(PODS, """
            {apiVersion: v1, kind: Pod, metadata: {name: p}, spec: {resources: {limits: {cpu: 9}},
              initContainers: [
                {name: a, image: i, restartPolicy: Always, resources: {requests: {cpu: 1}}},
                {name: b, image: i, resources: {requests: {cpu: 4}}}],
              containers: [{name: c, image: i, resources: {requests: {cpu: 2}}}]}}
            """).expect(201);

        assertThat(pod.at("/spec/resources/requests/cpu")).isEqualTo("5");
    }

    private Answer pod(String fields, String ofContainer) {
        return api.create(PODS, """
            {apiVersion: v1, kind: Pod, metadata: {name: p}, spec: {%s,
              containers: [{name: c, image: i, resources: {%s}}]}}
            """.formatted(fields, ofContainer));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "`topologySpreadConstraints: [{maxSkew: 1, topologyKey: z, whenUnsatisfiable: ScheduleAnyway,"
                        + " labelSelector: {matchLabels: {a: b}}, matchLabelKeys: [a]}]` |"
                        + " topologySpreadConstraints[0][0]: Invalid value: \"a\": exists in both matchLabelKeys and"
                        + " labelSelector",
                "`affinity: {podAffinity: {requiredDuringSchedulingIgnoredDuringExecution: [{topologyKey: z,"
                        + " labelSelector: {matchExpressions: [{key: a, operator: Exists}]}, matchLabelKeys: [x,"
                        + " a]}]}}` | affinity.podAffinity.requiredDuringSchedulingIgnoredDuringExecution[0][1]:"
                        + " Invalid value: \"a\": exists in both matchLabelKeys and labelSelector",
                "`affinity: {podAntiAffinity: {requiredDuringSchedulingIgnoredDuringExecution: [{topologyKey: z,"
                        + " labelSelector: {}, matchLabelKeys: [x], mismatchLabelKeys: [w, x]}]}}` |"
                        + " affinity.podAntiAffinity.requiredDuringSchedulingIgnoredDuringExecution[0].matchLabelKeys"
                        + "[0]: Invalid value: \"x\": exists in both matchLabelKeys and mismatchLabelKeys",
            })
    void keysOfLabels_areNamedOnce(String fields, String problem) {
        Answer refused = labelled(fields);

        assertThat(refused.expect(422).message()).isEqualTo("Pod \"p\" is invalid: spec." + problem);
    }

    @Test
    void keysOfLabels_becomeRequirementsOnThePodsOwnValues() {
        Answer pod = labelled("""
            topologySpreadConstraints: [{maxSkew: 1, topologyKey: z, whenUnsatisfiable: ScheduleAnyway,
              labelSelector: {matchLabels: {x: w}}, matchLabelKeys: [a, none]}],
            affinity: {podAntiAffinity: {preferredDuringSchedulingIgnoredDuringExecution: [{weight: 1, podAffinityTerm: {
              topologyKey: z, labelSelector: {}, matchLabelKeys: [a], mismatchLabelKeys: [c]}}]}}\
            """).expect(201);

        assertThat(pod.body().at("/spec/topologySpreadConstraints/0/labelSelector"))
                .isEqualTo(Json.read("{\"matchLabels\":{\"x\":\"w\"},\"matchExpressions\":[{\"key\":\"a\","
                        + "\"operator\":\"In\",\"values\":[\"b\"]}]}"));
        assertThat(pod.body()
                        .at("/spec/affinity/podAntiAffinity/preferredDuringSchedulingIgnoredDuringExecution/0"
                                + "/podAffinityTerm/labelSelector"))
                .isEqualTo(Json.read("{\"matchExpressions\":[{\"key\":\"a\",\"operator\":\"In\",\"values\":[\"b\"]},"
                        + "{\"key\":\"c\",\"operator\":\"NotIn\",\"values\":[\"d\"]}]}"));
        api.merge(PODS + "/p", "{\"metadata\":{\"labels\":{\"e\":\"f\"}}}").expect(200);
    }

    private Answer labelled(String fields) {
        return api.create(PODS, """
            {apiVersion: v1, kind: Pod, metadata: {name: p, labels: {a: b, c: d}}, spec: {%s,
              containers: [{name: c, image: i}]}}
            """.formatted(fields));
    }
}
