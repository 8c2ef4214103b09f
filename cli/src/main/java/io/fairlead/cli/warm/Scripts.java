package io.fairlead.cli.warm;

/** The objects of a rehearsal, and their paths below a cluster. */
final class Scripts {
    /** Who the token is of; not an administrator. */
    static final String USER = "rehearsal";

    static final String CONFIG_MAPS = "/api/v1/namespaces/default/configmaps";
    static final String BOATS = "/apis/example.com/v1/namespaces/default/boats";
    static final String ROLES = "/apis/rbac.authorization.k8s.io/v1/clusterroles";
    static final String BINDINGS = "/apis/rbac.authorization.k8s.io/v1/clusterrolebindings";

    static final String DEFINITION = """
        {"apiVersion": "apiextensions.k8s.io/v1", "kind": "CustomResourceDefinition",
         "metadata": {"name": "boats.example.com"},
         "spec": {"group": "example.com", "scope": "Namespaced",
          "names": {"plural": "boats", "singular": "boat", "kind": "Boat", "listKind": "BoatList"},
          "versions": [{"name": "v1", "served": true, "storage": true, "subresources": {"status": {}},
           "additionalPrinterColumns": [{"name": "Length", "type": "integer", "jsonPath": ".spec.length"}],
           "schema": {"openAPIV3Schema": {"type": "object", "properties": {
            "spec": {"type": "object", "required": ["length"], "properties": {
             "length": {"type": "integer", "minimum": 1}, "flag": {"type": "string", "default": "white"},
             "crew": {"type": "array", "items": {"type": "string", "maxLength": 64}}}},
            "status": {"type": "object", "x-kubernetes-preserve-unknown-fields": true}}}}}]}}\
        """;

    /** What hosted clusters lack of an API server that can be attached. */
    static final String API_SERVICES = """
        {"apiVersion": "apiextensions.k8s.io/v1", "kind": "CustomResourceDefinition",
         "metadata": {"name": "apiservices.apiregistration.k8s.io",
          "annotations": {"api-approved.kubernetes.io": "unapproved, for a trial"}},
         "spec": {"group": "apiregistration.k8s.io", "scope": "Cluster",
          "names": {"plural": "apiservices", "singular": "apiservice", "kind": "APIService", "listKind": "APIServiceList"},
          "versions": [{"name": "v1", "served": true, "storage": true, "schema": {"openAPIV3Schema": {
           "type": "object", "x-kubernetes-preserve-unknown-fields": true}}}]}}\
        """;

    static final String BOAT = """
        {"apiVersion": "example.com/v1", "kind": "Boat", "metadata": {"name": "%s"},
         "spec": {"length": 40, "crew": ["Ann", "Ben"]}}\
        """;

    static final String BINDING = """
        {"apiVersion": "rbac.authorization.k8s.io/v1", "kind": "ClusterRoleBinding", "metadata": {"name": "rehearsal"},
         "roleRef": {"apiGroup": "rbac.authorization.k8s.io", "kind": "ClusterRole", "name": "cluster-admin"},
         "subjects": [{"apiGroup": "rbac.authorization.k8s.io", "kind": "User", "name": "rehearsal"}]}\
        """;

    static final String ENTER_ROLE = """
        {"apiVersion": "rbac.authorization.k8s.io/v1", "kind": "ClusterRole", "metadata": {"name": "enter"},
         "rules": [{"apiGroups": ["fairlead.io"], "resources": ["clusters"], "verbs": ["access"],
          "resourceNames": ["hosted", "h1", "h2"]}]}\
        """;

    static final String ENTER_BINDING = """
        {"apiVersion": "rbac.authorization.k8s.io/v1", "kind": "ClusterRoleBinding", "metadata": {"name": "enter"},
         "roleRef": {"apiGroup": "rbac.authorization.k8s.io", "kind": "ClusterRole", "name": "enter"},
         "subjects": [{"apiGroup": "rbac.authorization.k8s.io", "kind": "User", "name": "rehearsal"}]}\
        """;

    private Scripts() {}

    static String configMap(String name, int bytes) {
        return """
            {"apiVersion": "v1", "kind": "ConfigMap", "metadata": {"name": "%s"}, "data": {"text": "%s"}}\
            """.formatted(name, "x".repeat(bytes));
    }
}
