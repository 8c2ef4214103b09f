package io.fairlead.fleet;

import io.fairlead.credentials.kubeconfig.Target;
import io.fairlead.fleet.availability.AvailabilityGate;
import io.fairlead.fleet.root.Finalizers;
import io.fairlead.hosted.KindRules;
import io.fairlead.model.ClusterName;
import io.fairlead.model.Status;
import io.fairlead.model.Status.Cause;
import io.fairlead.schema.meta.NameRule;
import java.net.URI;
import java.net.URISyntaxException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Locale;
import java.util.regex.Pattern;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** What a {@code Cluster} must satisfy beyond its schema. */
final class ClusterRules implements KindRules {
    /** The finalizer that keeps a hosted cluster's registration until its data is deleted. */
    static final String DELETE_DATA = "fairlead.io/delete-data";

    /** The field of the CRD runtime. */
    static final String CRD_RUNTIME_ENDPOINTS = "spec.attached.crdRuntime.endpoints";

    /** The field of the proxy to all servers. */
    static final String PROXY_URL = "spec.attached.proxyUrl";

    private static final int PORT_MAX = 65_535;
    private static final int HTTPS_PORT = 443;

    /**
     * Path segments that all servers parse alike: none is empty or consists of dots, and nothing in them is escaped.
     */
    private static final Pattern PLAIN_PATH =
            Pattern.compile("(?:/(?!\\.{1,2}(?:/|$))[A-Za-z0-9._~:@!$&'()*+,=-]+)*+/?");

    @Override
    public NameRule nameRule() {
        return NameRule.DNS_LABEL;
    }

    @Override
    public void prepareForCreate(ObjectNode object) {
        holdForDeletionOfData(object);
    }

    @Override
    public void prepareForUpdate(ObjectNode object, ObjectNode old) {
        if (!old.path("metadata").has("deletionTimestamp")) {
            holdForDeletionOfData(object);
        }
    }

    @Override
    public List<String> deletionWarnings(ObjectNode object) {
        return SourceFile.of(object)
                .map(file -> List.of(
                        "cluster \"" + object.path("metadata").path("name").asString("")
                                + "\" is declared by the file " + file
                                + " of --clusters-dir, which would create it again; remove it there"))
                .orElse(List.of());
    }

    @Override
    public List<Cause> validateCreate(ObjectNode object) {
        return new Validation(object).causes();
    }

    @Override
    public List<Cause> validateUpdate(ObjectNode object, ObjectNode old) {
        Validation validation = new Validation(object);
        boolean changesType =
                old.path("spec").has("hosted") != object.path("spec").has("hosted");
        if (changesType) {
            validation.add("FieldValueForbidden", "spec", "Forbidden: a cluster stays attached or hosted");
        } else if (!builtIns(old).equals(builtIns(object))) {
            validation.add(
                    "FieldValueForbidden",
                    "spec.hosted.builtIns",
                    "Forbidden: stays " + builtIns(old)
                            + "; a cluster that is deleted with deletionPolicy Retain and created again with All keeps"
                            + " its data");
        }
        return validation.causes();
    }

    private static String builtIns(ObjectNode cluster) {
        return cluster.at("/spec/hosted/builtIns").asString("");
    }

    private static void holdForDeletionOfData(ObjectNode object) {
        JsonNode hosted = object.path("spec").path("hosted");
        boolean delete = hosted.path("deletionPolicy").asString("").equals("Delete");
        Finalizers.set(object, DELETE_DATA, delete);
    }

    /** The validation of one object. */
    private static final class Validation {
        private final ObjectNode object;
        private final JsonNode spec;
        private final String name;
        private final boolean isRoot;
        private final List<Cause> causes = new ArrayList<>();

        Validation(ObjectNode object) {
            this.object = object;
            spec = object.path("spec");
            name = object.path("metadata").path("name").asString("");
            isRoot = name.equals(ClusterName.ROOT.value());
        }

        List<Cause> causes() {
            if (spec.has("attached") == spec.has("hosted")) {
                String found = spec.has("hosted") ? "attached and hosted are both set" : "neither is set";
                invalid("spec", "exactly one of attached and hosted is expected, " + found);
            } else if (isRoot && spec.path("paused").asBoolean(false)) {
                add(
                        "FieldValueForbidden",
                        "spec.paused",
                        "Forbidden: the root cluster holds the registrations, so no request could resume it");
            } else if (isRoot && !spec.has("hosted")) {
                invalid("spec", "the root cluster is hosted");
            } else if (isRoot && !builtIns(object).equals("Core")) {
                invalid("spec.hosted.builtIns", builtIns(object) + ": Core is expected of the root cluster");
            } else if (spec.has("attached")) {
                checkAttached(spec.path("attached"));
            }
            if (AvailabilityGate.timeout(object).isEmpty()) {
                invalid(
                        "spec.gateTimeout",
                        "\"" + spec.path("gateTimeout").asString("")
                                + "\": expected a duration from 1s to 24h, as 90s or 5m");
            }
            checkAlias(spec.path("aliasOf").asString(""));
            return causes;
        }

        private void checkAlias(String alias) {
            if (spec.has("aliasOf") && !spec.has("attached")) {
                add("FieldValueForbidden", "spec.aliasOf", "Forbidden: only an attached cluster has servers to share");
            } else if (!alias.isEmpty() && alias.equals(name)) {
                invalid("spec.aliasOf", "\"" + alias + "\": another registration than this one is expected");
            }
        }

