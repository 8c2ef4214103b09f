package io.fairlead.fleet.publication;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.fairlead.credentials.Pem;
import io.fairlead.credentials.pki.KeyedCertificate;
import io.fairlead.credentials.pki.SigningAuthority;
import io.fairlead.fleet.publication.BackendAuthorities.Serving;
import io.fairlead.fleet.root.RootApi;
import io.fairlead.fleet.root.RootCluster;
import io.netty.pkitesting.CertificateBuilder;
import io.netty.pkitesting.X509Bundle;
import java.security.GeneralSecurityException;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.time.Instant;
import java.util.Base64;
import java.util.Date;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.node.ObjectNode;

/** What signs the certificates of backends, and how another CA takes its place. */
final class BackendAuthoritiesTest {
    private static final String NAME = "things.apis.svc";
    private static final Duration MOMENT = Duration.ofSeconds(1);

    private final RootCluster root = new RootCluster(_ -> Optional.empty());
    private final RootApi api = new RootApi(root.root);
    private Instant now = Instant.parse("2026-01-02T03:04:05Z");
    private BackendAuthorities authorities = opened();

    /** What the APIServices have, which take what they are told. */
    private String trusted = "";

    private boolean isAway;

    /** Nothing that was made before is valid. */
    private boolean isUpset;

    @AfterEach
    void close() {
        root.close();
    }

    private BackendAuthorities opened() {
        return new BackendAuthorities(api, () -> now);
    }

    private Optional<String> untrusting(String bundle) {
        return trusted.equals(bundle) ? Optional.empty() : Optional.of("widgets in prod");
    }

    /** A second passes: the target, unless it is away, has been told what to trust, and the rotation goes on. */
    private Serving second() throws GeneralSecurityException {
        now = now.plus(MOMENT);
        Serving serving = authorities.certificate(NAME);
        if (!isAway) {
            trusted = serving.caBundle();
        }
        authorities.turn(this::untrusting);
        Serving after = authorities.certificate(NAME);
        if (!isUpset) {
            requireTrusted(after);
        }
        return after;
    }

    /** What is presented must be signed by something that the target has by now. */
    private void requireTrusted(Serving serving) throws GeneralSecurityException {
        X509Certificate leaf =
                Pem.certificates("leaf", serving.certificateChain()).getFirst();
        for (X509Certificate ca : Pem.certificates("bundle", trusted)) {
            if (ca.getSubjectX500Principal().equals(leaf.getIssuerX500Principal())) {
                leaf.verify(ca.getPublicKey());
                return;
            }
        }
        throw new AssertionError("presented by " + leaf.getIssuerX500Principal() + ", which the target does not trust");
    }

    private Serving seconds(int count) throws GeneralSecurityException {
        Serving serving = second();
        for (int each = 1; each < count; each++) {
            serving = second();
        }
        return serving;
    }

    private ObjectNode secret() {
        return api.get(RootApi.SECRETS, RootApi.SYSTEM_NAMESPACE, BackendAuthorities.SECRET)
                .orElseThrow();
    }

    private void annotate() {
        ObjectNode secret = secret();
        secret.withObjectProperty("metadata").withObjectProperty("annotations").put(BackendAuthorities.ROTATE, "now");
        api.update(RootApi.SECRETS, RootApi.SYSTEM_NAMESPACE, secret, "");
    }

    private List<String> keys() {
        return secret().path("data")
                .propertyStream()
                .map(Map.Entry::getKey)
                .sorted()
                .toList();
    }

    private int trustedCount() {
        return Pem.certificates("bundle", trusted).size();
    }

    @Test
    void certificate_isOfItsName_andStaysTheSame_alsoAcrossANewProcess_asFarAsItsCaGoes() throws Exception {
        Serving first = second();

        assertThat(seconds(3)).isEqualTo(first);
        X509Certificate leaf =
                Pem.certificates("leaf", first.certificateChain()).getFirst();
        assertThat(leaf.getSubjectAlternativeNames()).containsExactly(List.of(2, NAME));
        authorities = opened();
        assertThat(second().caBundle()).isEqualTo(first.caBundle());
        assertThat(keys()).containsExactly("tls.crt", "tls.key");
    }

    @Test
    void certificate_isRenewed_beforeItEnds_byTheSameCa() throws Exception {
        Serving first = second();
        now = now.plus(Duration.ofDays(299));
        assertThat(second()).isEqualTo(first);

        now = now.plus(Duration.ofDays(1));

        assertThat(second().certificateChain()).isNotEqualTo(first.certificateChain());
        assertThat(second().caBundle()).isEqualTo(first.caBundle());
    }

