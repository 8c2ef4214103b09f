package io.fairlead.hosted.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import io.fairlead.credentials.jwt.SigningKey;
import io.fairlead.model.ClusterName;
import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Which keys are those of hosted clusters, so that their tokens are told from others. */
class SigningKeyIdsTest {
    private static final ClusterName OTHER = new ClusterName("other");

    private final TokensFixture fixture = new TokensFixture();

    @AfterEach
    void close() {
        fixture.close();
    }

    @Test
    void keyOfEveryCluster_isKnown_fromItsFirstTokenOn() {
        String other = keyId(TokensFixture.token(fixture.api(OTHER), "default", "{}"));
        assertThat(isKnown(other)).isTrue();
        String dev = keyId(fixture.token("default", "{}"));

        assertThat(isKnown(dev)).isTrue();
        assertThat(isKnown(SigningKey.generate().keyId())).isFalse();
        assertThat(isKnown("")).isFalse();
    }

    @Test
    void keyOfAClusterThatIsNotOpened_isKnown() {
        String dev = keyId(fixture.token("default", "{}"));

        fixture.restart();

        assertThat(fixture.clusters().get(Fixture.DEV)).isNull();
        assertThat(isKnown(dev)).isTrue();
    }

    @Test
    void keysThatAreReplaced_areKnown_untilTheyAreForgotten() {
        String first = keyId(fixture.token("default", "{}"));
        assertThat(isKnown(first)).isTrue();
        for (int i = 1; i <= 8; i++) {
            assertThat(isKnown(first)).isTrue();
            fixture.pass(Duration.ofMinutes(1));
            Instant now = TokensFixture.START.plus(Duration.ofMinutes(i));
            fixture.api()
                    .merge(
                            "/api/v1/namespaces/kube-system",
                            "{\"metadata\": {\"annotations\": {\"fairlead.io/token-keys-signing-since\": \"" + now
                                    + "\"}}}")
                    .expect(200);
            fixture.token("default", "{}");
        }

        assertThat(fixture.signingKeys()).hasSize(8).allMatch(key -> isKnown(key.keyId()));
        assertThat(isKnown(first)).isFalse();
    }

    @Test
    void keyOfADeletedCluster_isForgotten() {
        String dev = keyId(fixture.token("default", "{}"));
        assertThat(isKnown(dev)).isTrue();

        fixture.clusters().delete(Fixture.DEV);

        assertThat(isKnown(dev)).isFalse();
    }

    private boolean isKnown(String keyId) {
        return fixture.clusters().hasSigningKey(keyId);
    }

    private static String keyId(String token) {
        return TokensFixture.header(token).path("kid").stringValue();
    }
}
