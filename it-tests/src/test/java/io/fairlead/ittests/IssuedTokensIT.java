package io.fairlead.ittests;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;

/**
 * Tokens of OpenID providers: of one that others wrote, into which users log in, and of one that signs anything. A real
 * kube-apiserver with the same {@code AuthenticationConfiguration} is asked the same.
 */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
final class IssuedTokensIT {
    private static final Path FOLDER = Checkout.scratch("IssuedTokensIT");
    private static final Path CONFIGURATION = FOLDER.resolve("authentication.yaml");
    private static final Duration SOON = Duration.ofSeconds(30);
    private static final String WHO = "/apis/authentication.k8s.io/v1/selfsubjectreviews";
    private static final String REVIEW =
            "{\"apiVersion\": \"authentication.k8s.io/v1\", \"kind\": \"SelfSubjectReview\"}";

    @SuppressWarnings("NullAway.Init") // made before all tests
    private StaticIssuer issuer;

    @SuppressWarnings("NullAway.Init") // made before all tests
    private StaticIssuer mapped;

    @SuppressWarnings("NullAway.Init") // made before all tests
    private OpenIdProvider provider;

    @SuppressWarnings("NullAway.Init") // made before all tests
    private OpenIdProvider brief;

    @SuppressWarnings("NullAway.Init") // made before all tests
    private KubeCluster kube;

    @SuppressWarnings("NullAway.Init") // made before all tests
    private FairleadProcess fairlead;

    @BeforeAll
    void start() throws Exception {
        BackendIdentity identity = BackendIdentity.make(FOLDER, "default", List.of("issuer"));
        Path certificates = FOLDER.resolve("certificates");
        identity.install(certificates);
        issuer = new StaticIssuer(identity);
        mapped = new StaticIssuer(identity);
        provider = OpenIdProvider.start("provider", FOLDER, certificates);
        brief = OpenIdProvider.start("brief", FOLDER, certificates, "-lifetime", "4s");
        Files.writeString(CONFIGURATION, configuration(Files.readString(certificates.resolve("apiserver.crt"))));
        kube = KubeCluster.start(
                Checkout.scratch("IssuedTokensIT-kube"), List.of("--authentication-config=" + CONFIGURATION));
        // Where the tests run under nohup, SIGHUP is ignored, and a JVM leaves it so.
        fairlead = FairleadProcess.startBy(
                List.of("env", "--default-signal=HUP", Checkout.launcher().toString()),
                FOLDER,
                "--authentication-config",
                CONFIGURATION.toString(),
                "--limits-failed-authentications-per-second-max",
                "100000",
                "--log-refused-per-second-max",
                "1000");
        assertThat(fairlead.command("cluster", "create", "dev").exitCode()).isZero();
        fairlead.attach("real", kube.kubeconfig());
        FairleadUsers.admitGroup(fairlead, "system:authenticated", "dev");
        FairleadUsers.admitGroup(fairlead, "oidc:dev", "real");
    }

    @AfterAll
    void stop() {
        for (AutoCloseable one : new ArrayList<>(List.of(fairlead, kube, provider, brief, issuer, mapped))) {
            try {
                one.close();
            } catch (Exception e) {
                throw new IllegalStateException(e);
            }
        }
    }

