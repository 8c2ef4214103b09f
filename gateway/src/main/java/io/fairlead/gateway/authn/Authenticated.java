package io.fairlead.gateway.authn;

import io.fairlead.gateway.info.Described;

/** A request with a known caller; only {@link Authentication} makes one. */
public final class Authenticated {
    private final Described described;
    private final Identity identity;

    Authenticated(Described described, Identity identity) {
        this.described = described;
        this.identity = identity;
    }

    public Described described() {
        return described;
    }

    public Identity identity() {
        return identity;
    }
}
