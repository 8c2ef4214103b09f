package io.fairlead.credentials;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.PrivateKey;
import java.security.PublicKey;
import java.security.cert.CertificateEncodingException;
import java.security.cert.CertificateException;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import java.security.spec.PKCS8EncodedKeySpec;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Base64;
import java.util.HexFormat;
import java.util.List;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * Certificates and private keys in PEM (RFC 7468): PKCS #8 ({@code PRIVATE KEY}), PKCS #1 ({@code RSA PRIVATE KEY}, RFC 8017)
 * and SEC 1 ({@code EC PRIVATE KEY}, RFC 5915), as kubeconfigs carry them. Error texts never contain what was read.
 */
public final class Pem {
    private static final Pattern BLOCK =
            Pattern.compile("-----BEGIN ([A-Z0-9 ]+)-----([A-Za-z0-9+/=\\s]*)-----END \\1-----");
    private static final int LINE_CHARS = 64;
    private static final byte[] RSA_ALGORITHM = HexFormat.of().parseHex("300d06092a864886f70d0101010500");
    private static final byte[] EC_PUBLIC_KEY = HexFormat.of().parseHex("06072a8648ce3d0201");

    private Pem() {}

    /** The certificates of a bundle, at least one. */
    public static List<X509Certificate> certificates(String field, String text) {
        List<X509Certificate> certificates = new ArrayList<>();
        Matcher block = BLOCK.matcher(text);
        while (block.find()) {
            if (block.group(1).equals("CERTIFICATE")) {
                certificates.add(certificate(field, decode(field, block.group(2))));
            }
        }
        if (certificates.isEmpty()) {
            throw new IllegalArgumentException(field + ": no PEM block \"CERTIFICATE\" (expected at least one)");
        }
        return certificates;
    }

    /** The text of a certificate, which ends its last line. */
    public static String text(X509Certificate certificate) {
        try {
            return text("CERTIFICATE", certificate.getEncoded());
        } catch (CertificateEncodingException unencodable) {
            throw new IllegalArgumentException("a certificate cannot be encoded", unencodable);
        }
    }

    /** The text of a block, which ends its last line: parsers find no block in the middle of one. */
    static String text(String label, byte[] der) {
        String body = Base64.getMimeEncoder(LINE_CHARS, new byte[] {'\n'}).encodeToString(der);
        return "-----BEGIN " + label + "-----\n" + body + "\n-----END " + label + "-----\n";
    }

    /** The public keys of the certificates of a bundle: a CA that is renewed, or signed by others too, keeps its own. */
    public static Set<PublicKey> publicKeys(String field, String text) {
        return certificates(field, text).stream()
                .map(X509Certificate::getPublicKey)
                .collect(Collectors.toSet());
    }

    /** The first private key. */
    public static PrivateKey privateKey(String field, String text) {
        Matcher block = BLOCK.matcher(text);
        while (block.find()) {
            byte[] der;
            switch (block.group(1)) {
                case "PRIVATE KEY" -> der = decode(field, block.group(2));
                case "RSA PRIVATE KEY" -> der = pkcs8(RSA_ALGORITHM, decode(field, block.group(2)));
                case "EC PRIVATE KEY" -> der = pkcs8OfEc(field, decode(field, block.group(2)));
                default -> {
                    continue;
                }
            }
            return key(field, der);
        }
        throw new IllegalArgumentException(field
                + ": no PEM block \"PRIVATE KEY\", \"RSA PRIVATE KEY\" or \"EC PRIVATE KEY\" (an encrypted key"
                + " cannot be used)");
    }

    private static X509Certificate certificate(String field, byte[] der) {
        try {
            return (X509Certificate)
                    CertificateFactory.getInstance("X.509").generateCertificate(new ByteArrayInputStream(der));
        } catch (CertificateException e) {
            throw new IllegalArgumentException(field + ": a PEM block \"CERTIFICATE\" holds no X.509 certificate", e);
        }
    }

    private static byte[] decode(String field, String base64) {
        try {
            return Base64.getMimeDecoder().decode(base64.getBytes(StandardCharsets.US_ASCII));
        } catch (IllegalArgumentException e) {
            throw new IllegalArgumentException(field + ": a PEM block is not valid base64", e);
        }
    }

    private static PrivateKey key(String field, byte[] pkcs8) {
        PKCS8EncodedKeySpec spec = new PKCS8EncodedKeySpec(pkcs8);
        for (String algorithm : List.of("RSA", "EC", "EdDSA")) {
            try {
                return KeyFactory.getInstance(algorithm).generatePrivate(spec);
            } catch (GeneralSecurityException e) {
                // Another algorithm's key.
            }
        }
        throw new IllegalArgumentException(field + ": not an RSA, EC or Ed25519 private key");
    }

    /**
     * {@code ECPrivateKey ::= SEQUENCE { version, privateKey, [0] parameters, [1] publicKey }}: the curve moves to the
     * algorithm identifier.
     */
    private static byte[] pkcs8OfEc(String field, byte[] sec1) {
        int at = indexOf(sec1, (byte) 0xa0);
        if (at < 0 || at + 2 > sec1.length || at + 2 + sec1[at + 1] > sec1.length || sec1[at + 1] < 0) {
            throw new IllegalArgumentException(field + ": the EC private key names no curve");
        }
        byte[] curve = Arrays.copyOfRange(sec1, at + 2, at + 2 + sec1[at + 1]);
        return pkcs8(der(0x30, EC_PUBLIC_KEY, curve), sec1);
    }

    /** Finds a member of the outer sequence by its tag. */
    private static int indexOf(byte[] sequence, byte tag) {
        int at = sequence.length > 1 && (sequence[1] & 0x80) != 0 ? 2 + (sequence[1] & 0x7f) : 2;
        while (at + 1 < sequence.length) {
            if (sequence[at] == tag) {
                return at;
            }
            int length = sequence[at + 1];
            if (length < 0) {
                return -1;
            }
            at += 2 + length;
        }
        return -1;
    }

    private static byte[] pkcs8(byte[] algorithm, byte[] key) {
        return der(0x30, HexFormat.of().parseHex("020100"), algorithm, der(0x04, key));
    }

    private static byte[] der(int tag, byte[]... parts) {
        int length = Arrays.stream(parts).mapToInt(part -> part.length).sum();
        ByteArrayOutputStream out = new ByteArrayOutputStream(length + 5);
        out.write(tag);
        if (length < 0x80) {
            out.write(length);
        } else if (length < 0x100) {
            out.write(0x81);
            out.write(length);
        } else {
            out.write(0x82);
            out.write(length >> 8);
            out.write(length);
        }
        for (byte[] part : parts) {
            out.writeBytes(part);
        }
        return out.toByteArray();
    }
}
