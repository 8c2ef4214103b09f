package io.fairlead.gateway.listen;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;

import io.fairlead.config.LimitSettings;
import io.fairlead.gateway.Limited;
import io.fairlead.http.Fields;
import io.fairlead.http.MutableFields;
import io.fairlead.model.Status;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelOutboundHandlerAdapter;
import io.netty.channel.ChannelPromise;
import io.netty.channel.embedded.EmbeddedChannel;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * A connection of HTTP/1.1 without a network, and a handler that writes down what it gets of each request, asks for its
 * body, and answers 200 once that is complete.
 *
 * <p>What it writes down of one is {@code METHOD target|Name: value|...||LENGTH body}, with a dot behind an end, {@code
 * gone} behind a body that does not end, and a question mark for a length that is not known.
 */
final class RequestScript implements RequestHandler {
    private static final LimitSettings LIMITS = Limited.by(
                    Map.of("limits.targetBytesMax", 100, "limits.headBytesMax", 300, "limits.headerFieldsMax", 5))
            .limits();

    /** What follows each request of a table: it is heard if, and only if, the connection goes on behind that. */
    private static final String NEXT = "GET /next HTTP/1.1|Host: h||";

    private static final String NEXT_HEARD = " & GET /next|Host: h||0 .";

    private static final Pattern DATE = Pattern.compile("date: .*\r\n");

    private final StringBuilder heard = new StringBuilder();
    private final StringBuilder answered = new StringBuilder();
    private final Lingering lingering = new Lingering();
    private final EmbeddedChannel channel = new EmbeddedChannel(
            lingering,
            new Http1Connection(new ClientConnection(
                    new Peer(new InetSocketAddress(InetAddress.getLoopbackAddress(), 40_000), null, List.of()),
                    LIMITS,
                    this,
                    ConnectionMeter.NONE,
                    new ByteBudget(Long.MAX_VALUE, System::nanoTime).part(() -> {}),
                    new ByteBudget(Long.MAX_VALUE, System::nanoTime),
                    new Cancellations(1, Duration.ofSeconds(1), System::nanoTime),
                    place())));

    /**
     * What comes of a text in which {@code |} stands for CR LF and {@code <CR>}, {@code <LF>} and {@code <NUL>} for one
     * byte; the same, however it is cut.
     */
    static Outcome outcome(String text) {
        byte[] bytes = bytes(text);
        Outcome whole = outcome(bytes, List.of(bytes.length));
        for (List<Integer> ends : cuts(bytes.length)) {
            assertThat(outcome(bytes, ends)).as("%s ends %s", text, ends).isEqualTo(whole);
        }
        return whole;
    }

    /** Asserts that bytes are no request: answered so, closed, and nothing of them or behind them is heard. */
    static void assertRefused(String text, int status) {
        assertRefused(text, "", status);
    }

    /** The same of a request whose body is refused, of which something was heard before. */
    static void assertRefused(String text, String heard, int status) {
        Outcome outcome = outcome(text + NEXT);

        assertThat(outcome.heard()).isEqualTo(heard);
        assertThat(outcome.answers()).isEqualTo(status + " close");
        assertThat(outcome.bytes()).contains("\r\nconnection: close\r\n", "\"kind\":\"Status\"", "\"code\":" + status);
    }

    /** Asserts that bytes are these requests, answered so, and that nothing of them is left for the next one. */
    static void assertHeard(String text, String heard, String answers) {
        Outcome outcome = outcome(text + NEXT);

        boolean goesOn = answers.endsWith("open");
        assertThat(outcome.heard()).isEqualTo(goesOn ? heard + NEXT_HEARD : heard);
        assertThat(outcome.answers()).isEqualTo(goesOn ? answers.replace("open", "200 open") : answers);
    }

    /** How bytes may come: one by one, and in two pieces of every length. */
    static List<List<Integer>> cuts(int length) {
        List<List<Integer>> cuts = new ArrayList<>();
        cuts.add(IntStream.rangeClosed(1, length).boxed().toList());
        for (int cut = 1; cut < length; cut++) {
            cuts.add(List.of(cut, length));
        }
        return cuts;
    }

    static byte[] bytes(String text) {
        return text.replace("|", "\r\n")
                .replace("<CR>", "\r")
                .replace("<LF>", "\n")
                .replace("<NUL>", "\0")
                .getBytes(ISO_8859_1);
    }

    private static Outcome outcome(byte[] bytes, List<Integer> ends) {
        RequestScript script = new RequestScript();
        int at = 0;
        for (int end : ends) {
            script.receive(Arrays.copyOfRange(bytes, at, end));
            at = end;
        }
        Outcome outcome = script.outcome();
        script.lingering.letGo = true;
        script.channel.finishAndReleaseAll();
        return outcome;
    }

    private void receive(byte[] bytes) {
        channel.writeInbound(Unpooled.copiedBuffer(bytes));
        channel.runPendingTasks();
    }

    private Outcome outcome() {
        for (ByteBuf piece = channel.readOutbound(); piece != null; piece = channel.readOutbound()) {
            answered.append(piece.toString(ISO_8859_1));
            piece.release();
        }
        return new Outcome(heard.toString(), DATE.matcher(answered).replaceAll(""), !lingering.isClosing);
    }

    @Override
    public void handle(Received request, ClientStream client) {
        heard.append(heard.isEmpty() ? "" : " & ")
                .append(request.method())
                .append(' ')
                .append(request.target());
        Fields fields = request.headers().toFields();
        for (int field = 0; field < fields.size(); field++) {
            heard.append('|').append(fields.name(field)).append(": ").append(fields.value(field));
        }
        String length = request.contentLength() == Received.LENGTH_UNKNOWN ? "?" : "" + request.contentLength();
        heard.append("||").append(length).append(' ');
        client.receive(new Listening(client));
        client.read();
    }

    @Override
    public void refused(Peer peer, Status status) {}

    private static Place place() {
        ConnectionQuota quota = new ConnectionQuota(LIMITS, 1);
        quota.acquire(InetAddress.getLoopbackAddress());
        return Place.of(quota, InetAddress.getLoopbackAddress(), new Strangers(), () -> {});
    }

    /** A connection on which bytes still come after it was closed here, as those do that were under way. */
    private static final class Lingering extends ChannelOutboundHandlerAdapter {
        private boolean isClosing;
        private boolean letGo;

        @Override
        public void close(ChannelHandlerContext ctx, ChannelPromise promise) {
            isClosing = true;
            if (letGo) {
                ctx.close(promise);
            }
        }
    }

    /** Reads a body and answers. */
    private final class Listening implements RequestListener {
        private final ClientStream client;

        Listening(ClientStream client) {
            this.client = client;
        }

        @Override
        public void onData(ByteBuf data) {
            heard.append(data.toString(ISO_8859_1));
            data.release();
            client.read();
        }

        @Override
        public void onEnd() {
            heard.append('.');
            client.head(200, new MutableFields(), true);
        }

        @Override
        public void onGone() {
            heard.append(" gone");
        }
    }

    /**
     * What came of a connection.
     *
     * @param heard what the handler got
     * @param bytes what the client got, without the times of the answers
     */
    record Outcome(String heard, String bytes, boolean isOpen) {
        private static final Pattern STATUS = Pattern.compile("HTTP/1\\.1 (\\d{3}) ");

        /** The statuses of the answers, and whether the connection stays open behind them. */
        String answers() {
            return STATUS.matcher(bytes)
                            .results()
                            .map(answer -> answer.group(1) + " ")
                            .collect(Collectors.joining())
                    + (isOpen ? "open" : "close");
        }
    }
}
