package io.fairlead.cli.server;

import io.fairlead.model.ClusterName;

/** The paths of a server. */
public final class Paths {
    /** Of cluster root, in which registrations are. */
    static final String ROOT = "/clusters/root/";

    public static final String CLUSTERS = ROOT + "apis/fairlead.io/v1alpha1/clusters";
    public static final String PUBLICATIONS = ROOT + "apis/fairlead.io/v1alpha1/apipublications";
    public static final String PUBLICATION_PLANS = ROOT + "apis/fairlead.io/v1alpha1/apipublicationplans";
    public static final String CLUSTER_IMPORTS = ROOT + "apis/fairlead.io/v1alpha1/clusterimports";
    public static final String SECRETS = ROOT + "api/v1/namespaces/fairlead-system/secrets";
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
