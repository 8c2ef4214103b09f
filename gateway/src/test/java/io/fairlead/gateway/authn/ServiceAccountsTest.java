package io.fairlead.gateway.authn;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.fairlead.fleet.ClusterDirectory;
import io.fairlead.fleet.ClusterEntry;
import io.fairlead.fleet.Vouching;
import io.fairlead.gateway.select.Target;
import io.fairlead.hosted.HostedCluster;
import io.fairlead.model.ClusterName;
import io.fairlead.model.Status;
import io.fairlead.model.StatusException;
import java.time.Duration;
import java.util.Base64;
import java.util.Objects;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What is looked at before a cluster is asked. */
class ServiceAccountsTest {
    private static final ClusterName OPENING = new ClusterName("opening");
    private static final String OURS = token("{\"iss\":\"https://kubernetes.default.svc.cluster.local\"}");

    private volatile boolean isAnyOpening = true;
    private final ServiceAccounts accounts = new ServiceAccounts(new ClusterDirectory() {
        @Override
        public ClusterEntry lookup(ClusterName name) {
            return name.equals(OPENING)
                    ? new ClusterEntry.Opening(name, new Never())
                    : new ClusterEntry.NotRegistered(name);
        }

        @Override
        public Vouching vouching(ClusterName name) {
            return new Vouching(name.equals(OPENING), false, isAnyOpening);
        }
    });

    /** Never opened, and never waited for: a stranger must not decide which cluster is opened first. */
    private static final class Never implements ClusterEntry.Opens {
        @Override
        public Optional<HostedCluster> opened() {
            return Optional.empty();
        }

        @Override
        public boolean await(Duration timeout) {
            throw new AssertionError("a stranger waits");
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"static", "a.b.c", "..", "a.b"})
    void otherTokens_areKnownAtOnceToBeOthers_whateverCluster(String token) {
        for (String cluster : new String[] {"opening", "none"}) {
            assertThat(accounts.atOnce(bearer(cluster, token))).isEqualTo(new Verdict.NotMine(""));
            assertThat(accounts.judge(bearer(cluster, token))).isEqualTo(new Verdict.NotMine(""));
        }
        assertThat(accounts.atOnce(bearer("opening", token("{\"iss\":\"https://issuer.test\"}"))))
                .isEqualTo(new Verdict.NotMine(""));
    }

    @Test
    void gatewaysOwnPaths_knowNoServiceAccount() {
        Bearer bearer = new Bearer(OURS, new Target.Gateway("/metrics", ""));
        assertThat(accounts.atOnce(bearer)).isEqualTo(new Verdict.NotMine(""));
        assertThat(accounts.judge(bearer)).isEqualTo(new Verdict.NotMine(""));
    }

    @Test
    void whileClustersAreOpened_theAnswerIsTheSameForAllNames() {
        Status opening = refusal("opening");
        assertThat(opening.code()).isEqualTo(503);
        assertThat(refusal("none")).isEqualTo(opening);
        assertThat(accounts.atOnce(bearer("none", OURS))).isEqualTo(accounts.atOnce(bearer("opening", OURS)));

        isAnyOpening = false;
        assertThat(accounts.judge(bearer("none", OURS))).isEqualTo(new Verdict.NotMine(""));
    }

    private Status refusal(String cluster) {
        return Objects.requireNonNull(
                        catchThrowableOfType(StatusException.class, () -> accounts.judge(bearer(cluster, OURS))))
                .status();
    }

    private static Bearer bearer(String cluster, String token) {
        return new Bearer(token, new Target.Cluster(new ClusterName(cluster), "", "/api", ""));
    }

    private static String token(String claims) {
        return "e30." + Base64.getUrlEncoder().withoutPadding().encodeToString(claims.getBytes(UTF_8)) + ".x";
    }
}
