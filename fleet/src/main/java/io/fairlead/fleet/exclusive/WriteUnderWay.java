package io.fairlead.fleet.exclusive;

import io.fairlead.model.ClusterName;
import io.fairlead.model.GroupResource;
import java.util.List;

/** A write between the question and its end. Its thread writes it, others read it. */
final class WriteUnderWay {
    private final ClusterName cluster;
    private final GroupResource resource;
    private volatile List<Exclusion> asked = List.of();

    WriteUnderWay(ClusterName cluster, GroupResource resource) {
        this.cluster = cluster;
        this.resource = resource;
    }

    /** These rules decide about it. */
    void asks(List<Exclusion> rules) {
        asked = rules;
    }

    /** Whether a rule would have to decide about it, and does not or may not. */
    boolean isUnasked(Exclusion rule, ClusterName where) {
        return cluster.equals(where)
                && resource.equals(rule.spec().resource().groupResource())
                && !asked.contains(rule);
    }
}
