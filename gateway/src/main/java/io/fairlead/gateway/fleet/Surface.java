package io.fairlead.gateway.fleet;

import io.fairlead.index.ClusterView;
import io.fairlead.index.Contribution;
import io.fairlead.index.Contribution.Resources;
import io.fairlead.index.Holder;
import io.fairlead.model.GroupResource;
import java.util.HashSet;
import java.util.Set;

/** Counts of what a view shows. */
public final class Surface {
    private Surface() {}

    /** How many resources are known one by one, each counted once whatever its versions. */
    public static int resources(ClusterView view) {
        Set<GroupResource> resources = new HashSet<>();
        for (Holder holder : view.holders()) {
            for (Contribution contribution : holder.contributions()) {
                if (contribution.resources() instanceof Resources.Listed(Set<String> names)) {
                    names.forEach(name -> resources.add(
                            new GroupResource(contribution.groupVersion().group(), name)));
                }
            }
        }
        return resources.size();
    }
}
