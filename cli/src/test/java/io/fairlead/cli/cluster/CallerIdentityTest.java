package io.fairlead.cli.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import io.fairlead.cli.server.ExitCodes;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** {@code cluster attach --identity}. */
final class CallerIdentityTest extends ClusterAttachFixture {
    /** The same server with a certificate for its user. */
    private Path withCertificate() throws Exception {
        String token = Files.readString(folder.resolve("kubeconfig"));
        String pair = "client-certificate-data: " + base64(certificate.getCertificatePEM()) + ", client-key-data: "
                + base64(certificate.getPrivateKeyPEM());
        return Files.writeString(folder.resolve("with-certificate"), token.replace("token: t", pair));
    }

    private String registered() {
        return requests.stream()
                .filter(request -> request.startsWith("POST " + CLUSTER + " "))
                .findFirst()
                .orElseThrow();
    }

    @Test
    void impersonation_isTheDefault() {
        assertThat(attach()).as("%s", err).isZero();

        assertThat(registered())
                .contains("\"identity\":\"Impersonate\",\"impersonation\":{\"allowSystemMasters\":true}");
    }

    @Test
    void passthrough_hasTokensReviewed_andHoldsNoGroupsBack() {
        assertThat(attach("--identity", "passthrough")).as("%s", err).isZero();

        assertThat(registered())
                .contains("\"identity\":\"Passthrough\",\"tokenReview\":true")
                .doesNotContain("impersonation");
    }

    @Test
    void requestHeader_isRegisteredWithACertificate() throws Exception {
        assertThat(attach(
                        "--identity",
                        "request-header",
                        "--from-kubeconfig",
                        withCertificate().toString()))
                .as("%s", err)
                .isZero();

        assertThat(registered()).contains("\"identity\":\"RequestHeader\"");
    }

    @Test
    void credentialOfTheOtherForm_isRefused_andNothingStored() throws Exception {
        assertThat(attach("--identity", "request-header")).isEqualTo(1);
        assertThat(attach(
                        "--identity",
                        "passthrough",
                        "--from-kubeconfig",
                        withCertificate().toString()))
                .isEqualTo(1);

        assertThat(err.toString())
                .contains("the context has a token (expected a client certificate alone with identity RequestHeader")
                .contains("the context has a client certificate (expected a token alone with identity Passthrough")
                .contains("--create-service-account");
        assertThat(requests).noneMatch(request -> request.startsWith("POST "));
    }

    @ParameterizedTest
    @CsvSource({
        "--identity root, '--identity: \"root\" (expected impersonate, passthrough or request-header)'",
        "--identity request-header --create-service-account, --create-service-account makes a token",
        "--identity passthrough --replace, --identity are for a new registration"
    })
    void whatDoesNotGoTogether_isWrongUsage(String options, String message) {
        assertThat(attach(options.split(" "))).isEqualTo(ExitCodes.USAGE);

        assertThat(err.toString()).contains(message);
    }

    /** It is tried in the way in which it is used. */
    @Test
    void trialOfAnotherCredential_presentsCallersAsTheClusterDoes() {
        registered = "{\"attached\":{\"kubeconfigSecretRef\":{\"name\":\"cluster-prod\"},\"identity\":\"Passthrough\","
                + "\"tokenReview\":true}}";

        assertThat(attach("--replace", "--timeout", "5")).as("%s", err).isZero();

        assertThat(registered()).contains("\"identity\":\"Passthrough\",\"tokenReview\":true");
    }

    @Test
    void replacement_ofTheOtherForm_isRefused() throws Exception {
        registered = "{\"attached\":{\"kubeconfigSecretRef\":{\"name\":\"cluster-prod\"},\"identity\":\"Passthrough\","
                + "\"tokenReview\":true}}";

        assertThat(attach("--replace", "--from-kubeconfig", withCertificate().toString()))
                .isEqualTo(1);

        assertThat(err.toString()).contains("the context has a client certificate (expected a token alone");
    }
}
