package io.fairlead.gateway.audit;

import io.fairlead.fleet.UpstreamIdentity;
import io.fairlead.gateway.answer.Witness;
import io.fairlead.gateway.info.Described;
import io.fairlead.gateway.listen.StatusBody;
import io.fairlead.gateway.select.Target;
import io.fairlead.model.RequestInfo;
import io.fairlead.model.Status;
import io.fairlead.model.UserInfo;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/*
 * What the request's head says is made to bytes once, when the policy has asked for it, and is part of each of its lines. So
 * an open watch keeps these bytes and neither its head nor its target.
 *
 * READ     - the caller is known -> RECEIVED, or IGNORED if the policy asks for nothing
 * READ     - answered -> IGNORED, after the one line that upstream makes of failed authentications
 * RECEIVED - answered -> ANSWERED
 * RECEIVED, ANSWERED - over -> IGNORED, after the last line
 */
/**
 * One request and its lines (apiserver {@code pkg/endpoints/filters/audit.go}).
 *
 * <p>Threads: as of {@link Witness}.
 */
final class AuditedRequest implements Witness {
    private static final ThreadLocal<LineBytes> LINES = ThreadLocal.withInitial(LineBytes::new);
    private static final Ruling NOT_JUDGED = new Ruling(AuditLevel.NONE, Set.of(), false);
    private static final UserInfo ANONYMOUS = UserInfo.of("system:anonymous", List.of(UserInfo.UNAUTHENTICATED));
    private static final int FORBIDDEN = 403;

    private enum Phase {
        READ,
        RECEIVED,
        ANSWERED,
        IGNORED
    }

    private final Audits audits;
    private final EventText text;

    /** Null once the answer has begun: a watch lasts for long. */
    private @Nullable Described described;

    private Phase phase = Phase.READ;
    private Ruling ruling = NOT_JUDGED;
    private boolean isLongRunning;
    private boolean isConfidential;
    private AuditStage last = AuditStage.RESPONSE_COMPLETE;

    AuditedRequest(Audits audits, Described described, String auditId, long receivedMicros) {
        this.audits = audits;
        this.described = described;
        this.text = new EventText(
                auditId,
                receivedMicros,
                described.target() instanceof Target.Cluster target
                        ? target.name().value()
                        : "");
    }

    @Override
    public boolean received(@Nullable UserInfo user, Consumer<Optional<Status>> later) {
        Described request = described;
        if (request == null || !judge(request, user == null ? ANONYMOUS : user)) {
            phase = Phase.IGNORED;
            return true;
        }
        phase = Phase.RECEIVED;
        boolean changes = !request.info().isReadOnly()
                || request.isPodStream()
                || request.isProxied()
                || !request.received().upgrade().isEmpty();
        LineBytes line = line(AuditStage.REQUEST_RECEIVED, text.receivedMicros());
        return audits.admit(line, request.received().heldBytes(), changes, later);
    }

    @Override
    public void actsAs(UserInfo user) {
        text.impersonated(user);
    }

    @Override
    public void allowed(String reason) {
        text.decided("allow", reason);
    }

    @Override
    public void forwarded(UpstreamIdentity identity) {
        text.presented(
                switch (identity) {
                    case UpstreamIdentity.Impersonate _ -> "Impersonate";
                    case UpstreamIdentity.Passthrough _ -> "Passthrough";
                    case UpstreamIdentity.RequestHeader _, UpstreamIdentity.Aggregated _ -> "RequestHeader";
                });
    }

    /** Of objects that are sent whole a line says which they are, at every level. */
    @Override
    public void requestBody(String contentType, byte[] body) {
        Described request = described;
        if (phase == Phase.IGNORED || request == null || !request.info().resourceRequest()) {
            return;
        }
        RequestInfo info = request.info();
        if (info.verb().equals("create") || info.verb().equals("update")) {
            text.object(info, SentObject.in(contentType, body, audits.bodyBytesMax()));
        }
        if (level().compareTo(AuditLevel.REQUEST) >= 0) {
            text.requestObject(recorded(contentType, body));
        }
    }

    @Override
    public void answerBody(int code, String contentType, byte[] body) {
        if (phase == Phase.IGNORED) {
            return;
        }
        text.status(code, body, isConfidential);
        if (level() == AuditLevel.REQUEST_RESPONSE && isOfResource()) {
            text.responseObject(recorded(contentType, body));
        }
    }

    @Override
    public void answerInPieces() {
        if (level() == AuditLevel.REQUEST_RESPONSE && isOfResource()) {
            text.truncated();
        }
    }

    @Override
    public void failed(Status status) {
        if (phase != Phase.IGNORED) {
            text.status(status.code(), StatusBody.encode(status), isConfidential);
            if (status.code() == FORBIDDEN && phase == Phase.RECEIVED) {
                text.forbidden();
            }
        }
    }

    @Override
    public void broken() {
        last = AuditStage.PANIC;
    }

    @Override
    public void answered(int code) {
        Described request = described;
        described = null;
        if (phase == Phase.READ && request != null) {
            boolean isRecorded = judge(request, null);
            phase = Phase.IGNORED;
            text.answered(code);
            if (isRecorded) {
                audits.recordUnknownCaller(
                        request.received().peer().address().getAddress(),
                        line(AuditStage.RESPONSE_STARTED, audits.nowMicros()));
            }
        } else if (phase == Phase.RECEIVED) {
            phase = Phase.ANSWERED;
            text.answered(code);
            if (isLongRunning) {
                record(AuditStage.RESPONSE_STARTED);
            }
        }
    }

    @Override
    public void over() {
        if (phase == Phase.RECEIVED) {
            text.closedEarly();
            if (isLongRunning) {
                record(AuditStage.RESPONSE_STARTED);
            }
        }
        if (phase == Phase.RECEIVED || phase == Phase.ANSWERED) {
            phase = Phase.IGNORED;
            record(last);
        }
    }

    /** Whether there are lines, which are then described. */
    private boolean judge(Described request, @Nullable UserInfo user) {
        RequestInfo info = request.info();
        ruling = audits.policy().of(info, user);
        audits.metrics().judged(ruling.level());
        if (ruling.isNone()) {
            return false;
        }
        isLongRunning = request.isLongRunning();
        isConfidential = Confidential.is(info);
        text.describe(LINES.get().clear(), request, user);
        return true;
    }

    private AuditLevel level() {
        AuditLevel asked = ruling.level();
        return isConfidential && asked.compareTo(AuditLevel.METADATA) > 0 ? AuditLevel.METADATA : asked;
    }

    private boolean isOfResource() {
        Described request = described;
        return request != null && request.info().resourceRequest();
    }

    private byte @Nullable [] recorded(String contentType, byte[] body) {
        return SentObject.recorded(contentType, body, audits.bodyBytesMax(), ruling.omitManagedFields());
    }

    private void record(AuditStage stage) {
        audits.record(line(stage, audits.nowMicros()));
    }

    /** Empty if the policy asks for none; of use until the next one is made on this thread. */
    private LineBytes line(AuditStage stage, long stageMicros) {
        LineBytes line = LINES.get().clear();
        if (ruling.records(stage)) {
            text.write(line, level(), stage, stageMicros);
        }
        return line;
    }
}
