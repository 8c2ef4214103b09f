package io.fairlead.packages.registry;

import static io.fairlead.packages.registry.TestRegistry.answer;
import static io.fairlead.packages.registry.TestRegistry.authorization;
import static io.fairlead.packages.registry.TestRegistry.challenge;
import static io.fairlead.packages.registry.TestRegistry.redirect;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpHandler;
import io.fairlead.packages.oci.BlobDigest;
import io.fairlead.packages.oci.Descriptor;
import io.fairlead.packages.oci.PackageLimits;
import io.fairlead.packages.oci.PackageReader;
import io.fairlead.packages.oci.UnreadablePackageException;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What registries ask for and what they can do to whoever asks them. */
class RegistryImageTest {
    private static final String BLOB = "a blob";
    private static final BlobDigest DIGEST = BlobDigest.of(BLOB.getBytes(UTF_8));
    private static final String PATH = "/v2/org/package/blobs/" + DIGEST;
    /** {@code ann:secret}. */
    private static final String BASIC = "Basic YW5uOnNlY3JldA==";

    private static final Duration LONG = Duration.ofSeconds(60);
    private static final Duration SHORT = Duration.ofMillis(200);
    private static final RegistryTimes PATIENT = new RegistryTimes(LONG, LONG, LONG, LONG);

    @TempDir
    private Path folder;

    @SuppressWarnings("NullAway.Init") // set by start
    private TestRegistry registry;

    private volatile String tokenQuery = "";

    @AfterEach
    void close() {
        if (registry != null) {
            registry.close();
        }
    }

    @Test
    void registryThatAsksForNothing_getsNoCredentials() throws IOException {
        start(exchange -> answer(exchange, 200, BLOB));

        assertThat(read(credentials())).isEqualTo(BLOB);
        assertThat(registry.requests()).containsExactly(PATH + " null");
    }

    @Test
    void manifests_areAskedForByTheirPath() throws IOException {
        start(exchange -> answer(exchange, 200, BLOB));

        try (RegistryImage image = open(RegistryCredentials.none(), PATIENT);
                InputStream manifest = image.manifest(image.root())) {
            assertThat(manifest).hasContent(BLOB);
        }
        assertThat(registry.requests()).containsExactly("/v2/org/package/manifests/" + DIGEST + " null");
    }

    @Test
    void token_isFetchedOnceAndUsed() throws IOException {
        start(this::withToken);

        try (RegistryImage image = open(credentials(), PATIENT)) {
            assertThat(image.blob(Descriptor.of(DIGEST))).hasContent(BLOB);
            assertThat(image.blob(Descriptor.of(DIGEST))).hasContent(BLOB);
        }
        assertThat(registry.requests())
                .containsExactly(PATH + " null", "/token " + BASIC, PATH + " Bearer t0ken", PATH + " Bearer t0ken");
        assertThat(tokenQuery).isEqualTo("scope=repository%3Aorg%2Fpackage%3Apull&service=the+registry");
    }

    @Test
    void token_isGivenToStrangersToo() throws IOException {
        start(this::withToken);

        assertThat(read(RegistryCredentials.none())).isEqualTo(BLOB);
        assertThat(registry.requests()).containsExactly(PATH + " null", "/token null", PATH + " Bearer t0ken");
    }

    @Test
    void password_isGivenIfItIsAskedFor() throws IOException {
        start(exchange -> {
            if (authorization(exchange).equals(BASIC)) {
                answer(exchange, 200, BLOB);
            } else {
                challenge(exchange, "Basic realm=\"here\"");
            }
        });

        assertThat(read(credentials())).isEqualTo(BLOB);
        assertRefused(RegistryCredentials.none(), PATIENT, "asks for a password");
    }

    @Test
    void credentialsThatAreNotAccepted_areNamed() throws IOException {
        start(exchange -> challenge(exchange, "Basic realm=\"here\""));

        assertRefused(credentials(), PATIENT, "answered 401", "credentials of docker's config.json are not accepted");
    }

