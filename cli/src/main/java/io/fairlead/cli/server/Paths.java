package io.fairlead.cli.server;

import io.fairlead.model.ClusterName;

/** The paths of a server. */
public final class Paths {
    public static final String CLUSTERS = "/clusters/root/apis/fairlead.io/v1alpha1/clusters";
    public static final String PUBLICATIONS = "/clusters/root/apis/fairlead.io/v1alpha1/apipublications";
    public static final String PUBLICATION_PLANS = "/clusters/root/apis/fairlead.io/v1alpha1/apipublicationplans";
    public static final String CLUSTER_IMPORTS = "/clusters/root/apis/fairlead.io/v1alpha1/clusterimports";
    public static final String SECRETS = "/clusters/root/api/v1/namespaces/fairlead-system/secrets";
    public static final String FLEET = "/fairlead/v1/clusters";
    public static final String STORE_BACKUP = "/fairlead/v1/store/backup";
    public static final String USAGE = "/fairlead/v1/usage";
    public static final String VERSION = "/fairlead/v1/version";

    private Paths() {}

    public static String cluster(ClusterName name) {
        return CLUSTERS + "/" + name;
    }

    public static String secret(String name) {
        return SECRETS + "/" + name;
    }

    public static String definitions(ClusterName name) {
        return "/clusters/" + name + "/apis/apiextensions.k8s.io/v1/customresourcedefinitions";
    }

    public static String fleet(ClusterName name) {
        return FLEET + "/" + name;
    }
}
