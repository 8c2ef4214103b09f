package io.fairlead.clustersync;

import static org.assertj.core.api.Assertions.assertThat;

import io.fairlead.http.FieldName;
import io.fairlead.model.GroupVersion;
import io.fairlead.net.UpstreamFailure;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What an API server says of the resources of a group/version. */
class ResourceListTest {
    private static final GroupVersion APPS = new GroupVersion("apps", "v1");
    private static final String LIST =
            "{\"kind\":\"APIResourceList\",\"resources\":[{\"name\":\"pods\"},{\"name\":\"pods/log\"}]}";

    private final AskedUpstream upstream = new AskedUpstream();
    private final ResourceList resources = new ResourceList(upstream, () -> "t0ken", Duration.ofMillis(20));

    @ParameterizedTest
    @CsvSource({"'', v1, /api/v1", "apps, v1, /apis/apps/v1"})
    void resources_areAskedForByDiscovery(String group, String version, String path) {
        upstream.whenAsked(() -> upstream.answer(200, LIST));

        assertThat(resources.ask(new GroupVersion(group, version))).contains(Set.of("pods"));

        assertThat(upstream.heads()).singleElement().satisfies(head -> {
            assertThat(head.target()).isEqualTo(path);
            assertThat(head.fields().get(FieldName.AUTHORIZATION)).isEqualTo("Bearer t0ken");
        });
    }

    @ParameterizedTest
    @CsvSource({"200, '{}'", "200, '<html>'", "403, '{\"resources\": []}'", "404, ''"})
    void answerThatIsNone_saysNothing(int code, String body) {
        upstream.whenAsked(() -> upstream.answer(code, body));

        assertThat(resources.ask(APPS)).isEmpty();
    }

    @Test
    void answerThatIsTooLong_saysNothing() {
        String padding = " ".repeat(1 << 20);
        upstream.whenAsked(() -> upstream.answer(200, padding, LIST));

        assertThat(resources.ask(APPS)).isEmpty();
    }

    @Test
    void noAnswer_saysNothing() {
        upstream.whenAsked(() -> upstream.fail(new UpstreamFailure(UpstreamFailure.Kind.CONNECT, "refused", false)));

        assertThat(resources.ask(APPS)).isEmpty();
    }

    @ParameterizedTest
    @CsvSource({"'apps v1?x=', v1", "'..', v1", "apps, '..'", "apps, V1"})
    void groupVersionThatIsNoName_isNotAskedFor(String group, String version) {
        upstream.whenAsked(() -> upstream.answer(200, LIST));

        assertThat(resources.ask(new GroupVersion(group, version))).isEmpty();
        assertThat(upstream.heads()).isEmpty();
    }

    @Test
    void secondQuestion_isNotAskedBeforeTheFirstIsAnswered() {
        upstream.whenAsked(() -> {
            upstream.whenAsked(() -> upstream.answer(200, LIST));
            assertThat(CompletableFuture.supplyAsync(() -> resources.ask(APPS)).join())
                    .isEmpty();
            upstream.answer(200, LIST);
        });

        assertThat(resources.ask(APPS)).contains(Set.of("pods"));
        assertThat(upstream.heads()).hasSize(1);
        assertThat(resources.ask(APPS)).contains(Set.of("pods"));
    }
}
