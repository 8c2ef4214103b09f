package io.fairlead.canary.hen;

import io.fairlead.canary.egg.Egg;

/** Of a package that another knows which this one knows. */
public interface Hen {
    Egg other();
}
