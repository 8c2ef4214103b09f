package io.fairlead.gateway.authz.canary;

import io.fairlead.gateway.route.ToHosted;

/** Sees a later stage on purpose: the rule for this one must name it. */
interface LooksAhead {
    ToHosted later();
}
