package io.fairlead.fleet.publication;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.fairlead.fleet.publication.Publication.Backend;
import io.fairlead.fleet.publication.Publication.Version;
import io.fairlead.model.GroupVersion;
import io.fairlead.schema.json.Json;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.IntStream;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * An object that a publication has in a target.
 *
 * @param collection where it is created
 * @param path where it is
 * @param wanted what it should be: labels, and fields beside {@code metadata} that it must have
 */
record PublishedObject(String collection, String path, ObjectNode wanted) {
    static final String API_SERVICES = "/apis/apiregistration.k8s.io/v1/apiservices";

    /** Says which installation of Fairlead made an object: the uid of its root cluster. */
    static final String INSTALLATION = "fairlead.io/installation";

    /** Says which publication made an APIService. */
    static final String PUBLICATION_UID = "fairlead.io/publication-uid";

    /** An annotation of an APIService: since when it was unavailable when its target was made to check it again. */
    static final String CHECK_AGAIN = "fairlead.io/checked-again-since";

    private static final String SERVICE_NAME = "kubernetes.io/service-name";
    /** By which a Service would get endpoints that others make. */
    private static final String SELECTOR = "/spec/selector";

    private static final String MANAGED_BY = "endpointslice.kubernetes.io/managed-by";

    /** Keeps the mirroring controller from a slice of its own. */
    private static final String SKIP_MIRROR = "endpointslice.kubernetes.io/skip-mirror";

    /** The Service of a backend. */
    static PublishedObject service(Backend backend, String installation) {
        ObjectNode service = Json.object();
        service.put("apiVersion", "v1").put("kind", "Service");
        metadata(service, backend.namespace(), backend.service(), Map.of(INSTALLATION, installation));
        ObjectNode spec = service.putObject("spec");
        spec.put("type", "ClusterIP");
        if (!backend.clusterIp().isEmpty()) {
            spec.put("clusterIP", backend.clusterIp());
        }
        spec.putArray("ports")
                .addObject()
                .put("name", backend.portName())
                .put("port", backend.port())
                .put("protocol", "TCP")
                .put("targetPort", backend.targetPort());
        return of("/api/v1/namespaces/" + backend.namespace() + "/services", service);
    }

    /** The endpoints of its Service. The port has its name even if that is empty: a slice without it means all ports. */
    static PublishedObject slice(Backend backend, String installation) {
        ObjectNode slice = Json.object();
        slice.put("apiVersion", "discovery.k8s.io/v1").put("kind", "EndpointSlice");
        Map<String, String> labels =
                Map.of(INSTALLATION, installation, SERVICE_NAME, backend.service(), MANAGED_BY, "fairlead.io");
        metadata(slice, backend.namespace(), backend.service() + "-fairlead", labels);
        slice.put("addressType", backend.isVersion6() ? "IPv6" : "IPv4");
        var endpoints = slice.putArray("endpoints");
        for (String address : backend.addresses()) {
            ObjectNode endpoint = endpoints.addObject();
            endpoint.putArray("addresses").add(address);
            endpoint.putObject("conditions").put("ready", true);
        }
        slice.putArray("ports")
                .addObject()
                .put("name", backend.portName())
                .put("port", backend.targetPort())
                .put("protocol", "TCP");
        return of("/apis/discovery.k8s.io/v1/namespaces/" + backend.namespace() + "/endpointslices", slice);
    }

    /** The same for API servers whose aggregation layer knows no slices. */
    static PublishedObject endpoints(Backend backend, String installation) {
        ObjectNode endpoints = Json.object();
        endpoints.put("apiVersion", "v1").put("kind", "Endpoints");
        Map<String, String> labels = Map.of(INSTALLATION, installation, SKIP_MIRROR, "true");
        metadata(endpoints, backend.namespace(), backend.service(), labels);
        ObjectNode subset = endpoints.putArray("subsets").addObject();
        var addresses = subset.putArray("addresses");
        backend.addresses().forEach(address -> addresses.addObject().put("ip", address));
        subset.putArray("ports")
                .addObject()
                .put("name", backend.portName())
                .put("port", backend.targetPort())
                .put("protocol", "TCP");
        return of("/api/v1/namespaces/" + backend.namespace() + "/endpoints", endpoints);
    }

