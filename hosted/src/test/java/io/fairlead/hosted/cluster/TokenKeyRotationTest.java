package io.fairlead.hosted.cluster;

import static io.fairlead.hosted.cluster.TokensFixture.SYSTEM_NAMESPACE;
import static io.fairlead.hosted.cluster.TokensFixture.header;
import static org.assertj.core.api.Assertions.assertThat;

import io.fairlead.hosted.TokenVerdict;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The keys of a cluster are renewed, and old ones retired, by annotations of its namespace kube-system. */
class TokenKeyRotationTest {
    private static final String SIGNING = "fairlead.io/token-keys-signing-since";
    private static final String ACCEPTED = "fairlead.io/token-keys-accepted-since";

    private final TokensFixture fixture = new TokensFixture();

    @AfterEach
    void close() {
        fixture.close();
    }

    @Test
    void newKeySigns_andTheOldOneVerifiesStill() {
        String old = fixture.token("default", "{}");
        fixture.pass(Duration.ofMinutes(1));
        annotate(SIGNING, "2026-11-27T12:00:30Z");

        String young = fixture.token("default", "{}");

        assertThat(keyId(young)).isNotEqualTo(keyId(old));
        assertThat(keyId(fixture.token("default", "{}"))).isEqualTo(keyId(young));
        assertThat(isAccepted(old)).isTrue();
        assertThat(isAccepted(young)).isTrue();
        assertThat(published()).containsExactlyInAnyOrder(keyId(old), keyId(young));
    }

    @Test
    void retiredKey_verifiesNoMore_fromThatMomentOn() {
        String old = fixture.token("default", "{}");
        fixture.pass(Duration.ofMinutes(1));
        assertThat(isAccepted(old)).isTrue();

        annotate(ACCEPTED, "2026-11-27T13:00:30+01:00");

        assertThat(fixture.refusal(old)).isEqualTo("invalid signature, no keys found");
        String young = fixture.token("default", "{}");
        assertThat(isAccepted(young)).isTrue();
        assertThat(published()).containsExactly(keyId(young));
    }

    @Test
    void rotation_survivesARestart() {
        String old = fixture.token("default", "{}");
        fixture.pass(Duration.ofMinutes(1));
        annotate(SIGNING, "2026-11-27T12:00:30Z");
        String young = fixture.token("default", "{}");

        fixture.restart();

        assertThat(isAccepted(old)).isTrue();
        assertThat(isAccepted(young)).isTrue();
        assertThat(keyId(fixture.token("default", "{}"))).isEqualTo(keyId(young));
    }

    @Test
    void timeToCome_isInForceOnceItIsThere() {
        String old = fixture.token("default", "{}");
        annotate(ACCEPTED, "2026-11-27T12:10:00Z");
        assertThat(isAccepted(old)).isTrue();
        assertThat(keyId(fixture.token("default", "{}"))).isEqualTo(keyId(old));

        fixture.pass(Duration.ofMinutes(10));

        assertThat(isAccepted(old)).isFalse();
        assertThat(isAccepted(fixture.token("default", "{}"))).isTrue();
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "now", "2026-11-27", "12:00", "9999999999999-01-01T00:00:00Z"})
    void whatIsNoTime_isIgnored(String text) {
        String old = fixture.token("default", "{}");
        fixture.pass(Duration.ofMinutes(1));

        annotate(ACCEPTED, text);

        assertThat(isAccepted(old)).isTrue();
        assertThat(keyId(fixture.token("default", "{}"))).isEqualTo(keyId(old));
    }

    @Test
    void keys_areBounded_theOldestGoes() {
        String first = fixture.token("default", "spec: {expirationSeconds: 100000}");
        String last = first;
        for (int i = 1; i <= 8; i++) {
            fixture.pass(Duration.ofMinutes(1));
            annotate(SIGNING, "2026-11-27T12:0" + i + ":00Z");
            last = fixture.token("default", "{}");
        }

        assertThat(fixture.signingKeys()).hasSize(8);
        assertThat(isAccepted(first)).isFalse();
        assertThat(isAccepted(last)).isTrue();
    }

    @Test
    void firstTokens_atOnce_areOfOneKey() throws Exception {
        List<Callable<String>> asks = java.util.Collections.nCopies(16, () -> fixture.token("default", "{}"));
        Set<String> keyIds = new HashSet<>();
        try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
            for (Future<String> asked : threads.invokeAll(asks)) {
                keyIds.add(keyId(asked.get()));
            }
        }

        assertThat(keyIds).hasSize(1);
        assertThat(fixture.signingKeys()).hasSize(1);
    }

    private void annotate(String annotation, String value) {
        fixture.api()
                .merge(SYSTEM_NAMESPACE, "{\"metadata\":{\"annotations\":{\"" + annotation + "\":\"" + value + "\"}}}")
                .expect(200);
    }

    private boolean isAccepted(String token) {
        return fixture.verdict(token) instanceof TokenVerdict.Accepted;
    }

    private List<String> published() {
        return fixture.api()
                .get("/openid/v1/jwks")
                .expect(200)
                .body()
                .path("keys")
                .valueStream()
                .map(key -> key.path("kid").asString(""))
                .toList();
    }

    private static String keyId(String token) {
        return header(token).path("kid").asString("");
    }
}
