package io.fairlead.gateway.authn;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.security.SecureRandom;
import org.jspecify.annotations.Nullable;

/**
 * Digests of tokens under a random key of the process, by which tables have them: neither a heap dump nor the time of a look-up
 * reveals a token. Any thread.
 */
public final class TokenDigests {
    /** With a token of up to 39 bytes it is one block of the digest. */
    private static final int KEY_BYTES = 16;

    private final byte[] key = new byte[KEY_BYTES];

    /** One for each thread, which its last use has left as new. */
    private final ThreadLocal<MessageDigest> digests = ThreadLocal.withInitial(TokenDigests::newDigest);

    /** Those under a new key. */
    public TokenDigests() {
        new SecureRandom().nextBytes(key);
    }

    /** That of a token. No digest is ever told, so that a key in front of the token is enough. */
    public Digest of(String token) {
        MessageDigest digest = digests.get();
        digest.update(key);
        return new Digest(digest.digest(token.getBytes(UTF_8)));
    }

    private static MessageDigest newDigest() {
        try {
            return MessageDigest.getInstance("SHA-256");
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException(e);
        }
    }

    /** A token's digest; compared in constant time. */
    public static final class Digest {
        private final byte[] bytes;

        private Digest(byte[] bytes) {
            this.bytes = bytes;
        }

        @Override
        public boolean equals(@Nullable Object other) {
            return other instanceof Digest digest && MessageDigest.isEqual(bytes, digest.bytes);
        }

        @Override
        public int hashCode() {
            return (bytes[0] & 0xff) << 24 | (bytes[1] & 0xff) << 16 | (bytes[2] & 0xff) << 8 | (bytes[3] & 0xff);
        }
    }
}
