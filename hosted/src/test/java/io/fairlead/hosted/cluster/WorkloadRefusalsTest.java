package io.fairlead.hosted.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import io.fairlead.hosted.cluster.Api.Answer;
import io.fairlead.schema.json.Yaml;
import java.nio.charset.StandardCharsets;
import java.util.Locale;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What is refused of what makes pods and scales them. Expected texts are those of a kube-apiserver 1.36. */
class WorkloadRefusalsTest extends EveryKindFixture {
    private static final String APPS = "/apis/apps/v1/namespaces/default/";
    private static final String BATCH = "/apis/batch/v1/namespaces/default/";
    private static final String POD = "{restartPolicy: Never, containers: [{name: c, image: i}]}";

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "Deployment | strategy: {type: X} | spec.strategy: Unsupported value:"
                        + " {\"Type\":\"X\",\"RollingUpdate\":null}: supported values: \"Recreate\", \"RollingUpdate\"",
                "Deployment | strategy: {rollingUpdate: {maxUnavailable: 101%}} |"
                        + " spec.strategy.rollingUpdate.maxUnavailable: Invalid value: \"101%\": must not be greater"
                        + " than 100%",
                "DaemonSet | updateStrategy: {rollingUpdate: {maxUnavailable: 0}} |"
                        + " spec.updateStrategy.rollingUpdate.maxUnavailable: Required value: cannot be 0 when maxSurge"
                        + " is 0",
                "DaemonSet | updateStrategy: {rollingUpdate: {maxSurge: 1}} |"
                        + " spec.updateStrategy.rollingUpdate.maxSurge: Invalid value: 1: may not be set when"
                        + " maxUnavailable is non-zero",
                "StatefulSet | updateStrategy: {type: X} | spec.updateStrategy: Invalid value:"
                        + " {\"Type\":\"X\",\"RollingUpdate\":null}: must be 'RollingUpdate' or 'OnDelete'",
                "StatefulSet | persistentVolumeClaimRetentionPolicy: {whenDeleted: X} |"
                        + " spec.persistentVolumeClaimRetentionPolicy.whenDeleted: Unsupported value: \"X\": supported"
                        + " values: \"Retain\", \"Delete\"",
                "StatefulSet | ordinals: {start: -1} | spec.ordinals.start: Invalid value: -1: must be greater than or"
                        + " equal to 0",
            })
    void set_thatChangesItsPodsInNoWay_isRefused(String kind, String field, String problem) {
        assertThat(set(kind, "w", field).expect(422).message()).isEqualTo(kind + ".apps \"w\" is invalid: " + problem);
    }

    @Test
    void statefulSet_mountsItsClaims_andGivesItsPodsTheirNames() {
        String set = """
            {apiVersion: apps/v1, kind: StatefulSet, metadata: {name: %s}, spec: {serviceName: db,
              selector: {matchLabels: {a: b}}, template: {metadata: {labels: {a: b}}, spec: {hostname: A_B,
                subdomain: A_B, volumes: [{name: data, emptyDir: {}, secret: {}}, {name: conf, emptyDir: {}}],
                containers: [{name: c, image: i, volumeMounts: [{name: data, mountPath: /d}, {name: %s, mountPath: /c}],
                  volumeDevices: [{name: raw, devicePath: /dev/raw}]}]}},
              volumeClaimTemplates: [
                {metadata: {name: data}, spec: {accessModes: [ReadWriteOnce], resources: {requests: {storage: 1Gi}}}},
                {metadata: {name: raw}, spec: {accessModes: [ReadWriteOnce], volumeMode: Block,
                  resources: {requests: {storage: 1Gi}}}}]}}
            """;

        Answer taken = api.create(APPS + "statefulsets", set.formatted("taken", "conf"));
        Answer refused = api.create(APPS + "statefulsets", set.formatted("refused", "other"));

        assertThat(taken.expect(201).body().at("/spec/template/spec/hostname").asString())
                .isEqualTo("A_B");
        assertThat(refused.expect(422).message())
                .isEqualTo("StatefulSet.apps \"refused\" is invalid:"
                        + " spec.template.spec.containers[0].volumeMounts[1].name: Not found: \"other\"");
    }

    @Test
    void statefulSet_hasANameThatIsALabel_andASelectorThatCanBeRead() {
        assertThat(set("StatefulSet", "a.b", "replicas: 1").expect(422).message())
                .isEqualTo("StatefulSet.apps \"a.b\" is invalid: metadata.name: Invalid value: \"a.b\": must not"
                        + " contain dots");
        assertThat(set("Deployment", "w", "selector: {matchExpressions: [{key: a, operator: In}]}")
                        .expect(422)
                        .message())
                .isEqualTo(
                        "Deployment.apps \"w\" is invalid: [spec.selector.matchExpressions[0].values: Required value:"
                                + " must be specified when `operator` is 'In' or 'NotIn', spec.selector: Invalid value:"
                                + " {\"matchExpressions\":[{\"key\":\"a\",\"operator\":\"In\"}]}: invalid label"
                                + " selector]");
    }

    @Test
    void counts_arePartsOfAllReplicas() {
        set("Deployment", "w", "replicas: 1").expect(201);

        assertThat(api.merge(APPS + "deployments/w/status", "{\"status\":{\"replicas\":1,\"updatedReplicas\":2}}")
                        .expect(422)
                        .message())
                .isEqualTo("Deployment.apps \"w\" is invalid: status.updatedReplicas: Invalid value: 2: cannot be"
                        + " greater than status.replicas");
    }

    private Answer set(String kind, String name, String field) {
        String selector = field.startsWith("selector") ? "" : "selector: {matchLabels: {a: b}}, ";
        return api.create(APPS + kind.toLowerCase(Locale.ROOT) + "s", """
            {apiVersion: apps/v1, kind: %s, metadata: {name: %s}, spec: {%s%s,
              template: {metadata: {labels: {a: b}}, spec: {containers: [{name: c, image: i}]}}}}
            """.formatted(kind, name, selector, field));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "backoffLimitPerIndex: 1 | backoffLimitPerIndex: Invalid value: 1: requires indexed completion mode",
                "podFailurePolicy: {rules: [{action: FailJob}]} | podFailurePolicy.rules[0]: Invalid value: specifying"
                        + " one of OnExitCodes and OnPodConditions is required",
                "`podFailurePolicy: {rules: [{action: X, onExitCodes: {operator: In, values: [1]}}]}` |"
                        + " podFailurePolicy.rules[0].action: Unsupported value: \"X\": supported values: \"Count\","
                        + " \"FailIndex\", \"FailJob\", \"Ignore\"",
                "`podFailurePolicy: {rules: [{action: FailJob, onExitCodes: {operator: In, values: [2, 1]}}]}` |"
                        + " podFailurePolicy.rules[0].onExitCodes.values: Invalid value: [2,1]: must be ordered",
                "`completionMode: Indexed, completions: 1, successPolicy: {rules: [{succeededCount: 2}]}` |"
                        + " successPolicy.rules[0].succeededCount: Invalid value: 2: must be less than or equal to 1"
                        + " (the number of specified completions)",
                "managedBy: x | managedBy: Invalid value: \"x\": must be a domain-prefixed path (such as"
                        + " \"acme.io/foo\")",
                "`completionMode: Indexed, completions: 5, successPolicy: {rules: [{succeededIndexes: '1-x'}]}` |"
                        + " successPolicy.rules[0].succeededIndexes: Invalid value: \"1-x\": error parsing"
                        + " succeededIndexes: cannot convert string to integer for index: \"x\"",
                "`completionMode: Indexed, completions: 5, successPolicy: {rules: [{succeededIndexes: '3,1'}]}` |"
                        + " successPolicy.rules[0].succeededIndexes: Invalid value: \"3,1\": error parsing"
                        + " succeededIndexes: non-increasing order, previous: 3, current: 1",
                "`completionMode: Indexed, completions: 5, successPolicy: {rules: [{succeededIndexes: '2-2'}]}` |"
                        + " successPolicy.rules[0].succeededIndexes: Invalid value: \"2-2\": error parsing"
                        + " succeededIndexes: non-increasing order, previous: 2, current: 2",
                "`completionMode: Indexed, completions: 5, successPolicy: {rules: [{succeededIndexes: '1-7'}]}` |"
                        + " successPolicy.rules[0].succeededIndexes: Invalid value: \"1-7\": error parsing"
                        + " succeededIndexes: too large index: \"7\"",
                "`completionMode: Indexed, completions: 5, successPolicy: {rules: [{succeededIndexes: '0-1-2'}]}` |"
                    + " successPolicy.rules[0].succeededIndexes: Invalid value: \"0-1-2\": error parsing"
                    + " succeededIndexes: the fragment \"0-1-2\" violates the requirement that an index interval can"
                    + " have at most two parts separated by '-'",
                "`completionMode: Indexed, completions: 5, successPolicy: {rules: [{succeededIndexes: '0,2-3',"
                        + " succeededCount: 4}]}` | successPolicy.rules[0].succeededCount: Invalid value: 4: must be"
                        + " less than or equal to 3 (the number of indexes in the specified succeededIndexes field)",
                "`completionMode: Indexed, completions: 5, parallelism: 100001` | parallelism: Invalid value: 100001:"
                        + " must be less than or equal to 100000 when completion mode is Indexed",
                "`completionMode: Indexed, completions: 100001, backoffLimitPerIndex: 1` | maxFailedIndexes: Required"
                        + " value: must be specified when completions is above 100000",
                "`podFailurePolicy: {rules: [{action: Count, onExitCodes: {operator: In, values: [1, 1]}}]}` |"
                        + " podFailurePolicy.rules[0].onExitCodes.values[1]: Duplicate value: 1",
                "`podFailurePolicy: {rules: []}, podReplacementPolicy: TerminatingOrFailed` | podReplacementPolicy:"
                        + " Unsupported value: \"TerminatingOrFailed\": supported values: \"Failed\"",
                "`podFailurePolicy: {rules: [{onExitCodes: {operator: In, values: [1]}}]}` |"
                        + " podFailurePolicy.rules[0].action: Required value: valid values: [\"Count\" \"FailIndex\""
                        + " \"FailJob\" \"Ignore\"]",
            })
    void job_thatSaysWhatItMayNot_isRefused(String fields, String problem) {
        Answer refused = job("j", fields);

        assertThat(refused.expect(422).message()).isEqualTo("Job.batch \"j\" is invalid: spec." + problem);
    }

    @Test
    void job_hasANameThatItsPodsCanHave_andTheSelectorThatIsMadeForIt() {
        String name = "a".repeat(61);
        assertThat(job(name, "completionMode: Indexed, completions: 200")
                        .expect(422)
                        .message())
                .isEqualTo("Job.batch \"" + name + "\" is invalid: metadata.name: Invalid value: \"" + name
                        + "\": will not able to create pod with invalid DNS label: " + name + "-199");

        assertThat(job("j", "selector: {matchLabels: {a: b}}").expect(422).message())
                .contains(": `selector` not auto-generated");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "`conditions: [{type: Failed, status: 'True'}], startTime: '2020-01-01T00:00:00Z'` |"
                        + " status.conditions: Invalid value: cannot set Failed=True condition without the"
                        + " FailureTarget=true condition",
                "completionTime: '2020-01-01T00:00:00Z' | status.completionTime: Invalid value:"
                        + " \"2020-01-01T00:00:00Z\": cannot set completionTime when there is no Complete=True"
                        + " condition",
                "ready: 1 | status.ready: Invalid value: 1: cannot set more ready pods than active",
                "completedIndexes: 1-9 | status.completedIndexes: Invalid value: \"1-9\": error parsing"
                        + " completedIndexes: too large index: \"9\"",
                "failedIndexes: '1' | status.failedIndexes: Invalid value: \"1\": cannot set non-null failedIndexes"
                        + " when backoffLimitPerIndex is null",
                "`uncountedTerminatedPods: {succeeded: [a], failed: [a]}` |"
                        + " status.uncountedTerminatedPods.failed[0]: Duplicate value: \"a\"",
                "failed: 1 | status.failed: Invalid value: 1: cannot decrease the failed counter",
                "startTime: '2021-01-01T00:00:00Z' | status.startTime: Invalid value: \"2021-01-01T00:00:00Z\": field"
                        + " is immutable for unsuspended job once set",
            })
    void statusOfAJob_keepsWhatWasCounted_andEndsAsItMay(String fields, String problem) {
        job("j", "completionMode: Indexed, completions: 3, parallelism: 2").expect(201);
        api.merge(BATCH + "jobs/j/status", "{\"status\":{\"failed\":2,\"startTime\":\"2020-01-01T00:00:00Z\"}}")
                .expect(200);

        assertThat(status(fields).expect(422).message()).isEqualTo("Job.batch \"j\" is invalid: " + problem);
    }

    @Test
    void jobThatIsComplete_staysSo() {
        job("j", "parallelism: 1").expect(201);
        status("startTime: '2020-01-01T00:00:00Z', active: 1").expect(200);
        status("active: 0, completionTime: '2021-01-01T00:00:00Z', conditions: [{type: SuccessCriteriaMet,"
                        + " status: 'True'}, {type: Complete, status: 'True'}]")
                .expect(200);

        assertThat(status("conditions: [], completionTime: null").expect(422).message())
                .isEqualTo("Job.batch \"j\" is invalid: [status.conditions: Invalid value: cannot disable the terminal"
                        + " Complete=True condition, status.conditions: Invalid value: cannot disable the"
                        + " SuccessCriteriaMet=True condition]");
        assertThat(status("active: 1").expect(422).message())
                .isEqualTo("Job.batch \"j\" is invalid: status.active: Invalid value: 1: active>0 is invalid for"
                        + " finished job");
    }

    private Answer job(String name, String fields) {
        return api.create(
                BATCH + "jobs",
                "{apiVersion: batch/v1, kind: Job, metadata: {name: %s}, spec: {template: {spec: %s}, %s}}"
                        .formatted(name, POD, fields));
    }

    private Answer status(String fields) {
        byte[] patch = "{status: {%s}}".formatted(fields).getBytes(StandardCharsets.UTF_8);
        return api.merge(BATCH + "jobs/j/status", Yaml.read(patch).toString());
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "60 * * * * | end of range (60) above maximum (59): 60",
                "* * 0 * * | beginning of range (0) below minimum (1): 0",
                "5-1 * * * * | beginning of range (5) beyond end of range (1): 5-1",
                "*/0 * * * * | step of range should be a positive number: */0",
                "a * * * * | failed to parse int from a: strconv.Atoi: parsing \"a\": invalid syntax",
                "@x | unrecognized descriptor: @x",
                "TZ=UTC * * * * * | cannot use TZ or CRON_TZ in schedule, use timeZone field instead",
            })
    void schedule_thatCannotBeRead_isRefused(String schedule, String problem) {
        assertThat(cronJob("schedule: '" + schedule + "'").expect(422).message())
                .isEqualTo("CronJob.batch \"j\" is invalid: spec.schedule: Invalid value: \"" + schedule + "\": "
                        + problem);
    }

    @Test
    void schedule_isInATimeZone() {
        assertThat(cronJob("schedule: '@daily', timeZone: X/Y").expect(422).message())
                .isEqualTo("CronJob.batch \"j\" is invalid: spec.timeZone: Invalid value: \"X/Y\": unknown time zone"
                        + " X/Y");
        cronJob("schedule: '*/5 0-12/2 1,2 JAN ?', timeZone: Europe/Berlin").expect(201);
    }

    private Answer cronJob(String fields) {
        return api.create(BATCH + "cronjobs", """
            {apiVersion: batch/v1, kind: CronJob, metadata: {name: j}, spec: {
              jobTemplate: {spec: {template: {spec: %s}}}, %s}}
            """.formatted(POD, fields));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "metrics: [{type: Resource}] | metrics[0].resource: Required value: must populate information for the"
                        + " given metric source",
                "`metrics: [{type: Resource, resource: {name: cpu, target: {type: Utilization}}}]` |"
                        + " metrics[0].resource.target.averageUtilization: Required value: must set either a target raw"
                        + " value or a target utilization",
                "`metrics: [{type: Pods, pods: {metric: {name: a}, target: {type: Value, value: 1}}}]` |"
                        + " metrics[0].pods.target.averageValue: Required value: must specify a positive target"
                        + " averageValue",
                "behavior: {scaleUp: {stabilizationWindowSeconds: 3601}} |"
                    + " behavior.scaleUp.stabilizationWindowSeconds: Invalid value: 3601: must be less than or equal"
                    + " to 3600",
                "`behavior: {scaleUp: {policies: [{type: X, value: 1, periodSeconds: 1}]}}` |"
                        + " behavior.scaleUp.policies[0].type: Unsupported value: \"X\": supported values: \"Percent\","
                        + " \"Pods\"",
                "`behavior: {scaleDown: {policies: [{type: '', value: 1, periodSeconds: 1}]}}` |"
                        + " behavior.scaleDown.policies[0].type: Unsupported value: \"\": supported values:"
                        + " \"Percent\", \"Pods\"",
                "behavior: {scaleUp: {selectPolicy: ''}} | behavior.scaleUp.selectPolicy: Unsupported value: \"\":"
                        + " supported values: \"Disabled\", \"Max\", \"Min\"",
                "`metrics: [{type: Pods, pods: {metric: {name: a}, target: {type: AverageValue, averageValue: 0}}}]` |"
                        + " metrics[0].pods.target.averageValue: Invalid value: \"0\": must be positive",
                "`metrics: [{type: Resource, pods: {metric: {name: a}, target: {type: AverageValue, averageValue:"
                        + " 1}}}]` | metrics[0].resource: Required value: must populate information for the given"
                        + " metric source",
                "`metrics: [{type: ContainerResource, containerResource: {name: pods, container: a, target: {type:"
                        + " Utilization, averageUtilization: 1}}}]` | metrics[0].containerResource.name: Invalid"
                        + " value: \"pods\": must be a standard resource for containers",
                "`metrics: [{type: ContainerResource, containerResource: {name: requests.a/b, container: a, target:"
                        + " {type: Utilization, averageUtilization: 1}}}]` | metrics[0].containerResource.name:"
                        + " Invalid value: \"requests.a/b\": doesn't follow extended resource name standard",
                "`metrics: [{type: ContainerResource, containerResource: {name: cpu, container: A, target: {type:"
                        + " Utilization, averageUtilization: 1}}}]` | metrics[0].containerResource.container: Invalid"
                        + " value: \"A\": a lowercase RFC 1123 label must consist of lower case alphanumeric"
                        + " characters or '-', and must start and end with an alphanumeric character (e.g. 'my-name',"
                        + "  or '123-abc', regex used for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?')",
                "`metrics: [{type: Object, object: {describedObject: {kind: K, name: m, apiVersion: a/b/c}, metric:"
                        + " {name: a}, target: {type: Value, value: 1}}}]` |"
                        + " metrics[0].object.describedObject.apiVersion: Invalid value: \"a/b/c\": unexpected"
                        + " GroupVersion string: a/b/c",
                "`metrics: [{type: Object, object: {describedObject: {kind: K, name: m}, metric: {name: a, selector:"
                        + " {matchLabels: {'a b': c}}}, target: {type: Value, value: 0}}}]` |"
                        + " metrics[0].object.target.value: Invalid value: \"0\": must be positive",
            })
    void autoscaler_thatMeasuresNothing_isRefused(String fields, String problem) {
        assertThat(autoscaler("apps/v1", fields).expect(422).message())
                .isEqualTo("HorizontalPodAutoscaler.autoscaling \"h\" is invalid: spec." + problem);
    }

    @Test
    void autoscaler_thatScalesToNothing_measuresWhatIsOutside() {
        assertThat(autoscaler("apps/v1", "minReplicas: 0").expect(422).message())
                .isEqualTo("HorizontalPodAutoscaler.autoscaling \"h\" is invalid: [spec.minReplicas: Invalid value: 0:"
                        + " must be greater than or equal to 1, spec.metrics: Forbidden: must specify at least one"
                        + " Object or External metric to support scaling to zero replicas]");
    }

    @ParameterizedTest
    @CsvSource({
        "a/b/c, unexpected GroupVersion string: a/b/c",
        "/v1, apiVersion must specify API group",
        "v1, apiVersion must specify API group"
    })
    void whatAnAutoscalerScales_isOfAGroup(String version, String problem) {
        assertThat(autoscaler(version, "minReplicas: 1").expect(422).message())
                .isEqualTo("HorizontalPodAutoscaler.autoscaling \"h\" is invalid: spec.scaleTargetRef.apiVersion:"
                        + " Invalid value: \"" + version + "\": " + problem);
    }

    @Test
    void autoscaler_withSeveralSourcesOfAMetric_isToldOfTheFirst() {
        String sources = "metrics: [{type: Resource, resource: {name: cpu, target: {type: Utilization,"
                + " averageUtilization: 0}}, pods: {metric: {name: ''}, target: {type: AverageValue,"
                + " averageValue: 1}}}]";

        assertThat(autoscaler("apps/v1", sources).expect(422).message())
                .isEqualTo("HorizontalPodAutoscaler.autoscaling \"h\" is invalid: [spec.metrics[0].pods.metric.name:"
                        + " Required value: must specify a metric name, spec.metrics[0].pods: Forbidden: must populate"
                        + " the given metric source only]");
    }

    private Answer autoscaler(String version, String fields) {
        return api.create(
                "/apis/autoscaling/v2/namespaces/default/horizontalpodautoscalers", """
                    {apiVersion: autoscaling/v2, kind: HorizontalPodAutoscaler, metadata: {name: h}, spec: {
                      scaleTargetRef: {apiVersion: %s, kind: Deployment, name: d}, maxReplicas: 3, %s}}
                    """.formatted(version, fields));
    }
}
