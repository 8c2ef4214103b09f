package io.fairlead.hosted.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import io.fairlead.hosted.TypeEvent;
import io.fairlead.hosted.cluster.Api.Answer;
import io.fairlead.hosted.cluster.Events.Event;
import io.fairlead.schema.json.Json;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** The lives of CustomResourceDefinitions and of their objects. */
@ParameterizedClass
@EnumSource(Engine.class)
class CustomResourcesTest {
    private static final String CRDS = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions";
    private static final String FOOS = "/apis/example.com/v1/namespaces/default/foos";
    private static final String BARS = "/apis/example.com/v1/namespaces/default/bars";

    private final Fixture fixture;
    private final Api api;

    CustomResourcesTest(Engine engine, @TempDir Path directory) {
        fixture = new Fixture(engine, directory);
        api = fixture.dev();
    }

    @AfterEach
    void close() {
        fixture.close();
    }

    private static String crd(String plural, String kind) {
        return """
            apiVersion: apiextensions.k8s.io/v1
            kind: CustomResourceDefinition
            metadata: {name: %1$s.example.com}
            spec:
              group: example.com
              scope: Namespaced
              names: {plural: %1$s, kind: %2$s}
              versions:
              - name: v1
                served: true
                storage: true
                subresources: {status: {}}
                selectableFields: [{jsonPath: .spec.color}]
                schema:
                  openAPIV3Schema:
                    type: object
                    properties:
                      spec:
                        type: object
                        required: [size]
                        properties:
                          size: {type: integer, minimum: 1}
                          color: {type: string, default: red}
                      status:
                        type: object
                        properties:
                          phase: {type: string}
            """.formatted(plural, kind);
    }

    private void establish(String plural, String kind) {
        api.create(CRDS, crd(plural, kind)).expect(201);
        awaitEstablished(plural);
    }

    private void awaitEstablished(String plural) {
        Fixture.eventually(
                plural + " is established",
                () -> condition(plural, "Established").equals("True"));
    }

    private String condition(String plural, String type) {
        JsonNode conditions =
                api.get(CRDS + "/" + plural + ".example.com").body().at("/status/conditions");
        return conditions
                .valueStream()
                .filter(condition -> condition.path("type").asString("").equals(type))
                .map(condition -> condition.path("status").asString(""))
                .findFirst()
                .orElse("");
    }

    private static String foo(String name, int size) {
        return "apiVersion: example.com/v1\nkind: Foo\nmetadata: {name: " + name + "}\nspec: {size: " + size + "}";
    }

    private static JsonNode tree(String json) {
        return Json.read(json.getBytes(StandardCharsets.UTF_8));
    }

    @Test
    void definition_isEstablishedWithItsNames() {
        establish("foos", "Foo");

        Answer definition = api.get(CRDS + "/foos.example.com");
        assertThat(definition.at("/status/acceptedNames/singular")).isEqualTo("foo");
        assertThat(definition.at("/status/acceptedNames/listKind")).isEqualTo("FooList");
        assertThat(definition.at("/status/storedVersions/0")).isEqualTo("v1");
        assertThat(definition.body().at("/metadata/generation").asInt()).isEqualTo(1);
        assertThat(condition("foos", "NamesAccepted")).isEqualTo("True");
    }

    @Test
    void definition_thatIsInvalid_namesEachField() {
        Answer refused = api.create(CRDS, crd("foos", "Foo").replace("storage: true", "storage: false"))
                .expect(422);

        assertThat(refused.message())
                .startsWith("CustomResourceDefinition.apiextensions.k8s.io \"foos.example.com\" is invalid: ")
                .contains("spec.versions: Invalid value");
        api.create(CRDS, crd("foos", "Foo").replace("type: integer", "type: nonsense"))
                .expect(422);
        api.create(CRDS, crd("foos", "Foo").replace("foos.example.com", "other.example.com"))
                .expect(422);
    }

    @Test
    void definition_withATakenKind_waitsUntilItIsFree() {
        establish("foos", "Foo");
        api.create(CRDS, crd("others", "Foo")).expect(201);
        Fixture.eventually(
                "the conflict is told",
                () -> condition("others", "NamesAccepted").equals("False"));
        assertThat(condition("others", "Established")).isEqualTo("False");
        api.get("/apis/example.com/v1/namespaces/default/others").expect(404);

        api.delete(CRDS + "/foos.example.com").expect(200);

        awaitEstablished("others");
    }

    @Test
    void definition_withATakenShortName_leavesTheFirstUntouched_andGetsItOnceItIsFree() {
        api.create(CRDS, crd("foos", "Foo").replace("kind: Foo}", "kind: Foo, shortNames: [fo]}"))
                .expect(201);
        awaitEstablished("foos");
        Answer first = api.get(CRDS + "/foos.example.com");

        api.create(CRDS, crd("bars", "Bar").replace("kind: Bar}", "kind: Bar, shortNames: [fo]}"))
                .expect(201);

        Fixture.eventually(
                "the conflict is told", () -> condition("bars", "NamesAccepted").equals("False"));
        ObjectNode status =
                (ObjectNode) api.get(CRDS + "/bars.example.com").body().path("status");
        status.path("conditions").forEach(condition -> ((ObjectNode) condition).remove("lastTransitionTime"));
        assertThat(status)
                .isEqualTo(tree("{\"conditions\":[{\"type\":\"NamesAccepted\",\"status\":\"False\",\"reason\":"
                        + "\"ShortNamesConflict\",\"message\":\"\\\"fo\\\" is already in use\"},{\"type\":"
                        + "\"Established\",\"status\":\"False\",\"reason\":\"NotAccepted\",\"message\":"
                        + "\"not all names are accepted\"}],\"acceptedNames\":{\"plural\":\"bars\",\"singular\":"
                        + "\"bar\",\"kind\":\"Bar\",\"listKind\":\"BarList\"},\"storedVersions\":[\"v1\"]}"));
        assertThat(api.get(CRDS + "/foos.example.com").body()).isEqualTo(first.body());
        api.get(FOOS).expect(200);
        api.get("/apis/example.com/v1/namespaces/default/bars").expect(404);

        api.delete(CRDS + "/foos.example.com").expect(200);

        awaitEstablished("bars");
        assertThat(api.get(CRDS + "/bars.example.com").at("/status/acceptedNames/shortNames/0"))
                .isEqualTo("fo");
    }

