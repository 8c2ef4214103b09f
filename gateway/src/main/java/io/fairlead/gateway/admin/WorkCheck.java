package io.fairlead.gateway.admin;

import io.fairlead.fleet.ReadinessCheck;
import io.fairlead.model.Supervised;
import java.util.Collection;
import java.util.Optional;
import java.util.stream.Collectors;

/**
 * Whether all controllers that apply the root cluster's objects are running. Fails while one of them pauses after a
 * failure.
 */
public final class WorkCheck implements ReadinessCheck {
    private final Collection<Supervised> work;

    /** A check of these controllers; more may be added. */
    public WorkCheck(Collection<Supervised> work) {
        this.work = work;
    }

    @Override
    public String name() {
        return "controllers";
    }

    @Override
    public Optional<String> failure() {
        String stopped = work.stream()
                .flatMap(one -> one.problem().map(why -> one.name() + ": " + why).stream())
                .collect(Collectors.joining("; "));
        return stopped.isEmpty() ? Optional.empty() : Optional.of(stopped);
    }
}
