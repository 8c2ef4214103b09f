/**
 * Who may do what inside a hosted cluster: the RBAC of Kubernetes over its own objects.
 *
 * <p>{@link io.fairlead.hosted.rbac.PolicyCache} compiles the Role, ClusterRole, RoleBinding and ClusterRoleBinding objects
 * of a cluster into an immutable {@link io.fairlead.hosted.rbac.Policy}, which any thread may ask.
 * {@link io.fairlead.hosted.rbac.EscalationGuard} keeps a writer of these objects from granting what they do not hold;
 * {@link io.fairlead.hosted.rbac.BootstrapPolicy} is what a new cluster begins with. Start reading at {@code Policy}.
 */
@NullMarked
package io.fairlead.hosted.rbac;

import org.jspecify.annotations.NullMarked;
