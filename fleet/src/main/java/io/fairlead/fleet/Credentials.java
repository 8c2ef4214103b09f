package io.fairlead.fleet;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.fairlead.credentials.PrivateKeys;
import io.fairlead.credentials.kubeconfig.Kubeconfig;
import io.fairlead.credentials.kubeconfig.KubeconfigException;
import io.fairlead.credentials.kubeconfig.Target;
import io.fairlead.fleet.root.RootApi;
import io.fairlead.net.UpstreamSpec;
import java.io.IOException;
import java.net.URI;
import java.util.Base64;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** The location and credential of an attached cluster: its spec with the Secrets that it refers to. */
sealed interface Credentials {
    /**
     * Complete.
     *
     * @param upstream servers, trust and client certificate
     * @param token the bearer token, or null where the client certificate is the credential
     * @param crdRuntime the CRD runtime, with its own credential or the same; or null
     */
    record Resolved(
            UpstreamSpec upstream,
            @Nullable String token,
            @Nullable UpstreamSpec crdRuntime) implements Credentials {
        /** Omits the token. */
        @Override
        public String toString() {
            return "Resolved[" + upstream + ", crdRuntime=" + crdRuntime + "]";
        }

        /** Whether everything except custom resources is reached in the same way. */
        boolean hasBaseOf(Resolved other) {
            return upstream.equals(other.upstream) && Objects.equals(token, other.token);
        }
    }

    /**
     * Not usable.
     *
     * @param reason a word for programs
     * @param field the field of the spec at fault
     * @param message for people, without any credential
     */
    record Unusable(String reason, String field, String message) implements Credentials {}

    /**
     * Reads the Secrets of a cluster.
     *
     * @param secrets looks up a Secret of {@code fairlead-system} by its name
     */
    static Credentials of(ClusterSpec.Attached spec, Function<String, Optional<ObjectNode>> secrets) {
        try {
            return new Resolution(spec, secrets).resolve();
        } catch (UnusableException unusable) {
            return unusable.answer;
        }
    }

    /** The credential in a Secret: a token, or otherwise a certificate and its key. */
    record Credential(
            @Nullable String certificate,
            @Nullable String key,
            @Nullable String token) {
        /** Omits all of it. */
        @Override
        public String toString() {
            return "Credential[]";
        }
    }

    /** One resolution. */
    record Resolution(ClusterSpec.Attached spec, Function<String, Optional<ObjectNode>> secrets) {
        private static final String KUBECONFIG = "spec.attached.kubeconfigSecretRef";
        private static final String CREDENTIAL = "spec.attached.credentialSecretRef";
        private static final String CRD_RUNTIME_CREDENTIAL = "spec.attached.crdRuntime.credentialSecretRef";
        private static final String CA = "spec.attached.caSecretRef";
        private static final String CA_BUNDLE = "spec.attached.caBundle";
        private static final String CRD_RUNTIME_CA_BUNDLE = "spec.attached.crdRuntime.caBundle";

        Resolved resolve() throws UnusableException {
            String kubeconfig = spec.kubeconfigSecret();
            Resolved base = kubeconfig == null
                    ? presenting(ofFields(), CREDENTIAL, spec.credentialSecret())
                    : presenting(ofKubeconfig(kubeconfig), KUBECONFIG, kubeconfig);
            ClusterSpec.CrdRuntime runtime = spec.crdRuntime();
            return runtime == null
                    ? base
                    : new Resolved(base.upstream(), base.token(), crdRuntime(runtime, base.upstream()));
        }

        private Resolved presenting(Resolved resolved, String field, @Nullable String secretName)
                throws UnusableException {
            return new Resolved(presenting(resolved.upstream(), field, secretName), resolved.token(), null);
        }

        private UpstreamSpec presenting(UpstreamSpec servers, String field, @Nullable String secretName)
                throws UnusableException {
            try {
                return PresentingCredential.of(spec.identity(), servers, secret(String.valueOf(secretName)));
            } catch (IllegalArgumentException unfit) {
                throw unusable("InvalidCredential", field, String.valueOf(unfit.getMessage()));
            }
        }

