package io.fairlead.fleet;

import static org.assertj.core.api.Assertions.assertThat;

import io.fairlead.schema.json.Json;
import io.fairlead.schema.json.Yaml;
import io.netty.pkitesting.CertificateBuilder;
import io.netty.pkitesting.X509Bundle;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Base64;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.node.ObjectNode;

/** What no API server could make use of is told by the Secret and the key where it stands, before one is asked. */
class KeyMaterialTest {
    private static final String ENDPOINTS = "endpoints: ['https://10.0.0.1']";
    private static final String CREDENTIAL = ENDPOINTS + ", credentialSecretRef: {name: own}";
    private static final String TLS_CRT = "secret fairlead-system/own, key tls.crt";
    private static final String TLS_KEY = "secret fairlead-system/own, key tls.key";

    private final Map<String, ObjectNode> secrets = new HashMap<>();

    @ParameterizedTest
    @ValueSource(
            strings = {"", " \n", "s3cret s3cret", "s3cret\ns3cret", "s3cret\u0000", "s3cr\u00e9t", "s3cret\u007f"})
    void token_thatNoHeaderHolds_isToldWithoutTheValue(String token) {
        secret("own", Map.of("token", token));

        assertThat(fault(CREDENTIAL))
                .startsWith("secret fairlead-system/own, key token: the value ")
                .contains("expected one bearer token")
                .doesNotContain("s3cr");
    }

    @Test
    void token_isUsedWithoutTheSpaceAroundIt() {
        secret("own", Map.of("token", " s3cret\n"));

        assertThat(fault(CREDENTIAL)).isEmpty();
    }

    @Test
    void secretWithNeitherTokenNorCertificate_isToldWithBothPossibilities() {
        secret("own", Map.of("tokn", "s3cret"));

        assertThat(fault(CREDENTIAL))
                .isEqualTo("secret fairlead-system/own has no key tls.crt and no key token (expected token, or tls.crt"
                        + " with tls.key)");
    }

    @Test
    void secretWithAKubeconfig_isToldWhichFieldNamesIt() {
        secret("own", Map.of("kubeconfig", "x"));

        assertThat(fault(CREDENTIAL)).contains("token, or tls.crt with tls.key", "spec.attached.kubeconfigSecretRef");
    }

    @Test
    void certificateWithoutItsKey_isToldByTheKeyThatIsMissing() throws Exception {
        secret("own", Map.of("tls.crt", certificate().getCertificatePEM()));

        assertThat(fault(CREDENTIAL)).isEqualTo("secret fairlead-system/own has no key tls.key");
    }

    @Test
    void certificateAndKeyOfOneKind_thatDoNotFit_areTold() throws Exception {
        client(certificate().getCertificatePEM(), certificate().getPrivateKeyPEM());

        assertThat(fault(CREDENTIAL))
                .startsWith(TLS_KEY + ": it is not the key of the certificate")
                .contains("expected that of the first one in " + TLS_CRT);
    }

    @Test
    void certificateThatExpired_isToldWithItsEnd() throws Exception {
        Instant end = Instant.now().minus(1, ChronoUnit.HOURS).truncatedTo(ChronoUnit.SECONDS);
        X509Bundle expired = new CertificateBuilder()
                .ecp256()
                .subject("CN=client")
                .setIsCertificateAuthority(true)
                .notBefore(end.minus(1, ChronoUnit.DAYS))
                .notAfter(end)
                .buildSelfSigned();
        client(expired.getCertificatePEM(), expired.getPrivateKeyPEM());

        assertThat(fault(CREDENTIAL)).startsWith(TLS_CRT + ": the client certificate expired on " + end);
    }

    @Test
    void pemThatIsNone_isToldByItsKey() throws Exception {
        X509Bundle good = certificate();
        client("nonsense", good.getPrivateKeyPEM());
        assertThat(fault(CREDENTIAL)).startsWith(TLS_CRT + ": no PEM block \"CERTIFICATE\"");

        client(good.getCertificatePEM(), "nonsense");
        assertThat(fault(CREDENTIAL)).startsWith(TLS_KEY + ": no unencrypted PEM private key");

        client(good.getCertificatePEM(), "-----BEGIN PRIVATE KEY-----\nTk9ORQ==\n-----END PRIVATE KEY-----\n");
        assertThat(fault(CREDENTIAL)).startsWith(TLS_KEY + ": not an RSA, EC or Ed25519 private key");
    }