    @Test
    void redirectElsewhere_isFollowedWithoutCredentials() throws IOException {
        try (TestRegistry elsewhere = TestRegistry.start(exchange -> answer(exchange, 200, BLOB))) {
            start(exchange -> {
                if (exchange.getRequestURI().getPath().equals(PATH)
                        && authorization(exchange).startsWith("Bearer")) {
                    redirect(exchange, "http://" + elsewhere.host() + "/storage");
                } else {
                    withToken(exchange);
                }
            });

            assertThat(read(credentials())).isEqualTo(BLOB);
            assertThat(elsewhere.requests()).containsExactly("/storage null");
        }
    }

    @Test
    void redirectWithinTheRegistry_keepsCredentials() throws IOException {
        start(exchange -> {
            if (!authorization(exchange).equals(BASIC)) {
                challenge(exchange, "Basic realm=\"here\"");
            } else if (exchange.getRequestURI().getPath().equals(PATH)) {
                redirect(exchange, "/storage");
            } else {
                answer(exchange, 200, BLOB);
            }
        });

        assertThat(read(credentials())).isEqualTo(BLOB);
        assertThat(registry.requests()).contains("/storage " + BASIC);
    }

    @Test
    void whoIsRedirectedTo_isToldNothingIfItAsks() throws IOException {
        try (TestRegistry elsewhere =
                TestRegistry.start(exchange -> challenge(exchange, "Basic realm=\"give it to me\""))) {
            start(exchange -> redirect(exchange, "http://" + elsewhere.host() + "/storage"));

            assertRefused(credentials(), PATIENT, elsewhere.host() + " answered 401");
            assertThat(elsewhere.requests()).containsExactly("/storage null");
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"http://registry.example.com/x", "ftp://127.0.0.1/x", "file:///etc/passwd", "", "http://:x"})
    void redirectToWhatIsNotHttps_isRefused(String location) throws IOException {
        start(exchange -> redirect(exchange, location));

        assertRefused(credentials(), PATIENT, "redirects to \"" + location + "\" (expected an https URL)");
    }

    @Test
    void redirectInACircle_isRefused() throws IOException {
        start(exchange -> redirect(exchange, PATH));

        assertRefused(credentials(), PATIENT, "redirects more than 5 times");
        assertThat(registry.requests()).hasSize(6);
    }

    @Test
    void tokenServiceInPlainHttpElsewhere_getsNothing() throws IOException {
        start(exchange -> challenge(exchange, "Bearer realm=\"http://registry.example.com/token\""));

        assertRefused(credentials(), PATIENT, "token service \"http://registry.example.com/token\"");
    }

    @Test
    void tokenServiceThatRedirects_isRefused() throws IOException {
        start(exchange -> {
            if (exchange.getRequestURI().getPath().equals("/token")) {
                redirect(exchange, "/elsewhere");
            } else {
                challenge(exchange, "Bearer realm=\"http://" + registry.host() + "/token\"");
            }
        });

        assertRefused(credentials(), PATIENT, "token service " + registry.host() + " answered 307");
    }

    @Test
    void registryThatIsSlowToAnswer_isNamed() throws IOException {
        start(exchange -> registry.stall());

        assertRefused(credentials(), new RegistryTimes(LONG, SHORT, LONG, LONG), "did not answer in time");
    }

    @Test
    void registryThatFallsSilent_isNamed() throws IOException {
        start(exchange -> {
            exchange.sendResponseHeaders(200, BLOB.length());
            exchange.getResponseBody().write('a');
            exchange.getResponseBody().flush();
            registry.stall();
        });

        assertRefused(
                credentials(), new RegistryTimes(LONG, LONG, SHORT, LONG), "sent nothing for 200 ms in the midst");
    }

