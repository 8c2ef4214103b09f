/**
 * What {@code /fairlead/v1/} answers: the clusters that the caller may enter, what each cluster serves, and versions.
 *
 * <p>Calls block and run on virtual threads. Start with {@link io.fairlead.gateway.api.FairleadApi}.
 */
@NullMarked
package io.fairlead.gateway.api;

import org.jspecify.annotations.NullMarked;
