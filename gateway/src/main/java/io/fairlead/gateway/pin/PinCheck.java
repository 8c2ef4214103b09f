package io.fairlead.gateway.pin;

import io.fairlead.gateway.info.Described;
import io.fairlead.gateway.pin.PinMeter.Result;
import io.fairlead.gateway.pin.TypePin.Action;
import io.fairlead.gateway.route.Routed;
import io.fairlead.model.ClusterName;
import io.fairlead.model.RequestInfo;
import io.fairlead.model.Status;
import io.fairlead.model.StatusException;
import io.fairlead.model.TypeDigest;
import java.util.ArrayList;
import java.util.List;

/**
 * Asks every pin that concerns a request whether the type is what it shall be.
 *
 * <p>Where the kind behind a resource is not known, it is asked of every pin of the group. Never blocks; any thread.
 */
public final class PinCheck {
    private final KnownTypes types;
    private final Judge judge;
    private final PinMeter meter;
    private final AuditLog log = new AuditLog();
    private volatile PinSet pins = PinSet.NONE;

    public PinCheck(Judge judge, PinMeter meter) {
        this.types = judge.types();
        this.judge = judge;
        this.meter = meter;
    }

    /** Asks these pins from now on. */
    public void use(PinSet newPins) {
        pins = newPins;
        log.clear();
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
        ClusterName cluster = request.target().name();
        List<TypePin> concerned = info.resourceRequest() ? concerned(cluster, info) : List.of();
        if (expected == null && concerned.isEmpty()) {
            TypeDigest api = info.resourceRequest() ? types.api(cluster, info.groupResource(), info.version()) : null;
            return new Pinned<>(request, api, List.of());
        }
        Question question = Question.of(types, cluster, info.groupResource(), info.version());
        if (expected != null) {
            DigestHeader.require(expected, cluster, info, question.known(), meter);
        }
        List<String> warnings = new ArrayList<>();
        for (TypePin pin : concerned) {
            if (question.isOf(pin)) {
                decide(pin, question, info, warnings);
            }
        }
        return new Pinned<>(request, question.api(), warnings);
    }

    private List<TypePin> concerned(ClusterName cluster, RequestInfo info) {
        List<TypePin> ofGroup = pins.of(info.group());
        return ofGroup.isEmpty()
                ? ofGroup
                : ofGroup.stream()
                        .filter(pin -> pin.concerns(cluster, info.version(), info.verb()))
                        .toList();
    }

    private void decide(TypePin pin, Question question, RequestInfo info, List<String> warnings) {
        Verdict verdict = judge.judge(pin, question);
        if (pin.action() == Action.AUDIT) {
            log.note(pin, question, verdict);
        }
        switch (verdict) {
            case Verdict.Kept _ -> meter.checked(Result.ALLOWED);
            case Verdict.Broken(String why) -> act(pin, denied(pin, info, why), Result.DENIED, why, warnings);
            case Verdict.Stale(String why) -> act(pin, stale(pin, why), Result.STALE, why, warnings);
        }
    }

    private void act(TypePin pin, Status refusal, Result refused, String why, List<String> warnings) {
        switch (pin.action()) {
            case DENY -> {
                meter.checked(refused);
                throw new StatusException(refusal);
            }
            case WARN -> {
                meter.checked(Result.WARNED);
                warnings.add("TypePin \"" + pin.name() + "\": " + why);
            }
            case AUDIT -> meter.checked(Result.AUDITED);
        }
    }

    private static Status denied(TypePin pin, RequestInfo info, String why) {
        return Status.forbidden(
                info.groupResource(), info.name(), "TypePin \"" + pin.name() + "\" denied the request: " + why);
    }

    private static Status stale(TypePin pin, String why) {
        return DigestHeader.notKnown("TypePin \"" + pin.name() + "\": " + why);
    }
}
