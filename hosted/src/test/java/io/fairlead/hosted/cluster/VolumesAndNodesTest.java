package io.fairlead.hosted.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import io.fairlead.hosted.cluster.Api.Answer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What is refused of volumes, claims and nodes, and what is made of them. Expected texts are those of a kube-apiserver 1.36. */
class VolumesAndNodesTest extends EveryKindFixture {
    private static final String CLAIMS = "/api/v1/namespaces/default/persistentvolumeclaims";
    private static final String VOLUMES = "/api/v1/persistentvolumes";
    private static final String NODES = "/api/v1/nodes";

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "dataSource: {kind: PersistentVolumeClaim, name: a} | a | a",
                "dataSource: {apiGroup: snapshot.storage.k8s.io, kind: VolumeSnapshot, name: a} | a | a",
                "dataSource: {apiGroup: x.io, kind: Filler, name: a} | `` | ``",
                "dataSourceRef: {apiGroup: x.io, kind: Filler, name: a} | a | a",
                "dataSourceRef: {kind: PersistentVolumeClaim, name: a, namespace: b} | `` | ``",
            })
    void claim_saysInBothFieldsWhatFillsIt(String field, String source, String reference) {
        Answer claim = claim(field).expect(201);

        assertThat(claim.at("/spec/dataSource/name")).isEqualTo(source);
        assertThat(claim.at("/spec/dataSourceRef/name")).isEqualTo(reference);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "dataSource: {kind: PersistentVolumeClaim, name: ''} | [spec.dataSource.name: Required value,"
                        + " spec.dataSourceRef.name: Required value]",
                "dataSourceRef: {kind: Pod, name: a} | [spec.dataSource: Invalid value: \"Pod\": must be"
                        + " 'PersistentVolumeClaim' when referencing the default apiGroup, spec.dataSourceRef: Invalid"
                        + " value: \"Pod\": must be 'PersistentVolumeClaim' when referencing the default apiGroup]",
                "`dataSource: {kind: PersistentVolumeClaim, name: a}, dataSourceRef: {kind: PersistentVolumeClaim,"
                        + " name: b}` | spec: Invalid value: {}: must match dataSourceRef",
            })
    void claim_thatIsFilledWrongly_isRefused(String fields, String problem) {
        assertThat(claim(fields).expect(422).message()).isEqualTo("PersistentVolumeClaim \"c\" is invalid: " + problem);
    }

    private Answer claim(String fields) {
        return api.create(CLAIMS, """
            {apiVersion: v1, kind: PersistentVolumeClaim, metadata: {name: c}, spec: {
              accessModes: [ReadWriteOnce], resources: {requests: {storage: 1Gi}}, %s}}
            """.formatted(fields));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "`hostPath: {path: /a}, volumeMode: X` | volumeMode: Unsupported value: \"X\": supported values:"
                        + " \"Block\", \"Filesystem\"",
                "`hostPath: {path: /}, persistentVolumeReclaimPolicy: Recycle` | persistentVolumeReclaimPolicy:"
                        + " Forbidden: may not be 'recycle' for a hostPath mount of '/'",
                "nfs: {server: a, path: x} | nfs.path: Invalid value: \"x\": must be an absolute path",
                "csi: {driver: a} | csi.volumeHandle: Required value",
                "local: {path: /a} | nodeAffinity: Required value: Local volume requires node affinity",
                "`hostPath: {path: /a}, nodeAffinity: {}` | nodeAffinity.required: Required value: must specify"
                        + " required node constraints",
                "`hostPath: {path: /a}, volumeAttributesClassName: a` | csi: Required value: has to be specified when"
                        + " using volumeAttributesClassName",
            })
    void volume_thatSaysWhatItMayNot_isRefused(String fields, String problem) {
        assertThat(volume(fields).expect(422).message())
                .isEqualTo("PersistentVolume \"v\" is invalid: spec." + problem);
    }

    @Test
    void nodesOfAVolume_stayTheSame() {
        volume("hostPath: {path: /a}, nodeAffinity: {required: {nodeSelectorTerms: [{matchExpressions: [{key: a,"
                        + " operator: Exists}]}]}}")
                .expect(201);

        assertThat(api.merge(VOLUMES + "/v", "{\"spec\":{\"nodeAffinity\":null}}")
                        .expect(422)
                        .message())
                .isEqualTo("PersistentVolume \"v\" is invalid: nodeAffinity: Invalid value: null: field is immutable,"
                        + " except for updating from beta label to GA");
    }

    @Test
    void secretForEnlargingAVolume_isNamedOnce() {
        volume("csi: {driver: a, volumeHandle: b}").expect(201);

        String patch = "{\"spec\":{\"csi\":{\"controllerExpandSecretRef\":{\"name\":\"%s\",\"namespace\":\"n\"}}}}";
        api.merge(VOLUMES + "/v", patch.formatted("first")).expect(200);
        api.merge(VOLUMES + "/v", patch.formatted("second")).expect(422);
    }

    private Answer volume(String fields) {
        return api.create(VOLUMES, """
            {apiVersion: v1, kind: PersistentVolume, metadata: {name: v}, spec: {
              accessModes: [ReadWriteOnce], capacity: {storage: 1Gi}, %s}}
            """.formatted(fields));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "spec: {podCIDR: x} | spec.podCIDRs[0]: Invalid value: \"x\": must be a valid CIDR value, (e.g."
                        + " 10.9.8.0/24 or 2001:db8::/64)",
                "spec: {podCIDR: 10.0.0.1/24} | spec.podCIDRs[0]: Invalid value: \"10.0.0.1/24\": must not have bits"
                        + " set beyond the prefix length",
                "`spec: {podCIDRs: [10.0.0.0/24, 10.1.0.0/24]}` | spec.podCIDRs: Invalid value:"
                        + " [\"10.0.0.0/24\",\"10.1.0.0/24\"]: may specify no more than one CIDR for each IP family",
                "spec: {taints: [{key: a, effect: X}]} | metadata.taints[0].effect: Unsupported value: \"X\": supported"
                        + " values: \"NoSchedule\", \"PreferNoSchedule\", \"NoExecute\"",
                "`spec: {taints: [{key: a, effect: NoExecute}, {key: a, effect: NoExecute}]}` | metadata.taints[1]:"
                        + " Duplicate value: {\"Key\":\"a\",\"Value\":\"\",\"Effect\":\"NoExecute\","
                        + "\"TimeAdded\":null}: taints must be unique by key and effect pair",
            })
    void node_thatSaysWhatItMayNot_isRefused(String fields, String problem) {
        assertThat(node(fields).expect(422).message()).isEqualTo("Node \"node\" is invalid: " + problem);
    }

    @Test
    void addressesAndProviderOfANode_areGivenOnce() {
        Answer node = node("spec: {podCIDR: 10.0.0.0/24}").expect(201);
        assertThat(node.at("/spec/podCIDRs/0")).isEqualTo("10.0.0.0/24");

        api.merge(NODES + "/node", "{\"spec\":{\"providerID\":\"a\"}}").expect(200);
        assertThat(api.merge(NODES + "/node", "{\"spec\":{\"providerID\":\"b\",\"podCIDR\":\"10.0.1.0/24\"}}")
                        .expect(422)
                        .message())
                .isEqualTo("Node \"node\" is invalid: [spec.podCIDRs: Forbidden: node updates may not change podCIDR"
                        + " except from \"\" to valid, spec.providerID: Forbidden: node updates may not change"
                        + " providerID except from \"\" to valid]");
    }

    private Answer node(String fields) {
        return api.create(NODES, "{apiVersion: v1, kind: Node, metadata: {name: node}, %s}".formatted(fields));
    }
}