    @Test
    void caThatIsNone_isToldByWhereItStands() {
        secret("own", Map.of("token", "s3cret"));
        secret("authority", Map.of("ca.crt", "nonsense"));

        assertThat(fault(CREDENTIAL + ", caBundle: Y2E=")).startsWith("spec.attached.caBundle: no PEM block");
        assertThat(fault(CREDENTIAL + ", caSecretRef: {name: authority}"))
                .startsWith("secret fairlead-system/authority, key ca.crt: no PEM block");
        assertThat(fault(CREDENTIAL + ", crdRuntime: {endpoints: ['https://10.0.0.2'], caBundle: Y2E=}"))
                .startsWith("spec.attached.crdRuntime.caBundle: no PEM block");
    }

    @Test
    void kubeconfig_isToldByItsField() throws Exception {
        X509Bundle good = certificate();
        kubeconfig("client-certificate-data: " + encoded(good.getCertificatePEM()));
        assertThat(fault("kubeconfigSecretRef: {name: kube}"))
                .startsWith("secret fairlead-system/kube, key kubeconfig: user field \"client-key-data\" is missing");

        kubeconfig("client-certificate-data: " + encoded(good.getCertificatePEM()) + ", client-key-data: "
                + encoded(certificate().getPrivateKeyPEM()));
        assertThat(fault("kubeconfigSecretRef: {name: kube}"))
                .startsWith("secret fairlead-system/kube, key kubeconfig: user field \"client-key-data\": it is not");
    }

    @Test
    void crdRuntimeWithACredentialOfItsOwn_isToldByItsSecret() throws Exception {
        secret("base", Map.of("token", "s3cret"));
        client(certificate().getCertificatePEM(), certificate().getPrivateKeyPEM());

        assertThat(fault(
                        ENDPOINTS + ", credentialSecretRef: {name: base}, crdRuntime: {endpoints: ['https://10.0.0.2'],"
                                + " credentialSecretRef: {name: own}}"))
                .startsWith(TLS_KEY);
    }

    @Test
    void certificateThatCanBeUsed_isNoFault() throws Exception {
        X509Bundle good = certificate();
        client(good.getCertificatePEM(), good.getPrivateKeyPEM());

        assertThat(fault(CREDENTIAL)).isEmpty();
    }

    private String fault(String attached) {
        ObjectNode object =
                (ObjectNode) Yaml.read(("{spec: {attached: {" + attached + "}}}").getBytes(StandardCharsets.UTF_8));
        ClusterSpec.Attached spec = (ClusterSpec.Attached) ClusterSpec.of(object);
        return switch (Credentials.of(spec, name -> Optional.ofNullable(secrets.get(name)))) {
            case Credentials.Unusable unusable -> unusable.message();
            case Credentials.Resolved resolved -> fault(spec, resolved);
        };
    }

    private static String fault(ClusterSpec.Attached spec, Credentials.Resolved resolved) {
        try {
            KeyMaterial.requireUsable(spec, resolved, Instant.now());
            return "";
        } catch (IllegalArgumentException unusable) {
            return String.valueOf(unusable.getMessage());
        }
    }

    private void client(String certificate, String key) {
        secret("own", Map.of("tls.crt", certificate, "tls.key", key));
    }

    private void kubeconfig(String user) {
        secret(
                "kube",
                Map.of(
                        "kubeconfig",
                        "{current-context: c, contexts: [{name: c, context: {cluster: c, user: u}}], clusters: [{name:"
                                + " c, cluster: {server: 'https://10.0.0.1'}}], users: [{name: u, user: {" + user
                                + "}}]}"));
    }

    private void secret(String name, Map<String, String> values) {
        ObjectNode secret = Json.object();
        ObjectNode data = secret.putObject("data");
        values.forEach((key, value) -> data.put(key, encoded(value)));
        secrets.put(name, secret);
    }

    private static String encoded(String text) {
        return Base64.getEncoder().encodeToString(text.getBytes(StandardCharsets.UTF_8));
    }

    private static X509Bundle certificate() throws Exception {
        return new CertificateBuilder()
                .ecp256()
                .subject("CN=client")
                .setIsCertificateAuthority(true)
                .buildSelfSigned();
    }
}
