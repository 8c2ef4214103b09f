package io.fairlead.gateway.flow.canary;

import io.fairlead.gateway.authz.Authorized;

/** Sees a later stage on purpose: the rule for this one must name it. */
interface LooksAhead {
    Authorized later();
}
