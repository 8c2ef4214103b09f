package io.fairlead.model;

import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;

/**
 * What a server reads that decodes the whole path first and splits it afterwards, as Kubernetes does. Written down apart
 * from the parser, to be compared with it.
 */
record DecodedReading(
        String apiPrefix,
        String group,
        String version,
        String namespace,
        String resource,
        String subresource,
        String name) {
    private static final DecodedReading NO_RESOURCE = new DecodedReading("", "", "", "", "", "", "");

    static DecodedReading of(String rawPath) {
        String path = URLDecoder.decode(rawPath.replace("+", "%2B"), StandardCharsets.UTF_8);
        List<String> parts = Arrays.asList(path.replaceAll("^/+|/+$", "").split("/", -1));
        if (parts.size() < 3 || !List.of("api", "apis").contains(parts.getFirst())) {
            return NO_RESOURCE;
        }
        boolean core = parts.getFirst().equals("api");
        if (!core && parts.size() < 4) {
            return NO_RESOURCE;
        }
        List<String> rest = parts.subList(core ? 2 : 3, parts.size());
        boolean proxyVerb = rest.getFirst().equals("proxy");
        if (proxyVerb || rest.getFirst().equals("watch")) {
            rest = rest.subList(1, rest.size());
        }
        String namespace = "";
        if (rest.getFirst().equals("namespaces") && rest.size() > 1) {
            namespace = rest.get(1);
            if (rest.size() > 2 && !List.of("status", "finalize").contains(rest.get(2))) {
                rest = rest.subList(2, rest.size());
            }
        }
        return new DecodedReading(
                parts.getFirst(),
                core ? "" : parts.get(1),
                parts.get(core ? 1 : 2),
                namespace,
                rest.getFirst(),
                rest.size() > 2 && !proxyVerb ? rest.get(2) : "",
                rest.size() > 1 ? rest.get(1) : "");
    }

    static DecodedReading of(RequestInfo info) {
        return new DecodedReading(
                info.apiPrefix(),
                info.group(),
                info.version(),
                info.namespace(),
                info.resource(),
                info.subresource(),
                info.name());
    }
}
