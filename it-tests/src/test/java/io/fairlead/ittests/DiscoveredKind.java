package io.fairlead.ittests;

import java.util.List;

/** A kind as discovery lists it, with the subresources that are asked for. */
record DiscoveredKind(String base, String groupVersion, String plural, String kind, List<String> subresources) {
    String group() {
        return groupVersion.contains("/") ? groupVersion.substring(0, groupVersion.indexOf('/')) : "";
    }

    /** An object that is valid as far as rights are concerned. */
    String object(String name) {
        String roleRef = plural.endsWith("bindings")
                ? ",\"roleRef\":{\"apiGroup\":\"rbac.authorization.k8s.io\",\"kind\":\"ClusterRole\",\"name\":\"read\"}"
                : "";
        return "{\"apiVersion\":\"" + groupVersion + "\",\"kind\":\"" + kind + "\",\"metadata\":{\"name\":\"" + name
                + "\"}" + roleRef + "}";
    }
}
