package io.fairlead.gateway.pin;

import io.fairlead.gateway.info.Described;
import io.fairlead.gateway.pin.PinMeter.Result;
import io.fairlead.gateway.route.Routed;
import io.fairlead.index.DefinedType;
import io.fairlead.model.ClusterName;
import io.fairlead.model.GroupResource;
import io.fairlead.model.RequestInfo;
import io.fairlead.model.Status;
import io.fairlead.model.StatusException;
import io.fairlead.model.TypeDigest;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Asks every pin that concerns a request whether the type is what it shall be.
 *
 * <p>Where the kind behind a resource is not known, it is asked of every pin of the group. Never blocks; any thread.
 */
public final class PinCheck {
    private static final Logger LOG = LoggerFactory.getLogger(PinCheck.class);
    private static final int LOGGED_MAX = 1_000;

    private final KnownTypes types;
    private final Judge judge;
    private final PinMeter meter;
    private final Set<Logged> logged = ConcurrentHashMap.newKeySet();
    private volatile PinSet pins = PinSet.NONE;

    public PinCheck(Judge judge, PinMeter meter) {
        this.types = judge.types();
        this.judge = judge;
        this.meter = meter;
    }

    /** Asks these pins from now on. */
    public void use(PinSet newPins) {
        pins = newPins;
        logged.clear();
    }

    /**
     * Checks.
     *
     * @throws StatusException with 412, 403, 503 or 400
     */
    public <R extends Routed> Pinned<R> check(R request) {
        Described described = request.described();
        TypeDigest expected = DigestHeader.of(described);
        RequestInfo info = described.info();
        List<TypePin> concerned = info.resourceRequest() ? pins.of(info.group()) : List.of();
        if (expected == null && concerned.isEmpty()) {
            return new Pinned<>(request, List.of());
        }
        ClusterName cluster = request.target().name();
        Question question = new Question(cluster, info);
        if (expected != null) {
            DigestHeader.require(expected, cluster, info, question.known(), meter);
        }
        List<String> warnings = new ArrayList<>();
        for (TypePin pin : concerned) {
            if (pin.concerns(cluster, info.version(), info.verb()) && question.isOf(pin)) {
                decide(pin, question, warnings);
            }
        }
        return new Pinned<>(request, warnings);
    }

    private void decide(TypePin pin, Question question, List<String> warnings) {
        switch (question.ask(pin)) {
            case Verdict.Kept _ -> meter.checked(Result.ALLOWED);
            case Verdict.Broken(String why) -> act(pin, question, why, false, warnings);
            case Verdict.Stale(String why) -> act(pin, question, why, true, warnings);
        }
    }

    private void act(TypePin pin, Question question, String why, boolean isStale, List<String> warnings) {
        switch (pin.action()) {
            case DENY -> {
                meter.checked(isStale ? Result.STALE : Result.DENIED);
                throw new StatusException(isStale ? stale(pin, why) : denied(pin, question.info, why));
            }
            case WARN -> {
                meter.checked(Result.WARNED);
                warnings.add("TypePin \"" + pin.name() + "\": " + why);
            }
            case AUDIT -> {
                meter.checked(Result.AUDITED);
                log(pin, question, why, isStale);
            }
        }
    }

    /** Once for each type of a cluster, until the pins change: requests may come by the thousand. */
    private void log(TypePin pin, Question question, String why, boolean isStale) {
        Logged line = new Logged(pin.name(), question.cluster, question.resource, isStale);
        if (logged.size() < LOGGED_MAX && logged.add(line)) {
            LOG.atWarn()
                    .addKeyValue("pin", pin.name())
                    .addKeyValue("cluster", question.cluster)
                    .addKeyValue("resource", question.resource)
                    .addKeyValue("problem", why)
                    .log("A type is not what a pin says");
        }
    }

    private record Logged(String pin, ClusterName cluster, GroupResource resource, boolean isStale) {}

    private static Status denied(TypePin pin, RequestInfo info, String why) {
        return Status.forbidden(
                info.groupResource(), info.name(), "TypePin \"" + pin.name() + "\" denied the request: " + why);
    }

    private static Status stale(TypePin pin, String why) {
        return DigestHeader.notKnown("TypePin \"" + pin.name() + "\": " + why);
    }

    /** What one request asks about. */
    private final class Question {
        private final ClusterName cluster;
        private final RequestInfo info;
        private final GroupResource resource;
        private @Nullable KnownType known;

        Question(ClusterName cluster, RequestInfo info) {
            this.cluster = cluster;
            this.info = info;
            this.resource = info.groupResource();
        }

        /** Looked up once, so that all pins judge the same. */
        KnownType known() {
            KnownType found = known == null ? types.find(cluster, resource, info.version()) : known;
            known = found;
            return found;
        }

        /** A kind that is not known may be the pin's. */
        boolean isOf(TypePin pin) {
            return !(known() instanceof KnownType.Defined(DefinedType type, String _)) || pin.concernsKind(type.kind());
        }

        Verdict ask(TypePin pin) {
            return judge.judge(pin, cluster, resource, info.version(), known());
        }
    }
}