    @Test
    void anotherCa_isTrustedFirst_thenSigns_andThenTheOneBeforeIsTrustedNoMore() throws Exception {
        Serving first = second();
        annotate();

        assertThat(seconds(2).certificateChain()).isEqualTo(first.certificateChain());
        assertThat(keys()).contains("next.crt", "next.key");
        assertThat(secret().at("/metadata/annotations").has(BackendAuthorities.ROTATE))
                .isFalse();
        assertThat(trustedCount()).isEqualTo(2);
        Serving second = seconds(11);
        assertThat(second.certificateChain()).isNotEqualTo(first.certificateChain());
        assertThat(keys()).containsExactly("previous.crt", "tls.crt", "tls.key");
        assertThat(trustedCount()).isEqualTo(2);
        Serving last = seconds(12);
        assertThat(last.certificateChain()).isEqualTo(second.certificateChain());
        assertThat(keys()).containsExactly("tls.crt", "tls.key");
        assertThat(trustedCount()).isEqualTo(1);
        assertThat(trusted).doesNotContain(first.caBundle());
    }

    @Test
    void targetThatIsAway_isAwaited_andTheSettlingBeginsAnew() throws Exception {
        Serving first = second();
        isAway = true;
        annotate();
        assertThat(seconds(60).certificateChain()).isEqualTo(first.certificateChain());

        isAway = false;
        assertThat(seconds(9).certificateChain()).isEqualTo(first.certificateChain());
        trusted = first.caBundle();
        isAway = true;
        assertThat(seconds(60).certificateChain()).isEqualTo(first.certificateChain());
        isAway = false;

        assertThat(seconds(12).certificateChain()).isNotEqualTo(first.certificateChain());
    }

    @Test
    void newProcess_goesOnWhereTheOneBeforeWas() throws Exception {
        Serving first = second();
        annotate();
        for (int each = 0; each < 60; each++) {
            if (each % 12 == 0) {
                authorities = opened();
            }
            second();
        }

        assertThat(keys()).containsExactly("tls.crt", "tls.key");
        assertThat(trusted).isNotEqualTo(first.caBundle());
    }

    @Test
    void authorityThatEnds_isReplacedWithoutBeingAsked_andAtLastEvenIfATargetIsAway() throws Exception {
        Serving first = second();
        now = now.plus(Duration.ofDays(3650 - 402));
        second();
        assertThat(keys()).hasSize(2);

        now = now.plus(Duration.ofDays(3));
        second();
        assertThat(keys()).contains("next.crt");
        isAway = true;
        trusted = first.caBundle();
        String renewed = seconds(60).certificateChain();

        now = now.plus(Duration.ofDays(393));
        assertThatThrownBy(() -> seconds(20)).isInstanceOf(AssertionError.class);
        assertThat(authorities.certificate(NAME).certificateChain()).isNotEqualTo(renewed);
        assertThat(keys()).contains("previous.crt");
    }

    @Test
    void authorityOfTheAdministrator_isTakenAsTheNext() throws Exception {
        second();
        SigningAuthority own = SigningAuthority.create("own", now);
        change("next.crt", own.certificate(), "next.key", own.keyed().key());

        seconds(40);

        assertThat(trusted).isEqualTo(own.certificate());
    }

    @Test
    void authorityThatBeginsLater_isToldToAll_andSignsOnceItHasBegun() throws Exception {
        Serving first = second();
        SigningAuthority own = SigningAuthority.create("own", now.plus(Duration.ofDays(2)));
        change("next.crt", own.certificate(), "next.key", own.keyed().key());

        assertThat(seconds(40).certificateChain()).isEqualTo(first.certificateChain());
        assertThat(trusted).isEqualTo(first.caBundle() + own.certificate());
        now = now.plus(Duration.ofDays(2));
        seconds(40);

        assertThat(trusted).isEqualTo(own.certificate());
    }

    @Test
    void authorityInThePlaceOfTheOneThatSigns_isTakenAsTheNext() throws Exception {
        Serving first = second();
        SigningAuthority own = SigningAuthority.create("own", now);
        change("tls.crt", own.certificate(), "tls.key", own.keyed().key());

        assertThat(seconds(3).certificateChain()).isEqualTo(first.certificateChain());
        assertThat(keys()).contains("next.crt");
        seconds(40);

        assertThat(trusted).isEqualTo(own.certificate());
    }

