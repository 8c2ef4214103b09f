package io.fairlead.gateway;

import io.fairlead.credentials.PrivateKeys;
import io.fairlead.credentials.kubeconfig.Kubeconfig;
import io.fairlead.credentials.kubeconfig.KubeconfigException;
import io.fairlead.credentials.pki.KeyedCertificate;
import io.fairlead.credentials.pki.Pki;
import java.io.IOException;
import java.net.URI;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/**
 * The administrator's kubeconfig of the data directory: a context {@code root}, and whatever else was merged into it.
 *
 * <p>Entries of clusters that led to this server when it last ran follow it to the endpoint in use and to its CA; they
 * keep their form and their other fields. Everybody else's entries stay as they are.
 */
final class AdminKubeconfig {
    private static final String ROOT = "root";
    private static final String CA_FIELD = "certificate-authority-data";
    /** How base64 writes the label of a SEC 1 key; whole groups of three bytes. */
    private static final String SEC1_BEGIN = Kubeconfig.data("-----BEGIN EC PRIVATE KEY-----");

    private final Kubeconfig kubeconfig;
    private final URI endpoint;
    private final String caData;

    private AdminKubeconfig(Kubeconfig kubeconfig, URI endpoint, String ca) {
        this.kubeconfig = kubeconfig;
        this.endpoint = endpoint;
        this.caData = Kubeconfig.data(ca);
    }

    /** Writes the file, or leaves it alone if it says all this already. */
    static void write(Path file, String endpoint, String ca, KeyedCertificate admin) throws IOException {
        Kubeconfig kubeconfig = read(file);
        String before = kubeconfig.text();
        new AdminKubeconfig(kubeconfig, URI.create(endpoint), ca).lead(admin);
        if (!Files.exists(file) || !kubeconfig.text().equals(before)) {
            kubeconfig.write(file);
        }
    }

    /** A file that is no kubeconfig is ours to replace: it lies in the data directory. */
    private static Kubeconfig read(Path file) {
        try {
            return Files.exists(file) ? Kubeconfig.read(file) : Kubeconfig.empty();
        } catch (KubeconfigException damaged) {
            return Kubeconfig.empty();
        }
    }

    private void lead(KeyedCertificate admin) throws IOException {
        Map<String, Object> rootBefore = cluster(ROOT);
        for (String name : kubeconfig.names("clusters")) {
            Map<String, Object> cluster = cluster(name);
            url(cluster)
                    .filter(server -> isSameServer(cluster, server, rootBefore))
                    .ifPresent(server -> lead(name, cluster, here(server)));
        }
        lead(ROOT, rootBefore, endpoint + "/clusters/" + ROOT);
        if (!holds(admin)) {
            kubeconfig.setUser(Pki.ADMIN, admin.certificate(), PrivateKeys.toSec1(admin.key()));
        }
        Map<String, Object> context = new LinkedHashMap<>(
                kubeconfig.entry("contexts", "context", ROOT).orElse(Map.of()));
        context.put("cluster", ROOT);
        context.put("user", Pki.ADMIN);
        kubeconfig.setContext(ROOT, context);
        if (kubeconfig.currentContext().isEmpty()) {
            kubeconfig.setCurrentContext(ROOT);
        }
    }

    /** Whether the certificate and a key in the right form are there already; to make that form costs a start half a second. */
    private boolean holds(KeyedCertificate admin) {
        Map<String, Object> user = kubeconfig.entry("users", "user", Pki.ADMIN).orElse(Map.of());
        return Kubeconfig.data(admin.certificate()).equals(user.get("client-certificate-data"))
                && String.valueOf(user.get("client-key-data")).startsWith(SEC1_BEGIN);
    }

    private Map<String, Object> cluster(String name) {
        return kubeconfig.entry("clusters", "cluster", name).orElse(Map.of());
    }

    /** Whether an entry led to where the root cluster's did: by the same address, or with the same CA. */
    private static boolean isSameServer(Map<String, Object> cluster, URI server, Map<String, Object> root) {
        boolean sameAddress = url(root)
                .map(URI::getRawAuthority)
                .filter(authority -> authority.equals(server.getRawAuthority()))
                .isPresent();
        Object ca = cluster.get(CA_FIELD);
        return sameAddress || (ca != null && ca.equals(root.get(CA_FIELD)));
    }

    private static Optional<URI> url(Map<String, Object> cluster) {
        try {
            URI url = new URI(String.valueOf(cluster.get("server")));
            return url.getHost() == null ? Optional.empty() : Optional.of(url);
        } catch (URISyntaxException unusable) {
            return Optional.empty();
        }
    }

    /** A URL with the cluster in its path has the endpoint before it; one with the cluster in its host has its port. */
    private String here(URI server) {
        String path = server.getRawPath();
        return path.startsWith("/clusters/")
                ? endpoint + path
                : "https://" + server.getHost() + ":" + endpoint.getPort() + path;
    }

    private void lead(String name, Map<String, Object> before, String server) {
        Map<String, Object> cluster = new LinkedHashMap<>(before);
        cluster.put(CA_FIELD, caData);
        cluster.put("server", server);
        kubeconfig.setCluster(name, cluster);
    }
}
