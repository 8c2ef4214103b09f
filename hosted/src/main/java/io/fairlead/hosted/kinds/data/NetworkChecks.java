package io.fairlead.hosted.kinds.data;

import io.fairlead.hosted.kinds.data.Comparisons.Comparison;
import io.fairlead.schema.field.FieldErrors;
import io.fairlead.schema.field.FieldPath;
import io.fairlead.schema.field.GoText;
import io.fairlead.schema.json.Json;
import io.fairlead.schema.meta.Names;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** Checks of services, endpoints, ingresses and policies that compare fields (kubernetes {@code pkg/apis/*}{@code /validation}), by Go type. */
final class NetworkChecks {
    static final Map<String, Comparison> ALL = Map.ofEntries(
            Map.entry("core/v1.ServiceSpec", NetworkChecks::service),
            Map.entry("core/v1.LoadBalancerIngress", BalancerChecks::ingress),
            Map.entry("core/v1.EndpointSubset", NetworkChecks::subset),
            Map.entry("core/v1.EndpointAddress", NetworkChecks::address),
            Map.entry("discovery/v1.EndpointSlice", NetworkChecks::slice),
            Map.entry("networking/v1.IngressSpec", NetworkChecks::ingress),
            Map.entry("networking/v1.IngressRule", NetworkChecks::rule),
            Map.entry("networking/v1.IngressTLS", NetworkChecks::tls),
            Map.entry("networking/v1.IngressLoadBalancerIngress", BalancerChecks::ingress),
            Map.entry("networking/v1.HTTPIngressPath", NetworkChecks::path),
            Map.entry("networking/v1.IngressClassParametersReference", NetworkChecks::parameters));

    private static final String EXTERNAL_NAME = "ExternalName";
    private static final Set<String> OPEN_TYPES = Set.of("NodePort", "LoadBalancer");
    private static final int AFFINITY_SECONDS_MAX = 86_400;
    private static final List<String> WRONG_IN_PATHS = List.of("//", "/./", "/../", "%2f", "%2F");
    private static final List<String> WRONG_ENDS_OF_PATHS = List.of("/..", "/.");

    private NetworkChecks() {}

    private static void service(ObjectNode spec, FieldPath path, FieldErrors errors) {
        String type = spec.path("type").asString("");
        boolean isHeadless = spec.path("clusterIP").asString("").equals("None");
        if (spec.path("ports").isEmpty() && !isHeadless && !type.equals(EXTERNAL_NAME)) {
            errors.required(path.child("ports"), "");
        }
        if (isHeadless && OPEN_TYPES.contains(type)) {
            errors.invalid(
                    path.child("clusterIPs").index(0), "None", "may not be set to 'None' for " + type + " services");
        }
        if (type.equals(EXTERNAL_NAME)) {
            externalName(spec, path, errors);
        }
        ports(spec, type, path.child("ports"), errors);
        affinity(spec, path, errors);
        if (!type.equals(EXTERNAL_NAME)) {
            addresses(spec, path, errors);
        }
        boolean isOpen = OPEN_TYPES.contains(type) || (!spec.path("externalIPs").isEmpty() && type.equals("ClusterIP"));
        ServiceChecks.outside(spec, isOpen, path, errors);
        BalancerChecks.service(spec, path, errors);
    }

    private static void externalName(ObjectNode spec, FieldPath path, FieldErrors errors) {
        for (String member : List.of("clusterIPs", "ipFamilies", "ipFamilyPolicy")) {
            if (!spec.path(member).isEmpty() || spec.path(member).isString()) {
                errors.forbidden(path.child(member), "may not be set for ExternalName services");
            }
        }
        String name = spec.path("externalName").asString("");
        String absolute = name.endsWith(".") ? name.substring(0, name.length() - 1) : name;
        if (absolute.isEmpty()) {
            errors.required(path.child("externalName"), "");
        } else {
            errors.invalid(path.child("externalName"), absolute, Names.dns1123Subdomain(absolute));
        }
    }

    private static void ports(ObjectNode spec, String type, FieldPath path, FieldErrors errors) {
        Set<String> names = new HashSet<>();
        Set<String> numbers = new HashSet<>();
        Set<String> nodePorts = new HashSet<>();
        int index = 0;
        for (JsonNode port : spec.path("ports")) {
            FieldPath at = path.index(index++);
            String protocol = port.path("protocol").asString("");
            if (!numbers.add(protocol + port.path("port").asString(""))) {
                errors.duplicate(at, key(port));
            }
            String name = port.path("name").asString("");
            if (name.isEmpty() && spec.path("ports").size() > 1) {
                errors.required(at.child("name"), "");
            } else if (!name.isEmpty() && !names.add(name)) {
                errors.duplicate(at.child("name"), name);
            }
            JsonNode nodePort = port.path("nodePort");
            if (nodePort.asLong(0) != 0) {
                if (type.equals("ClusterIP")) {
                    errors.forbidden(at.child("nodePort"), "may not be used when `type` is 'ClusterIP'");
                }
                if (!nodePorts.add(protocol + nodePort.asString(""))) {
                    errors.duplicate(at.child("nodePort"), nodePort);
                }
            }
        }
    }

    /** What makes ports the same, as Go shows it. */
    private static JsonNode key(JsonNode port) {
        ObjectNode key = Json.object().put("name", "").put("targetPort", 0).put("nodePort", 0);
        key.set("protocol", port.path("protocol"));
        key.set("port", port.path("port"));
        return GoText.struct(key, "Name", "Protocol", "AppProtocol", "Port", "TargetPort", "NodePort");
    }

    private static void affinity(ObjectNode spec, FieldPath path, FieldErrors errors) {
        JsonNode seconds = spec.at("/sessionAffinityConfig/clientIP/timeoutSeconds");
        FieldPath config = path.child("sessionAffinityConfig");
        switch (spec.path("sessionAffinity").asString("")) {
            case "ClientIP" -> {
                long value = seconds.asLong(1);
                if (value <= 0 || value > AFFINITY_SECONDS_MAX) {
                    errors.invalid(
                            config.child("clientIP").child("timeoutSeconds"),
                            seconds,
                            "must be greater than 0 and less than " + AFFINITY_SECONDS_MAX);
                }
            }
            case "None" -> {
                if (spec.path("sessionAffinityConfig").isObject()) {
                    errors.forbidden(config, "must not be set when session affinity is None");
                }
            }
            default -> {}
        }
    }

    private static void addresses(ObjectNode spec, FieldPath path, FieldErrors errors) {
        JsonNode addresses = spec.path("clusterIPs");
        int index = 0;
        for (JsonNode address : addresses) {
            FieldPath at = path.child("clusterIPs").index(index);
            boolean isNone = index++ == 0 && address.asString("").equals("None");
            if (!isNone) {
                errors.invalid(at, address, TextForm.IP.problems(address.asString("")));
            }
        }
        index = 0;
        ServiceChecks.families(spec.path("ipFamilies"), path.child("ipFamilies"), errors);
        Set<String> families = new HashSet<>();
        for (JsonNode family : spec.path("ipFamilies")) {
            FieldPath at = path.child("ipFamilies").index(index++);
            if (!families.add(family.asString(""))) {
                errors.duplicate(at, family);
            }
        }
    }

    private static void subset(ObjectNode subset, FieldPath path, FieldErrors errors) {
        if (subset.path("addresses").isEmpty()
                && subset.path("notReadyAddresses").isEmpty()) {
            errors.required(path, "must specify `addresses` or `notReadyAddresses`");
        }
        int index = 0;
        for (JsonNode port : subset.path("ports")) {
            FieldPath at = path.child("ports").index(index++);
            if (subset.path("ports").size() > 1
                    && port.path("name").asString("").isEmpty()) {
                errors.required(at.child("name"), "");
            }
        }
    }

    private static void address(ObjectNode address, FieldPath path, FieldErrors errors) {
        JsonNode ip = address.path("ip");
        errors.invalid(path.child("ip"), ip.asString(""), TextForm.IP.problems(ip.asString("")));
        endpointAddress(ip.asString(""), path.child("ip"), errors);
    }

    /** Addresses that no endpoint may have ({@code ValidateEndpointIP}); Fairlead itself may be on this machine alone. */
    static void endpointAddress(String text, FieldPath path, FieldErrors errors) {
        TextForm.address(text)
                .ifPresentOrElse(
                        address -> {
                            if (address.isAnyLocalAddress()) {
                                errors.invalid(path, text, "may not be unspecified (" + text + ")");
                            }
                            if (address.isLinkLocalAddress()) {
                                errors.invalid(
                                        path, text, "may not be in the link-local range (169.254.0.0/16, fe80::/10)");
                            }
                            if (address.isMCLinkLocal()) {
                                errors.invalid(
                                        path,
                                        text,
                                        "may not be in the link-local multicast range (224.0.0.0/24, ff02::/10)");
                            }
                        },
                        () -> errors.invalid(path, text, "must be a valid IP address"));
    }

    private static void slice(ObjectNode slice, FieldPath path, FieldErrors errors) {
        String type = slice.path("addressType").asString("");
        int index = 0;
        for (JsonNode endpoint : slice.path("endpoints")) {
            FieldPath at = path.child("endpoints").index(index++).child("addresses");
            int number = 0;
            for (JsonNode address : endpoint.path("addresses")) {
                FieldPath one = at.index(number++);
                String text = address.asString("");
                if (type.equals("FQDN")) {
                    domain(text, one, errors);
                } else if (type.startsWith("IPv")) {
                    List<String> problems = TextForm.IP.problems(text);
                    errors.invalid(one, text, problems);
                    if (problems.isEmpty()) {
                        if (text.contains(":") == type.equals("IPv4")) {
                            errors.invalid(at, text, "must be an " + type + " address");
                        }
                        endpointAddress(text, one, errors);
                    }
                }
            }
        }
        Set<String> names = new HashSet<>();
        index = 0;
        for (JsonNode port : slice.path("ports")) {
            String name = port.path("name").asString("");
            if (!names.add(name)) {
                errors.duplicate(path.child("ports").index(index).child("name"), name);
            }
            index++;
        }
    }

    /** A domain of two labels at least, which may end with a dot ({@code IsFullyQualifiedDomainName}). */
    private static void domain(String text, FieldPath path, FieldErrors errors) {
        String name = text.endsWith(".") ? text.substring(0, text.length() - 1) : text;
        List<String> labels = List.of(name.split("\\.", -1));
        List<String> problems = Names.dns1123Subdomain(name);
        if (text.isEmpty()) {
            errors.required(path, "");
        } else if (!problems.isEmpty()) {
            errors.invalid(path, name, String.join(",", problems));
        } else if (labels.size() < 2) {
            errors.invalid(path, name, "should be a domain with at least two segments separated by dots");
        } else {
            labels.stream()
                    .filter(label -> !Names.dns1123Label(label).isEmpty())
                    .findFirst()
                    .ifPresent(label -> errors.invalid(path, label, String.join(",", Names.dns1123Label(label))));
        }
    }

    private static void ingress(ObjectNode spec, FieldPath path, FieldErrors errors) {
        if (spec.get("defaultBackend") instanceof ObjectNode backend) {
            backend(backend, path.child("defaultBackend"), errors);
        }
        if (spec.path("rules").isEmpty() && !spec.path("defaultBackend").isObject()) {
            errors.invalid(path, spec.path("rules"), "either `defaultBackend` or `rules` must be specified");
        }
    }

    private static void rule(ObjectNode rule, FieldPath path, FieldErrors errors) {
        String host = rule.path("host").asString("");
        FieldPath at = path.child("host");
        if (TextForm.address(host).isPresent()) {
            errors.invalid(at, host, "must be a DNS name, not an IP address");
        }
        if (!host.isEmpty()) {
            host(host, at, errors);
        }
    }

    private static void tls(ObjectNode tls, FieldPath path, FieldErrors errors) {
        int index = 0;
        for (JsonNode host : tls.path("hosts")) {
            host(host.asString(""), path.child("hosts").index(index++), errors);
        }
    }

    private static void host(String host, FieldPath path, FieldErrors errors) {
        TextForm form = host.contains("*") ? TextForm.WILDCARD : TextForm.SUBDOMAIN;
        errors.invalid(path, host, form.problems(host));
    }

    private static void path(ObjectNode object, FieldPath path, FieldErrors errors) {
        String text = object.path("path").asString("");
        String type = object.path("pathType").asString("");
        boolean isExact = type.equals("Exact") || type.equals("Prefix");
        if (!type.isEmpty() && object.get("backend") instanceof ObjectNode backend) {
            backend(backend, path.child("backend"), errors);
        }
        boolean isKnown = isExact || type.equals("ImplementationSpecific");
        if (isKnown && !text.startsWith("/") && (isExact || !text.isEmpty())) {
            errors.invalid(path.child("path"), text, "must be an absolute path");
        }
        if (isExact) {
            WRONG_IN_PATHS.stream()
                    .filter(text::contains)
                    .forEach(wrong -> errors.invalid(path.child("path"), text, "must not contain '" + wrong + "'"));
            WRONG_ENDS_OF_PATHS.stream()
                    .filter(text::endsWith)
                    .forEach(wrong -> errors.invalid(path.child("path"), text, "cannot end with '" + wrong + "'"));
        }
    }

    private static void backend(ObjectNode backend, FieldPath path, FieldErrors errors) {
        boolean hasService = backend.path("service").isObject();
        boolean hasResource = backend.path("resource").isObject();
        if (hasService && hasResource) {
            errors.invalid(path, "", "cannot set both resource and service backends");
        } else if (!hasService && !hasResource) {
            errors.invalid(path, "", "resource or service backend is required");
        } else if (hasResource) {
            for (String field : List.of("kind", "name")) {
                if (backend.path("resource").path(field).asString("").isEmpty()) {
                    errors.required(path.child("resource").child(field), "");
                }
            }
        } else {
            JsonNode port = backend.path("service").path("port");
            FieldPath at = path.child("service").child("port");
            String name = port.path("name").asString("");
            long number = port.path("number").asLong(0);
            if (!name.isEmpty() && number != 0) {
                errors.invalid(path, "", "cannot set both port name & port number");
            } else if (!name.isEmpty()) {
                errors.invalid(at.child("name"), name, TextForm.PORT.problems(name));
            } else if (number == 0) {
                errors.required(path, "port name or number is required");
            } else if (number < 1 || number > 65_535) {
                errors.invalid(at.child("number"), port.path("number"), "must be between 1 and 65535, inclusive");
            }
        }
    }

    private static void parameters(ObjectNode parameters, FieldPath path, FieldErrors errors) {
        JsonNode namespace = parameters.path("namespace");
        switch (parameters.path("scope").asString("")) {
            case "Namespace" -> {
                if (!namespace.isString()) {
                    errors.required(path.child("namespace"), "`parameters.scope` is set to 'Namespace'");
                }
            }
            case "Cluster" -> {
                if (namespace.isString()) {
                    errors.forbidden(path.child("namespace"), "`parameters.scope` is set to 'Cluster'");
                }
            }
            default -> {}
        }
    }
}
