package io.fairlead.credentials;

import static java.nio.charset.StandardCharsets.US_ASCII;

import java.io.IOException;
import java.io.StringReader;
import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.PrivateKey;
import java.security.PublicKey;
import java.security.Signature;
import java.security.spec.InvalidKeySpecException;
import java.security.spec.PKCS8EncodedKeySpec;
import java.util.Base64;
import org.bouncycastle.asn1.ASN1ObjectIdentifier;
import org.bouncycastle.asn1.DERBitString;
import org.bouncycastle.asn1.pkcs.PrivateKeyInfo;
import org.bouncycastle.asn1.sec.ECPrivateKey;
import org.bouncycastle.asn1.x9.ECNamedCurveTable;
import org.bouncycastle.openssl.PEMKeyPair;
import org.bouncycastle.openssl.PEMParser;
import org.bouncycastle.openssl.jcajce.JcaPEMKeyConverter;

/** Reads unencrypted PEM private keys: PKCS #8 (RFC 5208), PKCS #1 (RFC 8017) and SEC 1 (RFC 5915). */
public final class PrivateKeys {
    private static final String PKCS8_BEGIN = "-----BEGIN PRIVATE KEY-----";
    private static final String PKCS8_END = "-----END PRIVATE KEY-----";
    private static final String[] ALGORITHMS = {"EC", "RSA", "Ed25519"};
    private static final byte[] PROBE = "signed to see whether a key fits".getBytes(US_ASCII);

    private PrivateKeys() {}

    /**
     * Parses a key.
     *
     * @throws IOException if it is invalid; contains none of its text
     */
    public static PrivateKey parse(String pem) throws IOException {
        int begin = pem.indexOf(PKCS8_BEGIN);
        int end = pem.indexOf(PKCS8_END);
        return begin >= 0 && end > begin
                ? ofPkcs8(pem.substring(begin + PKCS8_BEGIN.length(), end))
                : ofTraditional(pem);
    }

    /** The same key as PKCS #8, which every TLS library reads. */
    public static String toPkcs8(String pem) throws IOException {
        if (pem.contains(PKCS8_BEGIN)) {
            return pem;
        }
        return Pem.text("PRIVATE KEY", parse(pem).getEncoded());
    }

    /**
     * The same key as SEC 1, with its curve and its public key, if it is an elliptic-curve key. Some clients treat
     * every key without such a label as an RSA key, and others require the public key.
     */
    public static String toSec1(String pem) throws IOException {
        if (!(parse(pem) instanceof java.security.interfaces.ECPrivateKey key)) {
            return pem;
        }
        var curve = ASN1ObjectIdentifier.getInstance(PrivateKeyInfo.getInstance(key.getEncoded())
                .getPrivateKeyAlgorithm()
                .getParameters());
        byte[] publicPoint = ECNamedCurveTable.getByOID(curve)
                .getG()
                .multiply(key.getS())
                .normalize()
                .getEncoded(false);
        int orderBits = key.getParams().getOrder().bitLength();
        var sec1 = new ECPrivateKey(orderBits, key.getS(), new DERBitString(publicPoint), curve);
        return Pem.text("EC PRIVATE KEY", sec1.getEncoded());
    }

    /** The PKCS #8 text of a key. */
    public static String text(PrivateKey key) {
        return Pem.text("PRIVATE KEY", key.getEncoded());
    }

    /** Whether a private key belongs to a public key: whether one verifies what the other signs. */
    public static boolean fits(PrivateKey privateKey, PublicKey publicKey) {
        String algorithm = switch (publicKey.getAlgorithm()) {
            case "RSA" -> "SHA256withRSA";
            case "EC" -> "SHA256withECDSA";
            default -> publicKey.getAlgorithm();
        };
        try {
            Signature signature = Signature.getInstance(algorithm);
            signature.initSign(privateKey);
            signature.update(PROBE);
            byte[] signed = signature.sign();
            signature.initVerify(publicKey);
            signature.update(PROBE);
            return signature.verify(signed);
        } catch (GeneralSecurityException ofAnotherType) {
            return false;
        }
    }

    private static PrivateKey ofPkcs8(String base64) throws IOException {
        byte[] der;
        try {
            der = Base64.getMimeDecoder().decode(base64);
        } catch (IllegalArgumentException notBase64) {
            throw new IOException("the private key is not base64", notBase64);
        }
        for (String algorithm : ALGORITHMS) {
            try {
                return KeyFactory.getInstance(algorithm).generatePrivate(new PKCS8EncodedKeySpec(der));
            } catch (InvalidKeySpecException ofAnotherType) {
                // The next one may fit.
            } catch (GeneralSecurityException missing) {
                throw new IOException("keys of type " + algorithm + " are not supported here", missing);
            }
        }
        throw new IOException("the private key is of no supported type (expected EC, RSA or Ed25519)");
    }

    private static PrivateKey ofTraditional(String pem) throws IOException {
        try (PEMParser parser = new PEMParser(new StringReader(pem))) {
            for (Object part = parser.readObject(); part != null; part = parser.readObject()) {
                if (part instanceof PEMKeyPair pair) {
                    return new JcaPEMKeyConverter().getPrivateKey(pair.getPrivateKeyInfo());
                }
                if (part instanceof PrivateKeyInfo info) {
                    return new JcaPEMKeyConverter().getPrivateKey(info);
                }
            }
        }
        throw new IOException("no unencrypted PEM private key (expected -----BEGIN PRIVATE KEY-----)");
    }
}
