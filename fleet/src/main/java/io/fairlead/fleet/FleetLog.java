package io.fairlead.fleet;

import io.fairlead.clustersync.source.Finding;
import io.fairlead.fleet.availability.AvailabilityGate;
import io.fairlead.fleet.root.Condition;
import io.fairlead.model.ClusterName;
import io.fairlead.model.Repetitions;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.spi.LoggingEventBuilder;
import tools.jackson.databind.JsonNode;

/**
 * The log lines of the fleet: one when a cluster is registered, changed, Ready, not Ready, waits for APIServices, waits no
 * more, or is removed; at most one a minute for a cluster that keeps changing.
 *
 * <p>A cluster is neither Ready nor not Ready until something is known; one that was Ready and becomes unknown is not
 * Ready.
 *
 * <p>Threads: confined to the fleet's controller.
 */
final class FleetLog {
    private static final Logger LOG = LoggerFactory.getLogger(FleetLog.class);

    private final Repetitions lines = Repetitions.ofChanges();

    /** The readiness last logged for each cluster. */
    private final Map<ClusterName, Readiness> said = new HashMap<>();

    /** Why each waits for APIServices, as it was last logged. */
    private final Map<ClusterName, String> waiting = new HashMap<>();

    /** A new cluster is served. */
    void registered(ClusterName name, Member member) {
        log(name, of(LOG.atInfo(), name, member), "Cluster registered");
    }

    /** A cluster's registration or its credential changed. */
    void changed(ClusterName name, Member member) {
        log(name, of(LOG.atInfo(), name, member), "Cluster registration changed");
    }

    /** A cluster has this status now. */
    void observed(ClusterName name, JsonNode status) {
        readiness(name, status);
        availability(name, status);
    }

    private void readiness(ClusterName name, JsonNode status) {
        JsonNode condition = Condition.in(status, Condition.READY);
        Readiness now = new Readiness(
                condition.path("status").asString("Unknown"),
                condition.path("reason").asString(""));
        Readiness before = said.get(name);
        if (!now.isNews(before)) {
            return;
        }
        said.put(name, now);
        if (now.isReady()) {
            log(
                    name,
                    LOG.atInfo()
                            .addKeyValue("cluster", name)
                            .addKeyValue("version", status.path("version").asString("")),
                    "Cluster is Ready");
        } else {
            log(
                    name,
                    LOG.atWarn()
                            .addKeyValue("cluster", name)
                            .addKeyValue("reason", now.reason())
                            .addKeyValue("problem", condition.path("message").asString("")),
                    "Cluster is not Ready");
        }
    }

    private void availability(ClusterName name, JsonNode status) {
        Optional<Finding> shut = AvailabilityGate.shut(status);
        if (shut.isPresent()) {
            String reason = shut.get().reason();
            if (!reason.equals(waiting.put(name, reason))) {
                log(
                        name,
                        LOG.atWarn()
                                .addKeyValue("cluster", name)
                                .addKeyValue("reason", reason)
                                .addKeyValue("problem", shut.get().message()),
                        "Cluster is not Available");
            }
        } else if (Condition.holds(status, Condition.AVAILABLE) && waiting.remove(name) != null) {
            log(name, LOG.atInfo().addKeyValue("cluster", name), "Cluster is Available");
        }
    }

    /** A cluster is no longer served. */
    void removed(ClusterName name) {
        said.remove(name);
        waiting.remove(name);
        log(name, LOG.atInfo().addKeyValue("cluster", name), "Cluster removed");
    }

    /** Limits the lines of a cluster that is changed or registered repeatedly. */
    private void log(ClusterName name, LoggingEventBuilder line, String what) {
        lines.next(name).ifPresent(leftOut -> (leftOut == 0 ? line : line.addKeyValue("leftOut", leftOut)).log(what));
    }

    private static LoggingEventBuilder of(LoggingEventBuilder line, ClusterName name, Member member) {
        LoggingEventBuilder named = line.addKeyValue("cluster", name);
        LoggingEventBuilder about = switch (member) {
            case Member.Hosted _, Member.Opening _ -> named.addKeyValue("type", "Hosted");
            case Member.Attached _ -> named.addKeyValue("type", "Attached");
            case Member.Withheld withheld ->
                named.addKeyValue("type", "Attached").addKeyValue("reason", withheld.cause());
            case Member.Unready unready -> named.addKeyValue("reason", unready.reason());
        };
        return member.url().isEmpty() ? about : about.addKeyValue("url", member.url());
    }

    /**
     * The condition Ready.
     *
     * @param status {@code True}, {@code False} or {@code Unknown}
     * @param reason why, in one word
     */
    private record Readiness(String status, String reason) {
        boolean isReady() {
            return status.equals("True");
        }

        boolean isNews(@Nullable Readiness before) {
            if (status.equals("Unknown")) {
                return before != null && before.isReady();
            }
            return !equals(before);
        }
    }
}
