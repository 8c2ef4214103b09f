package io.fairlead.fleet;

import io.fairlead.hosted.BuiltIns;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** The spec of a {@code Cluster}. */
public sealed interface ClusterSpec {
    boolean paused();

    /** The word for people: {@code Attached} or {@code Hosted}. */
    String type();

    /**
     * An attached cluster.
     *
     * @param endpoints the URLs as given, empty where a kubeconfig names the server
     * @param caBundle base64 of PEM certificates, or null
     * @param caSecret the Secret with the CA, or null
     * @param tlsServerName the name expected of the servers' certificates, or null for the host
     * @param credentialSecret the Secret with the credential, or null
     * @param kubeconfigSecret the Secret with a kubeconfig, or null
     * @param proxyUrl the HTTP proxy to all servers, or null
     * @param renewsToken whether the credential is a token that is renewed before it ends
     * @param crdRuntime the servers of custom resources, or null if the endpoints serve them
     * @param identity how callers are presented
     * @param constrainedImpersonation whether the servers have constrained impersonation
     * @param historyModes what becomes of events that go back in time
     */
    record Attached(
            boolean paused,
            List<String> endpoints,
            @Nullable String caBundle,
            @Nullable String caSecret,
            @Nullable String tlsServerName,
            @Nullable String credentialSecret,
            @Nullable String kubeconfigSecret,
            @Nullable String proxyUrl,
            boolean renewsToken,
            @Nullable CrdRuntime crdRuntime,
            IdentityMode identity,
            boolean allowSystemMasters,
            Set<String> deniedGroups,
            boolean constrainedImpersonation,
            HistoryModes historyModes)
            implements ClusterSpec {
        public Attached {
            endpoints = List.copyOf(endpoints);
            deniedGroups = Set.copyOf(deniedGroups);
        }

        @Override
        public String type() {
            return "Attached";
        }

        /** The names of all Secrets that it refers to. */
        public List<String> secrets() {
            return Stream.of(
                            caSecret,
                            credentialSecret,
                            kubeconfigSecret,
                            crdRuntime == null ? null : crdRuntime.credentialSecret())
                    .filter(Objects::nonNull)
                    .map(String::valueOf)
                    .toList();
        }

        /** The same without a CRD runtime. */
        Attached withoutCrdRuntime() {
            return new Attached(
                    paused,
                    endpoints,
                    caBundle,
                    caSecret,
                    tlsServerName,
                    credentialSecret,
                    kubeconfigSecret,
                    proxyUrl,
                    renewsToken,
                    null,
                    identity,
                    allowSystemMasters,
                    deniedGroups,
                    constrainedImpersonation,
                    historyModes);
        }

        /** Whether servers, connection and credential are the same. */
        boolean reachesLike(Attached other) {
            return target().equals(other.target());
        }

        /**
         * Whether callers are presented in another way than before, with groups that were withheld before, or as others whom they could not
         * impersonate before.
         */
        boolean presentsMoreThan(Attached before) {
            return identity != before.identity
                    || (allowSystemMasters && !before.allowSystemMasters)
                    || (constrainedImpersonation && !before.constrainedImpersonation)
                    || !deniedGroups.containsAll(before.deniedGroups);
        }

        private List<Object> target() {
            return List.of(
                    endpoints,
                    Optional.ofNullable(caBundle),
                    Optional.ofNullable(tlsServerName),
                    Optional.ofNullable(caSecret),
                    Optional.ofNullable(credentialSecret),
                    Optional.ofNullable(kubeconfigSecret),
                    Optional.ofNullable(proxyUrl),
                    Optional.ofNullable(crdRuntime));
        }
    }

    /**
     * The CRD runtime of an attached cluster.
     *
     * @param endpoints the URLs as given
     * @param caBundle base64 of PEM certificates, or null for the cluster's CA
     * @param tlsServerName the name expected of the servers' certificates, or null for the host
     * @param credentialSecret the Secret with the credential, or null for that of the cluster
     */
    record CrdRuntime(
            List<String> endpoints,
            @Nullable String caBundle,
            @Nullable String tlsServerName,
            @Nullable String credentialSecret) {
        public CrdRuntime {
            endpoints = List.copyOf(endpoints);
        }
    }

    /**
     * A hosted cluster.
     *
     * @param deleteData whether the data is deleted with the registration
     * @param builtIns the kinds that it serves without a CRD
     */
    record Hosted(boolean paused, boolean deleteData, BuiltIns builtIns) implements ClusterSpec {
        @Override
        public String type() {
            return "Hosted";
        }
    }

    /** Parses the spec of a validated object. */
    static ClusterSpec of(ObjectNode cluster) {
        JsonNode spec = cluster.path("spec");
        boolean paused = spec.path("paused").asBoolean(false);
        if (spec.has("hosted")) {
            JsonNode hosted = spec.path("hosted");
            boolean delete = hosted.path("deletionPolicy").asString("").equals("Delete");
            return new Hosted(
                    paused, delete, BuiltIns.of(hosted.path("builtIns").asString("")));
        }
        return attached(paused, spec.path("attached"), HistoryModes.of(spec));
    }

    private static Attached attached(boolean paused, JsonNode attached, HistoryModes historyModes) {
        JsonNode impersonation = attached.path("impersonation");
        return new Attached(
                paused,
                texts(attached.path("endpoints")),
                text(attached, "caBundle"),
                text(attached.path("caSecretRef"), "name"),
                text(attached, "tlsServerName"),
                text(attached.path("credentialSecretRef"), "name"),
                text(attached.path("kubeconfigSecretRef"), "name"),
                text(attached, "proxyUrl"),
                attached.path("renewToken").asBoolean(false),
                crdRuntime(attached.path("crdRuntime")),
                IdentityMode.of(attached.path("identity").asString("")),
                impersonation.path("allowSystemMasters").asBoolean(false),
                texts(impersonation.path("deniedGroups")).stream().collect(Collectors.toSet()),
                impersonation.path("constrained").asBoolean(false),
                historyModes);
    }

    private static @Nullable CrdRuntime crdRuntime(JsonNode runtime) {
        return runtime.isObject()
                ? new CrdRuntime(
                        texts(runtime.path("endpoints")),
                        text(runtime, "caBundle"),
                        text(runtime, "tlsServerName"),
                        text(runtime.path("credentialSecretRef"), "name"))
                : null;
    }

    private static @Nullable String text(JsonNode object, String field) {
        String text = object.path(field).asString("");
        return text.isEmpty() ? null : text;
    }

    private static List<String> texts(JsonNode array) {
        return array.values().stream().map(value -> value.asString("")).toList();
    }
}
