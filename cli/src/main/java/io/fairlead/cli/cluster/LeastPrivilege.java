package io.fairlead.cli.cluster;

import io.fairlead.model.ClusterName;

/**
 * The rights that Fairlead's credential needs in an attached cluster, and how to create a kubeconfig for that
 * credential.
 */
final class LeastPrivilege {
    static final String NAMESPACE = "fairlead-system";

    private static final String HEAD = """
        # What Fairlead needs in cluster %1$s. Apply it there, and see the end for what to do next.
        #
        """;

    private static final String HEAD_OF_SERVICE_ACCOUNT = """
        # What the ServiceAccount for Fairlead needs in cluster %1$s. 'fairlead cluster attach %1$s --create-service-account%2$s'
        # applies it by itself.
        #
        """;

    private static final String IMPERSONATES = """
        # The right to impersonate groups is nearly cluster-admin: the holder of this credential can act as any
        # user of the cluster. Keep it as you would keep an administrator's.
        """;

    private static final String PASSES_TOKENS = """
        # Callers come with tokens of the cluster's own: this credential can act as no other user.
        """;

    private static final String IS_A_FRONT_PROXY = """
        # These are the rights of Fairlead's own requests, which name the user fairlead. The certificate of a front proxy is
        # more than cluster-admin: its holder can act as any user of the cluster, of system:masters too, and no RBAC
        # limits it. Keep it as you would keep the cluster's CA.
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
          name: %3$s
          namespace: fairlead-system
        ---
        """;

    private static final String TOKEN = """
        apiVersion: v1
        kind: Secret
        metadata:
          name: %3$s-token
          namespace: fairlead-system
          annotations:
            kubernetes.io/service-account.name: %3$s
        type: kubernetes.io/service-account-token
        ---
        """;

    private static final String ROLE = """
        apiVersion: rbac.authorization.k8s.io/v1
        kind: ClusterRole
        metadata:
          name: %3$s
        rules:
        """;

    private static final String IMPERSONATION = """
        # Requests are made as the caller.
        - apiGroups: [""]
          resources: [users, groups, serviceaccounts]
          verbs: [impersonate]
        - apiGroups: [authentication.k8s.io]
          resources: ["uids", "userextras/*"]
          verbs: [impersonate]
        """;

    private static final String REVIEWS = """
        # The rights of callers who impersonate are asked for.
        - apiGroups: [authorization.k8s.io]
          resources: [subjectaccessreviews]
          verbs: [create]
        """;

    private static final String OWN_RIGHTS = """
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
        """;

    private static final String WITH_CRD_RUNTIME_IMPERSONATING = """
        # Which cluster API servers are of, for what CRDs serve (spec.attached.crdRuntime). Those read the same rights, so that
        # all this is applied once; a credential of their own needs the rights to impersonate and this one.
        """;

    private static final String WITH_CRD_RUNTIME_OF_A_FRONT_PROXY = """
        # Which cluster API servers are of, for what CRDs serve (spec.attached.crdRuntime). Those read the same rights, so that
        # all this is applied once; the user of a certificate of their own needs this right alone.
        """;

    private static final String WITHOUT_CRD_RUNTIME = """
        # Which cluster API servers are of.
        """;

    private static final String IDENTITY = """
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
          name: %3$s
        roleRef:
          apiGroup: rbac.authorization.k8s.io
          kind: ClusterRole
          name: %3$s
        subjects:
        """;

    private static final String TO_SERVICE_ACCOUNT = """
        - kind: ServiceAccount
          name: %3$s
          namespace: fairlead-system
        """;

    private static final String TO_USER = """
        - apiGroup: rbac.authorization.k8s.io
          kind: User
          name: fairlead
        """;

    private static final String RENEWAL = """
        ---
        # Its token is renewed by itself.
        apiVersion: rbac.authorization.k8s.io/v1
        kind: Role
        metadata:
          name: %3$s
          namespace: fairlead-system
        rules:
        - apiGroups: [""]
          resources: [serviceaccounts/token]
          resourceNames: [%3$s]
          verbs: [create]
        ---
        apiVersion: rbac.authorization.k8s.io/v1
        kind: RoleBinding
        metadata:
          name: %3$s
          namespace: fairlead-system
        roleRef:
          apiGroup: rbac.authorization.k8s.io
          kind: Role
          name: %3$s
        subjects:
        - kind: ServiceAccount
          name: %3$s
          namespace: fairlead-system
        """;

