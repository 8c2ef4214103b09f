package io.fairlead.gateway.authn.jwt;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.fairlead.credentials.jwt.SignedToken;
import io.fairlead.credentials.jwt.SigningKey;
import io.fairlead.credentials.jwt.TokenKeys;
import java.util.ArrayDeque;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

class IssuerKeysTest {
    private final SigningKey key = SigningKey.generate();
    private final SignedToken token =
            SignedToken.read(key.sign("{}".getBytes(UTF_8))).orElseThrow();
    private final AtomicLong nanos = new AtomicLong();

    /** Readings that hang until a test lets them go on; null if they do not. */
    private @Nullable Queue<Runnable> hanging;

    private @Nullable SigningKey published = key;
    private final IssuerKeys keys = new IssuerKeys("https://issuer.test", this::read, this::run, nanos::get);

    private TokenKeys read() throws KeySource.UnreadableException {
        if (published == null) {
            throw new KeySource.UnreadableException("it is away");
        }
        return SigningKey.publicKeys(List.of(published));
    }

    private void run(Runnable reading) {
        if (hanging == null) {
            reading.run();
        } else {
            hanging.add(reading);
        }
    }

    @Test
    @Timeout(10)
    void issuerThatHangs_isWaitedForOnce_andWhatItWithdrawsCountsOnceItAnswers() throws Exception {
        assertThat(keys.verify(token)).isTrue();
        published = null;
        pass(2 * IssuerKeys.AGE_MAX.toSeconds() + 1);
        assertThat(keys.verify(token)).as("one reading fails").isTrue();

        hanging = new ArrayDeque<>();
        pass(IssuerKeys.PAUSE.toSeconds() + 1);
        assertThat(keys.verify(token)).as("the next one hangs").isTrue();
        assertThat(keys.verify(token)).isTrue();
        assertThat(hanging).hasSize(1);

        published = SigningKey.generate();
        hanging.remove().run();
        pass(IssuerKeys.PAUSE.toSeconds() + 1);
        hanging = null;
        assertThat(keys.verify(token)).isFalse();
    }

    private void pass(long seconds) {
        nanos.addAndGet(TimeUnit.SECONDS.toNanos(seconds));
    }
}