        private UpstreamSpec crdRuntime(ClusterSpec.CrdRuntime runtime, UpstreamSpec base) throws UnusableException {
            List<String> baseEndpoints =
                    base.endpoints().stream().map(String::valueOf).toList();
            for (String endpoint : runtime.endpoints()) {
                if (ClusterRules.isAmong(baseEndpoints, endpoint)) { // Checked here, since a kubeconfig may name it.
                    throw unusable(
                            "InvalidEndpoint",
                            ClusterRules.CRD_RUNTIME_ENDPOINTS,
                            "\"" + endpoint + "\" is the base itself (expected another server)");
                }
            }
            String bundle = runtime.caBundle();
            String secretName = runtime.credentialSecret();
            Credential credential = secretName == null
                    ? new Credential(base.clientCertificate(), base.clientKey(), base.bearerToken())
                    : credential(CRD_RUNTIME_CREDENTIAL, secretName);
            UpstreamSpec servers = new UpstreamSpec(
                    runtime.endpoints().stream().map(URI::create).toList(),
                    bundle == null ? base.caBundle() : decoded(CRD_RUNTIME_CA_BUNDLE, CRD_RUNTIME_CA_BUNDLE, bundle),
                    runtime.tlsServerName(),
                    credential.certificate(),
                    credential.key(),
                    credential.token(),
                    base.proxy());
            return secretName == null
                    ? presenting(servers, CREDENTIAL, spec.credentialSecret())
                    : presenting(servers, CRD_RUNTIME_CREDENTIAL, secretName);
        }

        private Resolved ofKubeconfig(String secretName) throws UnusableException {
            String source = secret(secretName) + ", key kubeconfig";
            try {
                String text = required(KUBECONFIG, secretName, "kubeconfig");
                Target target = Target.of(Kubeconfig.parse(text, source), null, null);
                if (!ClusterRules.isEndpoint(target.server().toString())) {
                    throw unusable(
                            "InvalidKubeconfig",
                            KUBECONFIG,
                            source + ": cluster field \"server\": \""
                                    + Target.shown(target.server().toString())
                                    + "\" (expected https://host[:port][/path], the path of plain segments, and a port"
                                    + " from 1 to 65535)");
                }
                if (target.token() == null && target.clientCertificate() == null) {
                    throw unusable(
                            "InvalidKubeconfig",
                            KUBECONFIG,
                            source + ": no credential (expected user field \"token\" or \"client-certificate-data\")");
                }
                return resolved(
                        List.of(target.server()),
                        target.caCertificates(),
                        target.tlsServerName(),
                        target.clientCertificate(),
                        target.clientKey(),
                        target.token());
            } catch (KubeconfigException invalid) {
                throw unusable("InvalidKubeconfig", KUBECONFIG, String.valueOf(invalid.getMessage()));
            }
        }

        private Resolved ofFields() throws UnusableException {
            for (String endpoint : spec.endpoints()) {
                if (!ClusterRules.isEndpoint(endpoint)) { // Stored before this was validated.
                    throw unusable(
                            "InvalidEndpoint",
                            "spec.attached.endpoints",
                            "\"" + Target.shown(endpoint)
                                    + "\" (expected https://host[:port][/path], the path of plain segments, and a port"
                                    + " from 1 to 65535)");
                }
            }
            List<URI> endpoints = spec.endpoints().stream().map(URI::create).toList();
            String secretName = spec.credentialSecret();
            if (secretName == null) {
                throw unusable("SecretNotFound", CREDENTIAL, "no secret is named (expected one with the credential)");
            }
            Credential credential = credential(CREDENTIAL, secretName);
            return resolved(
                    endpoints,
                    ca(),
                    spec.tlsServerName(),
                    credential.certificate(),
                    credential.key(),
                    credential.token());
        }

        /** A token or a client certificate. */
        private Credential credential(String field, String secretName) throws UnusableException {
            String token = value(field, secretName, "token");
            if (token != null) {
                return new Credential(null, null, bearer(field, secretName, token.strip()));
            }
            String certificate = value(field, secretName, "tls.crt");
            if (certificate == null) {
                throw unusable("SecretIncomplete", field, lacksCredential(field, secretName));
            }
            return new Credential(certificate, pkcs8(field, secretName, required(field, secretName, "tls.key")), null);
        }