    @Test
    void object_isPrunedDefaultedAndValidated() {
        establish("foos", "Foo");

        Answer created = api.create(FOOS, foo("a", 3).replace("size: 3", "size: 3, odd: true"))
                .expect(201);

        assertThat(created.at("/spec/color")).isEqualTo("red");
        assertThat(created.body().path("spec").has("odd")).isFalse();
        assertThat(created.headers().get("Warning")).containsExactly("299 - \"unknown field \\\"spec.odd\\\"\"");
        assertThat(created.body().at("/metadata/generation").asInt()).isEqualTo(1);
        Answer refused = api.create(FOOS, foo("b", 0)).expect(422);
        assertThat(refused.message())
                .isEqualTo("Foo.example.com \"b\" is invalid: spec.size: Invalid value: 0: spec.size in body should be"
                        + " greater than or equal to 1");
        assertThat(refused.at("/details/causes/0/field")).isEqualTo("spec.size");
        assertThat(api.create(FOOS + "?fieldValidation=Strict", foo("b", 1).replace("size: 1", "size: 1, odd: 1"))
                        .expect(400)
                        .message())
                .contains("strict decoding error: unknown field \"spec.odd\"");
    }

    @Test
    void object_ofTheWrongKindOrVersion_isRefused() {
        establish("foos", "Foo");

        api.create(FOOS, foo("a", 1).replace("kind: Foo", "kind: Bar")).expect(422);
        api.create(FOOS, foo("a", 1).replace("example.com/v1", "example.com/v2"))
                .expect(400);
        api.create(FOOS, "metadata: {name: a}").expect(400);
        api.create("/apis/example.com/v1/foos", foo("a", 1)).expect(404);
    }

    @Test
    void update_needsAResourceVersionAndCountsGenerations() {
        establish("foos", "Foo");
        Answer created = api.create(FOOS, foo("a", 1)).expect(201);

        Answer refused = api.replace(FOOS + "/a", foo("a", 2)).expect(422);
        Answer labelled = api.merge(FOOS + "/a", "{\"metadata\":{\"labels\":{\"x\":\"y\"}}}")
                .expect(200);
        Answer changed = api.merge(FOOS + "/a", "{\"spec\":{\"size\":2}}").expect(200);

        assertThat(refused.message())
                .contains("metadata.resourceVersion: Invalid value", "must be specified for an update");
        assertThat(labelled.body().at("/metadata/generation").asInt()).isEqualTo(1);
        assertThat(changed.body().at("/metadata/generation").asInt()).isEqualTo(2);
        api.replace(FOOS + "/a", created.body()).expect(409);
        api.replace(FOOS + "/missing", foo("missing", 1)).expect(404);
    }

    @Test
    void status_changesOnlyByItsSubresource() {
        establish("foos", "Foo");
        Answer created =
                api.create(FOOS, foo("a", 1) + "\nstatus: {phase: Mine}").expect(201);
        assertThat(created.body().has("status")).isFalse();

        api.merge(FOOS + "/a", "{\"status\":{\"phase\":\"Mine\"}}").expect(200);
        Answer status = api.merge(
                        FOOS + "/a/status",
                        "{\"metadata\":{\"labels\":{\"x\":\"y\"}},\"spec\":{\"size\":9},\"status\":{\"phase\":\"Ready\"}}")
                .expect(200);

        assertThat(status.at("/status/phase")).isEqualTo("Ready");
        assertThat(status.body().at("/spec/size").asInt()).isEqualTo(1);
        assertThat(status.body().path("metadata").has("labels")).isFalse();
        assertThat(status.body().at("/metadata/generation").asInt()).isEqualTo(1);
        assertThat(api.get(FOOS + "/a/status").at("/status/phase")).isEqualTo("Ready");
        api.get(FOOS + "/a/scale").expect(404);
    }

    @Test
    void selectableFields_chooseObjects() {
        establish("foos", "Foo");
        api.create(FOOS, foo("a", 1)).expect(201);
        api.create(FOOS, foo("b", 1).replace("size: 1", "size: 1, color: blue")).expect(201);

        Answer list = api.get(FOOS + "?fieldSelector=spec.color=blue").expect(200);

        assertThat(list.body().path("items").size()).isEqualTo(1);
        assertThat(list.at("/items/0/kind")).isEqualTo("Foo");
        api.get(FOOS + "?fieldSelector=spec.size=1").expect(400);
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

        Answer deleted = api.delete(CRDS + "/foos.example.com").expect(200);

        assertThat(deleted.at("/metadata/finalizers/0")).isEqualTo("customresourcecleanup.apiextensions.k8s.io");
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
