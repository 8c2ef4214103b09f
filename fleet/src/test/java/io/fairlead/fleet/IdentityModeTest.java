package io.fairlead.fleet;

import static io.fairlead.fleet.root.RootCluster.CLUSTERS;
import static io.fairlead.fleet.root.RootCluster.SECRETS;
import static io.fairlead.fleet.root.RootCluster.base64;
import static org.assertj.core.api.Assertions.assertThat;

import io.fairlead.fleet.root.RootCluster.Answer;
import io.netty.pkitesting.CertificateBuilder;
import io.netty.pkitesting.X509Bundle;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What goes with each way to present callers, and with which credential. */
final class IdentityModeTest extends RegistrationFixture {
    private static final String TOKEN = "endpoints: ['https://10.0.0.1'], credentialSecretRef: {name: shared}";
    private static final String CERTIFICATE = "endpoints: ['https://10.0.0.1'], credentialSecretRef: {name: proxy}";

    private static X509Bundle certificate(String subject) {
        try {
            return new CertificateBuilder()
                    .ecp256()
                    .subject(subject)
                    .setIsCertificateAuthority(true)
                    .buildSelfSigned();
        } catch (Exception e) {
            throw new IllegalStateException(e);
        }
    }

    private void storeCertificate(String subject) {
        X509Bundle own = certificate(subject);
        root.create(
                SECRETS,
                "{metadata: {name: proxy}, data: {tls.crt: " + base64(own.getCertificatePEM()) + ", tls.key: "
                        + base64(own.getPrivateKeyPEM()) + "}}");
    }

    @Test
    void eachWay_isTakenWithItsCredential() {
        storeCertificate("CN=front-proxy-client");

        assertThat(createAsAdmin("a", "{attached: {" + TOKEN + ", identity: Impersonate}}")
                        .code())
                .isEqualTo(201);
        assertThat(createAsAdmin("b", "{attached: {" + TOKEN + ", identity: Passthrough, tokenReview: true}}")
                        .code())
                .isEqualTo(201);
        assertThat(createAsAdmin("c", "{attached: {" + CERTIFICATE + ", identity: RequestHeader}}")
                        .code())
                .isEqualTo(201);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "spec.attached.tokenReview   | attached: {TOKEN, identity: Passthrough}",
                "spec.attached.tokenReview   | attached: {TOKEN, identity: Passthrough, tokenReview: false}",
                "spec.allowOwnIdentities     | allowOwnIdentities: false, attached: {PASSED}",
                "spec.attached.impersonation | attached: {PASSED, impersonation: {allowSystemMasters: true}}",
                "spec.attached.crdRuntime    | attached: {PASSED, crdRuntime: {endpoints: ['https://10.0.0.2']}}",
                "spec.attached.identity      | attached: {TOKEN, identity: Nothing}"
            })
    void passthrough_withWhatCannotGoWithIt_isInvalidNamingTheField(String field, String spec) {
        String full = spec.replace("PASSED", "TOKEN, identity: Passthrough, tokenReview: true")
                .replace("TOKEN", TOKEN);

        Answer answer = createAsAdmin("prod", "{" + full + "}");

        assertThat(answer.code()).as(answer.message()).isEqualTo(422);
        assertThat(answer.fields()).containsExactly(field);
    }

    @Test
    void credentialThatCannotPresentCallersSo_isInvalidSayingWhichIsExpected() {
        storeCertificate("CN=front-proxy-client");

        Answer passthrough =
                createAsAdmin("a", "{attached: {" + CERTIFICATE + ", identity: Passthrough, tokenReview: true}}");
        Answer requestHeader = createAsAdmin("b", "{attached: {" + TOKEN + ", identity: RequestHeader}}");

        assertThat(passthrough.code()).isEqualTo(422);
        assertThat(passthrough.message())
                .contains("secret fairlead-system/proxy: a client certificate (expected a token and nothing else");
        assertThat(requestHeader.code()).isEqualTo(422);
        assertThat(requestHeader.message())
                .contains("secret fairlead-system/shared: a token (expected a client certificate with its key")
                .doesNotContain("t0ken");
        assertThat(requestHeader.fields()).containsExactly("spec.attached.credentialSecretRef");
    }

    /** kubeconfigs may have both. */
    @ParameterizedTest
    @ValueSource(strings = {"Passthrough, tokenReview: true", "RequestHeader"})
    void kubeconfigWithTokenAndCertificate_isInvalid(String identity) {
        root.secret(
                "both",
                "kubeconfig",
                kubeconfig(
                        "server: https://10.0.0.1",
                        "token: t, client-certificate-data: Y2VydA==, client-key-data: a2V5",
                        "c"));

        Answer answer =
                createAsAdmin("prod", "{attached: {kubeconfigSecretRef: {name: both}, identity: " + identity + "}}");

        assertThat(answer.code()).as(answer.message()).isEqualTo(422);
        assertThat(answer.fields()).containsExactly("spec.attached.kubeconfigSecretRef");
    }

    @Test
    void certificateWithoutACommonName_isInvalid_sinceFairleadHasNoName() {
        storeCertificate("O=nameless");

        assertThat(createAsAdmin("prod", "{attached: {" + CERTIFICATE + ", identity: RequestHeader}}")
                        .message())
                .contains("a client certificate without a usable common name");
    }

    @Test
    void crdRuntimeOfAFrontProxy_takesACertificateToo() {
        storeCertificate("CN=front-proxy-client");
        String runtime = ", crdRuntime: {endpoints: ['https://10.0.0.2']%s}}}";
        String spec = "{attached: {" + CERTIFICATE + ", identity: RequestHeader" + runtime;

        assertThat(createAsAdmin("a", spec.formatted("")).code()).isEqualTo(201);
        Answer token = createAsAdmin("b", spec.formatted(", credentialSecretRef: {name: shared}"));
        assertThat(token.code()).isEqualTo(422);
        assertThat(token.fields()).containsExactly("spec.attached.crdRuntime.credentialSecretRef");
    }

    @Test
    void anotherWay_needsTheSecret_andItsCredential() {
        root.create(
                CLUSTERS,
                cluster("prod", "{attached: {endpoints: ['https://10.0.0.1'], credentialSecretRef: {name: private}}}"));

        Answer patch = patch("{spec: {attached: {identity: Passthrough, tokenReview: true}}}");

        assertThat(patch.code()).isEqualTo(403);
        assertThat(patch.message()).contains("\"private\"");
    }
}
