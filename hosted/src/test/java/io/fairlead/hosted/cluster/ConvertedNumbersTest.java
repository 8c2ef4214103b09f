package io.fairlead.hosted.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import io.fairlead.hosted.cluster.Api.Answer;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Numbers that their fields cannot hold, in configurations that are applied and in strategic merge patches: what these make is
 * converted, not decoded. Expected answers are those of a kube-apiserver 1.36 on amd64.
 */
class ConvertedNumbersTest extends EveryKindFixture {
    private static final String DEPLOYMENTS = "/apis/apps/v1/namespaces/default/deployments";
    private static final String DEPLOYMENT = """
        {apiVersion: apps/v1, kind: Deployment, metadata: {name: e}, spec: {replicas: %s, selector: {matchLabels: {a: b}},
         template: {metadata: {labels: {a: b}}, spec: {containers: [{name: c, image: i}]}}}}\
        """;
    private static final String POLICIES = "/apis/networking.k8s.io/v1/namespaces/default/networkpolicies";
    private static final String POLICY = """
        {apiVersion: networking.k8s.io/v1, kind: NetworkPolicy, metadata: {name: e}, spec: {podSelector: {},
         egress: [{ports: [{port: %s}]}]}}\
        """;

    @BeforeEach
    void createObjects() {
        api.create(DEPLOYMENTS, DEPLOYMENT.formatted(1)).expect(201);
        api.create(POLICIES, POLICY.formatted(1)).expect(201);
    }

    @ParameterizedTest
    @CsvSource({
        "-2147483649, 200, 2147483647",
        "10000000000000000000, 200, 0",
        "1e3, 200, 1000",
        "2.0, 200, 2",
        "3000000000, 422, Deployment.apps \"e\" is invalid: spec.replicas: Invalid value: -1294967296: must be greater"
                + " than or equal to 0",
    })
    void integer_keepsItsLastBits(String number, int code, String outcome) {
        for (Answer answer : new Answer[] {
            apply(DEPLOYMENTS, DEPLOYMENT.formatted(number)),
            strategic(DEPLOYMENTS, "{\"spec\":{\"replicas\":" + number + "}}")
        }) {
            assertThat(answer.expect(code).code() == 200 ? answer.at("/spec/replicas") : answer.message())
                    .isEqualTo(outcome);
        }
    }

    @Test
    void fraction_isRefused() {
        assertThat(apply(DEPLOYMENTS, DEPLOYMENT.formatted(1.5)).expect(500).message())
                .isEqualTo("failed to convert new object (/e; apps/v1, Kind=Deployment) to proper version: unable to"
                        + " convert unstructured object to apps/v1, Kind=Deployment: cannot convert float64 to"
                        + " int32");
        assertThat(strategic(DEPLOYMENTS, "{\"spec\":{\"replicas\":1.5}}")
                        .expect(422)
                        .message())
                .endsWith("Invalid value: \"map[spec:map[replicas:1.5]]\": cannot convert float64 to int32");
    }

    /** A port reads JSON itself. */
    @Test
    void port_isDecoded() {
        assertThat(apply(POLICIES, POLICY.formatted("3000000000")).expect(500).message())
                .endsWith("Kind=NetworkPolicy: json: cannot unmarshal number 3000000000 into Go value of type int32");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "{`replicas`:`x`} | unrecognized type: int32",
                "{`paused`:1} | unrecognized type: bool",
                "{`template`:{`spec`:{`dnsPolicy`:1}}} | cannot convert int64 to v1.DNSPolicy",
                "{`template`:{`spec`:{`dnsPolicy`:true}}} | unrecognized type: string",
                "{`selector`:`x`} | cannot restore struct from: string",
                "{`selector`:{`matchExpressions`:{}}} | cannot restore slice from map",
                "{`template`:{`spec`:{`nodeSelector`:[]}}} | cannot restore map from slice",
            })
    void otherType_isRefused_inAStrategicMergePatch(String spec, String problem) {
        Answer answer = strategic(DEPLOYMENTS, "{\"spec\":" + spec.replace('`', '"') + "}");

        assertThat(answer.expect(422).message()).endsWith("\": " + problem);
    }

    @Test
    void bytes_areDecoded() {
        api.create("/api/v1/namespaces/default/configmaps", "{apiVersion: v1, kind: ConfigMap, metadata: {name: e}}")
                .expect(201);

        Answer refused = strategic("/api/v1/namespaces/default/configmaps", "{\"binaryData\":{\"c\":\"-1\"}}");

        assertThat(refused.expect(422).message())
                .endsWith("\": error decoding from json: illegal base64 data at input byte 0");
    }

    private Answer apply(String path, String configuration) {
        return patch(path + "/e?fieldManager=ann&force=true&dryRun=All", "application/apply-patch+yaml", configuration);
    }

    private Answer strategic(String path, String patch) {
        return patch(path + "/e?dryRun=All", "application/strategic-merge-patch+json", patch);
    }

    private Answer patch(String target, String mediaType, String text) {
        return api.send("PATCH", target, mediaType, text.getBytes(StandardCharsets.UTF_8));
    }
}
