package io.fairlead.gateway.edge;

import io.fairlead.fleet.ClusterEntry;
import io.fairlead.gateway.admin.AdminHandler;
import io.fairlead.gateway.answer.AuditId;
import io.fairlead.gateway.answer.Outcome;
import io.fairlead.gateway.answer.Reply;
import io.fairlead.gateway.answer.Trace;
import io.fairlead.gateway.audit.Audits;
import io.fairlead.gateway.authn.Authenticated;
import io.fairlead.gateway.authn.Authentication;
import io.fairlead.gateway.authz.Authorized;
import io.fairlead.gateway.authz.Targets;
import io.fairlead.gateway.enter.Entered;
import io.fairlead.gateway.enter.Gate;
import io.fairlead.gateway.flow.Admitted;
import io.fairlead.gateway.flow.Flow;
import io.fairlead.gateway.impersonate.Acting;
import io.fairlead.gateway.impersonate.Impersonation;
import io.fairlead.gateway.info.Described;
import io.fairlead.gateway.inprocess.HeldBody;
import io.fairlead.gateway.inprocess.HostedHandler;
import io.fairlead.gateway.listen.CallerRefused;
import io.fairlead.gateway.listen.ClientStream;
import io.fairlead.gateway.listen.Peer;
import io.fairlead.gateway.listen.Received;
import io.fairlead.gateway.listen.RequestHandler;
import io.fairlead.gateway.metrics.RequestMeters;
import io.fairlead.gateway.pin.Judged;
import io.fairlead.gateway.pin.PinCheck;
import io.fairlead.gateway.pin.Pinned;
import io.fairlead.gateway.proxy.ProxyHandler;
import io.fairlead.gateway.proxy.RewoundRequests;
import io.fairlead.gateway.proxy.StandingRights;
import io.fairlead.gateway.route.OpeningWait;
import io.fairlead.gateway.route.Route;
import io.fairlead.gateway.route.Router;
import io.fairlead.gateway.route.ToAttached;
import io.fairlead.gateway.route.ToHosted;
import io.fairlead.gateway.select.Selector;
import io.fairlead.gateway.select.Target;
import io.fairlead.gateway.tracing.Tracing;
import io.fairlead.gateway.usage.Usage;
import io.fairlead.hosted.HostedCluster;
import io.fairlead.model.ClusterName;
import io.fairlead.model.Status;
import io.fairlead.model.StatusException;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Predicate;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * A request's life, in order: select, info, authn, enter, impersonate, flow, authz, route, pin, handle. Only each stage
 * can make the value that the next one needs.
 *
 * <p>Threads: a request begins on its event loop. What could block - checking whether a caller may enter or
 * impersonate, everything about a hosted cluster - runs on its own virtual thread; what is proxied stays on the event
 * loop.
 */
final class Stages implements RequestHandler {
    private final Selector selector;
    private final Authentication authentication;
    private final Gate gate;
    private final OpeningWait openingWait;
    private final Impersonation impersonation;
    private final FlowStage flow;
    private final Router router;
    private final PinCheck pins;
    private final HostedHandler hosted;
    private final RewoundRequests rewound;
    private final ProxyHandler proxy;
    private final AdminHandler own;
    private final RequestMeters meter;
    private final RefusedRequests refusedRequests;
    private final Targets targets;
    private final RecordStage record;
    private final Steps steps;

    Stages(
            Selector selector,
            Authentication authentication,
            Gate gate,
            OpeningWait openingWait,
            Impersonation impersonation,
            Flow flow,
            Usage usage,
            Router router,
            PinCheck pins,
            HostedHandler hosted,
            RewoundRequests rewound,
            ProxyHandler proxy,
            AdminHandler own,
            RequestMeters meter,
            RefusedRequests refusedRequests,
            Targets targets,
            @Nullable Audits audits,
            @Nullable Tracing tracing,
            Steps steps) {
        this.selector = selector;
        this.authentication = authentication;
        this.gate = gate;
        this.openingWait = openingWait;
        this.impersonation = impersonation;
        this.router = router;
        this.pins = pins;
        this.hosted = hosted;
        this.rewound = rewound;
        this.proxy = proxy;
        this.own = own;
        this.meter = meter;
        this.refusedRequests = refusedRequests;
        this.targets = targets;
        this.record = new RecordStage(audits, tracing, steps);
        this.steps = steps;
        this.flow = new FlowStage(flow, usage, steps, this::requireStill);
    }

    @Override
    public void handle(Received received, ClientStream client) {
        Reply reply = new Reply(client, AuditId.of(received.headers()), meter.outside());
        RefusedRequests.Request heard = refusedRequests.of(received, reply);
        steps.guarded(reply, () -> {
            Refusal.requireNoTrace(received);
            Described described = Described.of(selector.select(received));
            heard.to(described.target());
            record.attend(described, reply);
            switch (described.target()) {
                case Target.Gateway target -> gateway(described, target, client, heard, reply);
                case Target.Cluster target ->
                    authenticate(described, client, heard, reply, request -> cluster(request, target, reply));
                case Target.Unproven _ -> authenticate(described, client, heard, reply, _ -> {}); // Always refuses.
            }
        });
    }

