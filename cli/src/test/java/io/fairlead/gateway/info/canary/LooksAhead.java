package io.fairlead.gateway.info.canary;

import io.fairlead.gateway.authn.Authenticated;

/** Sees a later stage on purpose: the rule for this one must name it. */
interface LooksAhead {
    Authenticated later();
}
