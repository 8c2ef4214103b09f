package io.fairlead.fleet;

import static org.assertj.core.api.Assertions.assertThat;

import io.fairlead.clustersync.source.Finding;
import io.fairlead.testkit.LogLines;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What becomes of a token that cannot be renewed. */
final class TokenRenewalFaultTest extends TokenRenewalsFixture {
    @Test
    void answerThatRepeatsTheToken_isToldWithoutIt() {
        storeKubeconfig(OLD);
        look(BY_KUBECONFIG, OLD);

        server.answer(403, "{\"message\":\"not with " + OLD + "\"}");

        assertThat(look(BY_KUBECONFIG, OLD).orElseThrow().message())
                .contains("it answers 403: not with (the token)")
                .doesNotContain(OLD);
    }

    @Test
    void refusal_leavesTheToken_isACondition_andIsFollowedByAnotherAttempt() throws Exception {
        storeKubeconfig(OLD);
        try (LogLines lines = new LogLines(TokenRenewals.class)) {
            assertThat(look(BY_KUBECONFIG, OLD)).contains(SCHEDULED);
            server.answer(403, "{\"message\":\"not allowed\"}");
            assertThat(look(BY_KUBECONFIG, OLD)).contains(REFUSED);

            assertThat(lines.texts())
                    .containsExactly("WARN The token of a cluster was not renewed cluster=prod reason="
                            + REFUSED.message() + " leftOut=0");
        }
        assertThat(stored().token()).isEqualTo(OLD);
        assertThat(look(BY_KUBECONFIG, OLD)).contains(REFUSED);
        assertThat(server.asked).hasSize(1);

        now = DUE.plusSeconds(60);
        assertThat(look(BY_KUBECONFIG, OLD)).contains(REFUSED);
        assertThat(server.asked).hasSize(2);
        server.answer(201, "{\"status\":{\"token\":\"" + NEW + "\"}}");
        look(BY_KUBECONFIG, OLD);
        assertThat(look(BY_KUBECONFIG, NEW)).get().extracting(Finding::status).isEqualTo(Finding.Status.TRUE);
    }

    /** Every five minutes at least, so that a cluster that comes back late is not long without a token. */
    @Test
    void refusals_areFartherApartOneByOne_andTheTokensEndIsTold() {
        storeKubeconfig(OLD);
        List<Long> pauses = new ArrayList<>();
        Instant last = now;
        for (int second = 0; pauses.size() < 7; second++) {
            now = DUE.plusSeconds(second);
            int before = server.asked.size();
            look(BY_KUBECONFIG, OLD);
            if (server.asked.size() > before) {
                pauses.add(Duration.between(last, now).toSeconds());
                last = now;
                server.answer(500, "{}");
                look(BY_KUBECONFIG, OLD);
            }
        }
        assertThat(pauses).containsExactly(0L, 60L, 120L, 240L, 300L, 300L, 300L);

        now = ISSUED.plus(LIFETIME);
        look(BY_KUBECONFIG, OLD);
        server.answer(401, "{\"message\":\"Unauthorized\"}");
        assertThat(look(BY_KUBECONFIG, OLD))
                .contains(Finding.no(
                        "RenewalFailed",
                        "the token ended at 2026-01-01T03:00:00Z and was not renewed: it answers 401: Unauthorized;"
                                + " tried again every 5 min at least"));
    }

    /** Of a clock that was set back by more than the pause. */
    @Test
    void attempt_fromTheFuture_holdsNothingUp() {
        storeKubeconfig(OLD);
        now = DUE.plus(Duration.ofHours(20));
        look(BY_KUBECONFIG, OLD);
        server.answer(500, "{}");
        look(BY_KUBECONFIG, OLD);

        now = DUE;
        look(BY_KUBECONFIG, OLD);

        assertThat(server.asked).hasSize(2);
    }

    @Test
    void answer_forAClusterThatIsGone_isForgotten() throws Exception {
        storeKubeconfig(OLD);
        look(BY_KUBECONFIG, OLD);
        renewals.forget(PROD);
        server.answer(201, "{\"status\":{\"token\":\"" + NEW + "\"}}");

        look(BY_KUBECONFIG, OLD);

        assertThat(stored().token()).isEqualTo(OLD);
        assertThat(server.asked).hasSize(2);
    }

    @ParameterizedTest
    @ValueSource(strings = {"a b", "new\\r\\nX-Injected: 1"})
    void token_thatIsNoHeaderValue_isARefusal(String head) throws Exception {
        storeKubeconfig(OLD);
        look(BY_KUBECONFIG, OLD);

        server.answer(201, "{\"status\":{\"token\":\"" + head + NEW.substring(NEW.indexOf('.')) + "\"}}");

        assertThat(look(BY_KUBECONFIG, OLD)).get().extracting(Finding::status).isEqualTo(Finding.Status.FALSE);
        assertThat(stored().token()).isEqualTo(OLD);
    }

    @Test
    void token_ofAnotherAccount_isARefusal() throws Exception {
        String others = jwt("{\"sub\":\"system:serviceaccount:kube-system:admin\",\"iat\":%d,\"exp\":%d}"
                .formatted(DUE.getEpochSecond(), DUE.plus(LIFETIME).getEpochSecond()));
        storeKubeconfig(OLD);
        look(BY_KUBECONFIG, OLD);

        server.answer(201, "{\"status\":{\"token\":\"" + others + "\"}}");

        assertThat(look(BY_KUBECONFIG, OLD).orElseThrow().message())
                .contains("it answers without a token of fairlead-system/fairlead that ends");
        assertThat(stored().token()).isEqualTo(OLD);
    }

    @Test
    void refusal_thatIsLong_isToldInPart() {
        storeKubeconfig(OLD);
        look(BY_KUBECONFIG, OLD);

        server.answer(403, "{\"message\":\"" + "x".repeat(60_000) + "\"}");

        assertThat(look(BY_KUBECONFIG, OLD).orElseThrow().message()).hasSizeLessThan(1_000);
    }

    @ParameterizedTest
    @ValueSource(strings = {"{}", "{\"status\":{\"token\":\"opaque\"}}", "no json"})
    void answerWithoutATokenThatEnds_isARefusal(String answer) throws Exception {
        storeKubeconfig(OLD);

        look(BY_KUBECONFIG, OLD);
        server.answer(201, answer);
        look(BY_KUBECONFIG, OLD);

        assertThat(stored().token()).isEqualTo(OLD);
    }

    @Test
    void answerThatDoesNotCome_isARefusalInTime() throws Exception {
        BoundToken token = BoundToken.of(OLD).orElseThrow();

        assertThat(TokenRequest.send(server, token, OLD, Duration.ofMillis(20)).get(20, TimeUnit.SECONDS))
                .isEqualTo(new TokenRequest.Refused("the server did not answer"
                        + " /api/v1/namespaces/fairlead-system/serviceaccounts/fairlead/token within 20 ms"));
    }
}
