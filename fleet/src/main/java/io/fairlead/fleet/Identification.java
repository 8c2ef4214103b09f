package io.fairlead.fleet;

import io.fairlead.clustersync.ClusterStatus;
import io.fairlead.clustersync.ObservedIdentity;
import io.fairlead.fleet.conflicts.ClusterIdentities;
import io.fairlead.fleet.conflicts.IdentityVerdict;
import io.fairlead.fleet.conflicts.Registrant;
import io.fairlead.model.ClusterName;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import tools.jackson.databind.node.ObjectNode;

/**
 * Keeps current which registrations lead to one cluster, and has those looked at again that are concerned by a change.
 *
 * <p>Threads: the fleet's controller.
 */
final class Identification {
    private final ClusterIdentities identities;
    private final StatusInbox inbox;
    private final Consumer<ClusterName> concerned;
    private final Consumer<ClusterName> doubted;

    /**
     * @param concerned called for each other registration of which the verdict may have changed
     * @param doubted called for each of which the identity is to be read again
     */
    Identification(
            ClusterIdentities identities,
            StatusInbox inbox,
            Consumer<ClusterName> concerned,
            Consumer<ClusterName> doubted) {
        this.identities = identities;
        this.inbox = inbox;
        this.concerned = concerned;
        this.doubted = doubted;
    }

    /** What becomes of a registration as it is now; empty for a hosted cluster. */
    Optional<IdentityVerdict> observe(ClusterName name, ObjectNode cluster) {
        if (ClusterSpec.of(cluster) instanceof ClusterSpec.Attached) {
            ObservedIdentity observed =
                    inbox.newest(name).flatMap(ClusterStatus::identity).orElse(ObservedIdentity.NOT_READ);
            tell(name, identities.observe(Registrant.of(cluster, observed), cluster.path("status")));
        }
        return verdict(name);
    }

    /** The verdict after a member was made by it: what is withheld has no output by now, what is attached has. */
    Optional<IdentityVerdict> settle(ClusterName name, Member member) {
        switch (member) {
            case Member.Withheld _ -> tell(name, identities.withdrawn(name.value()));
            case Member.Attached _ -> tell(name, identities.serves(name.value()));
            case Member.Hosted _, Member.Opening _, Member.Unready _ -> {}
        }
        return verdict(name);
    }

    /** A registration is no more, and its member is closed. */
    void forget(ClusterName name) {
        tell(name, identities.forget(name.value()));
    }

    private Optional<IdentityVerdict> verdict(ClusterName name) {
        return Optional.ofNullable(identities.verdict(name.value()));
    }

    private void tell(ClusterName self, Set<String> names) {
        names.stream()
                .filter(name -> !name.equals(self.value()))
                .map(ClusterName::new)
                .forEach(concerned);
        identities.doubted().stream().map(ClusterName::new).forEach(doubted);
    }
}
