package io.fairlead.hosted.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import io.fairlead.hosted.cluster.Api.Answer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

/** How objects are created, changed and deleted. */
@ParameterizedClass
@EnumSource(Engine.class)
final class ObjectsTest extends ObjectsFixture {
    ObjectsTest(Engine engine, @TempDir Path directory) {
        super(engine, directory);
    }

    @Test
    void create_answersTheObjectWithSystemMetadata() {
        Answer created = createMap("one");

        assertThat(created.at("/kind")).isEqualTo("ConfigMap");
        assertThat(created.at("/apiVersion")).isEqualTo("v1");
        assertThat(created.at("/metadata/namespace")).isEqualTo("default");
        assertThat(created.at("/metadata/uid")).hasSize(36);
        assertThat(created.at("/metadata/creationTimestamp")).endsWith("Z");
        assertThat(created.resourceVersion()).matches("[1-9][0-9]*");
        assertThat(api.get(MAPS + "/one").body()).isEqualTo(created.body());
    }

    @Test
    void create_ofATakenName_isAlreadyExists() {
        createMap("one");

        Answer refused = api.create(MAPS, "metadata: {name: one}").expect(409);

        assertThat(refused.message()).isEqualTo("configmaps \"one\" already exists");
        assertThat(refused.reason()).isEqualTo("AlreadyExists");
    }

    @Test
    void create_ofANameThatIsBeingDeleted_saysSo() {
        api.create(MAPS, "metadata: {name: one, finalizers: [example.com/wait]}")
                .expect(201);
        api.delete(MAPS + "/one").expect(200);

        Answer refused = api.create(MAPS, "metadata: {name: one}").expect(409);

        assertThat(refused.message()).isEqualTo("object is being deleted: configmaps \"one\" already exists");
        assertThat(refused.reason()).isEqualTo("AlreadyExists");
    }

    @Test
    void create_inAMissingNamespace_isNotFound() {
        Answer refused = api.create("/api/v1/namespaces/nowhere/configmaps", "metadata: {name: one}")
                .expect(404);

        assertThat(refused.message()).isEqualTo("namespaces \"nowhere\" not found");
    }

    @Test
    void create_withGenerateName_appendsFiveCharacters() {
        Answer created = api.create(MAPS, "metadata: {generateName: job-}").expect(201);

        assertThat(created.at("/metadata/name")).matches("job-[bcdfghjklmnpqrstvwxz2456789]{5}");
    }

    @Test
    void create_withoutAName_isInvalid() {
        Answer refused = api.create(MAPS, "data: {a: b}").expect(422);

        assertThat(refused.message())
                .isEqualTo(
                        "ConfigMap \"\" is invalid: metadata.name: Required value: name or generateName is required");
    }

    @Test
    void create_ofAnImpossibleName_tellsWhatIsExpected() {
        Answer refused = api.create(MAPS, "metadata: {name: Not_A_Name}").expect(422);

        assertThat(refused.message()).contains("metadata.name: Invalid value: \"Not_A_Name\"", "RFC 1123 subdomain");
        assertThat(refused.at("/details/causes/0/reason")).isEqualTo("FieldValueInvalid");
        assertThat(refused.at("/details/causes/0/field")).isEqualTo("metadata.name");
    }

    @Test
    void create_forAnotherNamespaceThanThePath_isBadRequest() {
        assertThat(api.create(MAPS, "metadata: {name: one, namespace: other}")
                        .expect(400)
                        .message())
                .isEqualTo("the namespace of the provided object does not match the namespace sent on the request");
    }

    @Test
    void create_withDryRun_storesNothing() {
        long revision = fixture.store.revision();

        api.create(MAPS + "?dryRun=All", "metadata: {name: one}").expect(201);

        assertThat(fixture.store.revision()).isEqualTo(revision);
        api.get(MAPS + "/one").expect(404);
        api.create(MAPS + "?dryRun=Some", "metadata: {name: one}").expect(422);
    }

