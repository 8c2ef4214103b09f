package io.fairlead.cli.cluster;

import io.fairlead.model.ClusterName;

/**
 * The rights that Fairlead's credential needs in an attached cluster, and how to create a kubeconfig for that
 * credential.
 */
final class LeastPrivilege {
    static final String NAMESPACE = "fairlead-system";

    /** The name of the ServiceAccount and of its roles. */
    static final String ACCOUNT = "fairlead";

    private static final String HEAD = """
        # What Fairlead needs in cluster %1$s. Apply it there, and see the end for what to do next.
        #
        # The right to impersonate groups is nearly cluster-admin: the holder of this credential can act as any
        # user of the cluster. Keep it as you would keep an administrator's.
        """;

    private static final String SERVICE_ACCOUNT = """
        apiVersion: v1
        kind: Namespace
        metadata:
          name: fairlead-system
        ---
        apiVersion: v1
        kind: ServiceAccount
        metadata:
          name: fairlead
          namespace: fairlead-system
        ---
        """;

    private static final String TOKEN = """
        apiVersion: v1
        kind: Secret
        metadata:
          name: fairlead-token
          namespace: fairlead-system
          annotations:
            kubernetes.io/service-account.name: fairlead
        type: kubernetes.io/service-account-token
        ---
        """;

    private static final String RIGHTS = """
        apiVersion: rbac.authorization.k8s.io/v1
        kind: ClusterRole
        metadata:
          name: fairlead
        rules:
        # Requests are made as the caller.
        - apiGroups: [""]
          resources: [users, groups, serviceaccounts]
          verbs: [impersonate]
        - apiGroups: [authentication.k8s.io]
          resources: ["uids", "userextras/*"]
          verbs: [impersonate]
        # The rights of callers who impersonate are asked for.
        - apiGroups: [authorization.k8s.io]
          resources: [subjectaccessreviews]
          verbs: [create]
        # Whose tokens are that are nothing to Fairlead (spec.attached.tokenReview).
        - apiGroups: [authentication.k8s.io]
          resources: [tokenreviews]
          verbs: [create]
        # Which types the cluster serves.
        - apiGroups: [apiextensions.k8s.io]
          resources: [customresourcedefinitions]
          verbs: [get, list, watch]
        - apiGroups: [apiregistration.k8s.io]
          resources: [apiservices]
          verbs: [get, list, watch]
        # Which cluster API servers are of, for what CRDs serve (spec.attached.crdRuntime). Those read the same rights, so that
        # all this is applied once; a credential of their own needs the rights to impersonate and this one.
        - apiGroups: [""]
          resources: [namespaces]
          resourceNames: [kube-system]
          verbs: [get]
        # Which Crossplane package acts on a type, for pins that name implementations.
        - apiGroups: [pkg.crossplane.io]
          resources: [configurationrevisions, functionrevisions, providerrevisions]
          verbs: [get]
        # The keys that sign the tokens of ServiceAccounts tell a cluster from a copy of its store.
        - nonResourceURLs: [/openid/v1/jwks]
          verbs: [get]
        - nonResourceURLs: [/version, /readyz, /api, /api/*, /apis, /apis/*]
          verbs: [get]
        ---
        apiVersion: rbac.authorization.k8s.io/v1
        kind: ClusterRoleBinding
        metadata:
          name: fairlead
        roleRef:
          apiGroup: rbac.authorization.k8s.io
          kind: ClusterRole
          name: fairlead
        subjects:
        - kind: ServiceAccount
          name: fairlead
          namespace: fairlead-system
        """;

    private static final String RENEWAL = """
        ---
        # Its token is renewed by itself.
        apiVersion: rbac.authorization.k8s.io/v1
        kind: Role
        metadata:
          name: fairlead
          namespace: fairlead-system
        rules:
        - apiGroups: [""]
          resources: [serviceaccounts/token]
          resourceNames: [fairlead]
          verbs: [create]
        ---
        apiVersion: rbac.authorization.k8s.io/v1
        kind: RoleBinding
        metadata:
          name: fairlead
          namespace: fairlead-system
        roleRef:
          apiGroup: rbac.authorization.k8s.io
          kind: Role
          name: fairlead
        subjects:
        - kind: ServiceAccount
          name: fairlead
          namespace: fairlead-system
        """;

    private static final String NEXT = """
        #
        # Next, with kubectl still leading to that cluster: a kubeconfig of this credential, and the attachment.
        #
        #   kubectl -n fairlead-system get secret fairlead-token -o jsonpath='{.data.ca\\.crt}' | base64 -d > %1$s.crt
        #   kubectl config --kubeconfig %1$s.kubeconfig set-cluster %1$s --embed-certs --certificate-authority %1$s.crt \\
        #     --server "$(kubectl config view --minify -o jsonpath='{.clusters[0].cluster.server}')"
        #   kubectl config --kubeconfig %1$s.kubeconfig set-credentials fairlead \\
        #     --token "$(kubectl -n fairlead-system get secret fairlead-token -o jsonpath='{.data.token}' | base64 -d)"
        #   kubectl config --kubeconfig %1$s.kubeconfig set-context %1$s --cluster %1$s --user fairlead
        #   kubectl config --kubeconfig %1$s.kubeconfig use-context %1$s
        #   fairlead cluster attach %1$s --from-kubeconfig %1$s.kubeconfig
        """;

    private LeastPrivilege() {}

    /** Manifests for an administrator who attaches the cluster with a kubeconfig, with the next steps. */
    static String manifests(ClusterName cluster) {
        return (HEAD + SERVICE_ACCOUNT + TOKEN + RIGHTS + NEXT).formatted(cluster);
    }

    /**
     * The manifests of {@code attach --create-service-account}: the token is bound, and its ServiceAccount may renew
     * it.
     */
    static String ofServiceAccount(ClusterName cluster) {
        return (HEAD + SERVICE_ACCOUNT + RIGHTS + RENEWAL).formatted(cluster);
    }
}
