package io.fairlead.gateway.metrics;

import io.fairlead.model.RequestInfo;
import io.micrometer.core.instrument.Tags;
import java.util.Set;

/**
 * The labels of a request's series.
 *
 * @param verb a verb of Kubernetes' authorization, otherwise {@code other}
 * @param resource empty for a non-resource request
 * @param scope kube-apiserver's {@code CleanScope}; empty for a non-resource request
 */
record RequestLabels(String verb, String group, String version, String resource, String subresource, String scope) {
    /** The label of everything without its own series. */
    static final String OTHER = "other";

    private static final Set<String> VERBS = Set.of(
            "get", "list", "watch", "create", "update", "patch", "delete", "deletecollection", "proxy", "head", "post");

    /**
     * A resource in a version, or one of its subresources.
     *
     * @param name empty for a non-resource request
     */
    record Resource(String group, String version, String name, String subresource) {}

    static RequestLabels of(RequestInfo info) {
        String verb = VERBS.contains(info.verb()) ? info.verb() : OTHER;
        if (!info.resourceRequest()) {
            return new RequestLabels(verb, "", "", "", "", "");
        }
        return new RequestLabels(
                verb, info.group(), info.version(), info.resource(), info.subresource(), scopeOf(info));
    }

    /** Drops what a client may choose freely. */
    RequestLabels bounded() {
        return new RequestLabels(verb, "", "", OTHER, "", scope);
    }

    Resource served() {
        return new Resource(group, version, resource, subresource);
    }

    Tags tags(String cluster) {
        return Tags.of(
                "cluster",
                cluster,
                "verb",
                verb,
                "group",
                group,
                "version",
                version,
                "resource",
                resource,
                "subresource",
                subresource,
                "scope",
                scope);
    }

    private static String scopeOf(RequestInfo info) {
        if (!info.name().isEmpty()) {
            return "resource";
        }
        return info.namespace().isEmpty() ? "cluster" : "namespace";
    }
}
