package io.fairlead.gateway.authn;

import io.fairlead.gateway.info.Described;
import org.jspecify.annotations.Nullable;

/** A request with a known caller; only {@link Authentication} makes one. */
public final class Authenticated {
    private final Described described;
    private final Identity identity;
    private final Object connectionOwner;
    private final @Nullable Bearer ownToken;

    Authenticated(Described described, Identity identity, Object connectionOwner, @Nullable Bearer ownToken) {
        this.described = described;
        this.identity = identity;
        this.connectionOwner = connectionOwner;
        this.ownToken = ownToken;
    }

    public Described described() {
        return described;
    }

    public Identity identity() {
        return identity;
    }

    /** The token that the addressed cluster itself has authenticated; null if the caller was identified in another way. */
    public @Nullable Bearer ownToken() {
        return ownToken;
    }

    /** To whom the connection belongs if the caller is the first on it: the caller, or the front proxy that names it. */
    public Object connectionOwner() {
        return connectionOwner;
    }
}
