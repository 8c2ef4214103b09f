package io.fairlead.fleet.exclusive;

import io.fairlead.credentials.PrivateFiles;
import io.fairlead.fleet.exclusive.RuleSpec.Scope;
import io.fairlead.index.conditions.ObjectKey;
import io.fairlead.index.conflicts.KeyHash;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.SecureRandom;
import java.util.HexFormat;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/**
 * The secret under which keys are hashed (HMAC-SHA-256, RFC 2104, its first 128 bits): who sees a hash cannot find out by trial
 * what it is of. It stays the same over restarts, as the hashes do. Any thread.
 */
public final class KeySecret {
    private static final String ALGORITHM = "HmacSHA256";
    private static final int BYTES = 32;

    private final SecretKeySpec secret;

    private KeySecret(byte[] secret) {
        this.secret = new SecretKeySpec(secret, ALGORITHM);
    }

    /** That of a file, which is made if there is none. */
    public static KeySecret open(Path file) throws IOException {
        if (Files.notExists(file)) {
            byte[] drawn = new byte[BYTES];
            new SecureRandom().nextBytes(drawn);
            PrivateFiles.writeSecret(file, HexFormat.of().formatHex(drawn) + "\n");
        }
        String text = Files.readString(file).strip();
        if (!text.matches("[0-9a-f]{" + 2 * BYTES + "}")) {
            throw new IOException(file + " does not hold " + 2 * BYTES + " hexadecimal digits");
        }
        return new KeySecret(HexFormat.of().parseHex(text));
    }

    /** The hash of a key where an object claims it: equal only where two holders may not meet. */
    KeyHash hash(RuleSpec rule, ObjectKey object, byte[] key) {
        try {
            Mac mac = Mac.getInstance(ALGORITHM);
            mac.init(secret);
            update(mac, rule.uid());
            update(mac, rule.scope() == Scope.FLEET ? "" : object.cluster().value());
            update(mac, rule.scope() == Scope.NAMESPACE ? object.namespace() : "");
            ByteBuffer hash = ByteBuffer.wrap(mac.doFinal(key));
            return new KeyHash(hash.getLong(), hash.getLong());
        } catch (GeneralSecurityException everyJvmHasIt) {
            throw new IllegalStateException(everyJvmHasIt);
        }
    }

    private static void update(Mac mac, String text) {
        mac.update(text.getBytes(StandardCharsets.UTF_8));
        mac.update((byte) 0);
    }
}
