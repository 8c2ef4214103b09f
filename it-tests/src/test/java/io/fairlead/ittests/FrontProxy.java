package io.fairlead.ittests;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.util.ArrayList;
import java.util.List;

/**
 * The client certificate by which the aggregation layer of an API server proves to backends that it may say who the caller is.
 *
 * @param ca a file of PEM
 * @param certificate a file of PEM
 * @param key a file of PEM
 */
record FrontProxy(Path ca, Path certificate, Path key) {
    private static final String ALLOWED_NAME = "front-proxy-client";
    private static final String PASSWORD = "front-proxy";

    /** A cluster with an aggregation layer and a front proxy of its own, whose Services may lead to the network's address. */
    static KubeCluster startCluster(NetworkNamespace network, Path folder, KubeCluster.User... users)
            throws IOException {
        return make(Files.createDirectories(folder.resolve("front-proxy"))).startFor(network, folder, List.of(), users);
    }

    /** A cluster with this front proxy, whose API server gets further flags. */
    KubeCluster startFor(NetworkNamespace network, Path folder, List<String> more, KubeCluster.User... users) {
        List<String> flags = new ArrayList<>(apiserverFlags());
        flags.addAll(more);
        flags.add("--advertise-address=" + NetworkNamespace.ADDRESS);
        return KubeCluster.startIn(network, folder, flags, users);
    }

    /** Makes a CA and a certificate of it in a folder. */
    static FrontProxy make(Path folder) throws IOException {
        return make(folder, ALLOWED_NAME);
    }

    /** The same for a certificate with this common name. */
    static FrontProxy make(Path folder, String commonName) throws IOException {
        Path store = folder.resolve("keys.p12");
        KeyTool.generate(store, PASSWORD, "ca", "-dname", "CN=front-proxy-ca", "-ext", "bc:c=ca:true");
        KeyTool.generate(
                store, PASSWORD, "client", "-signer", "ca", "-dname", "CN=" + commonName, "-ext", "eku=clientAuth");
        try {
            KeyStore keys = KeyStore.getInstance(store.toFile(), PASSWORD.toCharArray());
            return new FrontProxy(
                    pem(
                            folder.resolve("ca.crt"),
                            "CERTIFICATE",
                            keys.getCertificate("ca").getEncoded()),
                    pem(
                            folder.resolve("client.crt"),
                            "CERTIFICATE",
                            keys.getCertificate("client").getEncoded()),
                    pem(
                            folder.resolve("client.key"),
                            "PRIVATE KEY",
                            keys.getKey("client", PASSWORD.toCharArray()).getEncoded()));
        } catch (GeneralSecurityException e) {
            throw new IOException(e);
        }
    }

    /** As {@code kubeadm} starts an API server, but that it dials endpoints itself: nothing else routes to Services here. */
    List<String> apiserverFlags() {
        return List.of(
                "--requestheader-client-ca-file=" + ca,
                "--requestheader-allowed-names=" + ALLOWED_NAME,
                "--requestheader-username-headers=X-Remote-User",
                "--requestheader-group-headers=X-Remote-Group",
                "--requestheader-extra-headers-prefix=X-Remote-Extra-",
                "--proxy-client-cert-file=" + certificate,
                "--proxy-client-key-file=" + key,
                "--enable-aggregator-routing=true");
    }

    private static Path pem(Path file, String type, byte[] der) throws IOException {
        return Files.writeString(file, PemText.of(type, der));
    }
}
