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
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Watches of one object whose changes are numbered from 1 on: each notes what it misses, hears twice or hears in another order.
 * Three of ten are over HTTP/1.1, each on its connection; the others share connections of HTTP/2.
 */
final class TickWatches implements AutoCloseable {
    /** Below what a server allows by default. */
    private static final int STREAMS_PER_CONNECTION = 200;

    private static final int TEN = 10;
    private static final int OVER_HTTP_1 = 3;
    private static final Pattern TICK = Pattern.compile("\"tick\":\"(\\d+)\"");

    private final List<HttpClient> clients = new ArrayList<>();
    private final ExecutorService readers = Executors.newVirtualThreadPerTaskExecutor();
    private final List<Watch> watches = new ArrayList<>();

    private TickWatches() {}

    /** Opens them, and returns once each has been answered 200. */
    static TickWatches open(int count, String url, String token) throws IOException, InterruptedException {
        TickWatches open = new TickWatches();
        try {
            HttpClient http1 = open.client(HttpClient.Version.HTTP_1_1);
            HttpClient http2 = open.client(HttpClient.Version.HTTP_2);
            int streams = 0;
            for (int i = 0; i < count; i++) {
                if (i % TEN < OVER_HTTP_1) {
                    open.watch(http1, url, token);
                    continue;
                }
                if (++streams % STREAMS_PER_CONNECTION == 0) {
                    http2 = open.client(HttpClient.Version.HTTP_2);
                }
                open.watch(http2, url, token);
            }
            return open;
        } catch (Throwable e) {
            open.close();
            throw e;
        }
    }

    /** Whether each has heard of all changes up to one. */
    boolean haveAllHeard(int tick) {
        return watches.stream().allMatch(watch -> watch.last == tick);
    }

    /** When each heard of the last change ({@link System#nanoTime}). */
    List<Long> lastHeardNanos() {
        return watches.stream().map(watch -> watch.lastNanos).toList();
    }

    /** What went wrong: changes out of order, lost or repeated, and watches that ended. */
    List<String> faults() {
        return watches.stream()
                .map(watch -> watch.fault)
                .filter(fault -> !fault.isEmpty())
                .toList();
    }

    @Override
    public void close() {
        watches.forEach(watch -> watch.closing = true);
        clients.forEach(HttpClient::shutdownNow);
        readers.shutdownNow();
        readers.close();
        clients.forEach(HttpClient::close);
    }

    private HttpClient client(HttpClient.Version version) {
        HttpClient client = HttpClient.newBuilder()
                .version(version)
                .sslContext(TrustEveryone.context())
                .build();
        clients.add(client);
        return client;
    }

    private void watch(HttpClient client, String url, String token) throws IOException, InterruptedException {
        HttpRequest request = HttpRequest.newBuilder(URI.create(url))
                .header("Authorization", "Bearer " + token)
                .build();
        var response = client.send(request, HttpResponse.BodyHandlers.ofInputStream());
        if (response.statusCode() != 200) {
            throw new AssertionError("a watch was answered " + response.statusCode());
        }
        var lines = new BufferedReader(new InputStreamReader(response.body(), StandardCharsets.UTF_8));
        Watch watch = new Watch();
        watches.add(watch);
        readers.execute(() -> watch.read(lines));
    }

    private static final class Watch {
        private volatile int last;
        private volatile long lastNanos;
        private volatile String fault = "";
        private volatile boolean closing;

        private void read(BufferedReader lines) {
            try (lines) {
                for (String line = lines.readLine(); line != null; line = lines.readLine()) {
                    heard(line);
                }
                note("ended after " + last);
            } catch (IOException broken) {
                note("broke after " + last + ": " + broken);
            }
        }

        private void heard(String line) {
            Matcher tick = TICK.matcher(line);
            if (!tick.find()) {
                note("after " + last + ": " + line);
                return;
            }
            int number = Integer.parseInt(tick.group(1));
            if (number != last + 1) {
                note(number + " after " + last);
            }
            lastNanos = System.nanoTime();
            last = number;
        }

        private void note(String what) {
            if (!closing && fault.isEmpty()) {
                fault = what;
            }
        }
    }
}
