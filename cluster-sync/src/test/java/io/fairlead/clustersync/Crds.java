package io.fairlead.clustersync;

import io.fairlead.schema.json.Json;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** Makes CRDs and APIServices for tests. */
public final class Crds {
    private Crds() {}

    /** An established CRD {@code plural.group} that serves some versions. */
    public static ObjectNode crd(String plural, String group, String... versions) {
        ObjectNode crd = Json.object();
        ObjectNode spec = crd.putObject("spec").put("group", group).put("scope", "Namespaced");
        spec.putObject("names").put("plural", plural).put("kind", "Any");
        ArrayNode list = spec.putArray("versions");
        for (String version : versions) {
            list.addObject().put("name", version).put("served", true).put("storage", true);
        }
        condition(crd, "Established", "True");
        return crd;
    }

    static ObjectNode condition(ObjectNode crd, String type, String status) {
        crd.withObject("status")
                .withArray("conditions")
                .addObject()
                .put("type", type)
                .put("status", status);
        return crd;
    }

    /** An APIService that the API server manages for itself. */
    static ObjectNode builtIn(String group, String version) {
        ObjectNode service = Json.object();
        service.putObject("metadata").putObject("labels").put("kube-aggregator.kubernetes.io/automanaged", "onstart");
        service.putObject("spec").put("group", group).put("version", version);
        return service;
    }

    /** An APIService with a backend. */
    static ObjectNode aggregated(String group, String version) {
        ObjectNode service = Json.object();
        service.putObject("spec")
                .put("group", group)
                .put("version", version)
                .putObject("service")
                .put("name", "backend")
                .put("namespace", "default");
        return service;
    }
}
