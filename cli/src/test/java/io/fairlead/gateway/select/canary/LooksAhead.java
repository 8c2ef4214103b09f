package io.fairlead.gateway.select.canary;

import io.fairlead.gateway.info.Described;

/** Sees a later stage on purpose: the rule for this one must name it. */
interface LooksAhead {
    Described later();
}
