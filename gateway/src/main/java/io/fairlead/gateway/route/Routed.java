package io.fairlead.gateway.route;

import io.fairlead.gateway.info.Described;
import io.fairlead.gateway.select.Target;

/** A request with its route; only {@link Router} makes one. */
public sealed interface Routed permits ToAttached, ToHosted {
    Described described();

    Target.Cluster target();

    /** Its route and the look-up behind it. */
    Route route();
}
