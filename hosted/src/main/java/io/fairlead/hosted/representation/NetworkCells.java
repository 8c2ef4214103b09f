package io.fairlead.hosted.representation;

import java.util.Map;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** The cells of services, endpoints, ingresses and addresses; see {@link DataCells}. */
final class NetworkCells {
    private static final int ADDRESSES_SHOWN = 3;

    static final Map<String, Function<ObjectNode, String>> TEXTS = Map.ofEntries(
            Map.entry("externalAddresses", NetworkCells::externalAddresses),
            Map.entry("servicePorts", NetworkCells::servicePorts),
            Map.entry("endpoints", NetworkCells::endpoints),
            Map.entry("ingressHosts", NetworkCells::ingressHosts),
            Map.entry("ingressAddresses", ingress -> addresses(ingress.at("/status/loadBalancer/ingress"))),
            Map.entry("ingressPorts", ingress -> ingress.at("/spec/tls").isEmpty() ? "80" : "80, 443"),
            Map.entry("ingressClassParameters", NetworkCells::ingressClassParameters),
            Map.entry("parentReference", NetworkCells::parentReference),
            Map.entry(
                    "slicePorts",
                    slice -> DataCells.shown(
                            slice.path("ports").valueStream().map(NetworkCells::slicePort), DataCells.UNSET)),
            Map.entry("sliceEndpoints", NetworkCells::sliceEndpoints));

    private NetworkCells() {}

    private static String externalAddresses(ObjectNode service) {
        String type = DataCells.text(service, "/spec/type");
        if (type.equals("ExternalName")) {
            return DataCells.text(service, "/spec/externalName");
        }
        Stream<String> own = service.at("/spec/externalIPs").valueStream().map(address -> address.asString(""));
        if (!type.equals("LoadBalancer")) {
            return DataCells.shown(own, DataCells.NONE);
        }
        String balanced = addresses(service.at("/status/loadBalancer/ingress"));
        return DataCells.shown(Stream.concat(balanced.isEmpty() ? Stream.of() : Stream.of(balanced), own), "<pending>");
    }

    private static String addresses(JsonNode ingresses) {
        return ingresses
                .valueStream()
                .map(one -> one.has("ip")
                        ? one.path("ip").asString("")
                        : one.path("hostname").asString(""))
                .collect(Collectors.joining(","));
    }

    private static String servicePorts(ObjectNode service) {
        return DataCells.shown(
                service.at("/spec/ports").valueStream().map(port -> {
                    String number = port.path("port").asString("");
                    String node =
                            port.has("nodePort") ? ":" + port.path("nodePort").asString("") : "";
                    return number + node + "/" + port.path("protocol").asString("");
                }),
                DataCells.NONE);
    }

    private static String endpoints(ObjectNode endpoints) {
        JsonNode subsets = endpoints.path("subsets");
        long count = subsets.valueStream()
                .mapToLong(subset -> (long) subset.path("addresses").size()
                        * Math.max(1, subset.path("ports").size()))
                .sum();
        return few(count, subsets.valueStream().flatMap(subset -> {
            JsonNode ports = subset.path("ports");
            return subset.path("addresses").valueStream().flatMap(address -> {
                String ip = address.path("ip").asString("");
                return ports.isEmpty()
                        ? Stream.of(ip)
                        : ports.valueStream()
                                .map(port -> ip + ":" + port.path("port").asString(""));
            });
        }));
    }

    private static String sliceEndpoints(ObjectNode slice) {
        JsonNode endpoints = slice.path("endpoints");
        long count = endpoints
                .valueStream()
                .mapToLong(endpoint -> endpoint.path("addresses").size())
                .sum();
        String shown = few(
                count,
                endpoints
                        .valueStream()
                        .flatMap(endpoint -> endpoint.path("addresses").valueStream())
                        .map(address -> address.asString("")));
        return shown.equals(DataCells.NONE) ? DataCells.UNSET : shown;
    }

    private static String slicePort(JsonNode port) {
        return port.has("port") ? port.path("port").asString("") : "*";
    }

    /** The first three, and how many there are beside. */
    private static String few(long count, Stream<String> all) {
        String first = all.limit(ADDRESSES_SHOWN).collect(Collectors.joining(","));
        if (count == 0) {
            return DataCells.NONE;
        }
        return count > ADDRESSES_SHOWN ? first + " + " + (count - ADDRESSES_SHOWN) + " more..." : first;
    }

    private static String ingressHosts(ObjectNode ingress) {
        return DataCells.shown(
                ingress.at("/spec/rules")
                        .valueStream()
                        .map(rule -> rule.path("host").asString(""))
                        .filter(host -> !host.isEmpty()),
                "*");
    }

    private static String ingressClassParameters(ObjectNode ingressClass) {
        JsonNode parameters = ingressClass.at("/spec/parameters");
        if (parameters.isMissingNode()) {
            return DataCells.NONE;
        }
        String group = parameters.path("apiGroup").asString("");
        return parameters.path("kind").asString("") + (group.isEmpty() ? "" : "." + group) + "/"
                + parameters.path("name").asString("");
    }

    private static String parentReference(ObjectNode address) {
        JsonNode parent = address.at("/spec/parentRef");
        return Stream.of("group", "resource", "namespace", "name")
                .map(field -> parent.path(field).asString(""))
                .filter(part -> !part.isEmpty())
                .collect(Collectors.joining("/"));
    }
}
