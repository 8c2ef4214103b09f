package io.fairlead.gateway.admin;

import io.fairlead.fleet.ReadinessCheck;
import io.fairlead.model.Supervised;
import java.util.Collection;
import java.util.Optional;
import java.util.stream.Collectors;

/**
 * Whether all work goes on that keeps what is served equal to what the root cluster says. It fails while some of it pauses
 * after a failure.
 */
public final class WorkCheck implements ReadinessCheck {
    private final Collection<Supervised> work;

    /** Of this work, more of which may be added. */
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
