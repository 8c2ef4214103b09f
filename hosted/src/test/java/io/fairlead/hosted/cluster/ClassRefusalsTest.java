package io.fairlead.hosted.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import io.fairlead.hosted.cluster.Api.Answer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What is refused of classes of volumes and runtimes, and of drivers. Expected texts are those of a kube-apiserver 1.36. */
class ClassRefusalsTest extends EveryKindFixture {
    private static final String QUALIFIED = "name part must consist of alphanumeric characters, '-', '_' or '.', and"
            + " must start and end with an alphanumeric character (e.g. 'MyName',  or 'my.name',  or '123-abc', regex"
            + " used for validation is '([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]')";

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "parameters: {'': x} | parameters: Invalid value: \"\": field can not be empty.",
                "allowedTopologies: [{matchLabelExpressions: [{key: a}]}] |"
                        + " allowedTopologies[0].matchLabelExpressions[0].values: Required value",
                "`allowedTopologies: [{matchLabelExpressions: [{key: a, values: [x, x]}]}]` |"
                        + " allowedTopologies[0].matchLabelExpressions[0].values[1]: Duplicate value: \"x\"",
                "`allowedTopologies: [{matchLabelExpressions: [{key: a, values: [x]}, {key: a, values: [z]}]}]` |"
                        + " allowedTopologies[0].matchLabelExpressions[1].key: Duplicate value: \"a\"",
                "`allowedTopologies: [{matchLabelExpressions: [{key: a b, values: [x]}]}]` |"
                        + " allowedTopologies[0].matchLabelExpressions[0].key: Invalid value: \"a b\": " + QUALIFIED,
                "`allowedTopologies: [{matchLabelExpressions: [{key: b, values: [c, d]}]},"
                        + " {matchLabelExpressions: [{key: b, values: [d, c]}]}]` |"
                        + " allowedTopologies[1].matchLabelExpressions: Duplicate value: \"\"",
                "allowedTopologies: [{}] | allowedTopologies[0].matchLabelExpressions: Duplicate value: \"\"",
            })
    void storageClass_thatSaysWhatItMayNot_isRefused(String fields, String problem) {
        Answer refused = api.create(
                "/apis/storage.k8s.io/v1/storageclasses",
                "{apiVersion: storage.k8s.io/v1, kind: StorageClass, metadata: {name: s}, provisioner: a, %s}"
                        .formatted(fields));

        assertThat(refused.expect(422).message()).isEqualTo("StorageClass.storage.k8s.io \"s\" is invalid: " + problem);
    }

    @Test
    void parameters_areOfABoundedSize() {
        Answer refused = api.create("/apis/storage.k8s.io/v1/storageclasses", """
            {apiVersion: storage.k8s.io/v1, kind: StorageClass, metadata: {name: s}, provisioner: a, parameters: {a: %s}}
            """.formatted("x".repeat(256 * 1024)));

        assertThat(refused.expect(422).message())
                .isEqualTo("StorageClass.storage.k8s.io \"s\" is invalid: parameters: Too long: may not be more than"
                        + " 262144 bytes");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "topologyKeys: [a, a] | Duplicate value: \"a\"",
                "topologyKeys: [a b] | Invalid value: \"a b\": " + QUALIFIED,
            })
    void topologyKeysOfADriver_areThoseOfLabels(String fields, String problem) {
        Answer refused = api.create("/apis/storage.k8s.io/v1/csinodes", """
            {apiVersion: storage.k8s.io/v1, kind: CSINode, metadata: {name: a}, spec: {drivers: [{name: a, nodeID: x, %s}]}}
            """.formatted(fields));

        assertThat(refused.expect(422).message())
                .isEqualTo("CSINode.storage.k8s.io \"a\" is invalid: spec.drivers[0]: " + problem);
    }

    @Test
    void idOfANode_isOfABoundedSize() {
        String id = "x".repeat(257);
        Answer refused = api.create("/apis/storage.k8s.io/v1/csinodes", """
            {apiVersion: storage.k8s.io/v1, kind: CSINode, metadata: {name: a}, spec: {drivers: [{name: a, nodeID: %s}]}}
            """.formatted(id));

        assertThat(refused.expect(422).message())
                .isEqualTo("CSINode.storage.k8s.io \"a\" is invalid: spec.drivers[0].nodeID: Invalid value: \"" + id
                        + "\": must be 256 characters or less");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "`tokenRequests: [{audience: a}, {audience: a}]` | tokenRequests[1].audience: Duplicate value: \"a\"",
                "`tokenRequests: [{audience: a, expirationSeconds: 1}]` | tokenRequests[0].expirationSeconds: Invalid"
                        + " value: 1: may not specify a duration less than 10 minutes",
                "`tokenRequests: [{audience: a, expirationSeconds: 9999999999}]` |"
                        + " tokenRequests[0].expirationSeconds: Invalid value: 9999999999: may not specify a duration"
                        + " larger than 2^32 seconds",
                "serviceAccountTokenInSecrets: true | serviceAccountTokenInSecrets: Invalid value: true:"
                        + " serviceAccountTokenInSecrets is set but no tokenRequests are specified",
            })
    void tokensOfADriver_areOfOneAudienceEach(String fields, String problem) {
        Answer refused = api.create(
                "/apis/storage.k8s.io/v1/csidrivers",
                "{apiVersion: storage.k8s.io/v1, kind: CSIDriver, metadata: {name: d}, spec: {%s}}".formatted(fields));

        assertThat(refused.expect(422).message())
                .isEqualTo("CSIDriver.storage.k8s.io \"d\" is invalid: spec." + problem);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "overhead: {podFixed: {a/b: 500m}} | overhead.limits[a/b]: Invalid value: \"500m\": must be an integer",
                "overhead: {podFixed: {pods: 1}} | overhead.limits[pods]: Invalid value: \"pods\": must be a standard"
                        + " resource for containers",
                "`scheduling: {tolerations: [{key: a, operator: Exists}, {key: a, operator: Exists}]}` |"
                        + " scheduling.tolerations[1]: Duplicate value: {\"Key\":\"a\",\"Operator\":\"Exists\","
                        + "\"Value\":\"\",\"Effect\":\"\",\"TolerationSeconds\":null}",
            })
    void runtimeClass_thatSaysWhatItMayNot_isRefused(String fields, String problem) {
        Answer refused = api.create(
                "/apis/node.k8s.io/v1/runtimeclasses",
                "{apiVersion: node.k8s.io/v1, kind: RuntimeClass, metadata: {name: r}, handler: h, %s}"
                        .formatted(fields));

        assertThat(refused.expect(422).message()).isEqualTo("RuntimeClass.node.k8s.io \"r\" is invalid: " + problem);
    }
}
