package io.fairlead.gateway.answer;

import io.fairlead.gateway.listen.ClientStream;
import io.fairlead.gateway.listen.Received;
import io.fairlead.gateway.listen.RequestListener;
import io.fairlead.gateway.listen.StatusBody;
import io.fairlead.gateway.listen.WarningField;
import io.fairlead.http.DateField;
import io.fairlead.http.FieldName;
import io.fairlead.http.MutableFields;
import io.fairlead.http.RawConnection;
import io.fairlead.model.ClusterName;
import io.fairlead.model.Status;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.EventLoop;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The answer to one request: adds the fields that every answer carries, and reports how it ended.
 *
 * <p>Threads: the request's event loop; other threads go through {@link #eventLoop}.
 */
public final class Reply {
    private ClientStream client;
    private @Nullable RequestListener listener;
    private final String auditId;
    private @Nullable Outcome companion;
    private Witness witness = Witness.NONE;
    private Trace trace = Trace.NONE;
    private Outcome outcome;
    private List<String> warnings = List.of();
    private Map<String, String> fields = Map.of();
    private boolean socketWanted;
    private @Nullable Unread unread;
    private boolean begun;
    private boolean over;

    public Reply(ClientStream client, String auditId, Outcome outcome) {
        this.client = client;
        this.auditId = auditId;
        this.outcome = outcome;
    }

    /** Sets the observer: what the request is about is known only after a while. */
    public void observe(Outcome newOutcome) {
        outcome = companion == null ? newOutcome : newOutcome.and(companion);
    }

    /** Adds an observer to the present or later one. To be called before anything else. */
    public void accompany(Outcome newCompanion) {
        companion = companion == null ? newCompanion : companion.and(newCompanion);
        outcome = outcome.and(newCompanion);
    }

    /** Adds an observer who is told of the stages as well. To be called before these. */
    public void attend(Witness newWitness) {
        witness = newWitness;
        accompany(newWitness);
    }

    /** Traces the request. To be called before its stages. */
    public void trace(Trace newTrace) {
        trace = newTrace;
        accompany(newTrace);
    }

    /** Who is told where it waits. */
    public Trace trace() {
        return trace;
    }

    /** Who is told of the stages; any thread. */
    public Witness witness() {
        return witness;
    }

    /**
     * Adds a warning to the answer, whichever it is (RFC 9111 section 5.5). From any thread that goes to the event loop
     * afterwards.
     */
    public void warn(List<String> texts) {
        warnings = texts;
    }

    /**
     * Adds headers to the answer, whichever it is; they replace those of the same names. From any thread that goes to
     * the event loop afterwards.
     */
    public void carry(Map<String, String> headers) {
        if (fields.isEmpty()) {
            fields = headers;
        } else {
            Map<String, String> all = new HashMap<>(fields);
            all.putAll(headers);
            fields = all;
        }
    }

    /**
     * Sends a watch's events as messages of the WebSocket that the client requests. Before anything else, and from any
     * thread that goes to the event loop afterwards.
     *
     * @throws io.fairlead.model.StatusException if the request is not a valid or permitted handshake
     */
    public void takeWebSocket(Received request) {
        client = WatchSocket.of(client, request);
        socketWanted = true;
    }

    public EventLoop eventLoop() {
        return client.eventLoop();
    }

    public String auditId() {
        return auditId;
    }

    public boolean isOver() {
        return over;
    }

    public boolean isWritable() {
        return client.isWritable();
    }

    /** Exempts the client from the stall timeout: data that it does not read is held back at its source. */
    public void waitForReader() {
        client.waitForReader();
    }

    /** Sets the cluster whose answer it is. */
    public void answeredBy(ClusterName cluster) {
        client.answeredBy(cluster);
    }

    /** So many bytes of the answer wait at their source until the client reads. */
    public void waiting(int bytes) {
        if (!over) {
            client.waiting(bytes);
        }
    }

    /** Observes the client's departure while the request waits; nothing of its body is read before {@link #receive}. */
    public void await() {
        Unread hearing = new Unread();
        unread = hearing;
        client.receive(hearing);
    }

