package io.fairlead.gateway;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static java.nio.charset.StandardCharsets.UTF_8;

import io.fairlead.config.Configuration;
import io.fairlead.config.NamedFiles;
import io.fairlead.credentials.PrivateKeys;
import io.fairlead.gateway.audit.AuditPolicy;
import io.fairlead.gateway.authn.StaticTokens;
import io.fairlead.gateway.authn.jwt.JwtIssuers;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.CharacterCodingException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.PrivateKey;
import java.security.PublicKey;
import java.security.cert.CertificateException;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Set;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Whether the certificates, the key, the CAs, the tokens, the issuers of tokens and the audit policy that a configuration names can be read, have the right
 * form, and are still valid.
 */
public final class ConfiguredFiles implements NamedFiles {
    static final String FRONT_PROXY_CA = "requestheader.clientCaFile";

    private final InstantSource clock;

    public ConfiguredFiles(InstantSource clock) {
        this.clock = clock;
    }

    @Override
    public void check(Configuration configuration, Refusal refusal) {
        NamedFiles.READABLE.check(configuration, refusal);
        checkServing(
                configuration,
                read("tlsCertFile", configuration.tlsCertFile(), refusal),
                read("tlsPrivateKeyFile", configuration.tlsPrivateKeyFile(), refusal),
                refusal);
        String clientCa = read("clientCaFile", configuration.clientCaFile(), refusal);
        checkClientCa(configuration, clientCa, refusal);
        checkFrontProxyCa(
                configuration,
                read(FRONT_PROXY_CA, configuration.requestheader().clientCaFile(), refusal),
                clientCa,
                refusal);
        checkText("tokenAuthFile", configuration.tokenAuthFile(), StaticTokens::parse, refusal);
        checkText(
                "authenticationConfig",
                configuration.authenticationConfig(),
                text -> JwtIssuers.check(text.getBytes(UTF_8)),
                refusal);
        checkText("auditPolicyFile", configuration.auditPolicyFile(), AuditPolicy::parse, refusal);
    }

    /** Checks the files of the serving certificate and its key; null for a file that does not exist. */
    void checkServing(
            Configuration configuration, @Nullable String certificate, @Nullable String key, Refusal refusal) {
        List<X509Certificate> chain = certificates("tlsCertFile", configuration.tlsCertFile(), certificate, refusal);
        if (!chain.isEmpty()) {
            validity("tlsCertFile", configuration.tlsCertFile(), chain.subList(0, 1), refusal);
        }
        privateKey(configuration.tlsPrivateKeyFile(), key, chain, refusal);
    }

    /** Checks the file of client CAs; null if there is none. */
    void checkClientCa(Configuration configuration, @Nullable String text, Refusal refusal) {
        List<X509Certificate> issuers = certificates("clientCaFile", configuration.clientCaFile(), text, refusal);
        validity("clientCaFile", configuration.clientCaFile(), issuers, refusal);
    }

    /**
     * Checks the file of front proxies' CAs; null if there is none. A client with a certificate could name any user if its CA were
     * one of them.
     *
     * @param clientCa the CAs of clients, PEM; null if there is none
     */
    void checkFrontProxyCa(
            Configuration configuration, @Nullable String text, @Nullable String clientCa, Refusal refusal) {
        Path file = configuration.requestheader().clientCaFile();
        List<X509Certificate> issuers = certificates(FRONT_PROXY_CA, file, text, refusal);
        validity(FRONT_PROXY_CA, file, issuers, refusal);
        Set<PublicKey> ofClients =
                certificates("clientCaFile", configuration.clientCaFile(), clientCa, (_, _) -> {}).stream()
                        .map(X509Certificate::getPublicKey)
                        .collect(Collectors.toSet());
        for (X509Certificate issuer : issuers) {
            if (ofClients.contains(issuer.getPublicKey())) {
                refuse(
                        FRONT_PROXY_CA,
                        file,
                        "its CA \"" + issuer.getSubjectX500Principal().getName()
                                + "\" signs certificates of clients too (expected another one)",
                        refusal);
            }
        }
    }

    private static List<X509Certificate> certificates(
            String key, @Nullable Path file, @Nullable String text, Refusal refusal) {
        if (text == null) {
            return List.of();
        }
        try {
            List<X509Certificate> found = CertificateFactory.getInstance("X.509")
                    .generateCertificates(new ByteArrayInputStream(text.getBytes(US_ASCII)))
                    .stream()
                    .map(X509Certificate.class::cast)
                    .toList();
            if (!found.isEmpty()) {
                return found;
            }
        } catch (CertificateException notOne) {
            // Reported below, without the content.
        }
        refuse(key, file, "holds no certificates (expected PEM: -----BEGIN CERTIFICATE-----)", refusal);
        return List.of();
    }

    /** Refuses files without any valid certificate: some of a bundle may have expired. */
    private void validity(String key, @Nullable Path file, List<X509Certificate> found, Refusal refusal) {
        Instant now = clock.instant();
        if (found.isEmpty() || found.stream().anyMatch(one -> isValid(one, now))) {
            return;
        }
        X509Certificate first = found.getFirst();
        Instant end = first.getNotAfter().toInstant();
        String fault = end.isBefore(now)
                ? "the certificate expired on " + end
                : "the certificate is not valid before " + first.getNotBefore().toInstant();
        refuse(key, file, fault + " (expected one that is valid now)", refusal);
    }

    private static boolean isValid(X509Certificate certificate, Instant now) {
        return !certificate.getNotAfter().toInstant().isBefore(now)
                && !certificate.getNotBefore().toInstant().isAfter(now);
    }

    private static void privateKey(
            @Nullable Path file, @Nullable String text, List<X509Certificate> chain, Refusal refusal) {
        if (text == null) {
            return;
        }
        try {
            PrivateKey privateKey = PrivateKeys.parse(text);
            if (!chain.isEmpty()
                    && !PrivateKeys.fits(privateKey, chain.getFirst().getPublicKey())) {
                refuse(
                        "tlsPrivateKeyFile",
                        file,
                        "is not the key of the certificate (expected that of the first one in tlsCertFile)",
                        refusal);
            }
        } catch (IOException unusable) {
            refuse("tlsPrivateKeyFile", file, "cannot be used: " + unusable.getMessage(), refusal);
        }
    }

    /** Checks a file by reading it, which throws an {@link IllegalArgumentException} if it cannot be used. */
    private static void checkText(String key, @Nullable Path file, Consumer<String> reading, Refusal refusal) {
        String text = read(key, file, refusal);
        try {
            if (text != null) {
                reading.accept(text);
            }
        } catch (IllegalArgumentException malformed) {
            refuse(key, file, String.valueOf(malformed.getMessage()), refusal);
        }
    }

    /** The text of a file, or null if it does not exist. */
    private static @Nullable String read(String key, @Nullable Path file, Refusal refusal) {
        if (file == null) {
            return null;
        }
        try {
            return Files.readString(file);
        } catch (CharacterCodingException binary) {
            refuse(key, file, "is not text (expected PEM, lines of tokens, or YAML)", refusal);
            return null;
        } catch (IOException unreadable) {
            return null; // Reported where paths are checked.
        }
    }

    private static void refuse(String key, @Nullable Path file, String fault, Refusal refusal) {
        refusal.refuse(key, key + ": \"" + file + "\": " + fault);
    }
}
