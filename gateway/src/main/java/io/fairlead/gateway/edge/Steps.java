package io.fairlead.gateway.edge;

import io.fairlead.gateway.answer.Reply;
import io.fairlead.gateway.answer.Trace;
import io.fairlead.gateway.flow.Share;
import io.fairlead.model.Repetitions;
import io.fairlead.model.Status;
import io.fairlead.model.StatusException;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Runs the steps of requests on the threads that they belong to; whatever a step throws becomes an answer. Threads: any.
 *
 * @param virtualThreads for steps that may block
 */
record Steps(Executor virtualThreads) {
    private static final Logger LOG = LoggerFactory.getLogger(Steps.class);
    private static final Repetitions TOLD = new Repetitions();

    void onVirtualThread(Reply reply, Runnable step) {
        virtualThreads.execute(() -> guarded(reply, step));
    }

    /** The same, with a share of the limits until the step is over. */
    void holding(Share share, Reply reply, Runnable step) {
        share.hold();
        try {
            onVirtualThread(reply, () -> {
                try {
                    step.run();
                } finally {
                    share.release();
                }
            });
        } catch (RuntimeException | Error notStarted) {
            share.release();
            throw notStarted;
        }
    }

    /** A step that waits for others than this process; the request goes on on its event loop. */
    void waiting(Reply reply, Trace.Stage stage, Runnable step) {
        reply.trace().waits(stage);
        onVirtualThread(reply, step);
    }

    void onEventLoop(Reply reply, Runnable step) {
        reply.eventLoop().execute(() -> {
            reply.trace().goesOn();
            guarded(reply, step);
        });
    }

    /** At once if the event loop is this thread. */
    void onLoop(Reply reply, Runnable step) {
        if (reply.eventLoop().inEventLoop()) {
            guarded(reply, step);
        } else {
            onEventLoop(reply, step);
        }
    }

    /** Turns every exception of a step into an answer. */
    void guarded(Reply reply, Runnable step) {
        failure(reply, step).ifPresent(status -> {
            if (reply.eventLoop().inEventLoop()) {
                reply.status(status);
            } else {
                reply.eventLoop().execute(() -> reply.status(status));
            }
        });
    }

    /** Checks on a thread of its own: the answer for what the check throws, empty if it throws nothing. */
    CompletionStage<Optional<Status>> refusal(Reply reply, Runnable check) {
        CompletableFuture<Optional<Status>> refusal = new CompletableFuture<>();
        failure(reply, () -> virtualThreads.execute(() -> refusal.complete(failure(reply, check))))
                .ifPresent(unasked -> refusal.complete(Optional.of(unasked)));
        return refusal;
    }

    /** The answer for an exception of a step. */
    private static Optional<Status> failure(Reply reply, Runnable step) {
        try {
            step.run();
            return Optional.empty();
        } catch (StatusException e) {
            return Optional.of(e.status());
        } catch (RejectedExecutionException e) {
            return Optional.of(
                    Status.withCause(503, "ServiceUnavailable", "the gateway is shutting down", "ShuttingDown", 1));
        } catch (RuntimeException | Error e) { // An error passed on would leave the client without an answer.
            TOLD.next(e.getClass())
                    .ifPresent(leftOut -> LOG.atError()
                            .setCause(e)
                            .addKeyValue("auditId", reply.auditId())
                            .addKeyValue("leftOut", leftOut)
                            .log("Cannot answer a request"));
            reply.witness().broken();
            return Optional.of(Status.of(500, "InternalError", "Internal error occurred: see the gateway's log"));
        }
    }
}
