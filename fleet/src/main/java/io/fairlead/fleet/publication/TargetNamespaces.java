package io.fairlead.fleet.publication;

import io.fairlead.model.ClusterName;
import io.fairlead.model.StatusException;

/** The namespaces in which a target's users may create what is published there. */
@FunctionalInterface
public interface TargetNamespaces {
    /**
     * Requires that an object may be created in a namespace of a target; then the source has the namespace too. Can block.
     *
     * @throws StatusException with 404 if the target has no such namespace, with 403 if it is being deleted there, with 503
     *     if either cluster does not say
     */
    void require(ClusterName target, ClusterName source, String namespace) throws InterruptedException;
}
