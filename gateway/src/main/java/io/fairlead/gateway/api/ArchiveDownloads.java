package io.fairlead.gateway.api;

import io.fairlead.fleet.ClusterKind;
import io.fairlead.gateway.admin.AdminRequest;
import io.fairlead.gateway.authn.Identity;
import io.fairlead.gateway.enter.ClusterAccess;
import io.fairlead.hosted.ApiResponse;
import io.fairlead.hosted.cluster.ClusterArchives;
import io.fairlead.model.ClusterName;
import io.fairlead.model.RequestInfo;
import io.fairlead.model.Status;
import io.fairlead.model.StatusException;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/**
 * The archives of hosted clusters and of the store. They contain all Secrets, so that to enter a cluster is not enough: a caller
 * needs {@code get} on {@code clusters.fairlead.io/export} of the cluster's name in the root cluster, or on the path of the backup.
 */
final class ArchiveDownloads {
    /**
     * Archives of clusters that are written at a time, and of the store, which those do not hold up; each holds a piece of some
     * hundred kilobytes, or one object.
     */
    private static final int EXPORTS_MAX = 4;

    private static final int BACKUPS_MAX = 2;

    /** How many of them a caller may have, however slowly it reads. */
    private static final int PER_CALLER_MAX = 2;

    private static final int RETRY_AFTER_SECONDS = 10;

    private final ClusterArchives archives;
    private final ClusterAccess access;
    private final Semaphore exports = new Semaphore(EXPORTS_MAX);
    private final Semaphore backups = new Semaphore(BACKUPS_MAX);
    private final Map<Identity, Integer> byCaller = new ConcurrentHashMap<>();

    ArchiveDownloads(ClusterArchives archives, ClusterAccess access) {
        this.archives = archives;
        this.access = access;
    }

    /** That of a cluster, which the caller may enter. */
    ApiResponse ofCluster(AdminRequest request, ClusterName cluster) {
        FairleadApi.requireMethod(request, "GET");
        requireRight(
                request.caller(),
                RequestInfo.resource("get", ClusterKind.CLUSTERS, "", cluster.value(), "export"),
                "export cluster \"" + cluster + "\" (expected get on clusters/export in the root cluster)");
        ApiResponse.Frames archive = archives.of(cluster)
                .orElseThrow(() -> new StatusException(Status.of(
                        404,
                        "ClusterNotFound",
                        "cluster \"" + cluster + "\" has no data here (expected a hosted cluster)")));
        return answer(request.caller(), exports, archive);
    }

    ApiResponse ofStore(AdminRequest request) {
        FairleadApi.requireMethod(request, "GET");
        requireRight(
                request.caller(),
                RequestInfo.nonResource(request.path(), "get"),
                "read " + request.path() + " (expected get on it as a nonResourceURL in the root cluster)");
        return answer(request.caller(), backups, archives.ofAll());
    }

    private void requireRight(Identity caller, RequestInfo right, String what) {
        if (!access.mayRead(caller, right)) {
            throw new StatusException(Status.of(403, "Forbidden", "you may not " + what));
        }
    }

    private ApiResponse answer(Identity caller, Semaphore permits, ApiResponse.Frames archive) {
        boolean isOneOfFew = byCaller.merge(caller, 1, Integer::sum) <= PER_CALLER_MAX;
        if (!isOneOfFew || !permits.tryAcquire()) {
            forget(caller);
            archive.close();
            throw new StatusException(Status.withCause(
                    429,
                    "TooManyRequests",
                    "too many archives are being written (expected at most " + EXPORTS_MAX + " of clusters, "
                            + BACKUPS_MAX + " of the store and " + PER_CALLER_MAX + " for a caller at a time)",
                    "TooManyArchives",
                    RETRY_AFTER_SECONDS));
        }
        return new ApiResponse.Pieces(200, "application/jsonl", Map.of(), new Permitted(archive, () -> {
            permits.release();
            forget(caller);
        }));
    }

    private void forget(Identity caller) {
        byCaller.computeIfPresent(caller, (_, count) -> count == 1 ? null : count - 1);
    }

    /** One of them, which makes room for another when it is closed. */
    private static final class Permitted implements ApiResponse.Frames {
        private final ApiResponse.Frames archive;
        private final Runnable end;
        private final AtomicBoolean closed = new AtomicBoolean();

        Permitted(ApiResponse.Frames archive, Runnable end) {
            this.archive = archive;
            this.end = end;
        }

        @Override
        public byte @Nullable [] next() throws InterruptedException {
            return archive.next();
        }

        @Override
        public void close() {
            archive.close();
            if (closed.compareAndSet(false, true)) {
                end.run();
            }
        }
    }
}
