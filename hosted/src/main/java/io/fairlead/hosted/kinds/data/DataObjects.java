package io.fairlead.hosted.kinds.data;

import io.fairlead.schema.json.Json;
import io.fairlead.schema.text.IpText;
import java.net.URI;
import java.util.List;
import java.util.Map;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * The objects that a new cluster with all built-in kinds has (kubernetes {@code pkg/controlplane}, {@code scheduling/rest}): the
 * service {@code kubernetes} that leads to this API, with its endpoints; the range of services' addresses; the two priorities of
 * the system; and a role for extension API servers.
 */
public final class DataObjects {
    /** The first address of {@link #SERVICE_RANGE}, as in kube-apiserver. */
    public static final String SERVICE_ADDRESS = "10.96.0.1";

    /** From which services get their addresses. */
    public static final String SERVICE_RANGE = "10.96.0.0/12";

    /** The name of the service that leads to the API. */
    public static final String KUBERNETES = "kubernetes";

    private static final int HTTPS = 443;
    /** Those of {@code scheduling.SystemPriorityClasses}. */
    private static final Map<String, Integer> PRIORITIES =
            Map.of("system-node-critical", 2_000_001_000, "system-cluster-critical", 2_000_000_000);

    private DataObjects() {}

    /**
     * The objects of a cluster.
     *
     * @param endpoint where clients reach it; a host that is neither an address nor {@code localhost} has no Endpoints, which hold
     *     addresses alone
     */
    public static List<ObjectNode> of(URI endpoint) {
        String host = endpoint.getHost();
        String bare = host.startsWith("[") ? host.substring(1, host.length() - 1) : host;
        String address = bare.equals("localhost") ? "127.0.0.1" : bare;
        int port = endpoint.getPort() <= 0 ? HTTPS : endpoint.getPort();
        return List.of(
                priority("system-node-critical"),
                priority("system-cluster-critical"),
                range(),
                service(port),
                endpoints(address, port),
                slice(address, port),
                reader());
    }

    /** Whether a priority class is one of the system's own. */
    static boolean isOfTheSystem(String name, long value) {
        Integer known = PRIORITIES.get(name);
        return known != null && known == value;
    }

    /** The right to read how the cluster's front proxy names users (rbac {@code bootstrappolicy/namespace_policy.go}). */
    private static ObjectNode reader() {
        ObjectNode role = object(
                "rbac.authorization.k8s.io/v1", "Role", "kube-system", "extension-apiserver-authentication-reader");
        role.withObjectProperty("metadata")
                .withObjectProperty("labels")
                .put("kubernetes.io/bootstrapping", "rbac-defaults");
        role.withObjectProperty("metadata")
                .withObjectProperty("annotations")
                .put("rbac.authorization.kubernetes.io/autoupdate", "true");
        ObjectNode rule = role.putArray("rules").addObject();
        rule.putArray("apiGroups").add("");
        rule.putArray("resourceNames").add("extension-apiserver-authentication");
        rule.putArray("resources").add("configmaps");
        rule.putArray("verbs").add("get").add("list").add("watch");
        return role;
    }

    private static ObjectNode priority(String name) {
        return object("scheduling.k8s.io/v1", "PriorityClass", "", name)
                .put("value", PRIORITIES.get(name))
                .put(
                        "description",
                        "For pods without which a " + (name.contains("node") ? "node" : "cluster") + " does not work.");
    }

    private static ObjectNode range() {
        ObjectNode range = object("networking.k8s.io/v1", "ServiceCIDR", "", KUBERNETES);
        range.putObject("spec").putArray("cidrs").add(SERVICE_RANGE);
        return range;
    }

    private static ObjectNode service(int port) {
        ObjectNode service = object("v1", "Service", "default", KUBERNETES);
        service.withObjectProperty("metadata")
                .putObject("labels")
                .put("component", "apiserver")
                .put("provider", KUBERNETES);
        ObjectNode spec = service.putObject("spec").put("clusterIP", SERVICE_ADDRESS);
        port(spec.putArray("ports"), HTTPS).put("targetPort", port);
        return service;
    }

    private static ObjectNode endpoints(String address, int port) {
        ObjectNode endpoints = object("v1", "Endpoints", "default", KUBERNETES);
        endpoints
                .withObjectProperty("metadata")
                .putObject("labels")
                .put("endpointslice.kubernetes.io/skip-mirror", "true");
        if (!family(address).equals("FQDN")) {
            ObjectNode subset = endpoints.putArray("subsets").addObject();
            subset.putArray("addresses").addObject().put("ip", address);
            port(subset.putArray("ports"), port);
        }
        return endpoints;
    }

    private static ObjectNode slice(String address, int port) {
        ObjectNode slice = object("discovery.k8s.io/v1", "EndpointSlice", "default", KUBERNETES);
        slice.withObjectProperty("metadata").putObject("labels").put("kubernetes.io/service-name", KUBERNETES);
        slice.put("addressType", family(address));
        ObjectNode endpoint = slice.putArray("endpoints").addObject();
        endpoint.putArray("addresses").add(address);
        endpoint.putObject("conditions").put("ready", true);
        port(slice.putArray("ports"), port);
        return slice;
    }

    private static String family(String address) {
        if (address.contains(":")) {
            return "IPv6";
        }
        return IpText.isAddress(address, false) ? "IPv4" : "FQDN";
    }

    private static ObjectNode port(ArrayNode ports, int number) {
        return ports.addObject().put("name", "https").put("port", number).put("protocol", "TCP");
    }

    private static ObjectNode object(String apiVersion, String kind, String namespace, String name) {
        ObjectNode object = Json.object().put("kind", kind).put("apiVersion", apiVersion);
        ObjectNode metadata = object.putObject("metadata").put("name", name);
        if (!namespace.isEmpty()) {
            metadata.put("namespace", namespace);
        }
        return object;
    }
}
