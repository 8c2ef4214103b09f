package io.fairlead.clustersync;

import io.fairlead.clustersync.source.Finding;
import io.fairlead.index.ClusterView;
import io.fairlead.index.Contribution;
import io.fairlead.index.Holder;
import io.fairlead.index.HolderType;
import io.fairlead.index.Sync;
import io.fairlead.model.GroupVersion;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Established CRDs that an APIService of the same cluster hides: the aggregator in front of the API server takes their
 * group/version first. It is reported, and nothing is done about it: both are the cluster's own.
 */
final class Shadows {
    /** Conditions' messages end at 32 KiB. */
    private static final int MESSAGE_CHARS_MAX = 16 * 1024;

    private static final Finding NOT_KNOWN =
            Finding.unknown("TypesNotSynced", "the types of the cluster are not known");
    private static final Finding NONE = Finding.no("NotShadowed", "no APIService hides a CustomResourceDefinition");

    private final boolean isKnown;
    private final List<Shadow> shadows;

    /** The CRDs with versions that one APIService takes. */
    private record Shadow(String apiService, GroupVersion groupVersion, List<String> definitions) {}

    private Shadows(boolean isKnown, List<Shadow> shadows) {
        this.isKnown = isKnown;
        this.shadows = shadows;
    }

    static Shadows of(ClusterView view) {
        if (view.sync() == Sync.UNSYNCED) {
            return new Shadows(false, List.of());
        }
        Map<GroupVersion, String> routers = routers(view);
        return new Shadows(true, routers.isEmpty() ? List.of() : shadows(view, routers));
    }

    private static Map<GroupVersion, String> routers(ClusterView view) {
        Map<GroupVersion, String> routers = new HashMap<>();
        for (Holder holder : view.holders()) {
            if (holder.type() == HolderType.API_SERVICE) {
                for (Contribution contribution : holder.contributions()) {
                    routers.put(contribution.groupVersion(), holder.name());
                }
            }
        }
        return routers;
    }

    /** Holders come in the order of their names. */
    private static List<Shadow> shadows(ClusterView view, Map<GroupVersion, String> routers) {
        Map<GroupVersion, List<String>> hidden = new HashMap<>();
        for (Holder holder : view.holders()) {
            if (holder.type() == HolderType.CRD) {
                for (Contribution contribution : holder.contributions()) {
                    if (routers.containsKey(contribution.groupVersion())) {
                        hidden.computeIfAbsent(contribution.groupVersion(), _ -> new ArrayList<>())
                                .add(holder.name());
                    }
                }
            }
        }
        List<Shadow> shadows = new ArrayList<>();
        hidden.forEach((groupVersion, definitions) ->
                shadows.add(new Shadow(routers.getOrDefault(groupVersion, ""), groupVersion, definitions)));
        Collections.sort(shadows, (one, other) -> one.apiService().compareTo(other.apiService()));
        return shadows;
    }

    /** The condition TypesShadowed. */
    Finding finding() {
        if (!isKnown) {
            return NOT_KNOWN;
        }
        return shadows.isEmpty()
                ? NONE
                : Finding.yes(
                        "GroupVersionShadowed",
                        message() + " (expected no APIService over a group/version of CustomResourceDefinitions, or no"
                                + " such definitions: delete one of them)");
    }

    /** Built name by name, so that it is never much longer than what is shown of it. */
    private String message() {
        StringBuilder message = new StringBuilder();
        for (Shadow shadow : shadows) {
            message.append(message.isEmpty() ? "" : "; ").append("APIService ").append(shadow.apiService());
            String separator = " hides the definitions of " + shadow.groupVersion() + ": ";
            for (String definition : shadow.definitions()) {
                message.append(separator).append(definition);
                separator = ", ";
                if (message.length() > MESSAGE_CHARS_MAX) {
                    return message.substring(0, MESSAGE_CHARS_MAX) + "…";
                }
            }
        }
        return message.toString();
    }
}
