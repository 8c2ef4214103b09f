package io.fairlead.ittests;

/**
 * A real cluster for all tests that only use one: they neither stop it nor leave anything in it but what nobody minds. It is
 * started for the first and ends with this JVM.
 */
final class SharedKube {
    /** A user whom the cluster grants nothing. */
    static final KubeCluster.User STRANGER =
            new KubeCluster.User("token-of-a-stranger", "stranger", "uid-of-a-stranger", "strangers");

    /** A second administrator. */
    static final KubeCluster.User SECOND =
            new KubeCluster.User("second-token-of-fairlead", "fairlead-again", "", "system:masters");

    private SharedKube() {}

    static KubeCluster get() {
        return Holder.KUBE;
    }

    private static final class Holder {
        static final KubeCluster KUBE = KubeCluster.start(Checkout.scratch("SharedKube"), STRANGER, SECOND);
    }
}
