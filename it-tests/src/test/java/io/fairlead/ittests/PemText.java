package io.fairlead.ittests;

import java.util.Base64;

/** Keys and certificates as text (RFC 7468). */
final class PemText {
    private static final int LINE = 64;

    private PemText() {}

    /** A block of a type ({@code CERTIFICATE}). */
    static String of(String type, byte[] der) {
        String base64 = Base64.getMimeEncoder(LINE, new byte[] {'\n'}).encodeToString(der);
        return "-----BEGIN " + type + "-----\n" + base64 + "\n-----END " + type + "-----\n";
    }
}