    private String configuration(String certificate) {
        return """
            apiVersion: apiserver.config.k8s.io/v1
            kind: AuthenticationConfiguration
            jwt:
            - issuer:
                url: PROVIDER
                audiences: [fairlead]
                certificateAuthority: CERTIFICATE
              claimMappings:
                username: {claim: sub, prefix: "oidc:"}
                groups: {claim: groups, prefix: "oidc:"}
            - issuer:
                url: BRIEF
                audiences: [fairlead]
                certificateAuthority: CERTIFICATE
              claimMappings:
                username: {claim: sub, prefix: "brief:"}
                groups: {claim: groups, prefix: "brief:"}
            - issuer:
                url: ISSUER
                audiences: [fairlead, other]
                audienceMatchPolicy: MatchAny
                certificateAuthority: CERTIFICATE
              claimMappings:
                username: {claim: email, prefix: "oidc:"}
                groups: {claim: groups, prefix: "oidc:"}
                uid: {claim: oid}
            - issuer:
                url: MAPPED
                audiences: [fairlead]
                certificateAuthority: CERTIFICATE
              claimValidationRules:
              - expression: "claims.exp - claims.iat <= 86400"
                message: tokens may last for a day
              - claim: hd
                requiredValue: example.com
              claimMappings:
                username: {expression: "'cel:' + claims.sub"}
                groups: {expression: "claims.roles.split(',').map(r, 'cel:' + r)"}
                uid: {expression: "claims.?oid.orValue('none')"}
                extra:
                - {key: example.com/level, valueExpression: "string(claims.level)"}
                - {key: example.com/tenants, valueExpression: "claims.?tenants.orValue([])"}
                - {key: example.com/dotted, valueExpression: "claims.example__dot__org"}
              userValidationRules:
              - expression: "!user.username.startsWith('cel:root')"
                message: root stays out
              - expression: "user.groups.all(g, g.size() < 100)"
            """.replace("PROVIDER", provider.issuer())
                .replace("BRIEF", brief.issuer())
                .replace("ISSUER", issuer.url())
                .replace("MAPPED", mapped.url())
                .replace("CERTIFICATE", "\"" + certificate.replace("\n", "\\n") + "\"");
    }

    @Test
    void tokens_areTakenAndRefused_asARealServerDoes_forTheSameUsers() throws Exception {
        List<TokenCases.Case> cases = new TokenCases(issuer, mapped).all();
        assertThat(cases).hasSizeGreaterThan(60);
        List<String> differences = new ArrayList<>();
        int accepted = 0;
        for (TokenCases.Case one : cases) {
            String real = who(kube.url(), one.token());
            String ours = who(fairlead.endpoint() + "/clusters/dev", one.token());
            if (!real.equals(ours) && !one.what().equals(TokenCases.NAMELESS)) {
                differences.add(one.what() + ":\n  " + real + "\n  " + ours);
            }
            accepted += real.startsWith("201") ? 1 : 0;
        }
        assertThat(differences).isEmpty();
        assertThat(accepted).isBetween(15, cases.size() - 30);
    }

    /** The status, and the user of an accepted token. */
    private static String who(String url, String token) throws IOException, InterruptedException {
        try (HttpProbe probe = HttpProbe.withToken(url, token)) {
            HttpProbe.Answer answer = probe.send("POST", WHO, "application/json", REVIEW);
            return answer.status() == 201 ? "201 " + user(answer.body()) : String.valueOf(answer.status());
        }
    }

    private static JsonElement user(String body) {
        return JsonParser.parseString(body)
                .getAsJsonObject()
                .getAsJsonObject("status")
                .get("userInfo");
    }

    @Test
    void userWhoLogsIn_entersByTheGroupsOfTheToken_inHostedAndAttachedClusters() throws Exception {
        String token = provider.login("test-user2");

        for (String cluster : List.of("dev", "real")) {
            JsonObject user = JsonParser.parseString(who(fairlead.endpoint() + "/clusters/" + cluster, token)
                            .substring(4))
                    .getAsJsonObject();
            assertThat(user.get("username").getAsString()).isEqualTo("oidc:id2");
            assertThat(user.getAsJsonArray("groups"))
                    .extracting(JsonElement::getAsString)
                    .containsExactly("oidc:dev", "oidc:ops", "oidc:system:masters", "system:authenticated");
        }
        assertThat(who(fairlead.endpoint() + "/clusters/root", token)).isEqualTo("403");
        assertThat(who(kube.url(), token)).isEqualTo(who(fairlead.endpoint() + "/clusters/real", token));
    }

