package io.fairlead.ittests;

import java.util.List;
import java.util.Locale;

/**
 * A group with one kind that a hosted cluster defines, and that is published.
 *
 * @param source the hosted cluster; its Service in the targets has the same name
 */
record PublishedGroup(String source, String group, String kind) {
    /** The version that each has. */
    static final String VERSION = "v1";

    /** Where the Services are. */
    static final String NAMESPACE = "apis";

    /** Twelve groups of three sources: nine, two and one. */
    static final List<PublishedGroup> ALL = List.of(
            new PublishedGroup("openshift", "apps.openshift.io", "DeploymentConfig"),
            new PublishedGroup("openshift", "authorization.openshift.io", "RoleBindingRestriction"),
            new PublishedGroup("openshift", "build.openshift.io", "Build"),
            new PublishedGroup("openshift", "image.openshift.io", "ImageStream"),
            new PublishedGroup("openshift", "quota.openshift.io", "AppliedQuota"),
            new PublishedGroup("openshift", "route.openshift.io", "Route"),
            new PublishedGroup("openshift", "security.openshift.io", "RangeAllocation"),
            new PublishedGroup("openshift", "template.openshift.io", "Template"),
            new PublishedGroup("openshift", "project.openshift.io", "Project"),
            new PublishedGroup("oauth", "oauth.openshift.io", "OAuthClient"),
            new PublishedGroup("oauth", "user.openshift.io", "IdentityMapping"),
            new PublishedGroup("packages", "packages.operators.coreos.com", "PackageManifest"));

    /** The resource. */
    String plural() {
        return kind.toLowerCase(Locale.ROOT) + "s";
    }

    /** The resource with its group, as kubectl takes and writes it. */
    String resource() {
        return plural() + "." + group;
    }

    String apiVersion() {
        return group + "/" + VERSION;
    }

    /** The name of the APIService; that of the publication is the group's. */
    String apiService() {
        return VERSION + "." + group;
    }

    String definition() {
        return """
            apiVersion: apiextensions.k8s.io/v1
            kind: CustomResourceDefinition
            metadata: {name: %s}
            spec:
              group: %s
              scope: Namespaced
              names: {plural: %s, kind: %s}
              versions:
              - name: %s
                served: true
                storage: true
                schema:
                  openAPIV3Schema:
                    type: object
                    properties:
                      spec:
                        type: object
                        properties: {size: {type: integer, minimum: 0}}
            """.formatted(resource(), group, plural(), kind, VERSION);
    }

    /** The publication in every attached cluster. */
    String publication() {
        return """
            apiVersion: fairlead.io/v1alpha1
            kind: APIPublication
            metadata: {name: %s}
            spec:
              target: {all: true}
              group: %s
              versions: [{name: %s, priority: 15}]
              groupPriority: 1000
              source: {cluster: %s}
              backend:
                namespace: %s
                service: %s
                targetPort: 8443
                addresses: [%s]
            """.formatted(group, group, VERSION, source, NAMESPACE, source, NetworkNamespace.ADDRESS);
    }

    /** An object of the kind. */
    String object(String namespace, String name, int size) {
        return "{apiVersion: %s, kind: %s, metadata: {name: %s, namespace: %s}, spec: {size: %d}}"
                .formatted(apiVersion(), kind, name, namespace, size);
    }
}
