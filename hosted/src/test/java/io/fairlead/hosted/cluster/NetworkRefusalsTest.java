package io.fairlead.hosted.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import io.fairlead.hosted.cluster.Api.Answer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What is refused of services, network policies, ingresses and signing requests. Expected texts are those of a kube-apiserver 1.36. */
class NetworkRefusalsTest extends EveryKindFixture {
    private static final String NETWORKING = "/apis/networking.k8s.io/v1/namespaces/default/";
    private static final String REQUESTS = "/apis/certificates.k8s.io/v1/certificatesigningrequests";

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "externalIPs: [x] | externalIPs[0]: Invalid value: \"x\": must be a valid IP address, (e.g. 10.9.8.7 or"
                        + " 2001:db8::ffff)",
                "externalIPs: [127.0.0.1] | externalIPs[0]: Invalid value: \"127.0.0.1\": may not be in the loopback"
                        + " range (127.0.0.0/8, ::1/128)",
                "trafficDistribution: X | trafficDistribution: Unsupported value: \"X\": supported values:"
                        + " \"PreferClose\", \"PreferSameZone\", \"PreferSameNode\"",
                "externalTrafficPolicy: X | externalTrafficPolicy: Invalid value: \"X\": may only be set for"
                        + " externally-accessible services",
                "`type: LoadBalancer, externalTrafficPolicy: X` | externalTrafficPolicy: Unsupported value: \"X\":"
                        + " supported values: \"Cluster\", \"Local\"",
                "`type: LoadBalancer, loadBalancerSourceRanges: [10.0.0.1/8]` | LoadBalancerSourceRanges[0]: Invalid"
                        + " value: \"10.0.0.1/8\": must not have bits set beyond the prefix length",
                "ipFamilies: [X] | ipFamilies[0]: Unsupported value: \"X\": supported values: \"IPv4\", \"IPv6\"",
                "clusterIP: x | clusterIPs[0]: Invalid value: \"x\": must be a valid IP address, (e.g. 10.9.8.7 or"
                        + " 2001:db8::ffff)",
                "clusterIPs: [None] | clusterIPs: Invalid value: [\"None\"]: must be empty when `clusterIP` is not"
                        + " specified",
            })
    void service_thatSaysWhatItMayNot_isRefused(String fields, String problem) {
        assertThat(service(fields).expect(422).message()).isEqualTo("Service \"s\" is invalid: spec." + problem);
    }

    @Test
    void service_hasAPolicyForTrafficFromOutside_andAName_hasNoneForTrafficInside() {
        assertThat(service("externalIPs: [1.2.3.4]").expect(201).at("/spec/externalTrafficPolicy"))
                .isEqualTo("Cluster");
        Answer named = api.merge(
                "/api/v1/namespaces/default/services/s",
                "{\"spec\":{\"type\":\"ExternalName\",\"externalName\":\"a.b\",\"externalIPs\":null}}");
        assertThat(named.expect(200).at("/spec/internalTrafficPolicy")).isEmpty();
    }

    private Answer service(String fields) {
        return api.create(
                "/api/v1/namespaces/default/services",
                "{apiVersion: v1, kind: Service, metadata: {name: s}, spec: {ports: [{port: 80}], %s}}"
                        .formatted(fields));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "cidr: '' | cidr: Required value",
                "cidr: x | cidr: Invalid value: \"x\": must be a valid CIDR value, (e.g. 10.9.8.0/24 or 2001:db8::/64)",
                "`cidr: 10.0.0.0/8, except: [11.0.0.0/16]` | except[0]: Invalid value: \"11.0.0.0/16\": must be a"
                        + " strict subset of `cidr`",
                "`cidr: 10.0.0.0/8, except: [10.0.0.0/8]` | except[0]: Invalid value: \"10.0.0.0/8\": must be a strict"
                        + " subset of `cidr`",
            })
    void block_thatIsNoRange_isRefused(String block, String problem) {
        Answer refused = api.create(NETWORKING + "networkpolicies", """
            {apiVersion: networking.k8s.io/v1, kind: NetworkPolicy, metadata: {name: p}, spec: {podSelector: {},
              ingress: [{from: [{ipBlock: {%s}}]}]}}
            """.formatted(block));

        assertThat(refused.expect(422).message())
                .isEqualTo(
                        "NetworkPolicy.networking.k8s.io \"p\" is invalid: spec.ingress[0].from[0].ipBlock." + problem);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "ingressClassName: '' | ingressClassName: Invalid value: \"\": a lowercase RFC 1123 subdomain must"
                        + " consist of lower case alphanumeric characters, '-' or '.', and must start and end with an"
                        + " alphanumeric character (e.g. 'example.com', regex used for validation is"
                        + " '[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*')",
                "`rules: [{host: 'a.*'}]` | rules[0].host: Invalid value: \"a.*\": a wildcard DNS-1123 subdomain must"
                        + " start with '*.', followed by a valid DNS subdomain, which must consist of lower case"
                        + " alphanumeric characters, '-' or '.' and end with an alphanumeric character (e.g."
                        + " '*.example.com', regex used for validation is"
                        + " '\\*\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*')",
            })
    void ingress_thatSaysWhatItMayNot_isRefused(String fields, String problem) {
        Answer refused = api.create(NETWORKING + "ingresses", """
            {apiVersion: networking.k8s.io/v1, kind: Ingress, metadata: {name: i}, spec: {
              defaultBackend: {service: {name: s, port: {number: 80}}}, %s}}
            """.formatted(fields));

        assertThat(refused.expect(422).message())
                .isEqualTo("Ingress.networking.k8s.io \"i\" is invalid: spec." + problem);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "`signerName: x, usages: [any], request: %s` | signerName: Invalid value: \"x\": must be a fully"
                        + " qualified domain and path of the form 'example.com/signer-name'",
                "`signerName: kubernetes.io/legacy-unknown, usages: [any], request: %s` | signerName: Invalid value:"
                    + " \"kubernetes.io/legacy-unknown\": the legacy signerName is not allowed via this API version",
                "`signerName: a.b/c, usages: [any, any], request: %s` | usages[1]: Duplicate value: \"any\"",
                "`signerName: a.b/c, usages: [any], expirationSeconds: 599, request: %s` | expirationSeconds: Invalid"
                        + " value: 599: may not specify a duration less than 600 seconds (10 minutes)",
                "`signerName: a.b/c, usages: [any], request: eA==` | request: Invalid value: \"eA==\": PEM block type"
                        + " must be CERTIFICATE REQUEST",
            })
    void signingRequest_thatSaysWhatItMayNot_isRefused(String spec, String problem) {
        assertThat(request(spec).expect(422).message())
                .isEqualTo("CertificateSigningRequest.certificates.k8s.io \"r\" is invalid: spec." + problem);
    }

    @Test
    void signedCertificate_isOne() {
        request("signerName: a.b/c, usages: [any], request: %s").expect(201);

        String status = "{\"status\":{\"certificate\":\"%s\"}}";
        String refused = "CertificateSigningRequest.certificates.k8s.io \"r\" is invalid: status.certificate: Invalid"
                + " value: \"<certificate data>\": ";
        assertThat(api.merge(REQUESTS + "/r/status", status.formatted(SigningFixture.REQUEST))
                        .expect(422)
                        .message())
                .isEqualTo(refused + "only CERTIFICATE PEM blocks are allowed, found \"CERTIFICATE REQUEST\"");
        assertThat(api.merge(REQUESTS + "/r/status", status.formatted("eA=="))
                        .expect(422)
                        .message())
                .isEqualTo(refused + "must contain at least one CERTIFICATE PEM block");
        api.merge(REQUESTS + "/r/status", status.formatted(SigningFixture.CERTIFICATE))
                .expect(200);
    }

    private Answer request(String spec) {
        return api.create(
                REQUESTS,
                "{apiVersion: certificates.k8s.io/v1, kind: CertificateSigningRequest, metadata: {name: r}, spec: {%s}}"
                        .formatted(spec.formatted(SigningFixture.REQUEST)));
    }
}