        private void checkAttached(JsonNode attached) {
            checkIdentity(attached);
            checkProxy(attached.path("proxyUrl").asString(""));
            checkCrdRuntime(attached);
            boolean byKubeconfig = attached.has("kubeconfigSecretRef");
            if (byKubeconfig) {
                for (String field :
                        List.of("endpoints", "caBundle", "caSecretRef", "tlsServerName", "credentialSecretRef")) {
                    if (attached.has(field)) {
                        add("FieldValueForbidden", "spec.attached." + field, "Forbidden: the kubeconfig says it");
                    }
                }
                return;
            }
            if (attached.path("endpoints").isEmpty()) {
                add(
                        "FieldValueRequired",
                        "spec.attached.endpoints",
                        "Required value: at least one https://host[:port], or a kubeconfigSecretRef");
            }
            if (!attached.has("credentialSecretRef")) {
                add("FieldValueRequired", "spec.attached.credentialSecretRef", "Required value: Fairlead's credential");
            }
            if (attached.has("caBundle") && attached.has("caSecretRef")) {
                add("FieldValueForbidden", "spec.attached.caSecretRef", "Forbidden: caBundle is set as well");
            }
            int index = 0;
            for (JsonNode endpoint : attached.path("endpoints").values()) {
                checkEndpoint("spec.attached.endpoints[" + index++ + "]", endpoint.asString(""));
            }
        }

        /** What would have no effect where callers' own tokens are sent, or would send them elsewhere, or would let no caller in. */
        private void checkIdentity(JsonNode attached) {
            if (IdentityMode.of(attached.path("identity").asString("")) != IdentityMode.PASSTHROUGH) {
                return;
            }
            String with = " with identity " + IdentityMode.PASSTHROUGH + ": ";
            if (!attached.path("tokenReview").asBoolean(false)) {
                add(
                        "FieldValueRequired",
                        "spec.attached.tokenReview",
                        "Required value: true is expected" + with
                                + "a token is sent to the cluster only after the cluster itself has accepted it");
            }
            if (!spec.path("allowOwnIdentities").asBoolean(true)) {
                add(
                        "FieldValueForbidden",
                        "spec.allowOwnIdentities",
                        "Forbidden: false" + with + "only the cluster's own identities can be presented there");
            }
            if (attached.has("crdRuntime")) {
                add(
                        "FieldValueForbidden",
                        "spec.attached.crdRuntime",
                        "Forbidden" + with + "a token is sent to no other servers than those that have accepted it");
            }
            if (attached.has("impersonation")) {
                add(
                        "FieldValueForbidden",
                        "spec.attached.impersonation",
                        "Forbidden" + with + "the cluster itself knows the groups of its users");
            }
        }

        private void checkProxy(String proxy) {
            if (!proxy.isEmpty() && !Target.isProxy(proxy)) {
                invalid(
                        PROXY_URL,
                        "http://host[:port] or https://host[:port] is expected, without user and password, and a port"
                                + " from 1 to " + PORT_MAX);
            }
        }

        /** The base is in a kubeconfig, which is read later. */
        private void checkCrdRuntime(JsonNode attached) {
            List<String> base = attached.path("endpoints").values().stream()
                    .map(endpoint -> endpoint.asString(""))
                    .toList();
            int index = 0;
            for (JsonNode node : attached.path("crdRuntime").path("endpoints").values()) {
                String field = CRD_RUNTIME_ENDPOINTS + "[" + index++ + "]";
                String endpoint = node.asString("");
                checkEndpoint(field, endpoint);
                if (isAmong(base, endpoint)) {
                    invalid(
                            field,
                            "\"" + endpoint + "\" is the base itself: a server that is not in"
                                    + " spec.attached.endpoints is expected");
                }
            }
        }

        private void checkEndpoint(String field, String endpoint) {
            if (!isEndpoint(endpoint)) {
                invalid(
                        field,
                        "\"" + Target.shown(endpoint)
                                + "\": https://host[:port] is expected, maybe with a path of plain segments, and a"
                                + " port from 1 to " + PORT_MAX);
            }
        }

        private void invalid(String field, String message) {
            add("FieldValueInvalid", field, "Invalid value: " + message);
        }

        void add(String reason, String field, String message) {
            causes.add(new Status.Cause(reason, message, field));
        }
    }

    /** Whether an endpoint has the same host, port and path as one of some others; false for an invalid one. */
    static boolean isAmong(Collection<String> endpoints, String endpoint) {
        return isEndpoint(endpoint)
                && endpoints.stream()
                        .filter(ClusterRules::isEndpoint)
                        .anyMatch(other -> server(other).equals(server(endpoint)));
    }

    private static String server(String endpoint) {
        URI uri = URI.create(endpoint);
        int port = uri.getPort() < 0 ? HTTPS_PORT : uri.getPort();
        String path = uri.getRawPath();
        return uri.getHost().toLowerCase(Locale.ROOT) + ":" + port
                + (path.endsWith("/") ? path.substring(0, path.length() - 1) : path);
    }

    /**
     * Whether the text is {@code https://host[:port][/path]} with a valid port, and a path that a request below it
     * cannot leave.
     */
    static boolean isEndpoint(String text) {
        try {
            URI uri = new URI(text);
            return "https".equals(uri.getScheme())
                    && uri.getHost() != null
                    && uri.getPort() != 0
                    && uri.getPort() <= PORT_MAX
                    && uri.getRawUserInfo() == null
                    && uri.getRawQuery() == null
                    && uri.getRawFragment() == null
                    && PLAIN_PATH.matcher(uri.getRawPath()).matches();
        } catch (URISyntaxException invalid) {
            return false;
        }
    }
}
