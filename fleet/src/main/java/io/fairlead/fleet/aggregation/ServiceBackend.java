package io.fairlead.fleet.aggregation;

import io.fairlead.clustersync.source.Finding;
import io.fairlead.fleet.ClusterEntry;
import io.fairlead.fleet.HistoryModes;
import io.fairlead.fleet.UpstreamIdentity;
import io.fairlead.fleet.informers.ObjectCalls;
import io.fairlead.hosted.AggregatedVersion;
import io.fairlead.hosted.ApiService;
import io.fairlead.model.ClusterName;
import io.fairlead.net.Upstream;
import io.fairlead.net.UpstreamClient;
import io.fairlead.net.UpstreamSpec;
import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.RejectedExecutionException;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/**
 * The backend of one APIService: where it is, whether it answers, and what it serves. It is served to callers exactly while it is
 * available.
 *
 * <p>Threads: looks follow each other; any thread asks what is served. Checks run on threads of their own.
 */
final class ServiceBackend implements AutoCloseable {
    /** Between checks of one that is available; what its Service and EndpointSlices say counts at once. */
    private static final Duration AGAIN = Duration.ofSeconds(10);

    private static final Duration AGAIN_FIRST = Duration.ofMillis(500);
    private static final int DOUBLINGS_MAX = 5;
    private static final int RECONFIGURATIONS_MAX = 4;

    private final ClusterName cluster;
    private final UpstreamClient client;
    private final FrontProxies.Proof proof;
    private final Checks checks;

    private ApiService service;
    private @Nullable Upstream upstream;
    private @Nullable UpstreamSpec spec;
    private volatile Finding finding = Finding.unknown("Pending", "it is not looked at yet");
    private AggregatedVersion shown;
    private int failures;
    private int reconfigured;
    private long nextNanos;

    /** When the last check began. */
    private long lastNanos;

    /** Whether a check runs; what it found counts only for the specification that it was begun with. */
    private volatile boolean isChecking;

    private volatile @Nullable Checked checked;
    private volatile ClusterEntry.@Nullable Attached served;

    /** What a check found. */
    private record Checked(UpstreamSpec spec, BackendCheck.Said said) {}

    /** Runs checks beside each other. */
    interface Checks {
        /**
         * Begins one.
         *
         * @throws RejectedExecutionException if there are too many
         */
        void run(ClusterBackends.Task check);

        /** As {@link System#nanoTime}. */
        long nanoTime();
    }

    ServiceBackend(
            ClusterName cluster, ApiService service, UpstreamClient client, FrontProxies.Proof proof, Checks checks) {
        this.cluster = cluster;
        this.service = service;
        this.client = client;
        this.proof = proof;
        this.checks = checks;
        this.shown = AggregatedVersion.unknown(service);
        this.nextNanos = checks.nanoTime();
        this.lastNanos = nextNanos - AGAIN_FIRST.toNanos();
    }

    /** Where its requests go, in the form of an attached cluster; empty while it is not available. */
    Optional<ClusterEntry.Attached> served() {
        return Optional.ofNullable(served);
    }

    Finding finding() {
        return finding;
    }

    AggregatedVersion shown() {
        return shown;
    }

    /** Looks at what the cluster says of the backend, and begins a check if one is due. */
    void look(ApiService now, ObjectCalls calls) throws InterruptedException {
        service = now;
        switch (ServiceEndpoints.of(ServiceReference.of(now), calls)) {
            case ServiceEndpoints.Missing(Finding missing) -> leave(missing);
            case ServiceEndpoints.Found(List<URI> urls) -> {
                try {
                    connect(wanted(urls));
                    learn();
                    check();
                } catch (IllegalArgumentException unusable) {
                    leave(Finding.no("FailedDiscoveryCheck", String.valueOf(unusable.getMessage())));
                }
            }
        }
    }

