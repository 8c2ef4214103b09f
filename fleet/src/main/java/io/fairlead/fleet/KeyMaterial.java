package io.fairlead.fleet;

import io.fairlead.credentials.Pem;
import io.fairlead.credentials.PrivateKeys;
import io.fairlead.fleet.root.RootApi;
import io.fairlead.net.UpstreamSpec;
import java.security.cert.X509Certificate;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * Validates the certificates and keys of a registration before an API server is called, with the place of each in
 * messages: a server that does not accept a certificate treats Fairlead as {@code system:anonymous}, without a reason.
 *
 * @param certificate where the client certificate was read
 * @param key where its private key was read
 * @param ca where the CAs were read
 */
record KeyMaterial(String certificate, String key, String ca) {
    /**
     * Requires that the TLS material for all servers of a cluster is usable now.
     *
     * @throws IllegalArgumentException naming the field, or the Secret and its key, and never its content
     */
    static void requireUsable(ClusterSpec.Attached spec, Credentials.Resolved resolved, Instant now) {
        ofBase(spec).requireUsable(resolved.upstream(), now);
        ClusterSpec.CrdRuntime runtime = spec.crdRuntime();
        UpstreamSpec servers = resolved.crdRuntime();
        if (runtime != null && servers != null) {
            ofCrdRuntime(spec, runtime).requireUsable(servers, now);
        }
    }

    private static KeyMaterial ofBase(ClusterSpec.Attached spec) {
        String kubeconfig = spec.kubeconfigSecret();
        if (kubeconfig != null) {
            String source = key(kubeconfig, "kubeconfig") + ": ";
            return new KeyMaterial(
                    source + "user field \"client-certificate-data\"",
                    source + "user field \"client-key-data\"",
                    source + "cluster field \"certificate-authority-data\"");
        }
        return ofSecret(
                spec.credentialSecret(),
                spec.caBundle() != null || spec.caSecret() == null
                        ? "spec.attached.caBundle"
                        : key(spec.caSecret(), "ca.crt"));
    }

    private static KeyMaterial ofCrdRuntime(ClusterSpec.Attached spec, ClusterSpec.CrdRuntime runtime) {
        KeyMaterial base = ofBase(spec);
        String ca = runtime.caBundle() == null ? base.ca() : "spec.attached.crdRuntime.caBundle";
        return runtime.credentialSecret() == null
                ? new KeyMaterial(base.certificate(), base.key(), ca)
                : ofSecret(runtime.credentialSecret(), ca);
    }

    private static KeyMaterial ofSecret(@Nullable String name, String ca) {
        return new KeyMaterial(key(name, "tls.crt"), key(name, "tls.key"), ca);
    }

    private static String key(@Nullable String secret, String key) {
        return "secret " + RootApi.SYSTEM_NAMESPACE + "/" + secret + ", key " + key;
    }

    private void requireUsable(UpstreamSpec servers, Instant now) {
        String authorities = servers.caBundle();
        if (authorities != null) {
            Pem.certificates(ca, authorities);
        }
        String chain = servers.clientCertificate();
        String privateKey = servers.clientKey();
        if (chain == null && privateKey == null) {
            return;
        }
        if (chain == null || privateKey == null) {
            throw new IllegalArgumentException((chain == null ? certificate : key) + " is missing (expected "
                    + certificate + " with " + key + ")");
        }
        X509Certificate own = Pem.certificates(certificate, chain).getFirst();
        if (!PrivateKeys.fits(Pem.privateKey(key, privateKey), own.getPublicKey())) {
            throw new IllegalArgumentException(key
                    + ": it is not the key of the certificate (expected that of the first one in " + certificate + ")");
        }
        Instant end = own.getNotAfter().toInstant();
        if (end.isBefore(now)) {
            throw new IllegalArgumentException(
                    certificate + ": the client certificate expired on " + end + " (expected one that is valid now)");
        }
    }
}
