package io.fairlead.ittests;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.util.Base64;
import java.util.List;
import java.util.stream.Collectors;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManager;

/**
 * What backends of aggregation layers show: a certificate that signs itself, for the names of Services in one namespace and for
 * loopback.
 *
 * @param store a file of PKCS #12 with the certificate and its key
 */
record BackendIdentity(Path store) {
    private static final String PASSWORD = "of-a-backend";
    private static final String ALIAS = "backend";

    /** Makes one in a folder. */
    static BackendIdentity make(Path folder, String namespace, List<String> services) throws IOException {
        Path store = folder.resolve("backend.p12");
        String names = services.stream()
                .map(service -> "dns:" + service + "." + namespace + ".svc")
                .collect(Collectors.joining(","));
        KeyTool.generate(
                store,
                PASSWORD,
                ALIAS,
                "-dname",
                "CN=backend",
                "-ext",
                "san=ip:127.0.0.1," + names,
                "-ext",
                "bc:c=ca:true");
        return new BackendIdentity(store);
    }

    /** The certificate as {@code caBundle} has it: base64 of PEM. */
    String caBundle() throws IOException {
        return Base64.getEncoder().encodeToString(certificate().getBytes(StandardCharsets.US_ASCII));
    }

    /** Has an API server that keeps its certificates in a folder find this one there, and make none. */
    void install(Path certificates) throws IOException {
        Files.createDirectories(certificates);
        Files.writeString(certificates.resolve("apiserver.crt"), certificate());
        try {
            Files.writeString(
                    certificates.resolve("apiserver.key"),
                    PemText.of(
                            "PRIVATE KEY",
                            keys().getKey(ALIAS, PASSWORD.toCharArray()).getEncoded()));
        } catch (GeneralSecurityException e) {
            throw new IOException(e);
        }
    }

    /** TLS of a server that shows it, and takes any certificate of a client. */
    SSLContext context() throws IOException, GeneralSecurityException {
        KeyManagerFactory managers = KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
        managers.init(keys(), PASSWORD.toCharArray());
        SSLContext context = SSLContext.getInstance("TLS");
        context.init(managers.getKeyManagers(), new TrustManager[] {TrustEveryone.manager()}, null);
        return context;
    }

    private String certificate() throws IOException {
        try {
            return PemText.of("CERTIFICATE", keys().getCertificate(ALIAS).getEncoded());
        } catch (GeneralSecurityException e) {
            throw new IOException(e);
        }
    }

    private KeyStore keys() throws IOException, GeneralSecurityException {
        return KeyStore.getInstance(store.toFile(), PASSWORD.toCharArray());
    }
}
