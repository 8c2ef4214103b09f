package io.fairlead.gateway.enter.canary;

import io.fairlead.gateway.impersonate.Acting;

/** Sees a later stage on purpose: the rule for this one must name it. */
interface LooksAhead {
    Acting later();
}
