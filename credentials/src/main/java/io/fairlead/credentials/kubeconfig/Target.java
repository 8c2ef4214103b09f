package io.fairlead.credentials.kubeconfig;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.fairlead.credentials.PrivateKeys;
import io.fairlead.model.FileFault;
import java.io.IOException;
import java.net.URI;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The server and credential of one context of a kubeconfig, with every file inlined.
 *
 * @param server the API server's URL
 * @param tlsServerName the name that its certificate must be for, or null for the URL's host
 * @param caCertificates PEM certificates that sign it, or null for the system's trust
 * @param clientCertificate the PEM client certificate, or null
 * @param clientKey its PKCS #8 key, or null
 * @param token the bearer token, or null
 * @param proxy the HTTP proxy to the server, or null
 */
public record Target(
        URI server,
        @Nullable String tlsServerName,
        @Nullable String caCertificates,
        @Nullable String clientCertificate,
        @Nullable String clientKey,
        @Nullable String token,
        @Nullable URI proxy) {
    private static final List<String> CLUSTER_FIELDS_REFUSED = List.of("insecure-skip-tls-verify");
    private static final String PROXY = "proxy-url";
    private static final int PORT_MAX = 65_535;
    private static final Pattern SECRETS_OF_URL = Pattern.compile("(?s)(?<=//)[^/]*(?=@)|(?<=[?#]).*");
    private static final List<String> USER_FIELDS_REFUSED =
            List.of("exec", "auth-provider", "username", "password", "as", "as-uid", "as-groups", "as-user-extra");

    /** The supported fields of a self-contained kubeconfig; fields with file names have their own error. */
    private static final Set<String> CLUSTER_FIELDS_INLINED =
            Set.of("server", "certificate-authority", "certificate-authority-data", "tls-server-name");

    private static final Set<String> USER_FIELDS_INLINED = Set.of(
            "token", "tokenFile", "client-certificate", "client-certificate-data", "client-key", "client-key-data");
    private static final List<String> FILE_FIELDS =
            List.of("certificate-authority", "client-certificate", "client-key", "tokenFile");

    /**
     * Reads a context.
     *
     * @param context its name, or null for the current one
     * @param folder the base of relative paths in it, or null to refuse paths
     * @throws KubeconfigException naming the field that is missing or cannot be used
     */
    public static Target of(Kubeconfig kubeconfig, @Nullable String context, @Nullable Path folder)
            throws KubeconfigException {
        return new Reading(kubeconfig, folder).target(context);
    }

    /**
     * Reads the server of a context without its user.
     *
     * @param context its name, or null for the current one
     * @param folder the base of relative paths in it, or null to refuse paths
     * @throws KubeconfigException naming the field that is missing or cannot be used
     */
    public static Target ofServer(Kubeconfig kubeconfig, @Nullable String context, @Nullable Path folder)
            throws KubeconfigException {
        return new Reading(kubeconfig, folder).server(context);
    }

    /** The same server with a token, and with no other credential. */
    public Target withToken(String other) {
        return new Target(server, tlsServerName, caCertificates, null, null, other, proxy);
    }

    /** A URL that is refused, without what may be a password or a token in it: the user, and the query. */
    public static String shown(String url) {
        return SECRETS_OF_URL.matcher(url).replaceAll("(hidden)");
    }

    /** Whether the text is {@code http://host[:port]} or {@code https://host[:port]}, without a credential. */
    public static boolean isProxy(String text) {
        try {
            URI uri = new URI(text);
            return ("http".equals(uri.getScheme()) || "https".equals(uri.getScheme()))
                    && uri.getHost() != null
                    && uri.getPort() != 0
                    && uri.getPort() <= PORT_MAX
                    && uri.getRawUserInfo() == null
                    && uri.getRawQuery() == null
                    && uri.getRawFragment() == null
                    && (uri.getRawPath().isEmpty() || uri.getRawPath().equals("/"));
        } catch (URISyntaxException invalid) {
            return false;
        }
    }

    /** Omits credentials. */
    @Override
    public String toString() {
        return "Target[server=" + server + ", tlsServerName=" + tlsServerName + ", proxy=" + proxy + "]";
    }

    /** One reading of one context. */
    private record Reading(Kubeconfig kubeconfig, @Nullable Path folder) {
        Target target(@Nullable String wanted) throws KubeconfigException {
            String name = wanted == null ? kubeconfig.currentContext() : wanted;
            Map<String, Object> context = context(name);
            Map<String, Object> cluster = referred(context, "clusters", "cluster", name);
            Map<String, Object> user = referred(context, "users", "user", name);
            refuse(cluster, CLUSTER_FIELDS_REFUSED, "cluster");
            refuse(user, USER_FIELDS_REFUSED, "user");
            if (folder == null) {
                requireNoProxy(cluster);
                requireInlined(cluster, CLUSTER_FIELDS_INLINED, "cluster");
                requireInlined(user, USER_FIELDS_INLINED, "user");
            }
            return new Target(
                    server(cluster),
                    text(cluster, "tls-server-name"),
                    data(cluster, "certificate-authority"),
                    data(user, "client-certificate"),
                    key(user),
                    token(user),
                    proxy(cluster));
        }

        Target server(@Nullable String wanted) throws KubeconfigException {
            String name = wanted == null ? kubeconfig.currentContext() : wanted;
            Map<String, Object> cluster = referred(context(name), "clusters", "cluster", name);
            refuse(cluster, CLUSTER_FIELDS_REFUSED, "cluster");
            return new Target(
                    server(cluster),
                    text(cluster, "tls-server-name"),
                    data(cluster, "certificate-authority"),
                    null,
                    null,
                    null,
                    proxy(cluster));
        }

        private Map<String, Object> context(String name) throws KubeconfigException {
            Optional<Map<String, Object>> context = kubeconfig.entry("contexts", "context", name);
            if (context.isPresent()) {
                return context.get();
            }
            String wanting = name.isEmpty() ? "there is no current context" : "context \"" + name + "\" does not exist";
            String known = String.join(", ", kubeconfig.contexts());
            throw problem(
                    known.isEmpty()
                            ? wanting + ", nor any other (expected a kubeconfig with clusters, users and contexts)"
                            : wanting + " (expected one of: " + known + ")");
        }

        private Map<String, Object> referred(Map<String, Object> context, String section, String field, String name)
                throws KubeconfigException {
            String reference = text(context, field);
            if (reference == null) {
                throw problem("context \"" + name + "\" names no " + field);
            }
            Optional<Map<String, Object>> entry = kubeconfig.entry(section, field, reference);
            if (entry.isEmpty()) {
                throw problem(
                        "context \"" + name + "\" names " + field + " \"" + reference + "\", which does not exist");
            }
            return entry.get();
        }

        private void requireInlined(Map<String, Object> entry, Set<String> fields, String kind)
                throws KubeconfigException {
            List<String> others = entry.keySet().stream()
                    .filter(field -> !fields.contains(field))
                    .toList();
            refuse(entry, others, kind);
            for (String field : FILE_FIELDS) {
                if (isSet(entry, field)) {
                    throw namesAFile(field);
                }
            }
        }

        private static boolean isSet(Map<String, Object> entry, String field) {
            Object value = entry.get(field);
            return value != null && !value.equals(false) && !value.equals("");
        }

        private KubeconfigException namesAFile(String field) {
            return problem("field \"" + field + "\" names a file (expected \"" + field + "-data\" or a token)");
        }

        private void refuse(Map<String, Object> entry, List<String> fields, String kind) throws KubeconfigException {
            for (String field : fields) {
                if (isSet(entry, field)) {
                    throw problem(kind + " field \"" + field + "\" is not accepted (expected a server with a"
                            + " verifiable certificate, and a token or a client certificate)");
                }
            }
        }

        /** A registration has its own field for it, so that the destination is visible. */
        private void requireNoProxy(Map<String, Object> cluster) throws KubeconfigException {
            if (isSet(cluster, PROXY)) {
                throw problem("cluster field \"" + PROXY
                        + "\" is not accepted (expected spec.attached.proxyUrl of the Cluster instead)");
            }
        }

        /** Omits the URL, which may contain a password. */
        private @Nullable URI proxy(Map<String, Object> cluster) throws KubeconfigException {
            String proxy = text(cluster, PROXY);
            if (proxy == null) {
                return null;
            }
            if (!isProxy(proxy)) {
                throw problem("cluster field \"" + PROXY
                        + "\" (expected http://host[:port] or https://host[:port], without user and password)");
            }
            return URI.create(proxy);
        }

        private URI server(Map<String, Object> cluster) throws KubeconfigException {
            String server = text(cluster, "server");
            if (server == null) {
                throw problem("cluster field \"server\" is missing (expected https://host[:port][/path])");
            }
            try {
                URI uri = URI.create(server);
                if ("https".equals(uri.getScheme()) && uri.getHost() != null && uri.getUserInfo() == null) {
                    return uri;
                }
            } catch (IllegalArgumentException invalid) {
                // Falls through to the answer for every invalid URL.
            }
            throw problem("cluster field \"server\": \"" + shown(server) + "\" (expected https://host[:port][/path])");
        }

        private @Nullable String key(Map<String, Object> user) throws KubeconfigException {
            String key = data(user, "client-key");
            try {
                return key == null ? null : PrivateKeys.toPkcs8(key);
            } catch (IOException unusable) {
                throw problem("user field \"client-key\": " + unusable.getMessage());
            }
        }

        private @Nullable String token(Map<String, Object> user) throws KubeconfigException {
            String token = text(user, "token");
            if (token != null) {
                return bearer("token", token);
            }
            String file = text(user, "tokenFile");
            return file == null
                    ? null
                    : bearer("tokenFile", file("tokenFile", file).strip());
        }

        /** A token that is a valid header value (RFC 6750 section 2.1), or a problem that does not show it. */
        private String bearer(String field, String token) throws KubeconfigException {
            if (!token.chars().allMatch(character -> character > ' ' && character <= '~')) {
                throw problem(
                        "user field \"" + field + "\" is not a bearer token (expected visible ASCII characters alone)");
            }
            return token;
        }

        /** An inlined field, otherwise the content of the named file. */
        private @Nullable String data(Map<String, Object> entry, String field) throws KubeconfigException {
            String inlined = text(entry, field + "-data");
            if (inlined != null) {
                try {
                    return new String(Base64.getMimeDecoder().decode(inlined), UTF_8);
                } catch (IllegalArgumentException notBase64) {
                    throw problem("field \"" + field + "-data\" is not base64");
                }
            }
            String file = text(entry, field);
            return file == null ? null : file(field, file);
        }

        private String file(String field, String name) throws KubeconfigException {
            if (folder == null) {
                throw namesAFile(field);
            }
            try {
                return Files.readString(folder.resolve(name));
            } catch (IOException unreadable) {
                throw problem("field \"" + field + "\": " + folder.resolve(name) + " cannot be read ("
                        + FileFault.of(unreadable) + ")");
            }
        }

        private static @Nullable String text(Map<String, Object> entry, String field) {
            return entry.get(field) instanceof String text && !text.isEmpty() ? text : null;
        }

        private KubeconfigException problem(String message) {
            return new KubeconfigException(kubeconfig.source() + ": " + message);
        }
    }
}
