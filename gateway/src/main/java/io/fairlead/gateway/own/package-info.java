/**
 * What the gateway answers itself, outside any cluster: probes, its version, {@code /fairlead/v1}.
 *
 * <p>Start with {@link io.fairlead.gateway.own.OwnEndpoints}.
 */
@NullMarked
package io.fairlead.gateway.own;

import org.jspecify.annotations.NullMarked;
