/**
 * The reviews: requests about rights and identities, never stored (authorization.k8s.io/v1, authentication.k8s.io/v1).
 *
 * <p>Typed clients send them in protobuf, so that form is decoded too; answers are JSON, YAML or protobuf. Stateless except
 * for the policy and the keys that sign tokens; any thread. Start with {@link io.fairlead.hosted.review.Reviews}.
 */
@NullMarked
package io.fairlead.hosted.review;

import org.jspecify.annotations.NullMarked;
