package io.fairlead.gateway.impersonate.canary;

import io.fairlead.gateway.flow.Admitted;

/** Sees a later stage on purpose: the rule for this one must name it. */
interface LooksAhead {
    Admitted later();
}
