package io.fairlead.cli.cluster;

import java.time.Duration;
import picocli.CommandLine.Option;

/** The options that say whether a cluster is waited for, and for how long; a {@link picocli.CommandLine.Mixin}. */
final class WaitOptions {
    @Option(
            names = "--no-wait",
            description = "do not wait until the cluster is Ready; with --replace, do not try the credential before")
    private boolean noWait;

    @Option(
            names = "--timeout",
            paramLabel = "SECONDS",
            defaultValue = "60",
            description = "how long to wait (default: ${DEFAULT-VALUE})")
    private int timeoutSeconds;

    boolean isWanted() {
        return !noWait;
    }

    /** As it was given: not necessarily positive. */
    Duration timeout() {
        return Duration.ofSeconds(timeoutSeconds);
    }
}
