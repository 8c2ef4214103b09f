package io.fairlead.gateway.answer;

import io.fairlead.gateway.listen.ClientStream;
import io.fairlead.gateway.listen.Received;
import io.fairlead.gateway.listen.RequestListener;
import io.fairlead.gateway.listen.StatusBody;
import io.fairlead.gateway.listen.WarningField;
import io.fairlead.http.RawConnection;
import io.fairlead.model.Status;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.EventLoop;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpHeaders;
import io.netty.util.AsciiString;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The answer to one request: adds what every answer carries and tells how it ended.
 *
 * <p>Threads: the request's event loop; {@link #eventLoop} is how other threads get there.
 */
public final class Reply {
    private ClientStream client;
    private @Nullable RequestListener listener;
    private final String auditId;
    private @Nullable Outcome companion;
    private Outcome outcome;
    private List<String> warnings = List.of();
    private Map<AsciiString, String> fields = Map.of();
    private boolean socketWanted;
    private boolean begun;
    private boolean over;

    public Reply(ClientStream client, String auditId, Outcome outcome) {
        this.client = client;
        this.auditId = auditId;
        this.outcome = outcome;
    }

    /** Tells another how it ended, from now on: what the request is about is only known after a while. */
    public void observe(Outcome newOutcome) {
        outcome = companion == null ? newOutcome : newOutcome.and(companion);
    }

    /** Tells one more how it ended, beside those that observe it now or later. To be called before anything else. */
    public void accompany(Outcome newCompanion) {
        companion = newCompanion;
        observe(outcome);
    }

    /**
     * Tells the caller something beside whatever is answered (RFC 9111 section 5.5). From any thread that goes to the event loop
     * afterwards.
     */
    public void warn(List<String> texts) {
        warnings = texts;
    }

    /**
     * Has whatever is answered carry these headers, in the place of those of the same names. From any thread that goes to the
     * event loop afterwards.
     */
    public void carry(Map<AsciiString, String> headers) {
        fields = headers;
    }

    /**
     * Makes a watch's events messages of the WebSocket that the client asks for. Before anything else, and from any thread that
     * goes to the event loop afterwards.
     *
     * @throws io.fairlead.model.StatusException if the client does not ask as it must, or may not
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

    /** Whether the head was written: what fails afterwards can only be broken off. */
    public boolean isBegun() {
        return begun;
    }

    public boolean isOver() {
        return over;
    }

    public boolean isWritable() {
        return client.isWritable();
    }

    /** The client may stop reading for as long as it wants: what it does not take is held back at its source. */
    public void waitForReader() {
        client.waitForReader();
    }

    /** Hears the request's body and the client's fate. */
    public void receive(RequestListener newListener) {
        Heard hearing = new Heard(newListener);
        listener = hearing;
        client.receive(hearing);
    }

    /** Asks for one more piece of the request's body. */
    public void read() {
        client.read();
    }

    /** Answers with a failure, or breaks off what was begun. */
    public void status(Status status) {
        if (begun) {
            abort();
            return;
        }
        whole(status.code(), StatusBody.headers(status), StatusBody.encode(status));
    }

    /** Answers with a whole body. */
    public void whole(int code, HttpHeaders headers, byte[] body) {
        headers.set(HttpHeaderNames.CONTENT_LENGTH, Integer.toString(body.length));
        head(code, headers, false);
        data(Unpooled.wrappedBuffer(body));
        end();
    }

    /** Begins the answer. */
    public void head(int code, HttpHeaders headers, boolean last) {
        if (begun || over) {
            return;
        }
        if (socketWanted && !WatchSocket.canCarry(code, headers, last)) {
            refuse(WatchSocket.notAcceptable(headers));
            return;
        }
        begun = true;
        if (!headers.contains(AuditId.HEADER)) {
            headers.set(AuditId.HEADER, auditId);
        }
        warnings.forEach(text -> headers.add(WarningField.NAME, WarningField.value(text)));
        fields.forEach(headers::set);
        outcome.answered(code);
        client.head(code, headers, last);
        if (last) {
            finish();
        }
    }

    /** Answers 101 and gives the connection away; it is over when that is closed. */
    public RawConnection switchProtocols(String protocol, HttpHeaders headers) {
        begun = true;
        headers.set(AuditId.HEADER, auditId);
        outcome.answered(101);
        RawConnection connection = client.switchProtocols(protocol, headers);
        connection.whenClosed(this::finish);
        return connection;
    }

    /** A piece of the body; takes ownership. */
    public void data(ByteBuf data) {
        client.data(data);
    }

    /** Tells that so many events of a watch went by with the last pieces. */
    public void events(int count) {
        outcome.events(count);
    }

    public void end() {
        client.end();
        finish();
    }

    /** Breaks the answer off so that the client can see it. */
    public void abort() {
        client.abort();
        finish();
    }

    /** Answers with a failure where someone else's answer cannot be had; that one ends here. */
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
