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
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/**
 * The archives of hosted clusters and of the store. They contain all Secrets, so that to enter a cluster is not enough: a caller
 * needs {@code get} on {@code clusters.fairlead.io/export} of the cluster's name in the root cluster, or on the path of the backup.
 */
final class ArchiveDownloads {
    /** Archives that are written at a time; each holds a piece of some hundred kilobytes, or one object. */
    private static final int TOGETHER_MAX = 4;

    private static final int RETRY_AFTER_SECONDS = 10;

    private final ClusterArchives archives;
    private final ClusterAccess access;
    private final Semaphore permits = new Semaphore(TOGETHER_MAX);

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
        return answer(archives.of(cluster)
                .orElseThrow(() -> new StatusException(Status.of(
                        404,
                        "ClusterNotFound",
                        "cluster \"" + cluster + "\" has no data here (expected a hosted cluster)"))));
    }

    ApiResponse ofStore(AdminRequest request) {
        FairleadApi.requireMethod(request, "GET");
        requireRight(
                request.caller(),
                RequestInfo.nonResource(request.path(), "get"),
                "read " + request.path() + " (expected get on it as a nonResourceURL in the root cluster)");
        return answer(archives.ofAll());
    }

    private void requireRight(Identity caller, RequestInfo right, String what) {
        if (!access.mayRead(caller, right)) {
            throw new StatusException(Status.of(403, "Forbidden", "you may not " + what));
        }
    }

    private ApiResponse answer(ApiResponse.Frames archive) {
        if (!permits.tryAcquire()) {
            archive.close();
            throw new StatusException(Status.withCause(
                    429,
                    "TooManyRequests",
                    "too many archives are being written (expected at most " + TOGETHER_MAX + " at a time)",
                    "TooManyArchives",
                    RETRY_AFTER_SECONDS));
        }
        return new ApiResponse.Pieces(200, "application/jsonl", Map.of(), new Permitted(archive));
    }

    /** One of them, which gives its permit back when it is closed. */
    private final class Permitted implements ApiResponse.Frames {
        private final ApiResponse.Frames archive;
        private final AtomicBoolean closed = new AtomicBoolean();

        Permitted(ApiResponse.Frames archive) {
            this.archive = archive;
        }

        @Override
        public byte @Nullable [] next() throws InterruptedException {
            return archive.next();
        }

        @Override
        public void close() {
            archive.close();
            if (closed.compareAndSet(false, true)) {
                permits.release();
            }
        }
    }
}
