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
 * The administrator's kubeconfig of the data directory: a context {@code root}, and any entries merged into it.
 *
 * <p>Entries that pointed to this server when it last ran are updated to the current endpoint and CA; they keep their
 * form and their other fields. All other entries stay unchanged.
 */
final class AdminKubeconfig {
    private static final String ROOT = "root";
    private static final String CA_FIELD = "certificate-authority-data";
    /** The label of a SEC 1 key in base64; whole groups of three bytes. */
    private static final String SEC1_BEGIN = Kubeconfig.data("-----BEGIN EC PRIVATE KEY-----");

    private final Kubeconfig kubeconfig;
    private final URI endpoint;
    private final String caData;

    private AdminKubeconfig(Kubeconfig kubeconfig, URI endpoint, String ca) {
        this.kubeconfig = kubeconfig;
        this.endpoint = endpoint;
        this.caData = Kubeconfig.data(ca);
    }

    /**
     * Writes the file, unless it is already up to date.
     *
     * @param kubeconfig what was {@link #read} of it; is changed
     */
    static void write(Path file, Kubeconfig kubeconfig, String endpoint, String ca, KeyedCertificate admin)
            throws IOException {
        Map<String, Object> before = kubeconfig.content();
        new AdminKubeconfig(kubeconfig, URI.create(endpoint), ca).lead(admin);
        if (!Files.exists(file) || !kubeconfig.content().equals(before)) {
            kubeconfig.write(file);
        }
    }

    /** Reads the file; one in the data directory that is not a kubeconfig is replaced. */
    static Kubeconfig read(Path file) {
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

    /**
     * Whether the certificate and a key in the right form are there; converting the key costs half a second at start.
     */
    private boolean holds(KeyedCertificate admin) {
        Map<String, Object> user = kubeconfig.entry("users", "user", Pki.ADMIN).orElse(Map.of());
        return Kubeconfig.data(admin.certificate()).equals(user.get("client-certificate-data"))
                && String.valueOf(user.get("client-key-data")).startsWith(SEC1_BEGIN);
    }

    private Map<String, Object> cluster(String name) {
        return kubeconfig.entry("clusters", "cluster", name).orElse(Map.of());
    }

    /** Whether an entry pointed to the root cluster's server: by the same address, or with the same CA. */
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

    /**
     * A URL with the cluster in its path starts with the endpoint; one with the cluster in its host has the endpoint's
     * port.
     */
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
