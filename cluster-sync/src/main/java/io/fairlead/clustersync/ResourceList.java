package io.fairlead.clustersync;

import io.fairlead.model.GroupVersion;
import io.fairlead.net.Upstream;
import java.time.Duration;
import java.util.HashSet;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/**
 * Reads the resources of a group/version from an API server (discovery, {@code /api/v1} and
 * {@code /apis/GROUP/VERSION}): built-in ones have no CRD.
 *
 * <p>Threads: any. One request at a time, since a cluster chooses the size of its answers.
 */
final class ResourceList {
    /** Kubernetes' largest list, that of {@code v1}, has 12 kB. */
    private static final int BODY_BYTES_MAX = 1 << 20;

    /** A cluster chooses the names of its groups, and must not choose a request's path by them. */
    private static final Pattern NAME = Pattern.compile("[a-z0-9]([a-z0-9.-]*[a-z0-9])?");

    private final Upstream upstream;
    private final Supplier<@Nullable String> bearerToken;
    private final Duration timeout;
    private final Semaphore turn = new Semaphore(1);

    /**
     * Sends nothing yet.
     *
     * @param bearerToken read for each request; null if the connections' client certificate is the credential
     * @param timeout for the turn of a request, and for its answer
     */
    ResourceList(Upstream upstream, Supplier<@Nullable String> bearerToken, Duration timeout) {
        this.upstream = upstream;
        this.bearerToken = bearerToken;
        this.timeout = timeout;
    }

    /** The resources, without subresources; empty if the server does not answer. Blocks. */
    Optional<Set<String>> ask(GroupVersion groupVersion) {
        String group = groupVersion.group();
        boolean isNamed = group.isEmpty() || NAME.matcher(group).matches();
        if (!isNamed || !NAME.matcher(groupVersion.version()).matches()) {
            return Optional.empty();
        }
        try {
            if (!turn.tryAcquire(timeout.toNanos(), TimeUnit.NANOSECONDS)) {
                return Optional.empty();
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return Optional.empty();
        }
        try {
            return read(DocumentRequest.get(upstream, groupVersion.path(), bearerToken.get(), timeout, BODY_BYTES_MAX)
                    .join());
        } finally {
            turn.release();
        }
    }

    private static Optional<Set<String>> read(DocumentRequest.Outcome outcome) {
        if (!(outcome instanceof DocumentRequest.Outcome.Answered(int status, JsonNode list))
                || status != 200
                || !list.path("resources").isArray()) {
            return Optional.empty();
        }
        Set<String> resources = new HashSet<>();
        for (JsonNode resource : list.path("resources").values()) {
            String name = resource.path("name").asString("");
            if (name.indexOf('/') < 0) {
                resources.add(name);
            }
        }
        return Optional.of(resources);
    }
}
