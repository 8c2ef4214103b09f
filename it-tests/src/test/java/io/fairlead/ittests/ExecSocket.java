package io.fairlead.ittests;

import java.io.ByteArrayOutputStream;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.WebSocket;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Arrays;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * A command in a pod over a WebSocket of the JDK: each message begins with the number of its channel, 0 for input, 1 for
 * output, 2 for errors, 3 for the outcome (KEP-4006, apimachinery {@code remotecommand}).
 */
final class ExecSocket implements WebSocket.Listener {
    private static final Duration TIMEOUT = Duration.ofSeconds(60);
    private static final int STDIN = 0;
    private static final int STDOUT = 1;
    private static final int OUTCOME = 3;

    private final ByteArrayOutputStream output = new ByteArrayOutputStream();
    private final CompletableFuture<String> status = new CompletableFuture<>();
    private final CompletableFuture<WebSocket> opened = new CompletableFuture<>();

    /** Begins to run a command. */
    static ExecSocket open(HttpClient client, String server, String token, String pod, String... command) {
        String arguments = Arrays.stream(command)
                .map(argument -> "&command=" + URLEncoder.encode(argument, StandardCharsets.UTF_8))
                .collect(Collectors.joining());
        var socket = new ExecSocket();
        client.newWebSocketBuilder()
                .header("Authorization", "Bearer " + token)
                .subprotocols("v5.channel.k8s.io", "v4.channel.k8s.io")
                .buildAsync(
                        URI.create(server.replace("https://", "wss://") + "/api/v1/namespaces/default/pods/" + pod
                                + "/exec?stdin=true&stdout=true" + arguments),
                        socket)
                .whenComplete((webSocket, failure) -> {
                    if (failure != null) {
                        socket.opened.completeExceptionally(failure);
                        socket.status.completeExceptionally(failure);
                    } else {
                        socket.opened.complete(webSocket);
                    }
                });
        return socket;
    }

    /** Gives the command input. */
    void send(String text) throws Exception {
        byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
        ByteBuffer message = ByteBuffer.allocate(bytes.length + 1)
                .put((byte) STDIN)
                .put(bytes)
                .flip();
        await(opened).sendBinary(message, true).get(TIMEOUT.toSeconds(), TimeUnit.SECONDS);
    }

    /** Waits until this, and nothing else, was written to standard output since the begin. */
    void awaitOutput(String expected) {
        Await.until("output " + expected, TIMEOUT, () -> {
            if (opened.isCompletedExceptionally()) {
                await(opened);
            }
            return output().equals(expected);
        });
    }

    /** The outcome as the last message tells it: a {@code Status}. */
    String awaitStatus() throws Exception {
        return await(status);
    }

    void abort() {
        opened.thenAccept(WebSocket::abort);
    }

    @Override
    public @Nullable CompletionStage<?> onBinary(WebSocket webSocket, ByteBuffer data, boolean last) {
        int channel = data.get();
        byte[] bytes = new byte[data.remaining()];
        data.get(bytes);
        switch (channel) {
            case STDOUT -> write(bytes);
            case OUTCOME -> status.complete(new String(bytes, StandardCharsets.UTF_8));
            default -> {}
        }
        webSocket.request(1);
        return null;
    }

    @Override
    public void onError(WebSocket webSocket, Throwable error) {
        status.completeExceptionally(error);
    }

    private synchronized void write(byte[] bytes) {
        output.writeBytes(bytes);
    }

    private synchronized String output() {
        return output.toString(StandardCharsets.UTF_8);
    }

    private static <T> T await(CompletableFuture<T> future) throws Exception {
        return future.get(TIMEOUT.toSeconds(), TimeUnit.SECONDS);
    }
}