    @Override
    public void refused(Peer peer, Status status) {
        meter.outside(status.code());
        refusedRequests.refused(peer, status);
    }

    /** Probes and the version are anonymous, but a credential that is not accepted is refused. */
    private void gateway(
            Described described,
            Target.Gateway target,
            ClientStream client,
            RefusedRequests.Request heard,
            Reply reply) {
        boolean isForAnybody = !target.isApi() && !target.isMetrics();
        if (isForAnybody && Authentication.isAnonymous(described)) {
            record.received(null, reply, () -> own.probe(Refusal.requireOfGateway(described), target, reply));
            return;
        }
        authenticate(described, client, heard, reply, request -> gateway(request, target, reply));
    }

    private void gateway(Authenticated request, Target.Gateway target, Reply reply) {
        Received received = Refusal.requireOfGateway(request.described());
        if (target.isApi()) {
            flow.ofGateway(request.identity().caller(), reply, () -> own.api(request, target, reply));
        } else if (target.isMetrics()) {
            flow.ofGateway(request.identity().caller(), reply, () -> {
                gate.requireRead(request);
                own.metrics(received, target, reply);
            });
        } else {
            own.probe(received, target, reply);
        }
    }

    /** Most callers are known at once; for some an issuer or a cluster must be asked. */
    private void authenticate(
            Described described,
            ClientStream client,
            RefusedRequests.Request heard,
            Reply reply,
            Consumer<Authenticated> next) {
        Optional<Authenticated> atOnce = authentication.authenticateAtOnce(described, heard::unknown);
        if (atOnce.isPresent()) {
            authenticated(atOnce.get(), client, heard, reply, next);
            return;
        }
        steps.waiting(reply, Trace.Stage.AUTHENTICATE, () -> {
            Authenticated request = authentication.authenticate(described, heard::unknown);
            steps.onEventLoop(reply, () -> authenticated(request, client, heard, reply, next));
        });
    }

    private void authenticated(
            Authenticated request,
            ClientStream client,
            RefusedRequests.Request heard,
            Reply reply,
            Consumer<Authenticated> next) {
        reply.trace().callerIsKnown(request.identity().caller());
        if (record.isOff()) {
            next.accept(counted(request, client, heard));
        } else {
            record.received(request.identity().user(), reply, () -> next.accept(counted(request, client, heard)));
        }
    }

    /** A caller over its limit is refused before its request is processed. */
    private static Authenticated counted(Authenticated request, ClientStream client, RefusedRequests.Request heard) {
        heard.by(request.identity().user().name());
        CallerRefused refused =
                client.madeBy(request.connectionOwner(), request.identity().caller());
        if (refused != null) {
            throw Refusal.tooMany(refused, request.identity().user().name());
        }
        return request;
    }

    private void cluster(Authenticated request, Target.Cluster target, Reply reply) {
        Optional<Entered> atOnce = gate.enterAtOnce(request, target)
                .filter(entered -> !(entered.cluster() instanceof ClusterEntry.Opening));
        if (atOnce.isPresent()) {
            entered(atOnce.get(), reply);
            return;
        }
        steps.waiting(reply, Trace.Stage.ENTER, () -> {
            Entered entered = gate.enter(request, target);
            if (entered.cluster() instanceof ClusterEntry.Opening opening) {
                enteredOnceOpen(opening, request, target, reply);
            } else {
                steps.onEventLoop(reply, () -> entered(entered, reply));
            }
        });
    }

    /** Waits for a cluster that is being opened, then enters it. */
    private void enteredOnceOpen(
            ClusterEntry.Opening opening, Authenticated request, Target.Cluster target, Reply reply) {
        openingWait.await(opening);
        Entered entered = gate.enter(request, target);
        steps.onEventLoop(reply, () -> entered(entered, reply));
    }

    private void entered(Entered entered, Reply reply) {
        Outcome measured = meter.begin(entered.described(), entered.cluster());
        reply.observe(measured);
        reply.trace().enters(entered.cluster().name());
        reply.answeredBy(entered.cluster().name());
        switch (entered.cluster()) {
            case ClusterEntry.Hosted(HostedCluster cluster) ->
                act(
                        entered,
                        measured,
                        reply,
                        () -> impersonation.in(cluster, entered),
                        admitted -> hosted(cluster, admitted, reply));
            case ClusterEntry.Attached attached ->
                act(
                        entered,
                        measured,
                        reply,
                        () -> impersonation.in(attached, entered),
                        admitted -> attached(attached, admitted, reply));
            case ClusterEntry.Opening(ClusterName name, var _) -> throw new StatusException(Refusal.opening(name));
            case ClusterEntry.Unready unready -> throw new StatusException(Refusal.unready(unready));
            case ClusterEntry.NotRegistered(ClusterName name) -> throw new StatusException(Refusal.notRegistered(name));
        }
    }

