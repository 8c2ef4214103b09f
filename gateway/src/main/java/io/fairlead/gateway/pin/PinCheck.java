package io.fairlead.gateway.pin;

import io.fairlead.fleet.pins.judge.Judge;
import io.fairlead.fleet.pins.judge.KnownTypes;
import io.fairlead.fleet.pins.judge.Observed;
import io.fairlead.fleet.pins.judge.PinRecorder;
import io.fairlead.fleet.pins.judge.PinSet;
import io.fairlead.fleet.pins.judge.Question;
import io.fairlead.fleet.pins.judge.TypePin;
import io.fairlead.fleet.pins.judge.TypePin.Action;
import io.fairlead.fleet.pins.judge.Verdict;
import io.fairlead.gateway.info.Described;
import io.fairlead.gateway.pin.PinMetrics.Result;
import io.fairlead.gateway.route.Routed;
import io.fairlead.model.ClusterName;
import io.fairlead.model.RequestInfo;
import io.fairlead.model.StatusException;
import io.fairlead.model.TypeDigest;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Checks a request's type against every pin that applies.
 *
 * <p>If the kind of a resource is unknown, every pin of the group applies. Never blocks; any thread.
 */
public final class PinCheck {
    private final KnownTypes types;
    private final Judge judge;
    private final PinMetrics meter;
    private final PinRecorder log = new PinRecorder();
    private volatile PinSet pins = PinSet.NONE;

    public PinCheck(Judge judge, PinMetrics meter) {
        this.types = judge.types();
        this.judge = judge;
        this.meter = meter;
    }

    /** Checks these pins from now on. */
    public void use(PinSet newPins) {
        pins = newPins;
        log.clear();
    }

    /**
     * Checks.
     *
     * @return the objections; the caller decides which cluster names to show
     * @throws StatusException with 412, 503 or 400 because of the digest that the request expects
     */
    public <R extends Routed> Judged<R> check(R request) {
        Described described = request.described();
        TypeDigest expected = DigestHeader.of(described);
        RequestInfo info = described.info();
        ClusterName cluster = request.target().name();
        Observed observed = new Observed(request.route().view(), request.route().silentNanos());
        List<TypePin> concerned = info.resourceRequest() ? concerned(cluster, info) : List.of();
        if (expected == null && concerned.isEmpty()) {
            TypeDigest api =
                    info.resourceRequest() ? types.api(cluster, observed, info.groupResource(), info.version()) : null;
            return new Judged<>(request, api, List.of(), null);
        }
        Question question = Question.of(types, cluster, observed, info);
        if (expected != null) {
            DigestHeader.require(expected, cluster, info, question.known(), meter);
        }
        List<Objection> warnings = new ArrayList<>();
        for (TypePin pin : concerned) {
            Objection objection = question.isOf(pin) ? decide(pin, question) : null;
            if (objection != null && objection.pin().action() == Action.DENY) {
                return new Judged<>(request, question.api(), List.of(), objection);
            }
            if (objection != null) {
                warnings.add(objection);
            }
        }
        return new Judged<>(request, question.api(), warnings, null);
    }

    private List<TypePin> concerned(ClusterName cluster, RequestInfo info) {
        List<TypePin> ofGroup = pins.of(info.group());
        return ofGroup.isEmpty()
                ? ofGroup
                : ofGroup.stream()
                        .filter(pin -> pin.concerns(cluster, info.version(), info.verb()))
                        .toList();
    }

    /** The warning for the caller; null if there is none. */
    private @Nullable Objection decide(TypePin pin, Question question) {
        Verdict verdict = judge.judge(pin, question);
        if (pin.action() == Action.AUDIT) {
            log.note(pin, question, verdict);
        }
        return switch (verdict) {
            case Verdict.Kept _ -> {
                meter.checked(Result.ALLOWED);
                yield null;
            }
            case Verdict.Broken(String why, var other) -> objection(pin, Result.DENIED, why, other);
            case Verdict.Stale(String why, var other) -> objection(pin, Result.STALE, why, other);
        };
    }

    private @Nullable Objection objection(TypePin pin, Result refused, String why, Verdict.@Nullable Other other) {
        return switch (pin.action()) {
            case DENY -> {
                meter.checked(refused);
                yield new Objection(pin, refused == Result.STALE, why, other);
            }
            case WARN -> {
                meter.checked(Result.WARNED);
                yield new Objection(pin, refused == Result.STALE, why, other);
            }
            case AUDIT -> {
                meter.checked(Result.AUDITED);
                yield null;
            }
        };
    }
}