        private String lacksCredential(String field, String secretName) throws UnusableException {
            String expectation = value(field, secretName, "kubeconfig") == null
                    ? ""
                    : "; a Secret with the key kubeconfig is named by " + KUBECONFIG + " instead";
            return secret(secretName) + " has no key tls.crt and no key token (expected token, or tls.crt with tls.key"
                    + expectation + ")";
        }

        /**
         * A token that is not a valid header value would fail every request (RFC 6750 section 2.1); none of it is
         * shown.
         */
        private static String bearer(String field, String secretName, String token) throws UnusableException {
            String fault = token.isEmpty()
                    ? "is empty"
                    : token.chars().anyMatch(c -> c == '\r' || c == '\n')
                            ? "has a line break inside"
                            : token.chars().allMatch(c -> c > ' ' && c <= '~')
                                    ? ""
                                    : "has a space, or a character that is not visible ASCII, inside";
            if (!fault.isEmpty()) {
                throw unusable(
                        "InvalidCredential",
                        field,
                        secret(secretName) + ", key token: the value " + fault
                                + " (expected one bearer token of visible ASCII characters)");
            }
            return token;
        }

        private Resolved resolved(
                List<URI> endpoints,
                @Nullable String ca,
                @Nullable String tlsServerName,
                @Nullable String certificate,
                @Nullable String key,
                @Nullable String token)
                throws UnusableException {
            UpstreamSpec upstream = new UpstreamSpec(endpoints, ca, tlsServerName, certificate, key, token, proxy());
            return new Resolved(upstream, token, null);
        }

        private @Nullable URI proxy() throws UnusableException {
            String proxy = spec.proxyUrl();
            if (proxy != null && !Target.isProxy(proxy)) {
                throw unusable(
                        "InvalidProxy",
                        ClusterRules.PROXY_URL,
                        "expected http://host[:port] or https://host[:port], without user and password");
            }
            return proxy == null ? null : URI.create(proxy);
        }

        private @Nullable String ca() throws UnusableException {
            String bundle = spec.caBundle();
            if (bundle != null) {
                return decoded(CA_BUNDLE, CA_BUNDLE, bundle);
            }
            String secretName = spec.caSecret();
            return secretName == null ? null : required(CA, secretName, "ca.crt");
        }

        private static String pkcs8(String field, String secretName, String key) throws UnusableException {
            try {
                return PrivateKeys.toPkcs8(key);
            } catch (IOException invalid) {
                throw unusable(
                        "InvalidCredential", field, secret(secretName) + ", key tls.key: " + invalid.getMessage());
            }
        }

        private String required(String field, String secretName, String key) throws UnusableException {
            String value = value(field, secretName, key);
            if (value == null) {
                throw unusable("SecretIncomplete", field, secret(secretName) + " has no key " + key);
            }
            return value;
        }

        private @Nullable String value(String field, String secretName, String key) throws UnusableException {
            Optional<ObjectNode> secret = secrets.apply(secretName);
            if (secret.isEmpty()) {
                throw unusable("SecretNotFound", field, secret(secretName) + " does not exist");
            }
            JsonNode value = secret.get().path("data").path(key);
            return value.isString() ? decoded(field, secret(secretName) + ", key " + key, value.stringValue()) : null;
        }

        private static String decoded(String field, String source, String base64) throws UnusableException {
            try {
                return new String(Base64.getMimeDecoder().decode(base64), UTF_8);
            } catch (IllegalArgumentException invalid) {
                throw unusable("InvalidCredential", field, source + ": the value is not base64");
            }
        }

        private static String secret(String name) {
            return "secret " + RootApi.SYSTEM_NAMESPACE + "/" + name;
        }

        private static UnusableException unusable(String reason, String field, String message) {
            return new UnusableException(new Unusable(reason, field, message));
        }
    }

    /** Ends a resolution. */
    final class UnusableException extends Exception {
        private static final long serialVersionUID = 1L;

        private final transient Unusable answer;

        UnusableException(Unusable answer) {
            super(answer.message(), null, false, false);
            this.answer = answer;
        }
    }
}
