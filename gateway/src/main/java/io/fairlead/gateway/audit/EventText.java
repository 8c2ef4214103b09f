package io.fairlead.gateway.audit;

import static io.fairlead.gateway.audit.RequestText.ascii;

import io.fairlead.gateway.info.Described;
import io.fairlead.model.RequestInfo;
import io.fairlead.model.UserInfo;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * What the lines of one request say: an {@code Event} of {@code audit.k8s.io/v1}, with its members in the order of
 * kube-apiserver.
 *
 * <p>Threads: one at a time.
 */
final class EventText {
    private static final byte[] BEGIN = ascii("{\"kind\":\"Event\",\"apiVersion\":\"audit.k8s.io/v1\",\"level\":");
    private static final byte[] AUDIT_ID = ascii(",\"auditID\":");
    private static final byte[] STAGE = ascii(",\"stage\":");
    private static final byte[] IMPERSONATED = ascii(",\"impersonatedUser\":");
    private static final byte[] STATUS = ascii(",\"responseStatus\":{");
    private static final byte[] NO_METADATA = ascii("\"metadata\":{}");
    private static final byte[] CODE = ascii(",\"code\":");
    private static final byte[] REQUEST_OBJECT = ascii(",\"requestObject\":");
    private static final byte[] RESPONSE_OBJECT = ascii(",\"responseObject\":");
    private static final byte[] RECEIVED_AT = ascii(",\"requestReceivedTimestamp\":");
    private static final byte[] STAGE_AT = ascii(",\"stageTimestamp\":");
    private static final byte[] ANNOTATIONS = ascii(",\"annotations\":");
    private static final byte[] END = ascii("}\n");

    private static final String DECISION = "authorization.k8s.io/decision";
    private static final String REASON = "authorization.k8s.io/reason";
    private static final String CLUSTER = "fairlead.io/cluster";
    private static final String PRESENTED = "fairlead.io/upstream-identity";
    private static final String TRUNCATED = "audit.k8s.io/truncated";

    /** What a {@code Status} begins with, as hosted clusters and the gateway write it; the rest is what a line says of it. */
    private static final byte[] STATUS_BODY = ascii("{\"kind\":\"Status\",\"apiVersion\":\"v1\",");

    private static final int STATUS_BYTES_MAX = 64 * 1024;

    /** As upstream has it if nothing was answered. */
    private static final byte[] CLOSED_EARLY =
            ascii("\"metadata\":{},\"status\":\"Success\",\"message\":\"Connection closed early\"");

    /** Failures whose messages may quote what must not be recorded. */
    private static final byte[] BAD_REQUEST_ALONE =
            ascii("\"metadata\":{},\"status\":\"Failure\",\"reason\":\"BadRequest\"");

    private static final byte[] INVALID_ALONE = ascii("\"metadata\":{},\"status\":\"Failure\",\"reason\":\"Invalid\"");

    private static final int OK = 200;
    private static final int BAD_REQUEST = 400;
    private static final int INVALID = 422;
    private static final byte[] NOTHING = {};

    private final String auditId;
    private final long receivedMicros;
    private final String cluster;

    /** The members before and behind the impersonated user. */
    private byte[] head = NOTHING;

    private int headSplit;
    private byte[] objectRef = NOTHING;
    private @Nullable UserInfo impersonated;

    /** The members of the answer's status but its code, which is 0 as long as there is none. */
    private byte[] status = NO_METADATA;

    private int code;
    private byte @Nullable [] requestObject;
    private byte @Nullable [] responseObject;
    private String decision = "";
    private String reason = "";
    private String presented = "";
    private boolean isTruncated;

    /** @param cluster the one that is addressed; empty for the gateway itself */
    EventText(String auditId, long receivedMicros, String cluster) {
        this.auditId = auditId;
        this.receivedMicros = receivedMicros;
        this.cluster = cluster;
    }

    long receivedMicros() {
        return receivedMicros;
    }

    /** @param scratch is empty, and has nothing of use afterwards */
    void describe(LineBytes scratch, Described request, @Nullable UserInfo user) {
        RequestText.describe(scratch, request.received(), request.info().verb(), user);
        headSplit = scratch.length();
        RequestText.describeClient(scratch, request.received());
        head = scratch.copy();
        RequestText.refer(scratch.clear(), request.info(), SentObject.NONE);
        objectRef = scratch.copy();
    }

