package io.fairlead.gateway.route;

import io.fairlead.gateway.info.Described;
import io.fairlead.gateway.select.Target;

/** A request of which is known who answers it; only {@link Router} makes one. */
public sealed interface Routed permits ToAttached, ToHosted {
    Described described();

    Target.Cluster target();

    /** Where it goes, and what that rests on. */
    Route route();
}
