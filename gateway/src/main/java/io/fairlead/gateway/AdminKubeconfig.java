package io.fairlead.gateway;

import io.fairlead.gateway.kubeconfig.Kubeconfig;
import io.fairlead.gateway.kubeconfig.KubeconfigException;
import io.fairlead.gateway.pki.KeyedCertificate;
import io.fairlead.gateway.pki.Pki;
import io.fairlead.gateway.pki.PrivateKeys;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * The administrator's kubeconfig of the data directory: a context {@code root}, and whatever contexts of other clusters
 * were merged into it, all led to the endpoint in use.
 */
final class AdminKubeconfig {
    private static final String ROOT = "root";

    private AdminKubeconfig() {}

    /** Writes the file, or leaves it alone if it says all this already. */
    static void write(Path file, String endpoint, String ca, KeyedCertificate admin) throws IOException {
        Kubeconfig kubeconfig = read(file);
        String before = kubeconfig.text();
        for (String cluster : kubeconfig.names("clusters")) {
            kubeconfig.setCluster(cluster, endpoint + "/clusters/" + cluster, ca);
        }
        kubeconfig.setCluster(ROOT, endpoint + "/clusters/" + ROOT, ca);
        kubeconfig.setUser(Pki.ADMIN, admin.certificate(), PrivateKeys.toSec1(admin.key()));
        kubeconfig.setContext(ROOT, ROOT, Pki.ADMIN);
        if (kubeconfig.currentContext().isEmpty()) {
            kubeconfig.setCurrentContext(ROOT);
        }
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
}