    @Test
    void replacedKeys_failNoRequest_andAKeyThatIsWithdrawnCountsNoMore() throws Exception {
        AtomicBoolean isOver = new AtomicBoolean();
        AtomicInteger sent = new AtomicInteger();
        List<String> failures = new ArrayList<>();
        String[] current = {provider.login("test-user2")};
        List<Thread> load = new ArrayList<>();
        for (int i = 0; i < 4; i++) {
            load.add(Thread.ofVirtual().start(() -> {
                try (HttpProbe probe = HttpProbe.overHttp2(fairlead.endpoint() + "/clusters/dev", "unused")) {
                    while (!isOver.get()) {
                        String token = current[0];
                        HttpProbe.Answer answer =
                                probe.get("/api/v1/namespaces/default", Map.of("Authorization", "Bearer " + token));
                        sent.incrementAndGet();
                        if (answer.status() != 403) { // known, and without rights inside
                            synchronized (failures) {
                                failures.add(answer.status() + " " + answer.body());
                            }
                        }
                    }
                } catch (IOException | InterruptedException e) {
                    synchronized (failures) {
                        failures.add(e.toString());
                    }
                }
            }));
        }
        String old = current[0];
        for (int round = 0; round < 2; round++) {
            provider.replaceKey(false);
            current[0] = provider.login("test-user2");
            int before = sent.get();
            Await.until("more requests", SOON, () -> sent.get() > before + 300);
            // Between two readings of the keys for tokens of unknown ones are ten seconds.
            Instant next = Instant.now().plusSeconds(11);
            Await.until("keys may be read again", SOON, () -> Instant.now().isAfter(next));
        }
        isOver.set(true);
        for (Thread thread : load) {
            thread.join();
        }
        assertThat(failures).isEmpty();
        assertThat(who(fairlead.endpoint() + "/clusters/dev", old))
                .as("its key is still published")
                .startsWith("201");

        provider.replaceKey(true);
        String newest = provider.login("test-user2");
        assertThat(who(fairlead.endpoint() + "/clusters/dev", newest)).startsWith("201");
        Await.until("the old token is refused", SOON, () -> isRefused(old));
        assertThat(who(fairlead.endpoint() + "/clusters/dev", newest)).startsWith("201");
    }

    private boolean isRefused(String token) {
        try {
            return who(fairlead.endpoint() + "/clusters/dev", token).equals("401");
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(e);
        }
    }

    @Test
    void tokenThatExpires_isRefusedThen_andItsBearerIsTold() throws Exception {
        String token = brief.login("test-user2");
        assertThat(who(fairlead.endpoint() + "/clusters/dev", token)).startsWith("201");

        Await.until("it has expired", SOON, () -> isRefused(token));

        try (HttpProbe probe = HttpProbe.withToken(fairlead.endpoint() + "/clusters/dev", token)) {
            JsonObject status =
                    JsonParser.parseString(probe.get("/version").body()).getAsJsonObject();
            assertThat(status.get("reason").getAsString()).isEqualTo("Unauthorized");
            assertThat(status.get("message").getAsString())
                    .startsWith("Unauthorized: the token cannot be accepted: it expired at 2");
        }
        assertThat(fairlead.log()).contains("TokenExpired").doesNotContain(token);
    }

    @Test
    void fileThatCannotBeUsed_changesNothing_andProbesSaySo() throws Exception {
        String written = Files.readString(CONFIGURATION);
        try {
            Files.writeString(CONFIGURATION, written.replace("claim: sub", "claim: ''"));
            fairlead.hangUp();
            Await.until("the log says it", SOON, () -> fairlead.log().contains("claim or expression is required"));
            try (HttpProbe probe = new HttpProbe(fairlead.endpoint(), Map.of())) {
                assertThat(probe.get("/readyz?verbose").body())
                        .contains("[+]configured-files ok: a changed one cannot be used");
            }
            assertThat(who(fairlead.endpoint() + "/clusters/dev", issuer.sign(TokenCases.claims(issuer, "{}"))))
                    .startsWith("201");
        } finally {
            Files.writeString(CONFIGURATION, written);
            fairlead.hangUp();
        }
        Await.until("it is well again", SOON, () -> readyz().contains("[+]configured-files ok\n"));
    }

    private String readyz() {
        try (HttpProbe probe = new HttpProbe(fairlead.endpoint(), Map.of())) {
            return probe.get("/readyz?verbose").body();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(e);
        }
    }
}
