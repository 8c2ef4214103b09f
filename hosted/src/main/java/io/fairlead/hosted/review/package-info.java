/**
 * The reviews: questions about rights and identities that are answered and never stored (authorization.k8s.io/v1,
 * authentication.k8s.io/v1).
 *
 * <p>Typed clients send them in protobuf, so that they are read in that form too; answers are JSON or YAML. Stateless but
 * for the policy that is asked; any thread. Start with {@link io.fairlead.hosted.review.Reviews}.
 */
@NullMarked
package io.fairlead.hosted.review;

import org.jspecify.annotations.NullMarked;
