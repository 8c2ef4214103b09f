package io.fairlead.gateway.tracing;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import io.fairlead.testkit.HttpServers;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentLinkedQueue;

/**
 * A collector of a test, which reads what it gets by the numbers of OTLP's {@code .proto} files, and answers as the test wants.
 */
public final class Collector implements AutoCloseable {
    private final HttpServer server;
    private final Queue<ReceivedSpan> spans = new ConcurrentLinkedQueue<>();
    private final Queue<Map<String, String>> resources = new ConcurrentLinkedQueue<>();
    private final Queue<String> bodies = new ConcurrentLinkedQueue<>();
    private volatile int status = 200;

    /** A span as it came; ids in hexadecimal, numbers among the attributes as text. */
    public record ReceivedSpan(
            String trace,
            String id,
            String parent,
            String state,
            String name,
            long kind,
            long began,
            long ended,
            Map<String, String> attributes,
            boolean isError,
            long flags) {}

    public Collector() throws IOException {
        server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.createContext("/", this::take);
        server.start();
    }

    public String url() {
        return "http://127.0.0.1:" + server.getAddress().getPort();
    }

    /** Answers so from now on. */
    public void answer(int newStatus) {
        status = newStatus;
    }

    /** Those of exports that were answered with 200. */
    public List<ReceivedSpan> spans() {
        return List.copyOf(spans);
    }

    public List<Map<String, String>> resources() {
        return List.copyOf(resources);
    }

    /** The bytes of every export, as chars, whatever was answered. */
    public List<String> bodies() {
        return List.copyOf(bodies);
    }

    @Override
    public void close() {
        HttpServers.stop(server);
    }

    private void take(HttpExchange exchange) throws IOException {
        byte[] body = exchange.getRequestBody().readAllBytes();
        bodies.add(new String(body, ISO_8859_1));
        boolean isExport = exchange.getRequestURI().getPath().equals("/v1/traces")
                && "application/x-protobuf".equals(exchange.getRequestHeaders().getFirst("Content-Type"));
        int code = isExport ? status : 400;
        if (code == 200) {
            for (ByteBuffer resourceSpans : messages(fields(ByteBuffer.wrap(body)), 1)) {
                Map<Integer, List<Object>> ofProcess = fields(resourceSpans);
                messages(ofProcess, 1).forEach(resource -> resources.add(attributes(fields(resource), 1)));
                messages(ofProcess, 2)
                        .forEach(
                                ofScope -> messages(fields(ofScope), 2).forEach(span -> spans.add(span(fields(span)))));
            }
        }
        exchange.sendResponseHeaders(code, -1);
        exchange.close();
    }

    private static ReceivedSpan span(Map<Integer, List<Object>> fields) {
        return new ReceivedSpan(
                hex(fields, 1),
                hex(fields, 2),
                hex(fields, 4),
                text(fields, 3),
                text(fields, 5),
                number(fields, 6),
                number(fields, 7),
                number(fields, 8),
                attributes(fields, 9),
                messages(fields, 15).stream().anyMatch(status -> number(fields(status), 3) == 2),
                number(fields, 16));
    }

    private static Map<String, String> attributes(Map<Integer, List<Object>> fields, int number) {
        Map<String, String> attributes = new TreeMap<>();
        for (ByteBuffer attribute : messages(fields, number)) {
            Map<Integer, List<Object>> pair = fields(attribute);
            Map<Integer, List<Object>> value = fields(messages(pair, 2).getFirst());
            attributes.put(text(pair, 1), value.containsKey(1) ? text(value, 1) : String.valueOf(number(value, 3)));
        }
        return attributes;
    }

    private static List<ByteBuffer> messages(Map<Integer, List<Object>> fields, int number) {
        return fields.getOrDefault(number, List.of()).stream()
                .map(value -> ((ByteBuffer) value).duplicate())
                .toList();
    }

    private static String text(Map<Integer, List<Object>> fields, int number) {
        return messages(fields, number).stream()
                .map(value -> UTF_8.decode(value).toString())
                .findFirst()
                .orElse("");
    }

    private static String hex(Map<Integer, List<Object>> fields, int number) {
        return messages(fields, number).stream()
                .map(value -> {
                    byte[] bytes = new byte[value.remaining()];
                    value.get(bytes);
                    return HexFormat.of().formatHex(bytes);
                })
                .findFirst()
                .orElse("");
    }

    private static long number(Map<Integer, List<Object>> fields, int number) {
        return fields.getOrDefault(number, List.of()).stream()
                .map(Long.class::cast)
                .findFirst()
                .orElse(0L);
    }

    /** The values of a message by their numbers: integers of every form, and bytes (protobuf's wire format). */
    private static Map<Integer, List<Object>> fields(ByteBuffer message) {
        ByteBuffer in = message.duplicate().order(ByteOrder.LITTLE_ENDIAN);
        Map<Integer, List<Object>> fields = new HashMap<>();
        while (in.hasRemaining()) {
            long tag = varint(in);
            Object value = switch ((int) (tag & 7)) {
                case 0 -> varint(in);
                case 1 -> in.getLong();
                case 2 -> bytes(in);
                case 5 -> (long) in.getInt();
                default -> throw new IllegalArgumentException("wire type " + (tag & 7));
            };
            fields.computeIfAbsent((int) (tag >>> 3), _ -> new ArrayList<>()).add(value);
        }
        return fields;
    }

    private static ByteBuffer bytes(ByteBuffer in) {
        int length = (int) varint(in);
        ByteBuffer bytes = in.slice(in.position(), length);
        in.position(in.position() + length);
        return bytes;
    }

    private static long varint(ByteBuffer in) {
        long value = 0;
        for (int shift = 0; ; shift += 7) {
            byte next = in.get();
            value |= (long) (next & 0x7f) << shift;
            if (next >= 0) {
                return value;
            }
        }
    }
}
