package io.fairlead.gateway.edge;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;

import java.security.PrivateKey;
import java.security.interfaces.ECPrivateKey;
import java.util.ArrayList;
import java.util.Base64;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;

/**
 * Credentials of a test that are recognised wherever a part of them is written: as they are, in base64 at any alignment and twice,
 * percent-encoded, and in hexadecimal digits.
 *
 * <p>Not for several threads.
 */
final class MarkedSecrets {
    /** So many characters in a row of any form are a finding: too many to be there by chance. */
    static final int FOUND_CHARS = 12;

    private static final String LETTERS = "ghjkmnpqrstvwxyz";
    private static final int LENGTH = 24;
    private static final int SHOWN_AROUND = 60;

    private final Random random;
    private final Map<String, String> pieces = new HashMap<>();

    MarkedSecrets(long seed) {
        random = new Random(seed);
    }

    /** A credential of letters. */
    String make(String name) {
        StringBuilder secret = new StringBuilder();
        for (int i = 0; i < LENGTH; i++) {
            secret.append(LETTERS.charAt(random.nextInt(LETTERS.length())));
        }
        return add(name, secret.toString());
    }

    /** A text that others made and that is a credential as a whole. */
    String add(String name, String secret) {
        note(name, secret);
        add(name, secret.getBytes(UTF_8));
        return secret;
    }

    /** The number that is the secret of a private key of an elliptic curve: the rest of such a key is in its certificate too. */
    void add(String name, PrivateKey key) {
        add(name, ((ECPrivateKey) key).getS().toByteArray());
    }

    private void add(String name, byte[] secret) {
        note(name + " percent-encoded", HexFormat.of().withPrefix("%").formatHex(secret));
        note(name + " in hex", HexFormat.of().formatHex(secret));
        note(name + " in upper case hex", HexFormat.of().withUpperCase().formatHex(secret));
        for (String once : base64(secret)) {
            note(name + " in base64", once);
            base64(once.getBytes(UTF_8)).forEach(twice -> note(name + " in base64 twice", twice));
        }
    }

    private void note(String name, String form) {
        for (int i = 0; i + FOUND_CHARS <= form.length(); i++) {
            pieces.putIfAbsent(form.substring(i, i + FOUND_CHARS), name);
        }
    }

    /** The characters that depend on these bytes alone, whatever stands before and behind them, in both alphabets. */
    private static List<String> base64(byte[] bytes) {
        List<String> all = new ArrayList<>();
        for (int before = 0; before < 3; before++) {
            byte[] shifted = new byte[before + bytes.length];
            System.arraycopy(bytes, 0, shifted, before, bytes.length);
            for (Base64.Encoder encoder : List.of(Base64.getEncoder(), Base64.getUrlEncoder())) {
                String encoded = new String(encoder.withoutPadding().encode(shifted), ISO_8859_1);
                all.add(encoded.substring((before * 8 + 5) / 6, shifted.length * 8 / 6));
            }
        }
        return all;
    }

    /** Which of them stand in a text, each with what is around it. */
    Set<String> in(String text) {
        Set<String> found = new TreeSet<>();
        for (int i = 0; i + FOUND_CHARS <= text.length(); i++) {
            String name = pieces.get(text.substring(i, i + FOUND_CHARS));
            if (name != null && found.stream().noneMatch(one -> one.startsWith(name + ":"))) {
                found.add(name + ": …"
                        + text.substring(
                                        Math.max(0, i - SHOWN_AROUND),
                                        Math.min(text.length(), i + FOUND_CHARS + SHOWN_AROUND))
                                .replaceAll("\\P{Print}", ".")
                        + "…");
            }
        }
        return found;
    }
}
