package io.fairlead.gateway.answer;

import io.fairlead.gateway.listen.CallerRefused;
import io.fairlead.gateway.listen.ClientStream;
import io.fairlead.gateway.listen.Received;
import io.fairlead.gateway.listen.RequestListener;
import io.fairlead.http.FieldName;
import io.fairlead.http.Malformed;
import io.fairlead.http.MutableFields;
import io.fairlead.http.RawConnection;
import io.fairlead.http.WebSocketReader;
import io.fairlead.model.Status;
import io.fairlead.model.StatusException;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.EventLoop;
import io.netty.handler.codec.ByteToMessageDecoder;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Base64;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * The client of a watch that takes its events as messages of a WebSocket (RFC 6455), as kube-apiserver offers it
 * (apiserver {@code endpoints/handlers/watch.go}).
 *
 * <p>Handlers write as for any watch. A 200 in JSON becomes the 101; each line of it, which is an event, a text
 * message; its end a Close. Every other answer is a refusal, and stays unchanged. Frames from the client are ignored
 * except Ping and Close. Of several Pings the last one is answered, when the client reads (RFC 6455 section 5.5.3).
 */
final class WatchSocket implements ClientStream {
    private static final String VERSION = "13";
    private static final String ACCEPT_SUFFIX = "258EAFA5-E914-47DA-95CA-C5AB0DC85B11";
    private static final int KEY_BYTES = 16;

    private static final int TEXT = 0x1;
    private static final int CLOSE = 0x8;
    private static final int PONG = 0xA;
    private static final int FINAL = 0x80;
    private static final int LENGTH_IN_2_BYTES = 126;
    private static final int LENGTH_IN_8_BYTES = 127;
    private static final int NORMAL_CLOSURE = 1000;

    private static final int EVENT_BYTES_MAX = 8 * 1024 * 1024;
    private static final int RECEIVED_FRAME_BYTES_MAX = 64 * 1024;
    private static final long CLOSING_SECONDS = 5;

    private final ClientStream http;
    private final String accept;
    private final String protocol;
    private @Nullable RequestListener listener;
    private @Nullable RawConnection socket;
    private ByteBuf begun = Unpooled.EMPTY_BUFFER;
    private int scanned;
    private int bytesAtSource;
    private boolean ended;

    private WatchSocket(ClientStream http, String accept, String protocol) {
        this.http = http;
        this.accept = accept;
        this.protocol = protocol;
    }

    /**
     * The client of a request for a WebSocket.
     *
     * @throws StatusException with 400 if the handshake is incomplete, with 403 if it comes from a page of another host
     */
    static WatchSocket of(ClientStream http, Received request) {
        Origin.requireOwn(request);
        String version = request.headers().get(FieldName.SEC_WEBSOCKET_VERSION, "");
        if (!version.strip().equals(VERSION)) {
            throw new StatusException(
                    Status.badRequest("Sec-WebSocket-Version header: \"" + version + "\" (expected " + VERSION + ")"));
        }
        String key = request.headers().get(FieldName.SEC_WEBSOCKET_KEY, "").strip();
        if (!isKey(key)) {
            throw new StatusException(Status.badRequest(
                    "Sec-WebSocket-Key header: \"" + key + "\" (expected " + KEY_BYTES + " bytes in base64)"));
        }
        return new WatchSocket(http, acceptOf(key), protocolOf(request));
    }

    /** Whether an answer's body can be sent as messages, or is a refusal without messages. */
    static boolean canCarry(int status, MutableFields headers, boolean last) {
        return status != 200 || last || isJson(headers);
    }

    /** Why an answer cannot be sent as messages. */
    static Status notAcceptable(MutableFields headers) {
        String encoding = headers.get(FieldName.CONTENT_ENCODING, "");
        return Status.of(
                406,
                "NotAcceptable",
                "watch by WebSocket: it would come as \"" + headers.get(FieldName.CONTENT_TYPE, "") + "\""
                        + (encoding.isEmpty() ? "" : " in \"" + encoding + "\"")
                        + " (expected application/json)");
    }

