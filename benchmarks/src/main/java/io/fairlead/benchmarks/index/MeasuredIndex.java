package io.fairlead.benchmarks.index;

import io.fairlead.model.ClusterName;
import io.fairlead.model.GroupVersion;

/** What both designs can do. */
interface MeasuredIndex {
    /** Whether a cluster serves a group/version. */
    boolean serves(ClusterName cluster, GroupVersion groupVersion);

    /** Lets one more holder serve a group/version of a cluster, or takes it away again. */
    void toggle(int cluster, int groupVersion);
}
