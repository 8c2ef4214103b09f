package io.fairlead.gateway.cli;

import io.fairlead.model.ClusterName;

/** Where commands find things on a server. */
final class Paths {
    static final String CLUSTERS = "/clusters/root/apis/fairlead.io/v1alpha1/clusters";
    static final String SECRETS = "/clusters/root/api/v1/namespaces/fairlead-system/secrets";
    static final String FLEET = "/fairlead/v1/clusters";
    static final String VERSION = "/fairlead/v1/version";

    private Paths() {}

    static String cluster(ClusterName name) {
        return CLUSTERS + "/" + name;
    }

    static String secret(String name) {
        return SECRETS + "/" + name;
    }

    static String definitions(ClusterName name) {
        return "/clusters/" + name + "/apis/apiextensions.k8s.io/v1/customresourcedefinitions";
    }

    static String fleet(ClusterName name) {
        return FLEET + "/" + name;
    }
}
