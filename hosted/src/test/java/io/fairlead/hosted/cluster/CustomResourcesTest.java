package io.fairlead.hosted.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import io.fairlead.hosted.cluster.Api.Answer;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;
import tools.jackson.databind.node.ObjectNode;

/** How definitions are established, and what they make of their objects. */
@ParameterizedClass
@EnumSource(Engine.class)
final class CustomResourcesTest extends CustomResourcesFixture {
    CustomResourcesTest(Engine engine, @TempDir Path directory) {
        super(engine, directory);
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
}
