/**
 * The RBAC of Kubernetes inside a hosted cluster, over its own objects.
 *
 * <p>{@link io.fairlead.hosted.rbac.PolicyCache} compiles the Role, ClusterRole, RoleBinding and ClusterRoleBinding
 * objects of a cluster into an immutable {@link io.fairlead.hosted.rbac.Policy}, which any thread may read.
 * {@link io.fairlead.hosted.rbac.EscalationGuard} keeps a writer of these objects from granting rights that it does not
 * have, {@link io.fairlead.hosted.rbac.SignerRights} who has none on a signer from deciding about its certificate signing
 * requests; {@link io.fairlead.hosted.rbac.BootstrapPolicy} holds the initial objects of a cluster. Start reading at
 * {@code Policy}.
 */
@NullMarked
package io.fairlead.hosted.rbac;

import org.jspecify.annotations.NullMarked;
