package io.fairlead.hosted.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The causes of a refusal stand in the order in which a kube-apiserver 1.36 tells of them, from which the fields are taken. */
class CauseOrderTest extends EveryKindFixture {
    private static final String APPS = "/apis/apps/v1/namespaces/default/";
    private static final String BATCH = "/apis/batch/v1/namespaces/default/";

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "deployments | {replicas: -1, minReadySeconds: -1, revisionHistoryLimit: -1, progressDeadlineSeconds:"
                    + " -2, strategy: {type: Odd}, template: {}} | spec.replicas spec.selector"
                    + " spec.template.metadata.labels spec.template.spec.containers spec.strategy spec.minReadySeconds"
                    + " spec.revisionHistoryLimit spec.progressDeadlineSeconds spec.progressDeadlineSeconds",
                "deployments | {selector: {matchLabels: {a: b}}, template: {metadata: {labels: {a b: c}}, spec:"
                        + " {containers: [{name: c}], restartPolicy: Never}}, strategy: {type: Recreate, rollingUpdate:"
                        + " {}}} | spec.template.metadata.labels spec.template.labels"
                        + " spec.template.spec.containers[0].image spec.template.spec.restartPolicy"
                        + " spec.strategy.rollingUpdate",
                "statefulsets | {template: {}, updateStrategy: {type: RollingUpdate, rollingUpdate: {partition: -1}}} |"
                        + " spec.updateStrategy.rollingUpdate.partition spec.selector spec.template.metadata.labels"
                        + " spec.template.spec.containers",
                "daemonsets | {selector: {}, template: {}, minReadySeconds: -1, revisionHistoryLimit: -1,"
                        + " updateStrategy: {type: Odd}} | spec.selector spec.template.spec.containers"
                        + " spec.minReadySeconds spec.updateStrategy spec.revisionHistoryLimit",
                "replicasets | {replicas: -1, selector: {matchLabels: {a b: c}}, template: {}} | spec.replicas"
                        + " spec.selector.matchLabels spec.selector",
            })
    void workload_tellsOfItsSelectorBeforeItsTemplate(String resource, String spec, String fields) {
        String kind = switch (resource) {
            case "deployments" -> "Deployment";
            case "statefulsets" -> "StatefulSet";
            case "daemonsets" -> "DaemonSet";
            default -> "ReplicaSet";
        };
        assertThat(fields(APPS + resource, "apps/v1", kind, "spec: " + spec)).isEqualTo(fields);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "{template: {}} | spec.template.spec.containers spec.template.spec.restartPolicy",
                "{selector: {matchLabels: {a: b}}, template: {spec: {restartPolicy: Never, containers: [{name: c}]}}} |"
                        + " spec.selector spec.template.spec.containers[0].image spec.template.metadata.labels",
                "{manualSelector: true, template: {spec: {restartPolicy: Never, containers: [{name: c, image: x}]}}} |"
                        + " spec.selector spec.template.metadata.labels",
                "{manualSelector: true, selector: {matchExpressions: [{key: a, operator: Odd}]}, template: {spec:"
                        + " {restartPolicy: Never, containers: [{name: c, image: x}]}}} |"
                        + " spec.selector.matchExpressions[0].operator",
            })
    void job_tellsOfItsContainersBeforeItsRestartPolicy(String spec, String fields) {
        assertThat(fields(BATCH + "jobs", "batch/v1", "Job", "spec: " + spec)).isEqualTo(fields);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "{jobTemplate: {spec: {parallelism: -1, template: {}}}, failedJobsHistoryLimit: -1, concurrencyPolicy:"
                        + " Odd} | spec.schedule spec.concurrencyPolicy spec.jobTemplate.spec.parallelism"
                        + " spec.jobTemplate.spec.template.spec.containers"
                        + " spec.jobTemplate.spec.template.spec.restartPolicy spec.failedJobsHistoryLimit",
                "{schedule: '* * * * *', jobTemplate: {spec: {selector: {matchLabels: {a b: c}}, template: {spec:"
                        + " {restartPolicy: Never, containers: [{name: c}]}}}}} |"
                        + " spec.jobTemplate.spec.template.spec.containers[0].image spec.jobTemplate.spec.selector",
            })
    void cronJob_tellsOfItsJobsAmongItsFields(String spec, String fields) {
        assertThat(fields(BATCH + "cronjobs", "batch/v1", "CronJob", "spec: " + spec))
                .isEqualTo(fields);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "validating | {name: odd, rules: [{}], clientConfig: {}, sideEffects: Odd, admissionReviewVersions:"
                        + " [v9]} | webhooks[0].name webhooks[0].rules[0].operations webhooks[0].rules[0].apiGroups"
                        + " webhooks[0].rules[0].apiVersions webhooks[0].rules[0].resources webhooks[0].sideEffects"
                        + " webhooks[0].clientConfig webhooks[0].admissionReviewVersions",
                "mutating | {name: a.b.c, timeoutSeconds: 90, reinvocationPolicy: Odd, failurePolicy: Odd,"
                    + " admissionReviewVersions: [v1], clientConfig: {service: {path: x}}} | webhooks[0].failurePolicy"
                    + " webhooks[0].sideEffects webhooks[0].timeoutSeconds webhooks[0].reinvocationPolicy"
                    + " webhooks[0].clientConfig.service.name webhooks[0].clientConfig.service.namespace"
                    + " webhooks[0].clientConfig.service.path webhooks[0].clientConfig.service.path",
            })
    void webhook_tellsOfItsClientAfterItsSideEffects(String kind, String webhook, String fields) {
        String whole = kind.equals("validating") ? "ValidatingWebhookConfiguration" : "MutatingWebhookConfiguration";
        assertThat(fields(
                        "/apis/admissionregistration.k8s.io/v1/" + kind + "webhookconfigurations",
                        "admissionregistration.k8s.io/v1",
                        whole,
                        "webhooks: [" + webhook + "]"))
                .isEqualTo(fields);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "{restartPolicy: Odd, dnsPolicy: Odd, hostname: A_, nodeName: A_, volumes: [{name: B_}],"
                        + " containers: [{image: x, imagePullPolicy: Odd, volumeMounts: [{name: none, mountPath: /a}],"
                        + " ports: [{containerPort: 0}]}, {name: a}], tolerations: [{key: a b}]} | spec.volumes[0].name"
                        + " spec.containers[0].name spec.containers[0].ports[0].containerPort"
                        + " spec.containers[0].volumeMounts[0].name spec.containers[0].imagePullPolicy"
                        + " spec.containers[1].image spec.restartPolicy spec.dnsPolicy spec.nodeName spec.hostname"
                        + " spec.tolerations[0].key",
            })
    void pod_tellsOfItsVolumesAndContainersFirst(String spec, String fields) {
        assertThat(fields("/api/v1/namespaces/default/pods", "v1", "Pod", "spec: " + spec))
                .isEqualTo(fields);
    }

    /** The fields of the causes of which a new object is refused, in their order. */
    private String fields(String path, String apiVersion, String kind, String content) {
        List<String> fields = api.create(
                        path,
                        "{apiVersion: %s, kind: %s, metadata: {name: t}, %s}".formatted(apiVersion, kind, content))
                .expect(422)
                .body()
                .at("/details/causes")
                .valueStream()
                .map(cause -> cause.path("field").asString(""))
                .toList();
        return String.join(" ", fields);
    }
}