    @Override
    public EventLoop eventLoop() {
        return http.eventLoop();
    }

    @Override
    public @Nullable CallerRefused madeBy(Object owner, Object caller) {
        return http.madeBy(owner, caller);
    }

    @Override
    public void answeredBy(Object cluster) {
        http.answeredBy(cluster);
    }

    @Override
    public void receive(RequestListener newListener) {
        listener = newListener;
        http.receive(newListener);
    }

    @Override
    public void read() {
        if (socket == null) {
            http.read();
        }
    }

    @Override
    public void head(int status, MutableFields headers, boolean last) {
        if (status == 200 && !last) {
            open(headers);
        } else {
            http.head(status, headers, last);
        }
    }

    @Override
    public void data(ByteBuf data) {
        RawConnection connection = socket;
        if (connection == null) {
            http.data(data);
        } else if (ended) {
            data.release();
        } else {
            begun = ByteToMessageDecoder.MERGE_CUMULATOR.cumulate(data.alloc(), begun, data);
            sendEvents(connection);
        }
    }

    @Override
    public void end() {
        RawConnection connection = socket;
        if (connection == null) {
            http.end();
        } else if (begun.isReadable()) {
            abort(); // An incomplete event is not an end.
        } else if (!ended) {
            finish();
            sendClose(connection);
            // The client answers with its own Close, and then the connection is closed (RFC 6455 section 7.1.1).
            connection.eventLoop().schedule(connection::close, CLOSING_SECONDS, TimeUnit.SECONDS);
        }
    }

    @Override
    public void abort() {
        RawConnection connection = socket;
        if (connection == null) {
            http.abort();
        } else {
            finish();
            connection.abort();
        }
    }

    @Override
    public RawConnection switchProtocols(String protocol, MutableFields headers) {
        throw new IllegalStateException("a watch is no upgrade of its cluster's");
    }

    @Override
    public void wroteToConnection() {
        throw new IllegalStateException("a watch is no upgrade of its cluster's");
    }

    @Override
    public boolean isWritable() {
        RawConnection connection = socket;
        return connection == null ? http.isWritable() : connection.isWritable();
    }

    @Override
    public void waiting(int bytes) {
        bytesAtSource = bytes;
        http.waiting(bytesAtSource + begun.readableBytes());
    }

    @Override
    public void waitForReader() {
        if (socket == null) {
            http.waitForReader();
        }
    }

    private void open(MutableFields headers) {
        MutableFields switching = headers.copy();
        switching
                .removeBeginningWith(Subprotocols.PREFIX)
                .remove(FieldName.CONTENT_TYPE)
                .remove(FieldName.CONTENT_LENGTH)
                .remove(FieldName.TRANSFER_ENCODING)
                .set(FieldName.SEC_WEBSOCKET_ACCEPT, accept);
        if (!protocol.isEmpty()) {
            switching.set(FieldName.SEC_WEBSOCKET_PROTOCOL, protocol);
        }
        RawConnection connection = http.switchProtocols("websocket", switching);
        socket = connection;
        connection.listen(new InboundHandler(connection));
    }

    private void sendEvents(RawConnection connection) {
        for (int end = endOfEvent(); end >= 0; end = endOfEvent()) {
            int length = end + 1 - begun.readerIndex();
            connection.write(head(TEXT, length));
            connection.write(begun.readRetainedSlice(length));
            scanned = 0;
        }
        scanned = begun.readableBytes();
        connection.flush();
        waiting(bytesAtSource);
        http.wroteToConnection();
        if (!begun.isReadable()) {
            forgetBegun();
        } else if (begun.readableBytes() > EVENT_BYTES_MAX) {
            abort();
            gone();
        }
    }

    private int endOfEvent() {
        return begun.indexOf(begun.readerIndex() + scanned, begun.writerIndex(), (byte) '\n');
    }

