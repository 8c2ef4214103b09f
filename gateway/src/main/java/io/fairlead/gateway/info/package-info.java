/**
 * What a request asks for: verb, group, version, resource, namespace, name.
 *
 * <p>Pure and non-blocking. Start with {@link io.fairlead.gateway.info.Described}.
 */
@NullMarked
package io.fairlead.gateway.info;

import org.jspecify.annotations.NullMarked;