    /**
     * The APIService of a version.
     *
     * @param caBundle PEM certificates, one of which signs that of the source
     */
    static PublishedObject apiService(Publication publication, Version version, String caBundle, String installation) {
        GroupVersion groupVersion = new GroupVersion(publication.group(), version.name());
        ObjectNode service = Json.object();
        service.put("apiVersion", "apiregistration.k8s.io/v1").put("kind", "APIService");
        metadata(
                service,
                "",
                Publication.apiService(groupVersion),
                Map.of(INSTALLATION, installation, PUBLICATION_UID, publication.uid()));
        ObjectNode spec = service.putObject("spec");
        spec.put("group", publication.group())
                .put("version", version.name())
                .put("groupPriorityMinimum", publication.groupPriority())
                .put("versionPriority", version.priority())
                .put("caBundle", Base64.getEncoder().encodeToString(caBundle.getBytes(UTF_8)));
        spec.putObject("service")
                .put("namespace", publication.backend().namespace())
                .put("name", publication.backend().service())
                .put("port", publication.backend().port());
        return of(API_SERVICES, service);
    }

    /** The path of an APIService. */
    static String apiServicePath(GroupVersion version) {
        return API_SERVICES + "/" + Publication.apiService(version);
    }

    /** Whether this installation of Fairlead made an object. A name says nothing of that. */
    static boolean isOf(JsonNode object, String installation) {
        return label(object, INSTALLATION).equals(installation);
    }

    /** The uid of the publication that made an APIService; empty if none did. */
    static String publicationOf(JsonNode object) {
        return label(object, PUBLICATION_UID);
    }

    private static String label(JsonNode object, String name) {
        return object.path("metadata").path("labels").path(name).asString("");
    }

    /** Whether an object has all that is wanted, whatever else it has. */
    boolean isAsWanted(JsonNode object) {
        return has(object, wanted) && object.at(SELECTOR).isEmpty();
    }

    /** An object as it was read, with what is wanted in place of what it has. */
    ObjectNode corrected(ObjectNode object) {
        ObjectNode corrected = object.deepCopy();
        if (!corrected.at(SELECTOR).isEmpty()) {
            ((ObjectNode) corrected.path("spec")).remove("selector");
        }
        wanted.at("/metadata/labels")
                .properties()
                .forEach(label -> ((ObjectNode) corrected.path("metadata"))
                        .withObjectProperty("labels")
                        .set(label.getKey(), label.getValue()));
        for (Map.Entry<String, JsonNode> field : wanted.properties()) {
            switch (field.getKey()) {
                case "metadata" -> {}
                case "spec" ->
                    field.getValue()
                            .properties()
                            .forEach(inner ->
                                    corrected.withObjectProperty("spec").set(inner.getKey(), inner.getValue()));
                default -> corrected.set(field.getKey(), field.getValue());
            }
        }
        return corrected;
    }

    /** Arrays are of equal length; objects may have more fields. */
    private static boolean has(JsonNode object, JsonNode expected) {
        if (expected.isObject()) {
            return expected.properties().stream().allMatch(field -> has(object.path(field.getKey()), field.getValue()));
        }
        if (expected.isArray()) {
            List<JsonNode> actual = List.copyOf(object.values());
            List<JsonNode> all = List.copyOf(expected.values());
            return object.isArray()
                    && actual.size() == all.size()
                    && IntStream.range(0, all.size()).allMatch(index -> has(actual.get(index), all.get(index)));
        }
        // API servers leave out an empty text.
        boolean isEmptyText = expected.isString() && expected.asString("").isEmpty();
        return object.equals(expected) || (isEmptyText && object.asString("").isEmpty());
    }

    private static PublishedObject of(String collection, ObjectNode object) {
        return new PublishedObject(
                collection, collection + "/" + object.at("/metadata/name").asString(""), object);
    }

    private static void metadata(ObjectNode object, String namespace, String name, Map<String, String> labels) {
        ObjectNode metadata = object.putObject("metadata").put("name", name);
        if (!namespace.isEmpty()) {
            metadata.put("namespace", namespace);
        }
        ObjectNode all = metadata.putObject("labels");
        new TreeMap<>(labels).forEach(all::put);
    }
}
