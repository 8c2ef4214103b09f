package io.fairlead.canary.egg;

import io.fairlead.canary.hen.Hen;

/** Of a package that another knows which this one knows. */
public interface Egg {
    Hen other();
}
