package io.fairlead.fleet.conflicts;

import io.fairlead.clustersync.source.Finding;
import io.fairlead.index.conflicts.Standing;
import io.fairlead.index.conflicts.Standing.Conflict;
import io.fairlead.index.conflicts.Standing.Peer;
import io.fairlead.index.conflicts.Standing.Role;
import java.util.List;
import java.util.stream.Collectors;

/** What conditions say of identities and conflicts, for people: who, with whom, and what to do. */
final class IdentityFindings {
    /** The most peers to name. */
    private static final int NAMED_MAX = 8;

    private IdentityFindings() {}

    /**
     * The condition Conflict.
     *
     * @param isForbidden whether it may not be read any more which cluster it is
     */
    static Finding conflict(String name, Standing standing, boolean isForbidden) {
        return switch (standing.state()) {
            case EVALUATING -> notIdentified();
            case WITHDRAWING ->
                Finding.unknown("Withdrawing", "another registration stays with this cluster: " + peers(standing));
            case CONFLICT -> Finding.yes(IdentityVerdict.CONFLICT, lost(name, standing));
            case HELD -> held(name, standing, isForbidden);
        };
    }

    private static Finding held(String name, Standing standing, boolean isForbidden) {
        if (!standing.conflicts().isEmpty()) {
            return Finding.no(
                    "Incumbent",
                    "this registration stays with the cluster, to which others lead too: "
                            + peers(standing)
                            + " (expected one registration of a cluster: delete the others, or set"
                            + " spec.aliasOf: " + name + " in them)");
        }
        return isForbidden ? notIdentified() : Finding.no("NoConflict", "no other registration leads to this cluster");
    }

    private static Finding notIdentified() {
        return Finding.unknown(
                "NotIdentified",
                "it is not known which cluster this is, so that it may be that of another registration");
    }

    private static String lost(String name, Standing standing) {
        String incumbent = standing.conflicts().stream()
                .flatMap(conflict -> conflict.peers().stream())
                .filter(peer -> peer.role() == Role.INCUMBENT)
                .map(Peer::name)
                .findFirst()
                .orElse("");
        return "the endpoints lead to the cluster that \"" + incumbent + "\" is registered for, which stays; this"
                + " registration is not served: " + peers(standing) + " (expected other endpoints; or delete \"" + name
                + "\"; or set spec.aliasOf: " + incumbent + " if both are wanted; or delete \"" + incumbent
                + "\", and \"" + name + "\" takes its place)";
    }

    private static String peers(Standing standing) {
        return standing.conflicts().stream().map(IdentityFindings::peers).collect(Collectors.joining("; "));
    }

    private static String peers(Conflict conflict) {
        String named = conflict.peers().stream()
                .limit(NAMED_MAX)
                .map(peer -> "\"" + peer.name() + "\"")
                .collect(Collectors.joining(", "));
        int more = conflict.peers().size() - NAMED_MAX;
        return conflict.key() + " is claimed by " + named + (more > 0 ? " and " + more + " more" : "") + " too";
    }

    static Finding moved(String name, IdentityRecord record) {
        return Finding.no(
                IdentityVerdict.MOVED,
                "the endpoints lead to another cluster than before: namespace kube-system has uid " + record.uid()
                        + " there and had " + record.servedUid() + "; requests that may change something are refused"
                        + " (expected the endpoints of the cluster before, or 'fairlead cluster confirm " + name
                        + "' if the other one is meant)");
    }

    static Finding noAlias(String aliasOf, boolean isRegistered) {
        return Finding.no(
                "NotAnAlias",
                isRegistered
                        ? "\"" + aliasOf + "\", which spec.aliasOf names, does not lead to this cluster, or it is not"
                                + " known whether it does (expected two registrations of one cluster)"
                        : "\"" + aliasOf + "\", which spec.aliasOf names, is not registered (expected a registration of"
                                + " the same cluster)");
    }

    static Finding copied(IdentityRecord record, List<String> copies) {
        String named = copies.stream().limit(NAMED_MAX).collect(Collectors.joining(", "));
        return Finding.no(
                "Clone",
                "this cluster and that of " + named + " have one uid of namespace kube-system, " + record.uid()
                        + ", and were served with other keys for ServiceAccounts' tokens: one is a copy of the other's"
                        + " store, or a server that shows its uid (expected clusters of their own)");
    }
}
