package io.fairlead.hosted.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import io.fairlead.hosted.cluster.Api.Answer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What is refused of pods, and what is made of them. Expected texts are those of a kube-apiserver 1.36. */
class PodRefusalsTest extends EveryKindFixture {
    private static final String PODS = "/api/v1/namespaces/default/pods";

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "dnsPolicy: X | dnsPolicy: Unsupported value: \"X\": supported values: \"ClusterFirstWithHostNet\","
                        + " \"ClusterFirst\", \"Default\", \"None\"",
                "dnsPolicy: None | dnsConfig: Required value: must provide `dnsConfig` when `dnsPolicy` is None",
                "dnsConfig: {nameservers: [x]} | dnsConfig.nameservers[0]: Invalid value: \"x\": must be a valid IP"
                        + " address, (e.g. 10.9.8.7 or 2001:db8::ffff)",
                "dnsConfig: {options: [{name: ''}]} | dnsConfig.options[0]: Required value: must not be empty",
                "hostAliases: [{ip: 010.0.0.1}] | hostAliases[0].ip: Invalid value: \"010.0.0.1\": must not have"
                        + " leading 0s",
                "schedulingGates: [{name: a}, {name: a}] | schedulingGates[1]: Duplicate value: \"a\"",
                "`schedulingGates: [{name: a}], nodeName: x` | nodeName: Forbidden: cannot be set until all"
                        + " schedulingGates have been cleared",
                "ephemeralContainers: [{name: e, image: i}] | ephemeralContainers: Forbidden: cannot be set on create",
                "os: {name: X} | os: Unsupported value: \"X\": supported values: \"linux\", \"windows\"",
                "`os: {name: windows}, securityContext: {runAsUser: 1}` | securityContext.runAsUser: Forbidden: cannot"
                        + " be set for a windows pod",
                "`hostPID: true, shareProcessNamespace: true` | securityContext.shareProcessNamespace: Invalid value:"
                        + " true: ShareProcessNamespace and HostPID cannot both be enabled",
                "`hostUsers: false, hostNetwork: true` | hostNetwork: Forbidden: when `hostUsers` is false",
                "securityContext: {fsGroup: -1} | securityContext.fsGroup: Invalid value: -1: must be between 0 and"
                        + " 2147483647, inclusive",
                "securityContext: {supplementalGroups: [-1]} | securityContext.supplementalGroups[0]: Invalid value:"
                        + " -1: must be between 0 and 2147483647, inclusive",
                "securityContext: {seccompProfile: {type: Localhost}} |"
                        + " securityContext.seccompProfile.localhostProfile: Required value: must be set when seccomp"
                        + " type is Localhost",
                "`securityContext: {seccompProfile: {type: RuntimeDefault, localhostProfile: a}}` |"
                        + " securityContext.seccompProfile.localhostProfile: Invalid value:"
                        + " {\"Type\":\"RuntimeDefault\",\"LocalhostProfile\":\"a\"}: can only be set when seccomp type"
                        + " is Localhost",
                "securityContext: {sysctls: [{name: a, value: b}, {name: a, value: b}]} |"
                        + " securityContext.sysctls[1].name: Duplicate value: \"a\"",
                "`tolerations: [{key: a, operator: Exists, tolerationSeconds: 3}]` | tolerations[0].effect: Invalid"
                        + " value: \"\": effect must be 'NoExecute' when `tolerationSeconds` is set",
                "`topologySpreadConstraints: [{maxSkew: 1, topologyKey: z, whenUnsatisfiable: ScheduleAnyway,"
                        + " minDomains: 2}]` | topologySpreadConstraints[0].minDomains: Invalid value: 2: can only use"
                        + " minDomains if whenUnsatisfiable=DoNotSchedule, not ScheduleAnyway",
                "`affinity: {podAffinity: {requiredDuringSchedulingIgnoredDuringExecution: [{topologyKey: a,"
                        + " matchLabelKeys: [b]}]}}` |"
                        + " affinity.podAffinity.requiredDuringSchedulingIgnoredDuringExecution[0].matchLabelKeys:"
                        + " Forbidden: must not be specified when labelSelector is not set",
                "resourceClaims: [{name: x}] | resourceClaims[0]: Invalid value:"
                        + " {\"Name\":\"x\",\"ResourceClaimName\":null,\"ResourceClaimTemplateName\":null}: must"
                        + " specify one of: `resourceClaimName`, `resourceClaimTemplateName`",
                "volumes: [{name: v, csi: {}}] | volumes[0].csi.driver: Required value",
                "volumes: [{name: v, image: {reference: a, pullPolicy: X}}] | volumes[0].image.pullPolicy: Unsupported"
                        + " value: \"X\": supported values: \"Always\", \"IfNotPresent\", \"Never\"",
                "volumes: [{name: v, downwardAPI: {items: [{path: a, resourceFieldRef: {resource: limits.cpu}}]}}] |"
                        + " volumes[0].downwardAPI.resourceFieldRef.containerName: Required value",
            })
    void pod_thatSaysWhatItMayNot_isRefused(String spec, String problem) {
        Answer refused = api.create(
                PODS,
                "{apiVersion: v1, kind: Pod, metadata: {name: p}, spec: {containers: [{name: c, image: i}], %s}}"
                        .formatted(spec));

        assertThat(refused.expect(422).message()).isEqualTo("Pod \"p\" is invalid: spec." + problem);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "image: ' i' | image: Invalid value: \" i\": must not have leading or trailing whitespace",
                "envFrom: [{}] | envFrom: Invalid value: \"\": must specify one of: `configMapRef` or `secretRef`",
                "restartPolicy: X | restartPolicy: Unsupported value: \"X\": supported values: \"Always\", \"Never\","
                        + " \"OnFailure\"",
                "`resizePolicy: [{resourceName: cpu, restartPolicy: X}]` | resizePolicy: Unsupported value: \"X\":"
                        + " supported values: \"NotRequired\", \"RestartContainer\"",
                "resources: {claims: [{name: x}]} | resources.claims[0]: Not found: \"x\": must be one of the names in"
                        + " pod.spec.resourceClaims which is empty",
                "resources: {requests: {a.b/c: 1}} | resources.limits: Required value: Limit must be set for non"
                        + " overcommitable resources",
                "`lifecycle: {preStop: {sleep: {seconds: 31}}}` | lifecycle.preStop.sleep: Invalid value: 31: must be"
                        + " non-negative and less than terminationGracePeriodSeconds (30)",
                "`readinessProbe: {exec: {command: [a]}, terminationGracePeriodSeconds: 1}` |"
                        + " readinessProbe.terminationGracePeriodSeconds: Invalid value: 1: must not be set for"
                        + " readinessProbes",
                "`env: [{name: A, valueFrom: {resourceFieldRef: {resource: limits.cpu, divisor: 3}}}]` |"
                        + " env[0].valueFrom.resourceFieldRef.divisor: Invalid value: \"limits.cpu\": only divisor's"
                        + " values 1m and 1 are supported with the cpu resource",
                "volumeDevices: [{name: x, devicePath: /d}] | volumeDevices[0].name: Not found: \"x\"",
                "`securityContext: {procMount: Unmasked}` | securityContext.procMount: Invalid value: \"Unmasked\":"
                        + " `hostUsers` must be false to use `Unmasked`",
            })
    void container_thatSaysWhatItMayNot_isRefused(String fields, String problem) {
        String image = fields.startsWith("image") ? "" : "image: i, ";
        Answer refused = api.create(
                PODS,
                "{apiVersion: v1, kind: Pod, metadata: {name: p}, spec: {containers: [{name: c, %s%s}]}}"
                        .formatted(image, fields));

        assertThat(refused.expect(422).message()).isEqualTo("Pod \"p\" is invalid: spec.containers[0]." + problem);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "mountPropagation: X | volumeMounts.mountPropagation: Unsupported value: \"X\": supported values:"
                        + " \"Bidirectional\", \"HostToContainer\", \"None\"",
                "mountPropagation: Bidirectional | volumeMounts.mountPropagation: Forbidden: Bidirectional mount"
                        + " propagation is available only to privileged containers",
                "subPath: /x | volumeMounts.subPath: Invalid value: \"/x\": must be a relative path",
                "recursiveReadOnly: Enabled | volumeMounts.recursiveReadOnly: Forbidden: may only be specified when"
                        + " readOnly is true",
            })
    void mount_thatSaysWhatItMayNot_isRefused(String fields, String problem) {
        Answer refused = api.create(PODS, """
            {apiVersion: v1, kind: Pod, metadata: {name: p}, spec: {volumes: [{name: v}], containers: [
              {name: c, image: i, volumeMounts: [{name: v, mountPath: /m, %s}]}]}}
            """.formatted(fields));

        assertThat(refused.expect(422).message()).isEqualTo("Pod \"p\" is invalid: spec.containers[0]." + problem);
    }

    @Test
    void podThatIsGated_saysThatItIsNotScheduled() {
        Answer pod = create("{containers: [{name: c, image: i}], schedulingGates: [{name: a}], serviceAccount: s}");

        assertThat(pod.at("/status/conditions/0/type")).isEqualTo("PodScheduled");
        assertThat(pod.at("/status/conditions/0/status")).isEqualTo("False");
        assertThat(pod.at("/status/conditions/0/reason")).isEqualTo("SchedulingGated");
        assertThat(pod.at("/spec/serviceAccountName")).isEqualTo("s");
    }

    @Test
    void status_keepsItsQualityAndPairsItsAddresses() {
        create("{containers: [{name: c, image: i}]}");

        Answer paired = api.merge(PODS + "/p/status", "{\"status\":{\"podIP\":\"1.2.3.4\"}}");
        assertThat(paired.expect(200).at("/status/podIPs/0/ip")).isEqualTo("1.2.3.4");
        assertThat(api.merge(PODS + "/p/status", "{\"status\":{\"qosClass\":\"Burstable\"}}")
                        .expect(422)
                        .message())
                .isEqualTo("Pod \"p\" is invalid: status.qosClass: Invalid value: \"Burstable\": field is immutable");
        assertThat(api.merge(PODS + "/p/status", "{\"status\":{\"qosClass\":null}}")
                        .expect(200)
                        .at("/status/qosClass"))
                .isEqualTo("BestEffort");
    }

    private Answer create(String spec) {
        return api.create(PODS, "{apiVersion: v1, kind: Pod, metadata: {name: p}, spec: %s}".formatted(spec))
                .expect(201);
    }
}
