package io.fairlead.gateway.flow;

import io.fairlead.gateway.impersonate.Acting;

/** A request that has its share of what is served at once; only {@link Flow} makes one. */
public final class Admitted {
    private final Acting acting;
    private final Share share;

    Admitted(Acting acting, Share share) {
        this.acting = acting;
        this.share = share;
    }

    public Acting acting() {
        return acting;
    }

    /** What it took, to be given back. */
    public Share share() {
        return share;
    }
}