    @Test
    void update_withAnOldResourceVersion_isAConflict() {
        Answer created = createMap("one");
        api.merge(MAPS + "/one", "{\"data\":{\"a\":\"2\"}}").expect(200);

        Answer refused = api.replace(MAPS + "/one", created.body()).expect(409);

        assertThat(refused.message())
                .isEqualTo("Operation cannot be fulfilled on configmaps \"one\": the object has been modified;"
                        + " please apply your changes to the latest version and try again");
    }

    @Test
    void update_withoutAResourceVersion_overwrites() {
        createMap("one");

        Answer updated = api.replace(MAPS + "/one", "metadata: {name: one}\ndata: {b: '2'}")
                .expect(200);

        assertThat(updated.at("/data/b")).isEqualTo("2");
        assertThat(updated.body().path("data").has("a")).isFalse();
    }

    @Test
    void update_withAnotherUid_isAConflict() {
        createMap("one");

        Answer refused =
                api.replace(MAPS + "/one", "metadata: {name: one, uid: other}").expect(409);

        assertThat(refused.message()).contains("Precondition failed: UID in precondition: other, UID in object meta: ");
    }

    @Test
    void update_ofAnotherNameThanThePath_isBadRequest() {
        createMap("one");

        assertThat(api.replace(MAPS + "/one", "metadata: {name: two}")
                        .expect(400)
                        .message())
                .isEqualTo("the name of the object (two) does not match the name on the URL (one)");
    }

    @Test
    void write_thatChangesNothing_hasNoRevision() {
        Answer created = createMap("one");
        long revision = fixture.store.revision();

        Answer updated = api.replace(MAPS + "/one", created.body()).expect(200);
        Answer patched = api.merge(MAPS + "/one", "{\"data\":{\"a\":\"1\"}}").expect(200);

        assertThat(fixture.store.revision()).isEqualTo(revision);
        assertThat(List.of(updated.resourceVersion(), patched.resourceVersion()))
                .containsOnly(created.resourceVersion());
    }

    @Test
    void patch_withMergePatch_removesWhatIsNull() {
        createMap("one");

        Answer patched =
                api.merge(MAPS + "/one", "{\"data\":{\"a\":null,\"b\":\"2\"}}").expect(200);

        assertThat(patched.body().path("data").propertyNames()).containsExactly("b");
    }

    @Test
    void patch_withJsonPatch_appliesOrRefuses() {
        createMap("one");

        api.patch(MAPS + "/one", "[{\"op\":\"replace\",\"path\":\"/data/a\",\"value\":\"9\"}]")
                .expect(200);
        api.patch(MAPS + "/one", "[{\"op\":\"test\",\"path\":\"/data/a\",\"value\":\"8\"}]")
                .expect(422);

        assertThat(api.get(MAPS + "/one").at("/data/a")).isEqualTo("9");
    }

    @Test
    void patch_withAForeignResourceVersion_isAConflict() {
        createMap("one");

        api.merge(MAPS + "/one", "{\"metadata\":{\"resourceVersion\":\"1\"}}").expect(409);
    }

    @Test
    void patch_ofAnUnsupportedKind_isRefusedInTheWordsOfGoRestful() {
        createMap("one");

        Answer refused = api.send(
                        "PATCH", MAPS + "/one", "application/apply-patch+cbor", "{}".getBytes(StandardCharsets.UTF_8))
                .expect(415);

        assertThat(refused.message()).isEqualTo("415: Unsupported Media Type");
        assertThat(refused.body().has("details")).isTrue();
    }

    @Test
    void body_thatIsTooLargeTooDeepOrNoJson_isRefused() {
        api.send("POST", MAPS, "application/json", new byte[3 * 1024 * 1024 + 1])
                .expect(413);
        api.createJson(MAPS, "{\"a\":" + "[".repeat(300) + "]".repeat(300) + "}")
                .expect(400);
        api.createJson(MAPS, "not json").expect(400);
        api.createJson(MAPS, "[]").expect(400);
    }

