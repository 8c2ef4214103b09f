package io.fairlead.cli.warm;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.fairlead.cli.server.ClientTls;
import io.fairlead.cli.server.CommandFailure;
import io.fairlead.credentials.kubeconfig.Target;
import java.io.InputStream;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/** Clients by both protocols and both kinds of credential, each of which sends its next request when one is answered. */
final class Callers implements AutoCloseable {
    /** Requests of one client that are under way. */
    private static final int AT_ONCE = 4;

    private static final int WRITE_EVERY = 12;
    private static final int GATEWAY_EVERY = 97;
    private static final Duration CALL_TIMEOUT = Duration.ofSeconds(20);

    private static final List<String> CLUSTERS = List.of(
            "/clusters/" + Rehearsal.BY_HTTP1, "/clusters/" + Rehearsal.BY_HTTP2, "/clusters/" + Rehearsal.HOSTED);

    /** Below a cluster; the first is what most requests are for. */
    private static final List<String> READ = List.of(
            Scripts.CONFIG_MAPS + "/small",
            Scripts.BOATS + "/ketch",
            Scripts.CONFIG_MAPS + "/small",
            Scripts.BOATS,
            Scripts.CONFIG_MAPS + "/small",
            Scripts.CONFIG_MAPS + "/missing",
            Scripts.CONFIG_MAPS + "/small",
            Scripts.CONFIG_MAPS + "?limit=1",
            Scripts.CONFIG_MAPS + "/small",
            "/api/v1",
            Scripts.CONFIG_MAPS + "/large",
            "/apis/example.com/v1");

    private static final List<String> OF_THE_GATEWAY =
            List.of("/livez", "/version", "/fairlead/v1/clusters", "/metrics");

    private final URI origin;
    private final Budget budget;
    private final AtomicInteger good = new AtomicInteger();
    private final List<Caller> callers = new ArrayList<>();
    private final List<CompletableFuture<HttpResponse<InputStream>>> watches = new ArrayList<>();

    /** The requests and the time that are left. */
    private static final class Budget {
        private final AtomicInteger requests = new AtomicInteger();
        private final int requestsMax;
        private final Duration timeMax;
        private volatile long endNanos = Long.MAX_VALUE;

        Budget(int requestsMax, Duration timeMax) {
            this.requestsMax = requestsMax;
            this.timeMax = timeMax;
        }

        void begin() {
            endNanos = System.nanoTime() + timeMax.toNanos();
        }

        /** The number of the next request, or -1 if there shall be none. */
        int next() {
            int number = requests.getAndIncrement();
            return number < requestsMax && System.nanoTime() - endNanos < 0 ? number : -1;
        }
    }

    /** A client and its credential, which is the certificate of its connections where there is no token. */
    private record Caller(HttpClient http, @Nullable String token) {
        HttpRequest.Builder request(URI url) {
            HttpRequest.Builder request = HttpRequest.newBuilder(url).header("Accept", "application/json");
            return token == null ? request : request.header("Authorization", "Bearer " + token);
        }
    }

    Callers(URI origin, Target admin, String token, int requestsMax, Duration timeMax) throws CommandFailure {
        this.origin = origin;
        this.budget = new Budget(requestsMax, timeMax);
        Target user = admin.withToken(token);
        for (HttpClient.Version version : List.of(HttpClient.Version.HTTP_1_1, HttpClient.Version.HTTP_2)) {
            callers.add(new Caller(client(user, version), token));
            callers.add(new Caller(client(admin, version), null));
        }
    }

    /** Asks until the budget is used up, and returns how many answers were good ones. */
    int run() throws CommandFailure {
        budget.begin();
        callers.forEach(this::watch);
        CountDownLatch open = new CountDownLatch(callers.size() * AT_ONCE);
        for (Caller caller : callers) {
            for (int i = 0; i < AT_ONCE; i++) {
                next(caller, open);
            }
        }
        await(open);
        return good.get();
    }

    private void await(CountDownLatch open) throws CommandFailure {
        try {
            if (!open.await(budget.timeMax.plus(CALL_TIMEOUT).toMillis(), TimeUnit.MILLISECONDS)) {
                throw CommandFailure.of("the trial server does not answer");
            }
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            throw CommandFailure.of("interrupted");
        }
    }

    /** Open until the end. */
    private void watch(Caller caller) {
        for (String cluster : CLUSTERS) {
            for (String kind : List.of(Scripts.CONFIG_MAPS, Scripts.BOATS)) {
                HttpRequest request = caller.request(origin.resolve(cluster + kind + "?watch=1"))
                        .build();
                watches.add(caller.http().sendAsync(request, HttpResponse.BodyHandlers.ofInputStream()));
            }
        }
    }

    /** An answer that is none teaches as well. */
    private void next(Caller caller, CountDownLatch open) {
        int number = budget.next();
        if (number < 0) {
            open.countDown();
            return;
        }
        var _ = caller.http()
                .sendAsync(request(caller, number), HttpResponse.BodyHandlers.discarding())
                .whenComplete((answer, failure) -> {
                    if (failure == null && answer.statusCode() < 300) {
                        good.incrementAndGet();
                    }
                    next(caller, open);
                });
    }

    private HttpRequest request(Caller caller, int number) {
        int turn = number / CLUSTERS.size();
        String cluster = CLUSTERS.get(number % CLUSTERS.size());
        if (turn % WRITE_EVERY == 0) {
            return write(caller, cluster, turn / WRITE_EVERY);
        }
        String path = number % GATEWAY_EVERY == 0
                ? OF_THE_GATEWAY.get(turn % OF_THE_GATEWAY.size())
                : cluster + READ.get(turn % READ.size());
        return caller.request(origin.resolve(path)).timeout(CALL_TIMEOUT).build();
    }

    /** Creates, changes and deletes, each of which is an event of the watches. */
    private HttpRequest write(Caller caller, String cluster, int turn) {
        String name = "brig-" + turn / 4;
        URI one = origin.resolve(cluster + Scripts.BOATS + "/" + name);
        HttpRequest.Builder request = caller.request(one).timeout(CALL_TIMEOUT);
        return switch (turn % 4) {
            case 0 ->
                request.uri(origin.resolve(cluster + Scripts.BOATS))
                        .header("Content-Type", "application/json")
                        .POST(body(Scripts.BOAT.formatted(name)))
                        .build();
            case 1 ->
                request.header("Content-Type", "application/merge-patch+json")
                        .method("PATCH", body("{\"spec\": {\"length\": " + (1 + turn) + "}}"))
                        .build();
            case 2 ->
                request.uri(URI.create(one + "/status"))
                        .header("Content-Type", "application/json-patch+json")
                        .method("PATCH", body("[{\"op\": \"add\", \"path\": \"/status\", \"value\": {\"sails\": 2}}]"))
                        .build();
            default -> request.DELETE().build();
        };
    }

    private static HttpRequest.BodyPublisher body(String text) {
        return HttpRequest.BodyPublishers.ofByteArray(text.getBytes(UTF_8));
    }

    private static HttpClient client(Target target, HttpClient.Version version) throws CommandFailure {
        try {
            return HttpClient.newBuilder()
                    .sslContext(ClientTls.context(target))
                    .version(version)
                    .build();
        } catch (ClientTls.UnusableException unusable) {
            throw CommandFailure.of(String.valueOf(unusable.getMessage()));
        }
    }

    @Override
    public void close() {
        watches.forEach(watch -> watch.cancel(true));
        callers.forEach(caller -> caller.http().shutdownNow());
    }
}
