package io.fairlead.hosted.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import io.fairlead.hosted.cluster.Api.Answer;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** A cluster that is created again knows nothing of the revisions of the one before it. */
class IncarnationTest {
    private static final String MAPS = "/api/v1/namespaces/default/configmaps";

    private final Fixture fixture = new Fixture();

    @AfterEach
    void close() {
        fixture.close();
    }

    @Test
    void revision_ofAPredecessor_isExpired() {
        Api before = fixture.dev();
        String revision =
                before.create(MAPS, "metadata: {name: one}").expect(201).resourceVersion();
        before.create(MAPS, "metadata: {name: two}").expect(201);
        String token = before.get(MAPS + "?limit=1").expect(200).at("/metadata/continue");
        fixture.clusters.delete(Fixture.DEV);
        Api now = fixture.dev();

        try (Events events = now.watch(MAPS + "?resourceVersion=" + revision)) {
            Events.Event error = events.next();
            assertThat(error.type()).isEqualTo("ERROR");
            assertThat(error.object().path("code").asInt()).isEqualTo(410);
            assertThat(events.nextOrNull()).isNull();
        }
        for (String parameters : List.of(
                "?resourceVersionMatch=Exact&resourceVersion=" + revision,
                "?limit=5&resourceVersion=" + revision,
                "?limit=5&continue=" + token)) {
            assertThat(now.get(MAPS + parameters).expect(410).reason()).isEqualTo("Expired");
        }
        now.delete(MAPS + "?resourceVersionMatch=Exact&resourceVersion=" + revision, "{}")
                .expect(410);
    }

    @Test
    void revision_ofItsOwn_isResumed_afterItWasClosedToo() {
        String revision = fixture.dev().get(MAPS).resourceVersion();
        String first = fixture.dev().create(MAPS, "metadata: {name: one}").resourceVersion();
        fixture.clusters.close(Fixture.DEV);

        try (Events events = fixture.dev().watch(MAPS + "?resourceVersion=" + revision)) {
            assertThat(events.next().text()).isEqualTo("ADDED one@" + first);
        }
    }

    @Test
    void newCluster_isWatchedFromItsFirstRevision() {
        Api api = fixture.dev();
        Answer all = api.get("/api/v1/namespaces").expect(200);

        assertThat(all.body().path("items")).isNotEmpty();
        try (Events events = api.watch("/api/v1/namespaces?resourceVersion=" + all.resourceVersion())) {
            api.create("/api/v1/namespaces", "metadata: {name: other}").expect(201);
            assertThat(events.next().name()).isEqualTo("other");
        }
    }
}
