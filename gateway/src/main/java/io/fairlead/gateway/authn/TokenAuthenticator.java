package io.fairlead.gateway.authn;

import org.jspecify.annotations.Nullable;

/** Identifies the user of a bearer token. Never blocks; any thread. */
@FunctionalInterface
public interface TokenAuthenticator {
    /** The token's user, or null if this authenticator does not accept it. */
    @Nullable
    Identity authenticate(String token);
}
