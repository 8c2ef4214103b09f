package io.fairlead.gateway;

import io.fairlead.config.Configuration;
import io.fairlead.config.Configuration.LogLevel;
import io.fairlead.config.ConfigurationChanges;
import io.fairlead.config.ConfigurationException;
import io.fairlead.config.LogLevels;
import io.fairlead.config.NamedFiles;
import io.fairlead.config.Problem;
import io.fairlead.fleet.root.WorkLog;
import io.fairlead.gateway.logging.Logging;
import io.fairlead.model.Recurring;
import io.fairlead.model.Repetitions;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Reloads files that may be replaced while the gateway runs: certificates, client CAs, tokens and their issuers, the audit policy, and the log levels of
 * the configuration file, regularly and on demand. Unusable files change nothing.
 *
 * <p>Threads: the single one of its scheduler, which may hang with the file system; {@link #soon} is for any.
 */
final class Reloading {
    private static final Logger LOG = LoggerFactory.getLogger(Reloading.class);
    private static final String LOG_LEVEL = "logLevel";
    private static final String LOG_LEVELS = "logLevels";

    /** With the time for which a file of tokens must rest, a change takes effect within a minute. */
    private static final int LOOK_SECONDS = 30;

    private final ScheduledExecutorService scheduler;
    private final CertificateRenewal certificates;
    private final TokenFiles tokens;
    private final @Nullable Auditing auditing;
    private final Configuration started;
    private final ConfigurationSource source;
    private final Repetitions refusals = new Repetitions();
    private Levels levels;

    /** What the last look found; it counts if the next one finds it too, since a file may be half written. */
    private Levels seen;

    /** From which level on lines are logged. */
    private record Levels(LogLevel level, LogLevels byName) {
        static Levels of(Configuration configuration) {
            return new Levels(configuration.logLevel(), configuration.logLevels());
        }
    }

    /**
     * Checks nothing before {@link #start}.
     *
     * @param tokens the files that say whose bearer tokens are
     * @param auditing the policy of the audit log; null if there is none
     * @param started the configuration at the start
     * @param source where that was read
     */
    Reloading(
            ScheduledExecutorService scheduler,
            CertificateRenewal certificates,
            TokenFiles tokens,
            @Nullable Auditing auditing,
            Configuration started,
            ConfigurationSource source) {
        this.scheduler = scheduler;
        this.certificates = certificates;
        this.tokens = tokens;
        this.auditing = auditing;
        this.started = started;
        this.source = source;
        this.levels = Levels.of(started);
        this.seen = levels;
    }

    /** Checks regularly from now on, until the scheduler ends. */
    void start() {
        scheduler.scheduleWithFixedDelay(
                new Recurring("reloading", this::look, new WorkLog()), LOOK_SECONDS, LOOK_SECONDS, TimeUnit.SECONDS);
    }

    /** Reloads everything that can be reloaded. */
    void soon() {
        scheduler.execute(new Recurring("reloading", this::readAgain, new WorkLog()));
    }

    private void look() {
        tell("certificates", certificates.lookAtServing());
        tell("clientCa", certificates.lookAtClientCa());
        tell("tokens", tokens.lookAtTokens(false));
        tell("authentication", tokens.lookAtAuthentication(false));
        tell("auditPolicy", lookAtAuditPolicy(false));
        tell(LOG_LEVEL, lookAtLevels(new ArrayList<>(), false));
    }

    private void tell(String files, Look look) {
        switch (look) {
            case Look.Same _ -> {}
            case Look.Used _ -> LOG.atInfo().addKeyValue("files", files).log("Changed files are in use");
            case Look.Refused(String problem) ->
                refusals.next(files)
                        .ifPresent(leftOut -> LOG.atWarn()
                                .addKeyValue("files", files)
                                .addKeyValue("problem", problem)
                                .addKeyValue("leftOut", leftOut)
                                .log("Changed files cannot be used; what is in use stays"));
        }
    }

    /** One line for each SIGHUP, with the result. */
    private void readAgain() {
        List<String> needRestart = new ArrayList<>();
        Look ofCertificates = certificates.lookAtServing();
        Look ofClientCa = certificates.lookAtClientCa();
        Look ofTokens = tokens.lookAtTokens(true);
        Look ofAuthentication = tokens.lookAtAuthentication(true);
        Look ofAuditPolicy = lookAtAuditPolicy(true);
        Look ofLevel = lookAtLevels(needRestart, true);
        boolean isRefused = Stream.of(ofCertificates, ofClientCa, ofTokens, ofAuthentication, ofAuditPolicy, ofLevel)
                .anyMatch(Look.Refused.class::isInstance);
        var line = (isRefused ? LOG.atWarn() : LOG.atInfo())
                .addKeyValue("certificates", words(ofCertificates))
                .addKeyValue("clientCa", words(ofClientCa))
                .addKeyValue("tokens", words(ofTokens))
                .addKeyValue("authentication", words(ofAuthentication))
                .addKeyValue("auditPolicy", words(ofAuditPolicy))
                .addKeyValue(LOG_LEVEL, words(ofLevel));
        (needRestart.isEmpty() ? line : line.addKeyValue("needRestart", String.join(",", needRestart)))
                .log("Files were read again (SIGHUP)");
    }

    private Look lookAtAuditPolicy(boolean isWhole) {
        return auditing == null ? new Look.Same() : auditing.look(isWhole);
    }

    /**
     * Applies the configured log levels.
     *
     * @param needRestart gets the changed keys that need a restart
     * @param isWhole whether the file is known to be complete despite a recent change
     */
    private Look lookAtLevels(List<String> needRestart, boolean isWhole) {
        try {
            Configuration now = source.read(NamedFiles.UNCHECKED); // A missing file must not delay the other changes.
            needRestart.addAll(ConfigurationChanges.between(started, now));
            needRestart.removeAll(List.of(LOG_LEVEL, LOG_LEVELS));
            Levels found = Levels.of(now);
            boolean counts = isWhole || found.equals(seen);
            seen = found;
            if (found.equals(levels) || !counts) {
                return new Look.Same();
            }
            levels = found;
            Logging.change(found.level(), found.byName());
            return new Look.Used();
        } catch (ConfigurationException invalid) {
            return new Look.Refused(
                    invalid.problems().stream().map(Problem::toString).collect(Collectors.joining("; ")));
        }
    }

    private static String words(Look look) {
        return switch (look) {
            case Look.Same _ -> "unchanged";
            case Look.Used _ -> "changed";
            case Look.Refused(String problem) -> "refused: " + problem;
        };
    }
}
