package io.fairlead.credentials.jwt;

import com.nimbusds.jose.JOSEException;
import com.nimbusds.jose.JWSAlgorithm;
import com.nimbusds.jose.JWSHeader;
import com.nimbusds.jose.JWSObject;
import com.nimbusds.jose.Payload;
import com.nimbusds.jose.crypto.ECDSASigner;
import com.nimbusds.jose.jwk.Curve;
import com.nimbusds.jose.jwk.ECKey;
import com.nimbusds.jose.jwk.KeyUse;
import com.nimbusds.jose.jwk.gen.ECKeyGenerator;
import java.text.ParseException;
import java.util.List;

/**
 * A private key that signs tokens: ECDSA with P-256 and SHA-256 ({@code ES256}). Its id is the thumbprint of its public part
 * (RFC 7638). Immutable; any thread.
 */
public final class SigningKey {
    private final ECKey key;

    private SigningKey(ECKey key) {
        this.key = key;
    }

    /** Makes one. */
    public static SigningKey generate() {
        try {
            return new SigningKey(new ECKeyGenerator(Curve.P_256)
                    .keyUse(KeyUse.SIGNATURE)
                    .algorithm(JWSAlgorithm.ES256)
                    .keyIDFromThumbprint(true)
                    .generate());
        } catch (JOSEException never) {
            throw new IllegalStateException("the JDK has no P-256", never);
        }
    }

    /**
     * Reads one that {@link #json} has written.
     *
     * @throws IllegalArgumentException if it is none; its text is not in the message
     */
    public static SigningKey read(String json) {
        try {
            ECKey key = ECKey.parse(json);
            if (key.isPrivate() && key.getCurve().equals(Curve.P_256)) {
                return new SigningKey(key);
            }
        } catch (ParseException none) {
            // Said below, without what was read.
        }
        throw new IllegalArgumentException("it is no signing key (expected a private JSON Web Key of the curve P-256)");
    }

    /** The JSON Web Key (RFC 7517), its private part as well: a secret. */
    public String json() {
        return key.toJSONString();
    }

    /** What its tokens name it by. */
    public String keyId() {
        return key.getKeyID();
    }

    /** A token of some claims, in the compact form. */
    public String sign(byte[] claims) {
        JWSObject token = new JWSObject(
                new JWSHeader.Builder(JWSAlgorithm.ES256).keyID(keyId()).build(), new Payload(claims));
        try {
            token.sign(new ECDSASigner(key));
        } catch (JOSEException never) {
            throw new IllegalStateException("a key of P-256 cannot sign", never);
        }
        return token.serialize();
    }

    /** The public parts of some keys. */
    public static TokenKeys publicKeys(List<SigningKey> keys) {
        return TokenKeys.of(keys.stream().map(one -> one.key).toList());
    }

    /** Omits the key. */
    @Override
    public String toString() {
        return "SigningKey[" + keyId() + "]";
    }
}
