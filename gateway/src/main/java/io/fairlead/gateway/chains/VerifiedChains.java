package io.fairlead.gateway.chains;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import java.security.cert.CertificateEncodingException;
import java.security.cert.CertificateException;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What chains of client certificates stand for. An accepted one is verified once and remembered as long as there is room; one that is
 * not accepted is remembered for a while, as long as its connection lives: a client could have each of its requests verify it.
 *
 * <p>Any thread. The validity of the leaf is checked each time. A sender chooses the length of its chain, since unrelated
 * certificates in it are ignored: so the bound is in bytes.
 */
public final class VerifiedChains<V> {
    /** The memory of a parsed certificate in addition to twice its encoding. */
    private static final int CERTIFICATE_BYTES = 3 * 1024;

    /** By then another certificate of the chain than its leaf may have become valid. */
    private static final Duration REFUSED = Duration.ofMinutes(1);

    private final Judge<V> judge;
    private final Cache<List<X509Certificate>, V> accepted;

    /** By identity: a connection has one list. */
    private final Cache<List<X509Certificate>, Refusal> refused = Caffeine.newBuilder()
            .weakKeys()
            .expireAfterWrite(REFUSED)
            .executor(Runnable::run)
            .build();

    private enum Refusal {
        NOT_TRUSTED,
        STANDS_FOR_NOTHING
    }

    /** Verifies a chain. */
    @FunctionalInterface
    public interface Judge<V> {
        /**
         * What it stands for; null if it is trusted but stands for nothing.
         *
         * @param chain leaf first, never empty
         * @throws CertificateException if it is not trusted
         */
        @Nullable
        V judge(List<X509Certificate> chain) throws CertificateException;
    }

    /** @param bytesMax the most memory of the chains that are remembered */
    public VerifiedChains(long bytesMax, Judge<V> judge) {
        this.judge = judge;
        this.accepted = Caffeine.newBuilder()
                .maximumWeight(bytesMax)
                .weigher((List<X509Certificate> chain, V _) -> bytes(chain))
                .executor(Runnable::run)
                .build();
    }

    /**
     * What a chain stands for; null if it is trusted but stands for nothing.
     *
     * @param chain leaf first, not empty
     * @throws CertificateException if it is not trusted or its leaf not valid now
     */
    public @Nullable V of(List<X509Certificate> chain) throws CertificateException {
        chain.getFirst().checkValidity();
        V known = accepted.getIfPresent(chain);
        return known != null ? known : judged(chain);
    }

    private @Nullable V judged(List<X509Certificate> chain) throws CertificateException {
        switch (refused.getIfPresent(chain)) {
            case null -> {}
            case NOT_TRUSTED -> throw new CertificateException("not trusted, as before");
            case STANDS_FOR_NOTHING -> {
                return null;
            }
        }
        try {
            V judged = judge.judge(chain);
            if (judged != null) {
                accepted.put(chain, judged);
            } else {
                refused.put(chain, Refusal.STANDS_FOR_NOTHING);
            }
            return judged;
        } catch (CertificateException notTrusted) {
            refused.put(chain, Refusal.NOT_TRUSTED);
            throw notTrusted;
        }
    }

    private static int bytes(List<X509Certificate> chain) {
        long bytes = 0;
        for (X509Certificate certificate : chain) {
            try {
                bytes += CERTIFICATE_BYTES + 2L * certificate.getEncoded().length;
            } catch (CertificateEncodingException e) {
                throw new IllegalStateException("a certificate that was read can be written", e);
            }
        }
        return Math.toIntExact(bytes);
    }
}