    private UpstreamSpec wanted(List<URI> urls) {
        return new UpstreamSpec(
                urls,
                service.caBundle(),
                service.serverName(),
                proof.client().certificate(),
                proof.client().key(),
                null,
                null,
                service.isVerified());
    }

    /** @throws IllegalArgumentException if the CA bundle cannot be used */
    private void connect(UpstreamSpec wanted) {
        if (wanted.equals(spec)) {
            return;
        }
        Upstream known = upstream;
        if (known != null && reconfigured < RECONFIGURATIONS_MAX) {
            known.reconfigure(wanted);
            reconfigured++;
        } else {
            upstream = client.open(wanted);
            reconfigured = 0;
            reopen(known);
        }
        spec = wanted;
        failures = 0;
        // However often it is changed, it is not asked more often than this.
        nextNanos = lastNanos + AGAIN_FIRST.toNanos();
    }

    /** What goes on over older configurations ends with the upstream: each of them keeps certificates. */
    private void reopen(@Nullable Upstream known) {
        served = null;
        if (known != null) {
            known.close();
        }
    }

    private void learn() {
        Checked last = checked;
        checked = null;
        if (last == null || !last.spec().equals(spec)) {
            return;
        }
        if (last.said().problem().isEmpty()) {
            failures = 0;
            nextNanos = checks.nanoTime() + AGAIN.toNanos();
            finding = Finding.yes("Passed", "all checks passed");
            shown = shown(last.said().resources(), last.said().openApi());
            serve(last.spec());
        } else {
            nextNanos = checks.nanoTime() + (AGAIN_FIRST.toNanos() << Math.min(failures++, DOUBLINGS_MAX));
            withdraw(Finding.no("FailedDiscoveryCheck", last.said().problem()));
        }
    }

    private void check() {
        Upstream asked = upstream;
        UpstreamSpec of = spec;
        if (isChecking || asked == null || of == null || checks.nanoTime() - nextNanos < 0) {
            return;
        }
        isChecking = true;
        lastNanos = checks.nanoTime();
        BackendCheck check = new BackendCheck(asked, service, of.endpoints().size(), checks::nanoTime);
        try {
            checks.run(() -> {
                try {
                    checked = new Checked(of, check.ask());
                } catch (RuntimeException unexpected) {
                    checked = new Checked(of, BackendCheck.Said.failing("the check failed: " + unexpected));
                    throw unexpected;
                } finally {
                    isChecking = false;
                }
            });
        } catch (RejectedExecutionException tooMany) {
            isChecking = false; // The next look begins it.
        } catch (RuntimeException | Error failure) {
            isChecking = false;
            throw failure;
        }
    }

    private void serve(UpstreamSpec of) {
        ClusterEntry.Attached known = served;
        if (known == null || !known.base().endpoints().equals(of.endpoints())) {
            served = new ClusterEntry.Attached(
                    cluster,
                    new ClusterEntry.Backend(
                            Objects.requireNonNull(upstream), of.endpoints(), new UpstreamIdentity.Aggregated()),
                    null,
                    _ -> {},
                    HistoryModes.UNSET);
        }
    }

    /** Nothing is there to connect to. */
    private void leave(Finding why) {
        withdraw(why);
        close();
        failures = 0;
        nextNanos = checks.nanoTime();
    }

    /** OpenAPI goes on naming its document, as that of kube-aggregator does. */
    private void withdraw(Finding why) {
        served = null;
        finding = why;
        shown = shown(Optional.empty(), shown.openApi());
    }

    private AggregatedVersion shown(Optional<List<JsonNode>> resources, String openApi) {
        return new AggregatedVersion(
                service.groupVersion(),
                service.groupPriority(),
                service.versionPriority(),
                resources.isPresent(),
                resources.orElse(List.of()),
                openApi);
    }

    @Override
    public void close() {
        served = null;
        Upstream open = upstream;
        upstream = null;
        spec = null;
        checked = null;
        if (open != null) {
            open.close();
        }
    }
}