    @Test
    void registryThatTricklesOn_isEndedWithTheTotalTime() throws IOException {
        start(exchange -> {
            exchange.sendResponseHeaders(200, 0);
            // Ends when the client has gone.
            while (true) {
                exchange.getResponseBody().write(new byte[1000]);
                exchange.getResponseBody().flush();
            }
        });

        assertRefused(credentials(), new RegistryTimes(LONG, LONG, LONG, Duration.ofSeconds(1)), registry.host() + " ");
    }

    @Test
    void answerThatIsBrokenOff_isNamed() throws IOException {
        start(exchange -> {
            exchange.sendResponseHeaders(200, BLOB.length());
            exchange.getResponseBody().write('a');
            exchange.getResponseBody().flush();
        });

        assertRefused(credentials(), PATIENT, "broke off an answer");
    }

    @Test
    void registryThatIsDown_isNamed() throws IOException {
        String host;
        try (ServerSocket free = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            host = "127.0.0.1:" + free.getLocalPort();
        }
        try (RegistryImage image = RegistryImage.open(reference(host), RegistryCredentials.none(), PATIENT, null)) {
            assertThatThrownBy(() -> image.blob(Descriptor.of(DIGEST)))
                    .isInstanceOf(RegistryException.class)
                    .hasMessage(host + " cannot be connected to");
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {204, 403, 404, 429, 500, 503})
    void otherAnswer_isNamed(int status) throws IOException {
        start(exchange -> answer(exchange, status, ""));

        assertRefused(credentials(), PATIENT, "answered " + status + " for blobs/" + DIGEST + " of org/package");
    }

    @Test
    void registryThatGivesAnotherManifest_isRefusedNamingBothDigests() throws IOException {
        String other = "{\"layers\": []}";
        start(exchange -> answer(exchange, 200, other));

        try (RegistryImage image = open(RegistryCredentials.none(), PATIENT)) {
            assertThatThrownBy(() -> PackageReader.read(image, PackageLimits.DEFAULT))
                    .isInstanceOf(UnreadablePackageException.class)
                    .hasMessageContaining(DIGEST.text())
                    .hasMessageContaining(BlobDigest.of(other.getBytes(UTF_8)).text());
        }
    }

    private void withToken(HttpExchange exchange) throws IOException {
        if (exchange.getRequestURI().getPath().equals("/token")) {
            tokenQuery = exchange.getRequestURI().getRawQuery();
            answer(exchange, 200, "{\"token\": \"t0ken\"}");
        } else if (authorization(exchange).equals("Bearer t0ken")) {
            answer(exchange, 200, BLOB);
        } else {
            challenge(
                    exchange,
                    "Bearer realm=\"http://" + registry.host()
                            + "/token\",service=\"the registry\",scope=\"repository:org/package:pull\"");
        }
    }

    private void start(HttpHandler handler) throws IOException {
        registry = TestRegistry.start(handler);
    }

    private String read(RegistryCredentials credentials) throws IOException {
        try (RegistryImage image = open(credentials, PATIENT);
                InputStream blob = image.blob(Descriptor.of(DIGEST))) {
            return new String(blob.readAllBytes(), UTF_8);
        }
    }

    private void assertRefused(RegistryCredentials credentials, RegistryTimes times, String... messages) {
        try (RegistryImage image = open(credentials, times)) {
            assertThatThrownBy(() -> {
                        try (InputStream blob = image.blob(Descriptor.of(DIGEST))) {
                            blob.readAllBytes();
                        }
                    })
                    .isInstanceOf(RegistryException.class)
                    .hasMessageContainingAll(messages);
        }
    }

    private RegistryImage open(RegistryCredentials credentials, RegistryTimes times) {
        return RegistryImage.open(reference(registry.host()), credentials, times, null);
    }

    private static RegistryReference reference(String host) {
        return RegistryReference.parse(host + "/org/package@" + DIGEST);
    }

    private RegistryCredentials credentials() throws IOException {
        Path file = folder.resolve("config.json");
        Files.writeString(file, "{\"auths\": {\"" + registry.host() + "\": {\"auth\": \"YW5uOnNlY3JldA==\"}}}");
        return RegistryCredentials.read(file);
    }
}