    private static void sendClose(RawConnection connection) {
        connection.write(head(CLOSE, Short.BYTES).writeShort(NORMAL_CLOSURE));
        connection.flush();
    }

    private void finish() {
        ended = true;
        forgetBegun();
    }

    private void forgetBegun() {
        begun.release();
        begun = Unpooled.EMPTY_BUFFER;
        scanned = 0;
    }

    private void gone() {
        RequestListener hearing = listener;
        if (hearing != null) {
            hearing.onGone();
        }
    }

    /** The head of an unmasked server frame (RFC 6455 section 5.2); has room for a short payload. */
    private static ByteBuf head(int opcode, int length) {
        ByteBuf head = Unpooled.buffer(Byte.BYTES + Byte.BYTES + Long.BYTES).writeByte(FINAL | opcode);
        if (length < LENGTH_IN_2_BYTES) {
            return head.writeByte(length);
        }
        return length <= 0xffff
                ? head.writeByte(LENGTH_IN_2_BYTES).writeShort(length)
                : head.writeByte(LENGTH_IN_8_BYTES).writeLong(length);
    }

    private static boolean isJson(MutableFields headers) {
        return headers.get(FieldName.CONTENT_TYPE, "").startsWith("application/json")
                && !headers.contains(FieldName.CONTENT_ENCODING);
    }

    /** The protocol, if exactly one is offered, since a browser would close without it; otherwise empty. */
    private static String protocolOf(Received request) {
        List<String> offered = Subprotocols.offered(request.headers());
        return offered.size() == 1 ? offered.getFirst() : "";
    }

    private static boolean isKey(String key) {
        try {
            return Base64.getDecoder().decode(key).length == KEY_BYTES;
        } catch (IllegalArgumentException e) {
            return false;
        }
    }

    /** RFC 6455 section 4.2.2, where SHA-1 is no security measure. */
    private static String acceptOf(String key) {
        try {
            byte[] text = (key + ACCEPT_SUFFIX).getBytes(StandardCharsets.US_ASCII);
            return Base64.getEncoder()
                    .encodeToString(MessageDigest.getInstance("SHA-1").digest(text));
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every JDK has SHA-1", e);
        }
    }

    /** Handles the client's frames, and its departure. */
    private final class InboundHandler implements RawConnection.Listener, WebSocketReader.Sink {
        private final RawConnection connection;
        private final WebSocketReader reader = new WebSocketReader(this, RECEIVED_FRAME_BYTES_MAX);
        private byte @Nullable [] pinged;

        InboundHandler(RawConnection connection) {
            this.connection = connection;
            connection.whenClosed(reader::close);
        }

        @Override
        public void onData(ByteBuf data) {
            try {
                reader.receive(data.alloc(), data);
            } catch (Malformed malformed) {
                leave();
            }
        }

        @Override
        public void onPing(byte[] payload) {
            if (!ended) {
                pinged = payload;
            }
        }

        @Override
        public void onClose() {
            if (!ended) {
                sendClose(connection);
            }
            leave();
        }

        @Override
        public void onPause() {
            answerPing();
        }

        /** Not used to end a WebSocket; an unreadable stream cannot be closed cleanly. */
        @Override
        public void onEnd() {
            leave();
        }

        @Override
        public void onWritable() {
            answerPing();
            RequestListener hearing = listener;
            if (hearing != null && !ended) {
                hearing.onWritable();
            }
        }

        @Override
        public void onLost() {
            leave();
        }

        private void answerPing() {
            byte[] payload = pinged;
            if (payload != null && !ended && connection.isWritable()) {
                pinged = null;
                connection.write(head(PONG, payload.length));
                connection.write(Unpooled.wrappedBuffer(payload));
                connection.flush();
                http.wroteToConnection();
            }
        }

        private void leave() {
            boolean early = !ended;
            finish();
            connection.close();
            if (early) {
                gone();
            }
        }
    }
}
