/**
 * Tokens of ServiceAccounts: signing and verifying them, the keys for that, and what a cluster publishes of its keys.
 *
 * <p>Objects are read from the store each time, since a token is revoked by deleting what it rests on. Threads: any. Start with
 * {@link io.fairlead.hosted.identity.ServiceAccountTokens}.
 */
@NullMarked
package io.fairlead.hosted.identity;

import org.jspecify.annotations.NullMarked;