    /** Impersonation needs a review; such a request waits for it, all others continue at once. */
    private void act(Entered entered, Outcome measured, Reply reply, Supplier<Acting> review, Consumer<Admitted> next) {
        if (impersonation.isAtOnce(entered)) {
            flow.admit(impersonation.asThemselves(entered), measured, reply, review, next);
            return;
        }
        steps.waiting(reply, Trace.Stage.IMPERSONATE, () -> {
            Acting acting = review.get();
            reply.witness().actsAs(acting.user());
            steps.onEventLoop(reply, () -> flow.admit(acting, measured, reply, review, next));
        });
    }

    private void hosted(HostedCluster cluster, Admitted admitted, Reply reply) {
        steps.holding(admitted.share(), reply, () -> {
            Authorized authorized = Authorized.by(cluster, admitted, targets);
            reply.witness().allowed(authorized.reason());
            if (own.answersFor(admitted.acting().entered(), reply)) {
                return;
            }
            ToHosted first = router.toHosted(authorized);
            if (first.route() instanceof Route.ToAggregated route) {
                toBackend(cluster, router.toBackend(first, route), admitted, reply);
                return;
            }
            long beganNanos = System.nanoTime();
            try (HeldBody body = hosted.body(first, reply)) {
                hosted.handle(
                                look -> {
                                    if (System.nanoTime() - beganNanos > StandingRights.HOLD_NANOS) {
                                        requireStill(cluster, admitted);
                                    }
                                    ToHosted routed = look == 0 && body.isEmpty() ? first : router.again(authorized);
                                    return pins.check(routed).tell(known(admitted));
                                },
                                body,
                                reply)
                        .ifPresent(watch -> steps.holding(admitted.share(), reply, watch));
            }
        });
    }

    /** Forwards what the hosted cluster allowed to the backend of one of its APIServices. */
    private void toBackend(HostedCluster cluster, ToAttached routed, Admitted admitted, Reply reply) {
        Pinned<ToAttached> pinned = pins.check(routed).tell(known(admitted));
        StandingRights rights = () -> steps.refusal(reply, () -> requireStill(cluster, admitted));
        steps.onEventLoop(reply, () -> {
            if (routed.described().mayPause()) {
                reply.waitForReader();
            }
            proxy.handle(pinned, rights, reply);
        });
    }

    private void attached(ClusterEntry.Attached cluster, Admitted admitted, Reply reply) {
        if (own.answersFor(admitted.acting().entered(), reply)) {
            return;
        }
        if (admitted.acting().entered().described().mayPause()) {
            reply.waitForReader();
        }
        Optional<ToAttached> routed = router.toAttachedAtOnce(admitted, cluster);
        if (routed.isPresent()) {
            attached(routed.get(), admitted, reply);
            return;
        }
        steps.waiting(reply, Trace.Stage.ROUTE, () -> {
            ToAttached late = router.toAttached(admitted, cluster);
            steps.onEventLoop(reply, () -> attached(late, admitted, reply));
        });
    }

    private void attached(ToAttached routed, Admitted admitted, Reply reply) {
        Judged<ToAttached> judged = pins.check(routed);
        Entered entered = admitted.acting().entered();
        StandingRights rights = () ->
                steps.refusal(reply, () -> requireStill(entered, () -> impersonation.in(routed.cluster(), entered)));
        if (!judged.speaksOfOthers() || gate.knowsAtOnce(admitted.acting().entered())) {
            forward(judged.tell(known(admitted)), rights, reply);
            return;
        }
        steps.onVirtualThread(reply, () -> {
            Pinned<ToAttached> pinned = judged.tell(known(admitted));
            steps.onEventLoop(reply, () -> forward(pinned, rights, reply));
        });
    }

    /** Forwards, unless the request continues a history that has ended; the cluster may be asked about that first. */
    private void forward(Pinned<ToAttached> pinned, StandingRights rights, Reply reply) {
        if (!rewound.concerns(pinned.request())) {
            proxy.handle(pinned, rights, reply);
            return;
        }
        rewound.refusal(pinned.request())
                .thenAccept(refusal -> steps.onLoop(reply, () -> {
                    if (refusal.isPresent()) {
                        throw new StatusException(refusal.get());
                    }
                    proxy.handle(pinned, rights, reply);
                }));
    }

    /** Repeats all checks of a request to a hosted cluster; can block. */
    private void requireStill(HostedCluster cluster, Admitted admitted) {
        Entered entered = admitted.acting().entered();
        requireStill(entered, () -> impersonation.in(cluster, entered));
        Authorized.by(cluster, admitted, targets);
    }

    /**
     * Repeats the checks made before the body was read, except the cluster's own rights; can block.
     *
     * @param review asks whether the request may impersonate
     * @throws StatusException with 403 if the caller may no longer enter, or no longer impersonate
     */
    private void requireStill(Entered entered, Supplier<Acting> review) {
        gate.requireStill(entered);
        if (!impersonation.isAtOnce(entered)) {
            var _ = review.get();
        }
    }

    /** The clusters that may be named to the caller. */
    private Predicate<ClusterName> known(Admitted admitted) {
        return other -> gate.mayKnow(admitted.acting().entered(), other);
    }
}
