/**
 * What the gateway answers itself, outside any cluster: probes, its version, {@code /fairlead/v1}.
 *
 * <p>Start with {@link io.fairlead.gateway.admin.AdminEndpoints}.
 */
@NullMarked
package io.fairlead.gateway.admin;

import org.jspecify.annotations.NullMarked;
