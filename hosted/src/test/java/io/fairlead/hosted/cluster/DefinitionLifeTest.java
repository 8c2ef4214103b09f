package io.fairlead.hosted.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import io.fairlead.hosted.TypeEvent;
import io.fairlead.hosted.cluster.Api.Answer;
import io.fairlead.hosted.cluster.Events.Event;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

/** What becomes of objects, watches and observers when a definition changes or goes. */
@ParameterizedClass
@EnumSource(Engine.class)
final class DefinitionLifeTest extends CustomResourcesFixture {
    DefinitionLifeTest(Engine engine, @TempDir Path directory) {
        super(engine, directory);
    }

    @Test
    void schemaChange_endsWatchesAndReinterpretsObjects() {
        establish("foos", "Foo");
        Answer created = api.create(FOOS, foo("a", 1)).expect(201);
        Events events = api.watch(FOOS + "?resourceVersion=" + created.resourceVersion());

        api.patch(
                        CRDS + "/foos.example.com",
                        "[{\"op\":\"add\",\"path\":\"/spec/versions/0/schema/openAPIV3Schema/properties/spec/properties/shape\","
                            + "\"value\":{\"type\":\"string\",\"default\":\"round\"}}]")
                .expect(200);

        assertThat(events.nextOrNull()).isNull();
        assertThat(api.get(FOOS + "/a").at("/spec/shape")).isEqualTo("round");
        try (Events again = api.watch(FOOS + "?resourceVersion=" + created.resourceVersion())) {
            api.delete(FOOS + "/a").expect(200);
            assertThat(again.next().object().at("/spec/shape").stringValue()).isEqualTo("round");
        }
    }

    @Test
    void deletionOfADefinition_leavesItsNeighbourAlone() throws Exception {
        establish("foos", "Foo");
        establish("bars", "Bar");
        api.create(BARS, foo("b", 1).replace("Foo", "Bar")).expect(201);
        api.create(FOOS, foo("a", 1)).expect(201);
        AtomicBoolean stop = new AtomicBoolean();
        AtomicInteger failures = new AtomicInteger();
        AtomicInteger successes = new AtomicInteger();
        Thread reader = Thread.ofVirtual().start(() -> {
            while (!stop.get()) {
                (api.get(BARS + "/b").code() == 200 ? successes : failures).incrementAndGet();
            }
        });
        api.delete(CRDS + "/foos.example.com").expect(200);
        Fixture.eventually(
                "foos is gone", () -> api.get(CRDS + "/foos.example.com").code() == 404);
        Fixture.eventually("enough was read", () -> successes.get() > 1000);
        stop.set(true);
        reader.join();

        assertThat(failures).hasValue(0);
        api.get(FOOS + "/a").expect(404);
        assertThat(fixture.store.list("/c/", null, 0, fixture.store.revision()))
                .noneMatch(entry -> entry.key().contains("/foos/"));
    }

    @Test
    void deletionOfADefinition_waitsForFinalizersOfItsObjects() {
        establish("foos", "Foo");
        api.create(FOOS, foo("a", 1).replace("name: a", "name: a, finalizers: [example.com/f]"))
                .expect(201);
        Events events = api.watch(FOOS + "?resourceVersion=" + fixture.store.revision());

        Answer deleted = api.delete(CRDS + "/foos.example.com?propagationPolicy=Foreground")
                .expect(200);

        assertThat(deleted.body().path("metadata").path("finalizers").toString())
                .isEqualTo("[\"customresourcecleanup.apiextensions.k8s.io\"]");
        assertThat(deleted.body().path("metadata").path("generation").asInt()).isEqualTo(1);
        assertThat(deleted.body().path("metadata").has("deletionGracePeriodSeconds"))
                .isFalse();
        assertThat(api.create(FOOS, foo("late", 1)).expect(403).message())
                .isEqualTo("foos.example.com \"late\" is forbidden: create not allowed while custom resource"
                        + " definition is terminating");
        assertThat(api.create(FOOS, foo("late", 1).replace("name: late", "generateName: late-"))
                        .expect(403)
                        .message())
                .startsWith("foos.example.com is forbidden: create not allowed");
        Event marked = events.next();
        assertThat(marked.type()).isEqualTo("MODIFIED");
        api.merge(FOOS + "/a", "{\"metadata\":{\"finalizers\":null}}").expect(200);
        assertThat(events.next().type()).isEqualTo("DELETED");
        assertThat(events.nextOrNull()).isNull();
        Fixture.eventually(
                "foos is gone", () -> api.get(CRDS + "/foos.example.com").code() == 404);
        establish("foos", "Foo");
        assertThat(api.get(FOOS).expect(200).body().path("items")).isEmpty();
    }

