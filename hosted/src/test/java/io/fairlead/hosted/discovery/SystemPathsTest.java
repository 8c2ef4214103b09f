package io.fairlead.hosted.discovery;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.fairlead.hosted.ApiRequest;
import io.fairlead.hosted.ApiResponse;
import io.fairlead.model.RequestInfo;
import io.fairlead.model.StatusException;
import io.fairlead.model.UserInfo;
import io.fairlead.schema.json.Json;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class SystemPathsTest {
    private final SystemPaths paths = new SystemPaths(() -> List.of("/api"), () -> true);
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
    @CsvSource({"/healthz", "/livez", "/readyz", "/readyz/ping"})
    void healthy_isOk(String path) {
        assertThat(text(paths.answer(get(path, Map.of())))).isEqualTo("ok");
    }

    @Test
    void verbose_namesTheChecks() {
        assertThat(text(paths.answer(get("/readyz", Map.of("verbose", List.of(""))))))
                .isEqualTo("[+]ping ok\n[+]informer-sync ok\nreadyz check passed\n");
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
        assertThat(paths.answer(get("/livez/a/b", Map.of()))).isNull();
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
