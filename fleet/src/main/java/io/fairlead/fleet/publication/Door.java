package io.fairlead.fleet.publication;

import io.fairlead.model.ClusterName;
import java.util.List;
import java.util.Optional;

/** The front end as publications see it. Threads: any. */
public interface Door {
    /**
     * Why requests of a front proxy cannot be taken; empty if they can. Its CA must sign no client certificates of the gateway: a
     * user with one of these would be taken for the front proxy.
     */
    Optional<String> refusal(RequestHeaders trusted);

    /** By which the front end knows a probe of what is published into a cluster; it may read what that cluster's may. */
    Prober prober(ClusterName target);

    /** Serves these backends, and no others, from now on. */
    void publish(List<PublishedBackend> backends);

    /**
     * A client certificate of a front proxy.
     *
     * @param certificateChain PEM
     * @param privateKey PEM, PKCS #8
     */
    record Prober(String certificateChain, String privateKey) {
        /** In which it names its user. */
        public static final String USER_HEADER = "X-Remote-User";

        /** Omits what is secret. */
        @Override
        public String toString() {
            return "Prober[]";
        }
    }
}
