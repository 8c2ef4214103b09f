package io.fairlead.ittests;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/** Watches of one path, half of them over HTTP/2, each of which counts the events that it hears and notes its end. */
final class OpenWatches implements AutoCloseable {
    private final List<HttpClient> clients =
            List.of(client(HttpClient.Version.HTTP_1_1), client(HttpClient.Version.HTTP_2));
    private final ExecutorService readers = Executors.newVirtualThreadPerTaskExecutor();
    private final List<Watch> watches = new ArrayList<>();

    /** Opens them, and returns once each has been answered 200. */
    static OpenWatches open(int count, String url, String token) throws IOException, InterruptedException {
        var open = new OpenWatches();
        try {
            for (int i = 0; i < count; i++) {
                open.watches.add(open.watch(open.clients.get(i % 2), url, token));
            }
            return open;
        } catch (Throwable e) {
            open.close();
            throw e;
        }
    }

    /** How many have heard of an object. */
    long thatHeardOf(String name) {
        return watches.stream().filter(watch -> watch.hasHeardOf(name)).count();
    }

    /** How many ended, by either side. */
    long ended() {
        return watches.stream().filter(watch -> watch.ended).count();
    }

    @Override
    public void close() {
        clients.forEach(HttpClient::shutdownNow);
        readers.shutdownNow();
        readers.close();
    }

    private Watch watch(HttpClient client, String url, String token) throws IOException, InterruptedException {
        HttpRequest request = HttpRequest.newBuilder(URI.create(url))
                .header("Authorization", "Bearer " + token)
                .build();
        var response = client.send(request, HttpResponse.BodyHandlers.ofInputStream());
        if (response.statusCode() != 200) {
            throw new AssertionError("a watch was answered " + response.statusCode());
        }
        var lines = new BufferedReader(new InputStreamReader(response.body(), StandardCharsets.UTF_8));
        var watch = new Watch();
        readers.execute(() -> watch.read(lines));
        return watch;
    }

    private static HttpClient client(HttpClient.Version version) {
        return HttpClient.newBuilder()
                .version(version)
                .sslContext(TrustEveryone.context())
                .build();
    }

    private static final class Watch {
        private final StringBuilder heard = new StringBuilder();
        private volatile boolean ended;

        boolean hasHeardOf(String name) {
            synchronized (heard) {
                return heard.indexOf("\"name\":\"" + name + "\"") >= 0;
            }
        }

        private void read(BufferedReader lines) {
            try (lines) {
                for (String line = lines.readLine(); line != null; line = lines.readLine()) {
                    synchronized (heard) {
                        heard.append(line);
                    }
                }
            } catch (IOException broken) {
                // Ended as well.
            }
            ended = true;
        }
    }
}
