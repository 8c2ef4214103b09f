package io.fairlead.hosted.cluster;

import io.fairlead.hosted.ApiRequest;
import io.fairlead.hosted.ApiResponse;
import io.fairlead.hosted.DefinitionChangedException;
import io.fairlead.hosted.meta.Refusals;
import io.fairlead.hosted.representation.Representations;
import io.fairlead.model.ClusterName;
import io.fairlead.model.Repetitions;
import io.fairlead.model.StatusException;
import io.fairlead.storage.RevisionedStore.CompactedException;
import io.fairlead.storage.RevisionedStore.StoreException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Makes an answer of whatever the handlers of a cluster throw. */
final class HandlerFailures {
    private static final Logger LOG = LoggerFactory.getLogger(HandlerFailures.class);
    private static final Repetitions TOLD = new Repetitions();

    private final ClusterName name;

    /** One of the cluster's handlers. */
    interface Handling {
        ApiResponse serve(ApiRequest request) throws InterruptedException;
    }

    HandlerFailures(ClusterName name) {
        this.name = name;
    }

    /**
     * Turns every exception of a handler into an answer, except {@code DefinitionChangedException}, which requires a
     * new look-up.
     */
    ApiResponse answered(ApiRequest request, Handling handling) {
        try {
            return handling.serve(request);
        } catch (DefinitionChangedException e) {
            throw e;
        } catch (StatusException e) {
            return failed(request, e);
        } catch (CompactedException e) {
            return failed(request, Refusals.expired("The resourceVersion for the provided list is too old."));
        } catch (StoreException e) {
            if (!LoggedStore.isTold(e)) {
                tell("The store failed a request", e);
            }
            return failed(request, refusal(e));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return failed(request, Refusals.internal("the request was interrupted"));
        } catch (RuntimeException e) {
            tell("A request failed by a fault of this program", e);
            return failed(request, Refusals.internal("a fault of this program, told of in its log"));
        }
    }

    /** Clients can cause failures in quick succession. */
    private void tell(String what, Throwable why) {
        TOLD.next(name + " " + why.getClass())
                .ifPresent(leftOut -> LOG.atError()
                        .setCause(why)
                        .addKeyValue("cluster", name)
                        .addKeyValue("leftOut", leftOut)
                        .log(what));
    }

    /** Of a write that found no room nothing was stored, so that clients may send it again. */
    private static StatusException refusal(StoreException failure) {
        return failure.reason() == StoreException.Reason.OVERLOADED
                ? Refusals.tooManyRequests("too many writes wait for the store's disk (expected fewer bytes at once, by"
                        + " store.commitQueueBytesMax; try again later)")
                : Refusals.internal("the store cannot do its work: " + inWords(failure));
    }

    /** Without keys and paths, which only the operator may see; the log has them. */
    private static String inWords(StoreException failure) {
        return switch (failure.reason()) {
            case OVERLOADED -> "too many writes wait";
            case DISK_FULL -> "the disk is full";
            case NO_DESCRIPTORS ->
                "the process has no file descriptors left (expected some to be free soon; try again later)";
            case UNCERTAIN -> "the disk failed, and whether this was stored is not known";
            case FAILED -> "the disk failed";
            case DIRECTORY_GONE -> "its directory was deleted";
            case IN_USE, INCOMPATIBLE, DAMAGED -> "its files cannot be used";
            case CLOSED -> "it is closed";
        };
    }

    private static ApiResponse failed(ApiRequest request, StatusException refusal) {
        return Representations.failure(request, refusal.status());
    }
}
