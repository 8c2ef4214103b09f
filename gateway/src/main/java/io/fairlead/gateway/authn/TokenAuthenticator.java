package io.fairlead.gateway.authn;

import org.jspecify.annotations.Nullable;

/** Knows bearer tokens. Never blocks; any thread. */
@FunctionalInterface
public interface TokenAuthenticator {
    /** Whose token it is, or null if it is none of this authenticator's. */
    @Nullable
    Identity authenticate(String token);
}