    @Test
    void deletionOfANamespace_deletesEverythingInIt() {
        establish("foos", "Foo");
        api.create("/api/v1/namespaces", "metadata: {name: work}").expect(201);
        api.create("/api/v1/namespaces/work/configmaps", "metadata: {name: m}").expect(201);
        api.create(
                        "/apis/example.com/v1/namespaces/work/foos",
                        foo("a", 1).replace("name: a", "name: a, finalizers: [example.com/f]"))
                .expect(201);

        Answer deleted = api.delete("/api/v1/namespaces/work").expect(200);

        assertThat(deleted.at("/status/phase")).isEqualTo("Terminating");
        assertThat(deleted.body().path("metadata").has("deletionGracePeriodSeconds"))
                .isFalse();
        Answer refused = api.create("/api/v1/namespaces/work/configmaps", "metadata: {name: late}")
                .expect(403);
        assertThat(refused.message())
                .isEqualTo(
                        "configmaps \"late\" is forbidden: unable to create new content in namespace work because it is"
                                + " being terminated");
        assertThat(refused.at("/details/causes/0/reason")).isEqualTo("NamespaceTerminating");
        Fixture.eventually(
                "the finalizer is told",
                () -> api.get("/api/v1/namespaces/work")
                        .body()
                        .toString()
                        .contains("example.com/f in 1 resource instances"));
        assertThat(api.get("/api/v1/namespaces/work").body().toString())
                .contains("foos.example.com has 1 resource instances");
        api.get("/api/v1/namespaces/work/configmaps/m").expect(404);

        api.merge("/apis/example.com/v1/namespaces/work/foos/a", "{\"metadata\":{\"finalizers\":null}}")
                .expect(200);

        Fixture.eventually(
                "work is gone", () -> api.get("/api/v1/namespaces/work").code() == 404);
        api.delete("/api/v1/namespaces/default").expect(403);
    }

    @Test
    void finalize_changesTheFinalizersOfANamespace() {
        Answer created = api.create(
                        "/api/v1/namespaces", "metadata: {name: work}\nspec: {finalizers: [example.com/own]}")
                .expect(201);
        assertThat(created.at("/metadata/labels/kubernetes.io~1metadata.name")).isEqualTo("work");
        api.delete("/api/v1/namespaces/work").expect(200);
        Fixture.eventually(
                "the content is gone",
                () -> api.get("/api/v1/namespaces/work")
                                .body()
                                .at("/spec/finalizers")
                                .size()
                        == 1);

        api.replace("/api/v1/namespaces/work/finalize", "metadata: {name: work}\nspec: {}")
                .expect(200);

        api.get("/api/v1/namespaces/work").expect(404);
    }

    @Test
    void observer_isToldOfTypesAsTheyComeAndGo() throws Exception {
        establish("foos", "Foo");
        api.get(FOOS).expect(200);
        List<TypeEvent> told = new CopyOnWriteArrayList<>();
        try (AutoCloseable observing = fixture.clusters.open(Fixture.DEV).observeTypes(told::add)) {
            assertThat(told)
                    .singleElement()
                    .isInstanceOfSatisfying(
                            TypeEvent.Complete.class,
                            complete -> assertThat(complete.types())
                                    .anySatisfy(type -> assertThat(type.name()).isEqualTo("foos.example.com"))
                                    .anySatisfy(
                                            type -> assertThat(type.versions()).containsExactly("v1")));
            api.delete(CRDS + "/foos.example.com").expect(200);

            Fixture.eventually("the removal is told", () -> told.getLast() instanceof TypeEvent.Removed);
            assertThat(observing).isNotNull();
        }
    }

    @Test
    void observer_isToldOfAnnotationsThatChange() throws Exception {
        establish("foos", "Foo");
        List<TypeEvent> told = new CopyOnWriteArrayList<>();
        try (AutoCloseable observing = fixture.clusters.open(Fixture.DEV).observeTypes(told::add)) {
            api.merge(
                            CRDS + "/foos.example.com",
                            "{\"metadata\":{\"annotations\":{\"fairlead.io/implementation\":\"two\"}}}")
                    .expect(200);

            Fixture.eventually(
                    "the annotation is told",
                    () -> told.getLast() instanceof TypeEvent.Upserted(TypeEvent.ServedType type, long _)
                            && type.definition() != null
                            && type.definition()
                                    .tree()
                                    .at("/metadata/annotations/fairlead.io~1implementation")
                                    .asString("")
                                    .equals("two"));
            api.create(FOOS, foo("a", 1)).expect(201);
            assertThat(observing).isNotNull();
        }
    }

    @Test
    void restart_keepsDefinitionsAndObjects() {
        establish("foos", "Foo");
        Answer created = api.create(FOOS, foo("a", 1)).expect(201);
        fixture.clusters.close();

        try (Fixture again = new Fixture(fixture.store, Fixture.settings(16, 16), List.of())) {
            assertThat(again.dev().get(FOOS + "/a").expect(200).body()).isEqualTo(created.body());
        }
    }
}
