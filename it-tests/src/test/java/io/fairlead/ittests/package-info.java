/**
 * Black box: the packaged gateway, started as a user starts it, against etcd, kube-apiserver, kube-controller-manager and
 * kubectl as their projects publish them.
 *
 * <p>Start with {@link io.fairlead.ittests.FairleadProcess}, {@link io.fairlead.ittests.KubeCluster} and
 * {@link io.fairlead.ittests.Kubectl}. Nothing here sees a class of the product. What a test starts it owns and ends;
 * logs and data stay under {@code target/it}.
 */
@NullMarked
package io.fairlead.ittests;

import org.jspecify.annotations.NullMarked;
