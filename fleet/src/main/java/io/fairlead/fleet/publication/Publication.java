package io.fairlead.fleet.publication;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.fairlead.fleet.RegisteredClusters;
import io.fairlead.fleet.pins.ClusterSelector;
import io.fairlead.fleet.pins.judge.ClusterSet;
import io.fairlead.model.ClusterName;
import io.fairlead.model.GroupVersion;
import io.fairlead.model.TypeDigest;
import java.time.Instant;
import java.time.format.DateTimeParseException;
import java.util.ArrayList;
import java.util.Base64;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import tools.jackson.databind.JsonNode;

/**
 * What an {@code APIPublication} asks for. Immutable.
 *
 * @param created when the object was created; of two publications that want the same, the older one has it
 * @param isDeleted whether it is to be withdrawn everywhere
 * @param isRequired whether a target is first available only once the publication is, there
 * @param source the hosted cluster that serves the group; empty if another server does
 * @param types what the source must mean by the names of resources of the group, for those that are declared
 * @param caBundle PEM certificates that sign the certificate of a source that is no hosted cluster; else empty
 */
record Publication(
        String name,
        String uid,
        Instant created,
        boolean isDeleted,
        boolean isRequired,
        ClusterSet target,
        String group,
        List<Version> versions,
        int groupPriority,
        Optional<ClusterName> source,
        Backend backend,
        SortedMap<String, TypeDigest> types,
        String caBundle) {
    Publication {
        versions = List.copyOf(versions);
        types = Collections.unmodifiableSortedMap(new TreeMap<>(types));
    }

    /** A version, and how much clients prefer it. */
    record Version(String name, int priority) {}

    /**
     * The Service of a target that leads to the source. Equal ones are one backend.
     *
     * @param clusterIp that the Service asks for; empty if the target chooses
     * @param addresses of the source, all of one version of IP
     */
    record Backend(
            String namespace,
            String service,
            int port,
            String portName,
            int targetPort,
            String clusterIp,
            List<String> addresses) {
        Backend {
            addresses = List.copyOf(addresses);
        }

        /** By which the target's aggregation layer asks for the certificate. */
        String serverName() {
            return service + "." + namespace + ".svc";
        }

        /** As people name it. */
        String path() {
            return namespace + "/" + service;
        }

        boolean isVersion6() {
            return addresses.getFirst().indexOf(':') >= 0;
        }
    }

    /** That of an object which was validated. */
    static Publication of(JsonNode object, RegisteredClusters registered) {
        JsonNode spec = object.path("spec");
        JsonNode backend = spec.path("backend");
        List<Version> versions = new ArrayList<>();
        spec.path("versions")
                .values()
                .forEach(version -> versions.add(new Version(
                        version.path("name").asString(""),
                        version.path("priority").asInt(0))));
        List<String> addresses = new ArrayList<>();
        backend.path("addresses").values().forEach(address -> addresses.add(address.asString("")));
        String source = spec.path("source").path("cluster").asString("");
        SortedMap<String, TypeDigest> types = new TreeMap<>();
        spec.at("/source/types")
                .values()
                .forEach(type -> types.put(
                        type.path("resource").asString(""),
                        new TypeDigest(type.path("api").asString(""))));
        return new Publication(
                object.at("/metadata/name").asString(""),
                object.at("/metadata/uid").asString(""),
                time(object.at("/metadata/creationTimestamp").asString("")),
                object.path("metadata").has("deletionTimestamp"),
                spec.path("gate").asString("").equals("Required"),
                ClusterSelector.readWithoutAliases(spec.path("target"), registered),
                spec.path("group").asString(""),
                versions,
                spec.path("groupPriority").asInt(0),
                source.isEmpty() ? Optional.empty() : Optional.of(new ClusterName(source)),
                new Backend(
                        backend.path("namespace").asString(""),
                        backend.path("service").asString(""),
                        backend.path("port").asInt(0),
                        backend.path("portName").asString(""),
                        backend.path("targetPort").asInt(0),
                        backend.path("clusterIP").asString(""),
                        addresses),
                types,
                decoded(spec.path("caBundle").asString("")));
    }

    /** The group with each of its versions. */
    List<GroupVersion> groupVersions() {
        return versions.stream()
                .map(version -> new GroupVersion(group, version.name()))
                .toList();
    }

    /** The name that an APIService of a version must have. */
    static String apiService(GroupVersion version) {
        return version.version() + "." + version.group();
    }

    /** The text of base64; empty if it is none. */
    static String decoded(String base64) {
        try {
            return new String(Base64.getDecoder().decode(base64), UTF_8);
        } catch (IllegalArgumentException notBase64) {
            return "";
        }
    }

    private static Instant time(String text) {
        try {
            return Instant.parse(text);
        } catch (DateTimeParseException unreadable) {
            return Instant.EPOCH;
        }
    }
}
