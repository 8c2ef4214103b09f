package io.fairlead.clustersync.fabric8;

import io.fabric8.kubernetes.client.http.AsyncBody;
import io.fabric8.kubernetes.client.http.HttpResponse;
import io.fabric8.kubernetes.client.http.StandardHttpClient;
import io.fabric8.kubernetes.client.http.StandardHttpRequest;
import io.fabric8.kubernetes.client.http.StandardWebSocketBuilder;
import io.fabric8.kubernetes.client.http.WebSocket;
import io.fabric8.kubernetes.client.http.WebSocketResponse;
import io.fairlead.http.FieldName;
import io.fairlead.http.HttpMethod;
import io.fairlead.http.MutableFields;
import io.fairlead.net.Exchange;
import io.fairlead.net.RequestHead;
import io.fairlead.net.Upstream;
import io.netty.buffer.Unpooled;
import java.net.URI;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/** fabric8's requests over an {@link Upstream}. Streaming requests are watches; WebSockets are not offered. */
final class NettyHttpClient
        extends StandardHttpClient<NettyHttpClient, NettyHttpClientFactory, NettyHttpClientBuilder> {
    private static final String USER_AGENT = "fairlead";
    private static final QueryParameter WATCHED_FROM = new QueryParameter("resourceVersion");

    private final NettyHttpClientFactory factory;

    NettyHttpClient(NettyHttpClientBuilder builder, AtomicBoolean closed, NettyHttpClientFactory factory) {
        super(builder, closed);
        this.factory = factory;
    }

    @Override
    public CompletableFuture<HttpResponse<AsyncBody>> consumeBytesDirect(
            StandardHttpRequest asked, AsyncBody.Consumer<List<ByteBuffer>> consumer) {
        StandardHttpRequest request = asked.isForStreaming() ? resumed(asked) : asked;
        ListLimiter.Turn turn = turnOf(request);
        BodyReader reader = new BodyReader(request, consumer, factory, turn);
        if (turn == null) {
            send(request, reader);
        } else {
            turn.ask(() -> send(request, reader), reader::drop);
        }
        return reader.response();
    }

    /** fabric8 resumes a watch from the version of the last event, which may be older than one before it. */
    private StandardHttpRequest resumed(StandardHttpRequest watch) {
        String asked = WATCHED_FROM.of(watch.uri().getRawQuery());
        String from = factory.watches().begins(watch.uri().getRawPath(), asked);
        return from.equals(asked)
                ? watch
                : watch.newBuilder()
                        .uri(URI.create(WATCHED_FROM.replace(watch.uri().toString(), asked, from)))
                        .build();
    }

    private ListLimiter.@Nullable Turn turnOf(StandardHttpRequest request) {
        String query = request.uri().getRawQuery();
        boolean firstPage = query == null || !query.contains("continue=");
        return request.isForStreaming()
                ? null
                : factory.turnOf().list(request.uri().getRawPath(), firstPage);
    }

    private void send(StandardHttpRequest request, BodyReader reader) {
        byte[] body = bytesOf(request);
        RequestHead head = new RequestHead(
                HttpMethod.of(request.method()),
                target(request.uri()),
                headers(request).toFields(),
                body.length);
        Upstream.Kind kind = request.isForStreaming() ? Upstream.Kind.LONG_RUNNING : Upstream.Kind.SHORT;
        Exchange exchange = factory.upstream().send(head, kind, null, reader);
        reader.attach(exchange);
        if (body.length > 0) {
            exchange.write(Unpooled.wrappedBuffer(body));
            exchange.end();
        }
    }

    @Override
    public CompletableFuture<WebSocketResponse> buildWebSocketDirect(
            StandardWebSocketBuilder webSocketBuilder, WebSocket.Listener listener) {
        return CompletableFuture.failedFuture(new UnsupportedOperationException("watches go over plain HTTP here"));
    }

    /** The cluster's scope owns the connections. */
    @Override
    protected void doClose() {}

    private MutableFields headers(StandardHttpRequest request) {
        MutableFields headers = new MutableFields();
        request.headers().forEach((name, values) -> values.forEach(value -> headers.add(name, value)));
        headers.set(FieldName.USER_AGENT, USER_AGENT);
        headers.remove(FieldName.ORIGIN);
        if (request.getContentType() != null) {
            headers.set(FieldName.CONTENT_TYPE, request.getContentType());
        }
        String token = factory.bearerToken();
        if (token != null) {
            headers.set(FieldName.AUTHORIZATION, "Bearer " + token);
        }
        return headers;
    }

    private static String target(URI uri) {
        return uri.getRawQuery() == null ? uri.getRawPath() : uri.getRawPath() + "?" + uri.getRawQuery();
    }

    private static byte[] bytesOf(StandardHttpRequest request) {
        return switch (request.body()) {
            case null -> new byte[0];
            case StandardHttpRequest.ByteArrayBodyContent bytes -> bytes.getContent();
            case StandardHttpRequest.StringBodyContent text -> text.getContent().getBytes(StandardCharsets.UTF_8);
            default -> throw new UnsupportedOperationException("bodies are sent from memory here");
        };
    }
}