    @Test
    void body_ofAnotherTypeThanThePath_isBadRequest() {
        assertThat(api.createJson(MAPS, "{\"apiVersion\":\"v2\",\"kind\":\"ConfigMap\",\"metadata\":{\"name\":\"a\"}}")
                        .expect(400)
                        .message())
                .isEqualTo("the API version in the data (v2) does not match the expected API version (v1)");
        assertThat(api.createJson(MAPS, "{\"metadata\":{\"name\":\"a\"},\"data\":{\"x\":1}}")
                        .expect(400)
                        .message())
                .contains("cannot be handled as a ConfigMap", "cannot unmarshal number", "ConfigMap.data");
    }

    @Test
    void fieldValidation_decidesAboutUnknownAndDuplicateFields() {
        String body = "{\"metadata\":{\"name\":\"%s\"},\"dtaa\":{},\"immutable\":false,\"immutable\":false}";

        Answer warned = api.createJson(MAPS, body.formatted("warned")).expect(201);
        Answer ignored = api.createJson(MAPS + "?fieldValidation=Ignore", body.formatted("ignored"))
                .expect(201);
        Answer strict = api.createJson(MAPS + "?fieldValidation=Strict", body.formatted("strict"))
                .expect(400);

        assertThat(warned.headers().get("Warning"))
                .containsExactly("299 - \"unknown field \\\"dtaa\\\"\"", "299 - \"duplicate field \\\"immutable\\\"\"");
        assertThat(ignored.headers()).doesNotContainKey("Warning");
        assertThat(strict.message())
                .endsWith("strict decoding error: unknown field \"dtaa\", duplicate field \"immutable\"");
    }

    @Test
    void delete_answersSuccessAndUid() {
        Answer created = createMap("one");

        Answer deleted = api.delete(MAPS + "/one").expect(200);

        assertThat(deleted.at("/status")).isEqualTo("Success");
        assertThat(deleted.at("/details/kind")).isEqualTo("configmaps");
        assertThat(deleted.at("/details/uid")).isEqualTo(created.at("/metadata/uid"));
        api.delete(MAPS + "/one").expect(404);
    }

    @Test
    void delete_withPreconditionsThatDoNotHold_isAConflict() {
        Answer created = createMap("one");

        api.delete(MAPS + "/one", "{\"preconditions\":{\"uid\":\"other\"}}").expect(409);
        api.delete(MAPS + "/one", "{\"preconditions\":{\"resourceVersion\":\"1\"}}")
                .expect(409);
        api.delete(MAPS + "/one", "{\"preconditions\":{\"uid\":\"" + created.at("/metadata/uid") + "\"}}")
                .expect(200);
    }

    @Test
    void delete_withFinalizers_waitsForThem() {
        api.create(MAPS, "metadata: {name: one, finalizers: [example.com/mine]}")
                .expect(201);

        Answer marked = api.delete(MAPS + "/one").expect(200);
        Answer again = api.delete(MAPS + "/one").expect(200);

        assertThat(marked.at("/metadata/deletionTimestamp")).isNotEmpty();
        assertThat(again.resourceVersion()).isEqualTo(marked.resourceVersion());
        api.merge(MAPS + "/one", "{\"metadata\":{\"finalizers\":[\"example.com/mine\",\"example.com/new\"]}}")
                .expect(422);
        api.merge(MAPS + "/one", "{\"metadata\":{\"finalizers\":null}}").expect(200);
        api.get(MAPS + "/one").expect(404);
    }

    @Test
    void deleteCollection_deletesWhatIsSelected() {
        api.create(MAPS, "metadata: {name: one, labels: {a: b}}").expect(201);
        createMap("two");

        Answer deleted = api.delete(MAPS + "?labelSelector=a=b").expect(200);

        assertThat(deleted.at("/kind")).isEqualTo("ConfigMapList");
        assertThat(names(api.get(MAPS))).containsExactly("two");
    }
}
