package io.fairlead.hosted.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import io.fairlead.hosted.cluster.Api.Answer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** Create, read, update, patch and delete of built-in kinds. */
@ParameterizedClass
@EnumSource(Engine.class)
class ObjectsTest {
    private static final String MAPS = "/api/v1/namespaces/default/configmaps";

    private final Fixture fixture;
    private final Api api;

    ObjectsTest(Engine engine, @TempDir Path directory) {
        fixture = new Fixture(engine, directory);
        api = fixture.dev();
    }

    @AfterEach
    void close() {
        fixture.close();
    }

    private Answer createMap(String name) {
        return api.create(MAPS, "metadata: {name: " + name + "}\ndata: {a: '1'}")
                .expect(201);
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
    void patch_ofAnUnsupportedKind_namesTheSupportedOnes() {
        createMap("one");

        Answer refused = api.send(
                        "PATCH", MAPS + "/one", "application/apply-patch+yaml", "{}".getBytes(StandardCharsets.UTF_8))
                .expect(415);

        assertThat(refused.message()).contains("application/json-patch+json", "application/merge-patch+json");
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

    @Test
    void list_isOrderedByNamespaceAndName() {
        createMap("b");
        createMap("a");
        api.create("/api/v1/namespaces/kube-system/configmaps", "metadata: {name: c}")
                .expect(201);

        Answer list = api.get("/api/v1/configmaps").expect(200);

        assertThat(names(list)).containsExactly("a", "b", "c");
        assertThat(list.at("/kind")).isEqualTo("ConfigMapList");
        assertThat(list.body().at("/items/0").has("kind")).isFalse();
        assertThat(Long.parseLong(list.resourceVersion())).isEqualTo(fixture.store.revision());
    }

    @Test
    void list_inPages_isOfOneRevision() {
        for (int i = 0; i < 10; i++) {
            createMap("map-" + i);
        }
        Answer first = api.get(MAPS + "?limit=4").expect(200);
        createMap("map-5a");
        Answer second = api.get(MAPS + "?limit=4&continue=" + first.at("/metadata/continue"))
                .expect(200);
        Answer rest =
                api.get(MAPS + "?continue=" + second.at("/metadata/continue")).expect(200);

        assertThat(first.body().at("/metadata/remainingItemCount").asInt()).isEqualTo(6);
        assertThat(names(second)).containsExactly("map-4", "map-5", "map-6", "map-7");
        assertThat(names(rest)).containsExactly("map-8", "map-9");
        assertThat(rest.body().path("metadata").has("continue")).isFalse();
        assertThat(List.of(second.resourceVersion(), rest.resourceVersion())).containsOnly(first.resourceVersion());
    }

    @Test
    void list_withAnExpiredToken_answersOneToGoOnWith() {
        for (int i = 0; i < 5; i++) {
            createMap("map-" + i);
        }
        Answer first = api.get(MAPS + "?limit=2").expect(200);
        createMap("map-9");
        fixture.compact();

        Answer expired = api.get(MAPS + "?limit=2&continue=" + first.at("/metadata/continue"))
                .expect(410);

        assertThat(expired.reason()).isEqualTo("Expired");
        Answer rest =
                api.get(MAPS + "?continue=" + expired.at("/metadata/continue")).expect(200);
        assertThat(names(rest)).containsExactly("map-2", "map-3", "map-4", "map-9");
    }

    @Test
    void list_atARevision_followsItsMatch() {
        createMap("a");
        String before = api.get(MAPS).resourceVersion();
        createMap("b");

        assertThat(names(api.get(MAPS + "?resourceVersion=" + before + "&resourceVersionMatch=Exact")))
                .containsExactly("a");
        assertThat(names(api.get(MAPS + "?resourceVersion=" + before))).containsExactly("a", "b");
        fixture.compact();
        assertThat(api.get(MAPS + "?resourceVersion=" + before + "&resourceVersionMatch=Exact")
                        .expect(410)
                        .message())
                .isEqualTo("The resourceVersion for the provided list is too old.");
        Answer future = api.get(MAPS + "?resourceVersion=999999").expect(504);
        assertThat(future.at("/details/causes/0/reason")).isEqualTo("ResourceVersionTooLarge");
        api.get(MAPS + "?resourceVersionMatch=Exact").expect(422);
        api.get(MAPS + "?resourceVersion=0&resourceVersionMatch=Exact").expect(422);
    }

    @Test
    void selectors_chooseByLabelsAndNames() {
        api.create(MAPS, "metadata: {name: one, labels: {app: web, tier: front}}")
                .expect(201);
        api.create(MAPS, "metadata: {name: two, labels: {app: db}}").expect(201);

        assertThat(names(api.get(MAPS + "?labelSelector=app%20in%20(web,db),tier")))
                .containsExactly("one");
        assertThat(names(api.get(MAPS + "?labelSelector=app!=web"))).containsExactly("two");
        assertThat(names(api.get(MAPS + "?labelSelector=!tier"))).containsExactly("two");
        assertThat(names(api.get(MAPS + "?fieldSelector=metadata.name=two"))).containsExactly("two");
        assertThat(names(api.get("/api/v1/configmaps?fieldSelector=metadata.namespace!=default")))
                .isEmpty();
        assertThat(api.get(MAPS + "?fieldSelector=data.a=1").expect(400).message())
                .isEqualTo("field label not supported: data.a");
        api.get(MAPS + "?labelSelector=a%20in%20(").expect(400);
    }

    @Test
    void configMap_keysAndImmutability() {
        assertThat(api.create(MAPS, "metadata: {name: one}\ndata: {'': x}")
                        .expect(422)
                        .message())
                .contains("data[]: Invalid value: \"\"", "a valid config key must consist of");
        api.create(MAPS, "metadata: {name: one}\nimmutable: true\ndata: {a: x}").expect(201);

        assertThat(api.merge(MAPS + "/one", "{\"data\":{\"a\":\"y\"}}")
                        .expect(422)
                        .message())
                .contains("data: Forbidden: field is immutable when `immutable` is set");
        api.merge(MAPS + "/one", "{\"immutable\":false}").expect(422);
        api.merge(MAPS + "/one", "{\"metadata\":{\"labels\":{\"a\":\"b\"}}}").expect(200);
    }

    @Test
    void secret_typeDataAndStringData() {
        String secrets = "/api/v1/namespaces/default/secrets";
        Answer created = api.create(
                        secrets, "metadata: {name: one}\nstringData: {user: me}\ndata: {user: Zm9v, b: YmFy}")
                .expect(201);

        assertThat(created.at("/type")).isEqualTo("Opaque");
        assertThat(created.at("/data/user")).isEqualTo("bWU=");
        assertThat(created.body().has("stringData")).isFalse();
        assertThat(api.merge(secrets + "/one", "{\"type\":\"other\"}")
                        .expect(422)
                        .message())
                .contains("type: Invalid value: \"other\": field is immutable");
        api.create(secrets, "metadata: {name: two}\ntype: kubernetes.io/tls").expect(422);
        api.create(secrets, "metadata: {name: two}\ndata: {a: '!'}").expect(400);
        assertThat(names(api.get(secrets + "?fieldSelector=type=Opaque"))).containsExactly("one");
    }

    @Test
    void roleBinding_roleCannotChange() {
        String bindings = "/apis/rbac.authorization.k8s.io/v1/namespaces/default/rolebindings";
        api.create(
                        bindings,
                        "metadata: {name: 'a:b'}\nroleRef: {kind: Role, name: r}\nsubjects: [{kind: User, name: u}]")
                .expect(201);

        Answer refused =
                api.merge(bindings + "/a:b", "{\"roleRef\":{\"name\":\"s\"}}").expect(422);

        assertThat(refused.message()).contains("roleRef: Invalid value", "cannot change roleRef");
        assertThat(api.get(bindings + "/a:b").at("/subjects/0/apiGroup")).isEqualTo("rbac.authorization.k8s.io");
    }

    @Test
    void role_canBeCreatedByUpdateAndNeedsVerbs() {
        String roles = "/apis/rbac.authorization.k8s.io/v1/clusterroles";

        api.replace(
                        roles + "/all",
                        "metadata: {name: all}\nrules: [{verbs: ['*'], apiGroups: ['*'], resources: ['*']}]")
                .expect(201);
        assertThat(api.create(roles, "metadata: {name: none}\nrules: [{apiGroups: ['']}]")
                        .expect(422)
                        .message())
                .contains("rules[0].verbs: Required value", "rules[0].resources: Required value");
    }

    @Test
    void verb_thatAKindDoesNotServe_isMethodNotAllowed() {
        assertThat(api.delete("/api/v1/namespaces").expect(405).message())
                .isEqualTo("the server does not allow this method on the requested resource");
        api.get("/api/v1/namespaces/default/nothings").expect(404);
        api.get("/apis/none/v1/things").expect(404);
        api.get("/api/v1/configmaps/one").expect(404);
    }

    @Test
    void restart_onTheSameStore_keepsWhatWasAcknowledged() {
        Answer created = createMap("one");
        fixture.clusters.close();

        try (Fixture again = new Fixture(fixture.store, Fixture.settings(16, 16), List.of())) {
            assertThat(again.dev().get(MAPS + "/one").body()).isEqualTo(created.body());
        }
    }

    @Test
    void cluster_deletedAndCreatedAgain_startsEmpty() {
        createMap("one");
        fixture.clusters.delete(Fixture.DEV);

        assertThat(fixture.clusters.stored()).isEmpty();
        assertThat(fixture.store.count("/c/", null, fixture.store.revision())).isZero();
        fixture.dev().get(MAPS + "/one").expect(404);
    }

    private static List<String> names(Answer list) {
        ObjectNode body = list.expect(200).body();
        return body.path("items")
                .valueStream()
                .map((JsonNode item) -> item.at("/metadata/name").asString(""))
                .toList();
    }
}