    private static final String NEXT = """
        #
        # Next, with kubectl still leading to that cluster: a kubeconfig of this credential, and the attachment.
        #
        #   kubectl -n fairlead-system get secret %3$s-token -o jsonpath='{.data.ca\\.crt}' | base64 -d > %1$s.crt
        #   kubectl config --kubeconfig %1$s.kubeconfig set-cluster %1$s --embed-certs --certificate-authority %1$s.crt \\
        #     --server "$(kubectl config view --minify -o jsonpath='{.clusters[0].cluster.server}')"
        #   kubectl config --kubeconfig %1$s.kubeconfig set-credentials fairlead \\
        #     --token "$(kubectl -n fairlead-system get secret %3$s-token -o jsonpath='{.data.token}' | base64 -d)"
        #   kubectl config --kubeconfig %1$s.kubeconfig set-context %1$s --cluster %1$s --user fairlead
        #   kubectl config --kubeconfig %1$s.kubeconfig use-context %1$s
        #   fairlead cluster attach %1$s --from-kubeconfig %1$s.kubeconfig%2$s
        """;

    private static final String NEXT_OF_A_FRONT_PROXY = """
        #
        # Next, with kubectl still leading to that cluster: a client certificate with the common name fairlead, fairlead.crt with
        # its key fairlead.key, signed by the CA that the API servers have as --requestheader-client-ca-file. If they have
        # --requestheader-allowed-names, it must be among them; if it is another name, put that in the place of the user
        # fairlead above, since Fairlead's own requests name the user by it. They must know the headers X-Remote-User,
        # X-Remote-Group and X-Remote-Extra- (and X-Remote-Uid, if uids count) and no others for users.
        #
        #   kubectl config view --minify --raw --flatten \\
        #     -o jsonpath='{.clusters[0].cluster.certificate-authority-data}' | base64 -d > %1$s.crt
        #   kubectl config --kubeconfig %1$s.kubeconfig set-cluster %1$s --embed-certs --certificate-authority %1$s.crt \\
        #     --server "$(kubectl config view --minify -o jsonpath='{.clusters[0].cluster.server}')"
        #   kubectl config --kubeconfig %1$s.kubeconfig set-credentials fairlead --embed-certs \\
        #     --client-certificate fairlead.crt --client-key fairlead.key
        #   kubectl config --kubeconfig %1$s.kubeconfig set-context %1$s --cluster %1$s --user fairlead
        #   kubectl config --kubeconfig %1$s.kubeconfig use-context %1$s
        #   fairlead cluster attach %1$s --from-kubeconfig %1$s.kubeconfig%2$s
        """;

    private LeastPrivilege() {}

    /** Manifests for an administrator who attaches the cluster with a kubeconfig, with the next steps. */
    static String manifests(ClusterName cluster, CallerIdentity identity) {
        String text = switch (identity) {
            case IMPERSONATE, PASSTHROUGH ->
                HEAD + warning(identity) + SERVICE_ACCOUNT + TOKEN + role(identity) + TO_SERVICE_ACCOUNT + NEXT;
            case REQUEST_HEADER -> HEAD + warning(identity) + role(identity) + TO_USER + NEXT_OF_A_FRONT_PROXY;
        };
        return filledIn(text, cluster, identity);
    }

    /**
     * The manifests of {@code attach --create-service-account}: the token is bound, and its ServiceAccount may renew
     * it.
     */
    static String ofServiceAccount(ClusterName cluster, CallerIdentity identity) {
        String text = HEAD_OF_SERVICE_ACCOUNT
                + warning(identity)
                + SERVICE_ACCOUNT
                + role(identity)
                + TO_SERVICE_ACCOUNT
                + RENEWAL;
        return filledIn(text, cluster, identity);
    }

    private static String filledIn(String text, ClusterName cluster, CallerIdentity identity) {
        String option = identity == CallerIdentity.IMPERSONATE ? "" : " --identity " + identity.option();
        return text.formatted(cluster, option, identity.account());
    }

    private static String warning(CallerIdentity identity) {
        return switch (identity) {
            case IMPERSONATE -> IMPERSONATES;
            case PASSTHROUGH -> PASSES_TOKENS;
            case REQUEST_HEADER -> IS_A_FRONT_PROXY;
        };
    }

    /** The role, and its binding up to whom it is bound to. */
    private static String role(CallerIdentity identity) {
        return ROLE
                + switch (identity) {
                    case IMPERSONATE -> IMPERSONATION + REVIEWS;
                    case PASSTHROUGH -> "";
                    case REQUEST_HEADER -> REVIEWS;
                }
                + OWN_RIGHTS
                + switch (identity) {
                    case IMPERSONATE -> WITH_CRD_RUNTIME_IMPERSONATING;
                    case PASSTHROUGH -> WITHOUT_CRD_RUNTIME;
                    case REQUEST_HEADER -> WITH_CRD_RUNTIME_OF_A_FRONT_PROXY;
                }
                + IDENTITY;
    }
}