    /** Sets the receiver of the request's body and of the client's departure. */
    public void receive(RequestListener newListener) {
        Heard hearing = new Heard(newListener);
        listener = hearing;
        client.receive(hearing);
    }

    /** Asks for one more piece of the request's body. */
    public void read() {
        RequestListener hearing = listener;
        if (unread != null && unread.ended && hearing != null) {
            unread = null;
            hearing.onEnd();
        } else {
            client.read();
        }
    }

    /** Answers with a failure, or aborts an answer that has begun. */
    public void status(Status status) {
        if (begun) {
            abort();
            return;
        }
        witness.failed(status);
        whole(status.code(), StatusBody.headers(status), StatusBody.encode(status));
    }

    /** Answers with a whole body. */
    public void whole(int code, MutableFields headers, byte[] body) {
        headers.set(FieldName.CONTENT_LENGTH, Integer.toString(body.length));
        head(code, headers, false);
        data(Unpooled.wrappedBuffer(body));
        end();
    }

    /** Begins the answer. */
    public void head(int code, MutableFields headers, boolean last) {
        if (begun || over) {
            return;
        }
        if (socketWanted && !WatchSocket.canCarry(code, headers, last)) {
            refuse(WatchSocket.notAcceptable(headers));
            return;
        }
        begun = true;
        if (!headers.hasOnly(FieldName.AUDIT_ID, auditId)) { // an attached cluster was sent it, and most answer with it
            headers.set(FieldName.AUDIT_ID, auditId);
        }
        if (!headers.contains(FieldName.DATE)) {
            headers.add(FieldName.DATE, DateField.now());
        }
        for (String text : warnings) {
            headers.add(FieldName.WARNING, WarningField.value(text));
        }
        fields.forEach(headers::set);
        outcome.answered(code);
        client.head(code, headers, last);
        if (last) {
            finish();
        }
    }

    /** Answers 101 and hands the connection over; the answer ends when that is closed. */
    public RawConnection switchProtocols(String protocol, MutableFields headers) {
        begun = true;
        headers.set(FieldName.AUDIT_ID, auditId);
        outcome.answered(101);
        RawConnection connection = client.switchProtocols(protocol, headers);
        connection.whenClosed(this::finish);
        return connection;
    }

    /** Something was written to the handed-over connection: what its client does not read is counted. */
    public void wroteToConnection() {
        client.wroteToConnection();
    }

    /** A piece of the body; takes ownership. */
    public void data(ByteBuf data) {
        client.data(data);
    }

    /** Reports that the last pieces contained this many events of a watch. */
    public void events(int count) {
        outcome.events(count);
    }

    public void end() {
        client.end();
        finish();
    }

    /** Aborts the answer in a way that the client can detect. */
    public void abort() {
        client.abort();
        finish();
    }

    /** Answers with a failure in place of another's answer, which ends here. */
    private void refuse(Status status) {
        status(status);
        RequestListener hearing = listener;
        if (hearing != null) {
            hearing.onGone();
        }
    }

    private void finish() {
        if (!over) {
            over = true;
            outcome.over();
        }
    }

    /** The end of a body can come unasked. */
    private final class Unread implements RequestListener {
        private boolean ended;

        @Override
        public void onData(ByteBuf data) {
            data.release();
            throw new IllegalStateException("a piece of a body that was not asked for");
        }

        @Override
        public void onEnd() {
            ended = true;
        }

        @Override
        public void onGone() {
            finish();
        }
    }

    private final class Heard implements RequestListener {
        private final RequestListener listener;

        Heard(RequestListener listener) {
            this.listener = listener;
        }

        @Override
        public void onData(ByteBuf data) {
            listener.onData(data);
        }

        @Override
        public void onEnd() {
            listener.onEnd();
        }

        @Override
        public void onWritable() {
            listener.onWritable();
        }

        @Override
        public void onGone() {
            finish();
            listener.onGone();
        }
    }
}
