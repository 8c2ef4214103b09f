package io.fairlead.ittests;

/** A group of a hosted cluster that is published, and what the target needs for its users. */
final class PublishedWidgets {
    /** The right of another user of the target to change widgets of {@code team}, and not to make any. */
    static final String BERT_MAY_PATCH = """
        apiVersion: rbac.authorization.k8s.io/v1
        kind: Role
        metadata: {name: patches-widgets, namespace: team}
        rules: [{apiGroups: [example.com], resources: [widgets], verbs: [get, patch]}]
        ---
        apiVersion: rbac.authorization.k8s.io/v1
        kind: RoleBinding
        metadata: {name: bert-patches-widgets, namespace: team}
        roleRef: {apiGroup: rbac.authorization.k8s.io, kind: Role, name: patches-widgets}
        subjects: [{apiGroup: rbac.authorization.k8s.io, kind: User, name: bert}]
        """;

    static final String APPLIED = """
        apiVersion: example.com/v1
        kind: Widget
        metadata: {name: applied, namespace: team}
        spec: {size: 4}
        """;

    static final String DEFINITION = """
        apiVersion: apiextensions.k8s.io/v1
        kind: CustomResourceDefinition
        metadata: {name: widgets.example.com}
        spec:
          group: example.com
          scope: Namespaced
          names: {plural: widgets, singular: widget, kind: Widget, listKind: WidgetList}
          versions:
          - name: v1
            served: true
            storage: true
            schema:
              openAPIV3Schema:
                type: object
                properties:
                  spec:
                    type: object
                    description: Spec says how large a widget is.
                    properties: {size: {type: integer}}
        """;

    static final String PUBLICATION = """
        apiVersion: fairlead.io/v1alpha1
        kind: APIPublication
        metadata: {name: widgets}
        spec:
          target: {matchNames: [prod]}
          group: example.com
          versions: [{name: v1, priority: 15}]
          groupPriority: 1000
          source: {cluster: things}
          backend:
            namespace: fairlead
            service: fairlead
            targetPort: 8443
            addresses: [%s]
        """.formatted(NetworkNamespace.ADDRESS);

    static final String IN_PROD = """
        apiVersion: v1
        kind: Namespace
        metadata: {name: team}
        ---
        apiVersion: rbac.authorization.k8s.io/v1
        kind: Role
        metadata: {name: widgets, namespace: team}
        rules: [{apiGroups: [example.com], resources: [widgets], verbs: ["*"]}]
        ---
        apiVersion: rbac.authorization.k8s.io/v1
        kind: RoleBinding
        metadata: {name: widgets, namespace: team}
        roleRef: {apiGroup: rbac.authorization.k8s.io, kind: Role, name: widgets}
        subjects: [{apiGroup: rbac.authorization.k8s.io, kind: User, name: anna}]
        """;

    private PublishedWidgets() {}
}