    @ParameterizedTest
    @ValueSource(strings = {"rsa2048", "ed25519", "ecp384"})
    void authorityOfAnyKey_signs(String kind) throws Exception {
        second();
        X509Bundle own = new CertificateBuilder()
                .algorithm(CertificateBuilder.Algorithm.valueOf(kind))
                .subject("CN=" + kind)
                .notBefore(now.minus(Duration.ofDays(1)))
                .notAfter(now.plus(Duration.ofDays(365)))
                .setIsCertificateAuthority(true)
                .buildSelfSigned();
        // Without its last line feed, behind which another certificate would not be found.
        change("next.crt", own.getCertificatePEM().strip(), "next.key", own.getPrivateKeyPEM());

        seconds(40);

        assertThat(Pem.certificates("bundle", trusted)).containsExactly(own.getCertificate());
        assertThat(trusted).endsWith("-----END CERTIFICATE-----\n");
        assertThat(keys()).as("it is not replaced at once").hasSize(2);
    }

    @Test
    void keyBesideACertificate_isToldToNoTarget() throws Exception {
        second();
        SigningAuthority own = SigningAuthority.create("own", now);
        String both = own.certificate() + own.keyed().key();
        change("next.crt", both, "next.key", both);

        seconds(40);

        assertThat(trusted).isEqualTo(own.certificate());
    }

    @ParameterizedTest
    @ValueSource(strings = {"none", "of another", "no authority", "two", "constrained"})
    void whatCannotSign_changesNothing_alsoInANewProcess(String what) throws Exception {
        Serving first = second();
        SigningAuthority other = SigningAuthority.create("other", now);
        SigningAuthority third = SigningAuthority.create("third", now);
        KeyedCertificate leaf = other.serving("leaf", now);
        X509Bundle constrained = new CertificateBuilder()
                .ecp256()
                .subject("CN=constrained")
                .setIsCertificateAuthority(true)
                .addExtensionOctetString("2.5.29.30", true, new byte[] {0x30, 0})
                .buildSelfSigned();
        switch (what) {
            case "none" -> change("next.crt", other.certificate(), "next.key", "");
            case "of another" ->
                change(
                        "next.crt",
                        other.certificate(),
                        "next.key",
                        third.keyed().key());
            case "no authority" -> change("next.crt", leaf.certificate(), "next.key", leaf.key());
            case "two" ->
                change(
                        "next.crt",
                        other.certificate() + third.certificate(),
                        "next.key",
                        other.keyed().key());
            default -> change("next.crt", constrained.getCertificatePEM(), "next.key", constrained.getPrivateKeyPEM());
        }

        assertThat(seconds(60)).isEqualTo(first);

        authorities = opened();
        assertThat(second().caBundle()).isEqualTo(first.caBundle());
    }

    @Test
    void secretWithoutAnAuthority_isNamed() throws Exception {
        second();
        change("tls.crt", "nothing", "tls.key", "nothing");
        authorities = opened();

        assertThatThrownBy(this::second)
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageStartingWith("tls.crt, tls.key: certificate: no PEM block");
    }

    @Test
    void whatWasMadeWhileTheClockWasAhead_isMadeAnew_onceItIsRight() throws Exception {
        now = now.plus(Duration.ofDays(3000));
        Serving future = second();
        now = now.minus(Duration.ofDays(3000));
        authorities = opened();
        isUpset = true;

        Serving right = seconds(3);

        assertThat(right.caBundle()).isNotEqualTo(future.caBundle());
        X509Certificate leaf =
                Pem.certificates("leaf", right.certificateChain()).getFirst();
        leaf.checkValidity(Date.from(now));
    }

    @Test
    void requestDuringARotation_isAnsweredByAnotherOne() throws Exception {
        second();
        annotate();
        seconds(3);
        annotate();
        Serving first = seconds(30);

        assertThat(seconds(40).caBundle()).isNotEqualTo(first.caBundle());
        assertThat(secret().at("/metadata/annotations").has(BackendAuthorities.ROTATE))
                .isFalse();
    }

    private void change(String certificateKey, String certificate, String keyKey, String key) {
        ObjectNode secret = secret();
        ((ObjectNode) secret.path("data"))
                .put(certificateKey, encoded(certificate))
                .put(keyKey, encoded(key));
        api.update(RootApi.SECRETS, RootApi.SYSTEM_NAMESPACE, secret, "");
    }

    @Test
    void deletedSecret_isMadeAgainAsItWas() throws Exception {
        Serving first = second();
        api.delete(RootApi.SECRETS, RootApi.SYSTEM_NAMESPACE, BackendAuthorities.SECRET);

        assertThat(seconds(3)).isEqualTo(first);

        authorities = opened();
        assertThat(second().caBundle()).isEqualTo(first.caBundle());
    }

    private static String encoded(String text) {
        return Base64.getEncoder().encodeToString(text.getBytes(UTF_8));
    }
}