    void impersonated(UserInfo user) {
        impersonated = user;
    }

    /** What the body of a request says of its object, beside its path. */
    void object(RequestInfo info, SentObject sent) {
        LineBytes scratch = new LineBytes();
        RequestText.refer(scratch, info, sent);
        objectRef = scratch.copy();
    }

    void decided(String newDecision, String newReason) {
        decision = newDecision;
        reason = newReason;
    }

    /** The gateway refused it, unless it was allowed before, and something else is the reason. */
    void forbidden() {
        if (decision.isEmpty()) {
            decision = "forbid";
        }
    }

    void presented(String how) {
        presented = how;
    }

    /** @param body null if it is left out, of which the line tells */
    void requestObject(byte @Nullable [] body) {
        requestObject = body;
        isTruncated |= body == null;
    }

    /** The same of the answer. */
    void responseObject(byte @Nullable [] body) {
        responseObject = body;
        isTruncated |= body == null;
    }

    void truncated() {
        isTruncated = true;
    }

    /**
     * Takes from an answer what it says of its outcome, if it is a {@code Status} and nothing else.
     *
     * @param isConfidential whether the message may quote a value that must not be recorded
     */
    void status(int answered, byte[] body, boolean isConfidential) {
        int end = body.length - (body.length > 0 && body[body.length - 1] == '\n' ? 1 : 0);
        if (isConfidential && (answered == BAD_REQUEST || answered == INVALID)) {
            status = answered == BAD_REQUEST ? BAD_REQUEST_ALONE : INVALID_ALONE;
            return;
        }
        if (end > STATUS_BYTES_MAX
                || end < STATUS_BODY.length
                || !Arrays.equals(body, 0, STATUS_BODY.length, STATUS_BODY, 0, STATUS_BODY.length)) {
            return;
        }
        byte[] ending = ascii(",\"code\":" + answered + "}");
        int codeAt = end - ending.length;
        boolean hasCode = codeAt > STATUS_BODY.length && Arrays.equals(body, codeAt, end, ending, 0, ending.length);
        status = Arrays.copyOfRange(body, STATUS_BODY.length, hasCode ? codeAt : end - 1);
    }

    void answered(int answered) {
        code = answered;
    }

    void closedEarly() {
        status = CLOSED_EARLY;
        code = OK;
    }

    /** Adds the line of a stage. */
    void write(LineBytes line, AuditLevel level, AuditStage stage, long stageMicros) {
        line.raw(BEGIN).text(level.text());
        line.raw(AUDIT_ID).text(auditId);
        line.raw(STAGE).text(stage.text());
        line.raw(',').raw(head, 0, headSplit);
        if (impersonated != null) {
            line.raw(IMPERSONATED);
            RequestText.user(line, impersonated);
        }
        line.raw(head, headSplit, head.length).raw(objectRef);
        if (code > 0) {
            line.raw(STATUS).raw(status).raw(CODE).number(code).raw('}');
        }
        if (requestObject != null) {
            line.raw(REQUEST_OBJECT).raw(requestObject);
        }
        if (responseObject != null) {
            line.raw(RESPONSE_OBJECT).raw(responseObject);
        }
        line.raw(RECEIVED_AT).time(receivedMicros);
        line.raw(STAGE_AT).time(stageMicros);
        annotate(line);
        line.raw(END);
    }

    private void annotate(LineBytes line) {
        int before = line.length();
        line.raw(ANNOTATIONS);
        int first = line.length();
        annotate(line, first, TRUNCATED, isTruncated ? "true" : "");
        annotate(line, first, DECISION, decision);
        if (!decision.isEmpty()) {
            line.raw(',').text(REASON).raw(':').text(reason);
        }
        annotate(line, first, CLUSTER, cluster);
        annotate(line, first, PRESENTED, presented);
        if (line.length() == first) {
            line.cut(before);
        } else {
            line.raw('}');
        }
    }

    private static void annotate(LineBytes line, int first, String key, String value) {
        if (!value.isEmpty()) {
            line.raw(line.length() == first ? '{' : ',').text(key).raw(':').text(value);
        }
    }
}
