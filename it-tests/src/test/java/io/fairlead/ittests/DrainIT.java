package io.fairlead.ittests;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInfo;

/** What SIGTERM does to those who are being served. */
final class DrainIT {
    private static final String TOKEN = "token-of-root";
    private static final String CONFIG_MAPS = "/api/v1/namespaces/default/configmaps";
    private static final Duration SOON = Duration.ofSeconds(20);

    /** The delay, 30 s for what runs, and some for the end. */
    private static final Duration DRAINED = Duration.ofSeconds(45);

    @Test
    void sigterm_endsAWatchOverHttp2Cleanly_andExitsWithZero(TestInfo test) throws Exception {
        try (FairleadProcess fairlead = start(test, "--shutdown-delay", "1s");
                HttpClient client = HttpClient.newBuilder()
                        .sslContext(TrustEveryone.context())
                        .build()) {
            HttpResponse<InputStream> watch = client.send(
                    HttpRequest.newBuilder(
                                    URI.create(fairlead.endpoint() + "/api/v1/namespaces?watch=1&sendInitialEvents=true"
                                            + "&resourceVersionMatch=NotOlderThan&allowWatchBookmarks=true"))
                            .header("Authorization", "Bearer " + TOKEN)
                            .build(),
                    HttpResponse.BodyHandlers.ofInputStream());
            assertThat(watch.version()).isEqualTo(HttpClient.Version.HTTP_2);
            assertThat(watch.statusCode()).isEqualTo(200);
            CompletableFuture<String> events = CompletableFuture.supplyAsync(() -> whole(watch.body()));

            fairlead.signal();

            String text = events.get(SOON.toSeconds(), TimeUnit.SECONDS);
            assertThat(text).startsWith("{").endsWith("}\n");
            assertThat(fairlead.awaitEnd(SOON)).isZero();
        }
    }

    /** What comes before the delay is over is served as ever; then all watches end, over both protocols. */
    @Test
    void sigterm_underWatchesAndRequests_failsNone_andExitsInTime(TestInfo test) throws Exception {
        try (FairleadProcess fairlead = start(test, "--shutdown-delay", "5s");
                var watches = OpenWatches.open(200, fairlead.endpoint() + CONFIG_MAPS + "?watch=1", TOKEN);
                var requests = SteadyRequests.start(fairlead.endpoint(), TOKEN, CONFIG_MAPS, 50)) {
            Await.until("requests are answered", SOON, () -> requests.answered() > 50);

            fairlead.signal();

            Await.until("it drains", SOON, () -> fairlead.log().contains("Draining"));
            int before = requests.answered();
            Await.until("requests go on", SOON, () -> requests.answered() > before + 50);
            requests.stop();
            assertThat(requests.failures()).isEmpty();
            assertThat(watches.ended()).isZero();
            assertThat(fairlead.awaitEnd(DRAINED)).isZero();
            Await.until("all watches have ended", SOON, () -> watches.ended() == 200);

            fairlead.start();

            OpenWatches.open(200, fairlead.endpoint() + CONFIG_MAPS + "?watch=1", TOKEN)
                    .close();
        }
    }

    @Test
    void secondSigterm_endsAtOnce(TestInfo test) {
        try (FairleadProcess fairlead = start(test, "--shutdown-delay", "5m")) {
            fairlead.signal();
            Await.until("it drains", SOON, () -> fairlead.log().contains("Draining"));

            fairlead.signal();

            assertThat(fairlead.awaitEnd(SOON)).isEqualTo(1);
        }
    }

    /** Reads to the clean end; an answer that breaks off fails. */
    private static String whole(InputStream body) {
        try (body) {
            return new String(body.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static FairleadProcess start(TestInfo test, String... flags) {
        Path folder =
                Checkout.scratch("DrainIT/" + test.getTestMethod().orElseThrow().getName());
        Path tokens = FairleadUsers.tokenFile(
                folder, List.of(new KubeCluster.User(TOKEN, "root", "uid-of-root", "system:masters")));
        return FairleadProcess.start(folder, concat(List.of("--token-auth-file", tokens.toString()), flags));
    }

    private static String[] concat(List<String> first, String... rest) {
        return Stream.concat(first.stream(), Arrays.stream(rest)).toArray(String[]::new);
    }
}
