package io.fairlead.gateway.cli;

import io.fairlead.model.ClusterName;

/** The rights that Fairlead's credential needs in an attached cluster. */
final class LeastPrivilege {
    private LeastPrivilege() {}

    static String manifests(ClusterName cluster) {
        return """
            # What Fairlead needs in cluster %s.
            #
            # The right to impersonate groups is nearly cluster-admin: whoever holds this credential can act as any
            # user of the cluster. Keep it as you would keep an administrator's.
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
            apiVersion: v1
            kind: Secret
            metadata:
              name: fairlead-token
              namespace: fairlead-system
              annotations:
                kubernetes.io/service-account.name: fairlead
            type: kubernetes.io/service-account-token
            ---
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
            # Which types the cluster serves.
            - apiGroups: [apiextensions.k8s.io]
              resources: [customresourcedefinitions]
              verbs: [get, list, watch]
            - apiGroups: [apiregistration.k8s.io]
              resources: [apiservices]
              verbs: [get, list, watch]
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
            """.formatted(cluster);
    }
}
