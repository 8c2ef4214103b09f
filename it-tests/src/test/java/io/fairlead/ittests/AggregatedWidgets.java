package io.fairlead.ittests;

import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** The manifests by which a group of a backend becomes part of a cluster, and what users need for it. */
final class AggregatedWidgets {
    /** In which all Services are. */
    static final String NAMESPACE = "apps";

    /** In which users have objects. */
    static final String TEAM = "team";

    static final String BACKEND = "backend";
    static final String API_SERVICE = "v1.example.com";
    static final String VERSION = "/apis/example.com/v1";
    static final String WIDGETS = VERSION + "/namespaces/team/widgets";

    /** All names that backends are reached by, as DNS would have them. */
    static final List<String> SERVICES = Stream.concat(
                    Stream.of(BACKEND), Stream.of(OddBackends.Kind.values()).map(OddBackends.Kind::lowerCase))
            .toList();

    static final String DEFINITION = """
        apiVersion: apiextensions.k8s.io/v1
        kind: CustomResourceDefinition
        metadata: {name: widgets.example.com}
        spec:
          group: example.com
          scope: Namespaced
          names: {plural: widgets, singular: widget, kind: Widget, listKind: WidgetList, shortNames: [wd], categories: [tools]}
          versions:
          - name: v1
            served: true
            storage: true
            subresources: {status: {}}
            additionalPrinterColumns:
            - {name: Size, type: integer, jsonPath: .spec.size}
            schema:
              openAPIV3Schema:
                type: object
                properties:
                  spec:
                    type: object
                    description: Spec says how large a widget is.
                    properties: {size: {type: integer, maximum: 100}}
                  status: {type: object, properties: {phase: {type: string}}}
        ---
        apiVersion: apiextensions.k8s.io/v1
        kind: CustomResourceDefinition
        metadata: {name: secrecies.example.com}
        spec:
          group: example.com
          scope: Cluster
          names: {plural: secrecies, singular: secrecy, kind: Secrecy}
          versions:
          - name: v1
            served: true
            storage: true
            schema: {openAPIV3Schema: {type: object, x-kubernetes-preserve-unknown-fields: true}}
        """;

    /** Everything with a group of an odd backend. */
    static final String ODD_RIGHTS = """
        apiVersion: rbac.authorization.k8s.io/v1
        kind: ClusterRole
        metadata: {name: odd}
        rules: [{apiGroups: [half.example.com], resources: ["*"], verbs: ["*"]}]
        ---
        apiVersion: rbac.authorization.k8s.io/v1
        kind: ClusterRoleBinding
        metadata: {name: odd}
        roleRef: {apiGroup: rbac.authorization.k8s.io, kind: ClusterRole, name: odd}
        subjects: [{apiGroup: rbac.authorization.k8s.io, kind: Group, name: crew}]
        """;

    private AggregatedWidgets() {}

    static String widget(String name, int size) {
        return """
            apiVersion: example.com/v1
            kind: Widget
            metadata: {name: %s, namespace: %s}
            spec: {size: %d}
            """.formatted(name, TEAM, size);
    }

    /** Everything with widgets in one namespace, and the namespace of Services. */
    static String rights(List<KubeCluster.User> users) {
        return """
            {apiVersion: v1, kind: Namespace, metadata: {name: apps}}
            ---
            {apiVersion: v1, kind: Namespace, metadata: {name: team}}
            ---
            apiVersion: rbac.authorization.k8s.io/v1
            kind: Role
            metadata: {name: widgets, namespace: team}
            rules:
            - {apiGroups: [example.com], resources: [widgets, widgets/status], verbs: ["*"]}
            ---
            apiVersion: rbac.authorization.k8s.io/v1
            kind: RoleBinding
            metadata: {name: widgets, namespace: team}
            roleRef: {apiGroup: rbac.authorization.k8s.io, kind: Role, name: widgets}
            subjects: [%s]
            """.formatted(users.stream()
                .map(user -> "{apiGroup: rbac.authorization.k8s.io, kind: User, name: " + user.name() + "}")
                .collect(Collectors.joining(", ")));
    }

    /** Lets everybody who is known enter a hosted cluster. */
    static String enter(String cluster) {
        return """
            apiVersion: rbac.authorization.k8s.io/v1
            kind: ClusterRole
            metadata: {name: enter-CLUSTER}
            rules:
            - {apiGroups: [fairlead.io], resources: [clusters], resourceNames: [CLUSTER], verbs: [access]}
            ---
            apiVersion: rbac.authorization.k8s.io/v1
            kind: ClusterRoleBinding
            metadata: {name: enter-CLUSTER}
            subjects: [{apiGroup: rbac.authorization.k8s.io, kind: Group, name: "system:authenticated"}]
            roleRef: {apiGroup: rbac.authorization.k8s.io, kind: ClusterRole, name: enter-CLUSTER}
            """.replace("CLUSTER", cluster);
    }

    /**
     * Version v1 of a group, from a Service.
     *
     * @param trust {@code caBundle: BASE64} or {@code insecureSkipTLSVerify: true}
     */
    static String apiService(String group, String service, String trust) {
        return """
            apiVersion: apiregistration.k8s.io/v1
            kind: APIService
            metadata: {name: v1.%1$s}
            spec:
              group: %1$s
              version: v1
              groupPriorityMinimum: 1000
              versionPriority: 15
              service: {namespace: apps, name: %2$s, port: 443}
              %3$s
            """.formatted(group, service, trust);
    }

    /** A Service without selector. */
    static String service(String name, int port) {
        return """
            apiVersion: v1
            kind: Service
            metadata: {name: %s, namespace: apps}
            spec:
              ports: [{name: https, port: %d, protocol: TCP}]
            """.formatted(name, port);
    }

    /** The only endpoint of a Service. */
    static String slice(String service, String address, int port, boolean isReady) {
        return """
            apiVersion: discovery.k8s.io/v1
            kind: EndpointSlice
            metadata: {name: %1$s-1, namespace: apps, labels: {kubernetes.io/service-name: %1$s}}
            addressType: IPv4
            ports: [{name: https, port: %3$d, protocol: TCP}]
            endpoints: [{addresses: [%2$s], conditions: {ready: %4$s}}]
            """.formatted(service, address, port, isReady);
    }

    /** A backend with all that leads to it. */
    static String odd(OddBackends.Kind kind, String address, int port, String trust) {
        return String.join(
                "---\n",
                service(kind.lowerCase(), 443),
                slice(kind.lowerCase(), address, port, true),
                apiService(kind.group(), kind.lowerCase(), trust)
                        .replace("{name: v1.", "{labels: {odd: \"yes\"}, name: v1."));
    }
}
