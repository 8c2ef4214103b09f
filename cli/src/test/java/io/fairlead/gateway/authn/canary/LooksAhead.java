package io.fairlead.gateway.authn.canary;

import io.fairlead.gateway.enter.Entered;

/** Sees a later stage on purpose: the rule for this one must name it. */
interface LooksAhead {
    Entered later();
}
