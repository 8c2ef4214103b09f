/**
 * What {@code /fairlead/v1/} answers: the fleet as its caller may see it, what each cluster serves, and versions.
 *
 * <p>Calls block and come on virtual threads. Start with {@link io.fairlead.gateway.api.FairleadApi}.
 */
@NullMarked
package io.fairlead.gateway.api;

import org.jspecify.annotations.NullMarked;
