package io.fairlead.hosted.discovery;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.fairlead.hosted.ApiRequest;
import io.fairlead.hosted.ApiResponse;
import io.fairlead.hosted.Vitals;
import io.fairlead.model.RequestInfo;
import io.fairlead.model.StatusException;
import io.fairlead.model.UserInfo;
import io.fairlead.schema.json.Json;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class SystemPathsTest {
    private final AtomicBoolean storeIsSound = new AtomicBoolean(true);
    private final AtomicBoolean isCurrent = new AtomicBoolean(true);
    private final AtomicBoolean shuttingDown = new AtomicBoolean();
    private final SystemPaths paths =
            new SystemPaths(() -> List.of("/api"), new Vitals(storeIsSound::get, shuttingDown::get), isCurrent::get);
    private final Health health =
            new Health(List.of(new Health.Check("good", () -> true), new Health.Check("bad", () -> false)), List.of());

    @Test
    void version_isASemanticVersionOfKubernetes() {
        var version = Json.read(whole(paths.answer(get("/version", Map.of()))).body());

        assertThat(version.path("gitVersion").asString()).matches("v1\\.36\\.\\d+\\+fairlead");
        assertThat(version.path("major").asString() + "."
                        + version.path("minor").asString())
                .isEqualTo("1.36");
    }

    @Test
    void root_listsPaths() {
        assertThat(Json.read(whole(paths.answer(get("/", Map.of()))).body()).path("paths"))
                .contains(Json.nodes().stringNode("/api"), Json.nodes().stringNode("/version"));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "/healthz",
                "/healthz/ping",
                "/healthz/etcd",
                "/livez",
                "/livez/ping",
                "/livez/etcd",
                "/readyz",
                "/readyz/ping",
                "/readyz/etcd",
                "/readyz/informer-sync",
                "/readyz/shutdown"
            })
    void healthy_isOkAndListed(String path) {
        assertThat(text(paths.answer(get(path, Map.of())))).isEqualTo("ok");
        assertThat(Json.read(whole(paths.answer(get("/", Map.of()))).body()).path("paths"))
                .contains(Json.nodes().stringNode(path));
    }

    @ParameterizedTest
    @CsvSource({
        "healthz, '[+]ping ok\n[+]etcd ok\n'",
        "livez, '[+]ping ok\n[+]etcd ok\n'",
        "readyz, '[+]ping ok\n[+]etcd ok\n[+]informer-sync ok\n[+]shutdown ok\n'",
    })
    void verbose_namesTheChecks(String root, String lines) {
        assertThat(text(paths.answer(get("/" + root, Map.of("verbose", List.of(""))))))
                .isEqualTo(lines + root + " check passed\n");
    }

    /** Nothing of it is checked: kube-apiserver's hooks, and that its log is not blocked. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "/healthz/",
                "/readyz/etcd/",
                "/healthz/log",
                "/healthz/informer-sync",
                "/livez/shutdown",
                "/readyz/poststarthook",
                "/readyz/poststarthook/rbac/bootstrap-roles"
            })
    void checkThatThereIsNot_isNotFound(String path) {
        assertThatThrownBy(() -> paths.answer(get(path, Map.of())))
                .isInstanceOfSatisfying(
                        StatusException.class,
                        refusal -> assertThat(refusal.status().code()).isEqualTo(404));
    }

    @Test
    void storeThatFailed_isNotAliveNorReady() {
        storeIsSound.set(false);

        for (String root : List.of("healthz", "livez", "readyz")) {
            ApiResponse.Whole answer = whole(paths.answer(get("/" + root, Map.of())));
            assertThat(answer.status()).isEqualTo(500);
            assertThat(text(answer))
                    .startsWith("[+]ping ok\n[-]etcd failed: reason withheld\n")
                    .endsWith(root + " check failed\n");
            assertThat(text(paths.answer(get("/" + root + "/etcd", Map.of()))))
                    .isEqualTo("internal server error: etcd failed\n");
            assertThat(whole(paths.answer(get("/" + root, Map.of("exclude", List.of("etcd")))))
                            .status())
                    .isEqualTo(200);
        }
    }

    @Test
    void serverThatStops_isAliveButNotReady() {
        shuttingDown.set(true);

        assertThat(text(paths.answer(get("/readyz", Map.of())))).isEqualTo("""
            [+]ping ok
            [+]etcd ok
            [+]informer-sync ok
            [-]shutdown failed: reason withheld
            readyz check failed
            """);
        assertThat(text(paths.answer(get("/livez", Map.of())))).isEqualTo("ok");
    }

    @Test
    void cachesThatAreBehind_areAliveButNotReady() {
        isCurrent.set(false);

        assertThat(text(paths.answer(get("/readyz", Map.of())))).contains("[-]informer-sync failed: reason withheld\n");
        assertThat(text(paths.answer(get("/healthz", Map.of())))).isEqualTo("ok");
    }

    @Test
    void failedCheck_is500AndNamed() {
        ApiResponse.Whole answer = whole(health.answer(get("/livez", Map.of())));

        assertThat(answer.status()).isEqualTo(500);
        assertThat(text(answer)).isEqualTo("[+]good ok\n[-]bad failed: reason withheld\nlivez check failed\n");
        assertThat(whole(health.answer(get("/livez/bad", Map.of()))).status()).isEqualTo(500);
        assertThat(whole(health.answer(get("/livez/good", Map.of()))).status()).isEqualTo(200);
    }

    @Test
    void excludedCheck_isNotAsked() {
        assertThat(text(health.answer(
                        get("/livez", Map.of("verbose", List.of(""), "exclude", List.of("bad", "unknown"))))))
                .isEqualTo("""
                    [+]good ok
                    [+]bad excluded: ok
                    warn: some health checks cannot be excluded: no matches for "unknown"
                    livez check passed
                    """);
    }

    @Test
    void unknownCheck_isNotFound() {
        assertThatThrownBy(() -> health.answer(get("/livez/unknown", Map.of()))).isInstanceOf(StatusException.class);
    }

    @Test
    void otherPaths_areNotItsOwn() {
        assertThat(paths.answer(get("/livezz", Map.of()))).isNull();
    }

    private static ApiRequest get(String path, Map<String, List<String>> query) {
        return new ApiRequest(
                RequestInfo.nonResource(path, "get"),
                "GET",
                query,
                Map.of(),
                UserInfo.of("jane", List.of()),
                new byte[0]);
    }

    private static ApiResponse.Whole whole(@Nullable ApiResponse response) {
        return (ApiResponse.Whole) Objects.requireNonNull(response);
    }

    private static String text(@Nullable ApiResponse response) {
        return new String(whole(response).body(), StandardCharsets.UTF_8);
    }
}
