package io.fairlead.fleet;

import static io.fairlead.fleet.root.RootCluster.ADMIN;
import static io.fairlead.fleet.root.RootCluster.SECRETS;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.fairlead.clustersync.source.Finding;
import io.fairlead.fleet.root.RootCluster;
import io.fairlead.schema.json.Json;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Which tokens are renewed, when, and where the new one is stored. */
final class TokenRenewalsTest extends TokenRenewalsFixture {
    @Test
    void token_ofWhichAThirdIsLeft_isReplacedInItsKubeconfig() throws Exception {
        storeKubeconfig(OLD);

        look(BY_KUBECONFIG, OLD);
        assertThat(server.asked)
                .containsExactly("POST /api/v1/namespaces/fairlead-system/serviceaccounts/fairlead/token");
        assertThat(Json.read(server.body.getBytes(UTF_8))
                        .at("/spec/expirationSeconds")
                        .longValue())
                .isEqualTo(LIFETIME.toSeconds());
        server.answer(201, "{\"status\":{\"token\":\"" + NEW + "\"}}");
        assertThat(turns).containsExactly(PROD);
        assertThat(stored().token()).isEqualTo(OLD);
        look(BY_KUBECONFIG, OLD);

        assertThat(stored().token()).isEqualTo(NEW);
        assertThat(renewals.renewed()).isOne();
        assertThat(stored().server()).hasToString("https://10.0.0.1/k8s/clusters/c-1");
        assertThat(stored().caCertificates()).isEqualTo("CA");
        look(BY_KUBECONFIG, NEW);
        assertThat(server.asked).hasSize(1);
    }

    @Test
    void token_ofAClusterThatMovedMeanwhile_isNotStored() throws Exception {
        storeKubeconfig(OLD);
        look(BY_KUBECONFIG, OLD);
        server.answer(201, "{\"status\":{\"token\":\"" + NEW + "\"}}");

        renewals.suspend(PROD);
        look(BY_KUBECONFIG, OLD);

        assertThat(stored().token()).isEqualTo(OLD);
    }

