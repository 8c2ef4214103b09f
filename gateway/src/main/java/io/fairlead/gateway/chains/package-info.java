/**
 * Chains of client certificates: who signed them, and which of them were verified already.
 *
 * <p>Never blocks; any thread. Start with {@link io.fairlead.gateway.chains.VerifiedChains}.
 */
@NullMarked
package io.fairlead.gateway.chains;

import org.jspecify.annotations.NullMarked;
