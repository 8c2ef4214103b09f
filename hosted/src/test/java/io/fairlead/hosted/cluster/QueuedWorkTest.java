package io.fairlead.hosted.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/** What pods and Jobs may change before they run, as schedulers and queues need it. */
class QueuedWorkTest extends EveryKindFixture {
    private static final String PODS = "/api/v1/namespaces/default/pods";
    private static final String JOBS = "/apis/batch/v1/namespaces/default/jobs";

    @Test
    void podThatIsGated_isConfined_andItsGatesGo_butNothingWidensIt() {
        api.create(PODS, """
            apiVersion: v1
            kind: Pod
            metadata: {name: p}
            spec:
              schedulingGates: [{name: example.com/a}, {name: example.com/b}]
              nodeSelector: {zone: one}
              activeDeadlineSeconds: 100
              affinity: {nodeAffinity: {requiredDuringSchedulingIgnoredDuringExecution: {nodeSelectorTerms: [{matchExpressions: [{key: a, operator: Exists}]}]}}}
              containers: [{name: c, image: i}]
            """).expect(201);
        String pod = PODS + "/p";
        String terms = "{\"spec\":{\"affinity\":{\"nodeAffinity\":{\"requiredDuringSchedulingIgnoredDuringExecution\":"
                + "{\"nodeSelectorTerms\":[{\"matchExpressions\":[%s]}]}}}}}";

        api.merge(pod, "{\"spec\":{\"nodeSelector\":{\"disk\":\"ssd\"}}}").expect(200);
        api.merge(
                        pod,
                        terms.formatted(
                                "{\"key\":\"a\",\"operator\":\"Exists\"},{\"key\":\"b\",\"operator\":\"Exists\"}"))
                .expect(200);
        assertThat(api.merge(pod, "{\"spec\":{\"nodeSelector\":{\"zone\":\"two\"}}}")
                        .expect(422)
                        .message())
                .contains("only additions are allowed to spec.nodeSelector (no mutations or deletions)");
        assertThat(api.merge(pod, terms.formatted("{\"key\":\"b\",\"operator\":\"Exists\"}"))
                        .expect(422)
                        .message())
                .contains("only additions are allowed (no mutations or deletions)");
        assertThat(api.merge(pod, "{\"spec\":{\"activeDeadlineSeconds\":200}}")
                        .expect(422)
                        .message())
                .contains("must be less than or equal to previous value");
        assertThat(api.patch(
                                pod,
                                "[{\"op\":\"add\",\"path\":\"/spec/schedulingGates/-\",\"value\":{\"name\":\"example.com/c\"}}]")
                        .expect(422)
                        .message())
                .contains("only deletion is allowed, but found new scheduling gate 'example.com/c'");
        api.patch(pod, "[{\"op\":\"remove\",\"path\":\"/spec/schedulingGates/0\"}]")
                .expect(200);
        api.patch(pod, "[{\"op\":\"remove\",\"path\":\"/spec/schedulingGates\"}]")
                .expect(200);

        assertThat(api.merge(pod, "{\"spec\":{\"nodeSelector\":{\"more\":\"x\"}}}")
                        .expect(422)
                        .message())
                .contains("pod updates may not change fields other than");
    }

    @Test
    void jobThatIsSuspended_andNeverRan_mayChangeWhereItsPodsRunAndWhatTheyTake() {
        createJob("suspended", "suspend: true, ");
        createJob("running", "");
        String place = "{\"spec\":{\"template\":{\"spec\":{\"nodeSelector\":{\"a\":\"b\"}}}}}";

        api.merge(JOBS + "/suspended", place).expect(200);
        api.patch(JOBS + "/suspended", """
            [{"op": "add", "path": "/spec/template/spec/containers/0/resources", "value": {"requests": {"cpu": "2"}}},
             {"op": "add", "path": "/spec/template/metadata/labels/c", "value": "d"}]
            """).expect(200);
        assertThat(api.patch(JOBS + "/suspended", """
            [{"op": "replace", "path": "/spec/template/spec/containers/0/image", "value": "other"}]
            """).expect(422).message())
                .contains("spec.template", "field is immutable");
        api.merge(JOBS + "/running", place).expect(422);
        api.merge(JOBS + "/suspended/status", "{\"status\":{\"startTime\":\"2026-01-01T00:00:00Z\"}}")
                .expect(200);
        api.merge(JOBS + "/suspended", place.replace("b", "c")).expect(422);
    }

    @Test
    void completionsOfAnIndexedJob_changeTogetherWithItsParallelism() {
        createJob("indexed", "completionMode: Indexed, completions: 2, parallelism: 2, ");
        createJob("counted", "completions: 2, ");

        api.merge(JOBS + "/indexed", "{\"spec\":{\"completions\":5,\"parallelism\":5}}")
                .expect(200);
        assertThat(api.merge(JOBS + "/indexed", "{\"spec\":{\"completions\":6}}")
                        .expect(422)
                        .message())
                .contains("can only be modified in tandem with spec.parallelism");
        assertThat(api.merge(JOBS + "/counted", "{\"spec\":{\"completions\":6}}")
                        .expect(422)
                        .message())
                .contains("field is immutable");
    }

    private void createJob(String name, String spec) {
        api.create(JOBS, """
            apiVersion: batch/v1
            kind: Job
            metadata: {name: %s}
            spec: {%stemplate: {metadata: {labels: {a: b}}, spec: {restartPolicy: Never, containers: [{name: c, image: i}]}}}
            """.formatted(name, spec)).expect(201);
    }
}