    @Test
    void token_ofACredentialSecret_isReplacedThere() {
        root.secret("token", "token", OLD);
        own("token", "prod");
        String spec = "{endpoints: ['https://10.0.0.1'], credentialSecretRef: {name: token}, renewToken: true}";

        look(spec, OLD);
        server.answer(201, "{\"status\":{\"token\":\"" + NEW + "\"}}");
        look(spec, OLD);

        assertThat(secret("token").at("/data/token").asString("")).isEqualTo(RootCluster.base64(NEW));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{kubeconfigSecretRef: {name: kube}}",
                "{kubeconfigSecretRef: {name: kube}, renewToken: false}",
            })
    void token_ofAClusterThatDoesNotSaySo_isLeft(String spec) {
        storeKubeconfig(OLD);

        assertThat(look(spec, OLD)).isEmpty();

        assertThat(server.asked).isEmpty();
    }

    /** A registration may name a Secret that its author may not write, and an API server that answers what the author likes. */
    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void token_ofASecretOfAnother_isNeverWritten(boolean isOwned) throws Exception {
        root.secret("kube", "kubeconfig", kubeconfig(OLD));
        if (isOwned) {
            root.registered("other");
            own("kube", "other");
        }

        assertThat(look(BY_KUBECONFIG, OLD))
                .contains(Finding.no(
                        "NotRenewable",
                        "its Secret does not belong to this Cluster (expected its uid in metadata.ownerReferences, as"
                                + " 'fairlead cluster attach' writes it, or no spec.attached.renewToken)"));

        assertThat(server.asked).isEmpty();
        assertThat(stored().token()).isEqualTo(OLD);
    }

    @Test
    void token_ofASecretThatWasTakenOverMeanwhile_isLeft() throws Exception {
        storeKubeconfig(OLD);
        look(BY_KUBECONFIG, OLD);
        root.registered("other");
        own("kube", "other");

        server.answer(201, "{\"status\":{\"token\":\"" + NEW + "\"}}");
        look(BY_KUBECONFIG, OLD);

        assertThat(stored().token()).isEqualTo(OLD);
    }

    @Test
    void token_ofWhichMoreIsLeft_isAskedForOnceItIsDue() {
        storeKubeconfig(OLD);
        now = DUE.minusSeconds(1);
        look(BY_KUBECONFIG, OLD);
        assertThat(server.asked).isEmpty();

        now = DUE;
        look(BY_KUBECONFIG, OLD);
        look(BY_KUBECONFIG, OLD);

        assertThat(server.asked).hasSize(1);
    }

    @Test
    void token_thatIsToBeRenewedNow_isRenewedOnce() throws Exception {
        storeKubeconfig(OLD);
        now = ISSUED.plusSeconds(60);
        annotate(TokenRenewals.RENEW_AFTER, ISSUED.toString());

        look(BY_KUBECONFIG, OLD);
        server.answer(201, "{\"status\":{\"token\":\"" + NEW + "\"}}");
        look(BY_KUBECONFIG, OLD);
        look(BY_KUBECONFIG, NEW);

        assertThat(stored().token()).isEqualTo(NEW);
        assertThat(secret("kube").at("/metadata/annotations").has(TokenRenewals.RENEW_AFTER))
                .isFalse();
        assertThat(server.asked).hasSize(1);
    }

    /** Otherwise each token that is stored would have the next one asked for at once. */
    @Test
    void newToken_thatIsDueAtOnce_isStored_andNotRenewedAtOnce() throws Exception {
        storeKubeconfig(OLD);
        now = DUE.plus(Duration.ofDays(2));
        look(BY_KUBECONFIG, OLD);
        server.answer(201, "{\"status\":{\"token\":\"" + NEW + "\"}}");

        assertThat(look(BY_KUBECONFIG, OLD))
                .contains(Finding.no(
                        "RenewalFailed",
                        "the token ended at 2026-01-01T05:00:00Z and was not renewed: the cluster issued it at"
                                + " 2026-01-01T02:00:00Z, and here it is 2026-01-03T02:00:00Z (expected clocks that"
                                + " agree); tried again every 5 min at least"));

        assertThat(stored().token()).isEqualTo(NEW);
        look(BY_KUBECONFIG, NEW);
        assertThat(server.asked).hasSize(1);
    }

    /** A token that works is not given up for one that does not. */
    @Test
    void newToken_thatHasEnded_isNotStoredOverAGoodOne() throws Exception {
        storeKubeconfig(OLD);
        look(BY_KUBECONFIG, OLD);
        server.answer(
                201,
                "{\"status\":{\"token\":\"" + token("ended", ISSUED.minus(LIFETIME), ISSUED.minus(Duration.ofHours(1)))
                        + "\"}}");

        assertThat(look(BY_KUBECONFIG, OLD))
                .contains(Finding.no(
                        "RenewalFailed",
                        "the token is good until 2026-01-01T03:00:00Z and was not renewed: the cluster issued one that"
                                + " ended at 2025-12-31T23:00:00Z, and here it is 2026-01-01T02:00:00Z (expected clocks"
                                + " that agree); tried again every 5 min at least"));

        assertThat(stored().token()).isEqualTo(OLD);
        assertThat(renewals.failed()).isOne();
        assertThat(renewals.renewed()).isZero();
    }

    @Test
    void token_thatIsGoodForLongerThanCanBeAskedFor_isRenewedForTheLongestTime() throws Exception {
        String token = token("long", ISSUED, Instant.parse("9999-01-01T00:00:00Z"));
        storeKubeconfig(token);
        now = Instant.parse("9998-01-01T00:00:00Z");

        look(BY_KUBECONFIG, token);

        assertThat(Json.read(server.body.getBytes(UTF_8))
                        .at("/spec/expirationSeconds")
                        .longValue())
                .isEqualTo(1L << 32);
    }

    @Test
    void credentialThatIsReplaced_isNotSpokenOfAsTheOneBefore() {
        storeKubeconfig(OLD);
        look(BY_KUBECONFIG, OLD);
        server.answer(500, "{}");
        look(BY_KUBECONFIG, OLD);

        assertThat(look(BY_KUBECONFIG, NEW))
                .contains(Finding.yes(
                        "Scheduled",
                        "the token of ServiceAccount fairlead-system/fairlead is good until 2026-01-01T05:00:00Z, and"
                                + " is renewed from 2026-01-01T04:00:00Z on"));
    }

    @Test
    void credentialThatWasChangedMeanwhile_isKept() throws Exception {
        storeKubeconfig(OLD);
        look(BY_KUBECONFIG, OLD);
        String others = token("others", ISSUED, ISSUED.plus(LIFETIME));
        root.send(
                ADMIN,
                "PATCH",
                SECRETS + "/kube",
                "{data: {kubeconfig: " + RootCluster.base64(kubeconfig(others)) + "}}");

        server.answer(201, "{\"status\":{\"token\":\"" + NEW + "\"}}");
        look(BY_KUBECONFIG, OLD);

        assertThat(stored().token()).isEqualTo(others);
    }

    @Test
    void secretThatAFileDeclares_isLeft() throws Exception {
        storeKubeconfig(OLD);
        annotate(SourceFile.ANNOTATION, "prod.yaml");

        assertThat(look(BY_KUBECONFIG, OLD))
                .contains(Finding.no(
                        "DeclaredByFile",
                        "the token is good until 2026-01-01T03:00:00Z and is not renewed: a file declares its Secret,"
                                + " and would put the old token back (expected a Secret that no file declares, or no"
                                + " spec.attached.renewToken)"));

        assertThat(server.asked).isEmpty();
        assertThat(stored().token()).isEqualTo(OLD);
    }

    @ParameterizedTest
    @ValueSource(strings = {"opaque", "a.b.c"})
    void tokenThatDoesNotSayThatItEnds_isNotRenewed(String token) {
        storeKubeconfig(token);

        assertThat(look(BY_KUBECONFIG, token))
                .contains(Finding.no(
                        "NotRenewable",
                        "its credential is not a ServiceAccount token that expires (expected one, or no"
                                + " spec.attached.renewToken)"));
        assertThat(server.asked).isEmpty();
    }

    @Test
    void boundToken_ofAnotherSubject_isNone() {
        assertThat(BoundToken.of(OLD)).isPresent();
        assertThat(BoundToken.of(jwt("{\"sub\":\"jane\",\"iat\":1,\"exp\":2}"))).isEmpty();
        assertThat(BoundToken.of(jwt("{\"sub\":\"system:serviceaccount:a:../b\",\"iat\":1,\"exp\":2}")))
                .isEmpty();
        assertThat(BoundToken.of(jwt("{\"sub\":\"system:serviceaccount:a:b\"}")))
                .isEmpty();
        assertThat(BoundToken.of(jwt("{\"sub\":\"system:serviceaccount:a:b\",\"iat\":2,\"exp\":2}")))
                .as("ended before it was issued")
                .isEmpty();
        for (String odd : List.of("-1", "1e9", "9223372036854775807", "92233720368547758070", "\"2\"")) {
            assertThat(BoundToken.of(jwt("{\"sub\":\"system:serviceaccount:a:b\",\"iat\":1,\"exp\":" + odd + "}")))
                    .as(odd)
                    .isEmpty();
        }
    }
}
