package io.fairlead.gateway.flow;

import io.fairlead.gateway.impersonate.Acting;

/** A request that holds its share of the concurrency limits; only {@link Flow} makes one. */
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

    /** The share, to be released. */
    public Share share() {
        return share;
    }
}
