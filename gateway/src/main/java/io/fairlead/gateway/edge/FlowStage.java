package io.fairlead.gateway.edge;

import io.fairlead.gateway.answer.Outcome;
import io.fairlead.gateway.answer.Reply;
import io.fairlead.gateway.answer.Trace;
import io.fairlead.gateway.enter.Entered;
import io.fairlead.gateway.flow.Admitted;
import io.fairlead.gateway.flow.Flow;
import io.fairlead.gateway.flow.Share;
import io.fairlead.gateway.flow.WaitingCall;
import io.fairlead.gateway.impersonate.Acting;
import io.fairlead.gateway.proxy.StandingRights;
import io.fairlead.gateway.usage.Usage;
import io.fairlead.gateway.usage.Used;
import io.fairlead.model.CallerName;
import io.fairlead.model.StatusException;
import java.util.Optional;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import java.util.function.Supplier;

/**
 * Most requests have their share of the concurrency limits at once, others wait for their turn. Threads: the request's event loop.
 *
 * @param flow has the shares
 * @param usage counts them by their callers
 * @param steps of requests that waited
 * @param again repeats the checks of a request that waited for long; can block
 */
record FlowStage(Flow flow, Usage usage, Steps steps, BiConsumer<Entered, Supplier<Acting>> again) {
    /**
     * Goes on with the request once it has its share; answers it with 429 if it gets none in time.
     *
     * @param measured observes the request, as its share does
     * @param review asks whether the caller may impersonate; can block
     */
    void admit(Acting acting, Outcome measured, Reply reply, Supplier<Acting> review, Consumer<Admitted> next) {
        Entered entered = acting.entered();
        Used used = usage.begin(entered.target().name(), entered.identity().caller(), entered.described(), measured);
        reply.observe(used);
        Optional<Admitted> atOnce = flow.admitAtOnce(acting);
        if (atOnce.isPresent()) {
            reply.observe(used.and(atOnce.get().share()));
            next.accept(atOnce.get());
            return;
        }
        reply.trace().waits(Trace.Stage.QUEUE);
        long beganNanos = System.nanoTime();
        WaitingCall call = flow.await(acting, reply.eventLoop());
        used.waits();
        reply.observe(used.and(call));
        reply.await();
        call.admission()
                .whenComplete((admitted, refused) -> steps.onEventLoop(reply, () -> {
                    if (reply.isOver()) {
                        return; // The client left after it got its share, which was given back.
                    }
                    if (refused instanceof StatusException status) {
                        throw status;
                    }
                    used.goesOn();
                    reply.observe(used.and(admitted.share()));
                    if (System.nanoTime() - beganNanos <= StandingRights.HOLD_NANOS) {
                        next.accept(admitted);
                        return;
                    }
                    steps.onVirtualThread(reply, () -> {
                        again.accept(acting.entered(), review);
                        steps.onEventLoop(reply, () -> unlessOver(reply, admitted, next));
                    });
                }));
    }

    /** Does the work of a request to the gateway itself, which can block, unless its caller has too many of them under way. */
    void ofGateway(CallerName caller, Reply reply, Runnable work) {
        Share share = flow.ofGateway(caller);
        reply.accompany(share);
        steps.holding(share, reply, work);
    }

    /** A share that was given back must not be used: the client can leave while its request waits. */
    private static void unlessOver(Reply reply, Admitted admitted, Consumer<Admitted> next) {
        if (!reply.isOver()) {
            next.accept(admitted);
        }
    }
}
