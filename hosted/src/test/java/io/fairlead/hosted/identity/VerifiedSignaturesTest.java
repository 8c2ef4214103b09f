package io.fairlead.hosted.identity;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.fairlead.credentials.jwt.SignedToken;
import io.fairlead.credentials.jwt.SigningKey;
import io.fairlead.credentials.jwt.TokenKeys;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

/** A signature is verified once in a while, and again for another token or another key. */
class VerifiedSignaturesTest {
    private final AtomicInteger verifications = new AtomicInteger();
    private final AtomicLong nanos = new AtomicLong();
    private final VerifiedSignatures signatures = new VerifiedSignatures(this::verify, nanos::get);
    private final SigningKey signing = SigningKey.generate();
    private final TokenKeys key = SigningKey.publicKeys(List.of(signing));
    private final String token = signing.sign("{}".getBytes(UTF_8));

    private boolean verify(TokenKeys with, SignedToken signed) {
        verifications.incrementAndGet();
        return with.verify(signed);
    }

    @Test
    void signature_isVerifiedOnce() {
        for (int i = 0; i < 3; i++) {
            assertThat(isBy(key, token)).isTrue();
        }

        assertThat(verifications).hasValue(1);
    }

    @Test
    void signature_isVerifiedAgain_afterAWhile() {
        isBy(key, token);
        nanos.addAndGet(Duration.ofSeconds(10).toNanos());

        assertThat(isBy(key, token)).isTrue();

        assertThat(verifications).hasValue(2);
    }

    @Test
    void signature_isOfItsKeyAlone() {
        isBy(key, token);

        assertThat(isBy(SigningKey.publicKeys(List.of(SigningKey.generate())), token))
                .isFalse();
        assertThat(isBy(TokenKeys.NONE, token)).isFalse();
        assertThat(isBy(key, token)).isTrue();
    }

    @Test
    void changedToken_isAnotherOne() {
        isBy(key, token);
        String[] parts = token.split("\\.", -1);

        assertThat(isBy(key, parts[0] + ".e30x." + parts[2])).isFalse();
        assertThat(isBy(key, parts[0] + ".e30x." + parts[2])).isFalse();
        assertThat(verifications).hasValue(3);
    }

    private boolean isBy(TokenKeys with, String text) {
        return signatures.isBy(with, text, SignedToken.read(text).orElseThrow());
    }
}
