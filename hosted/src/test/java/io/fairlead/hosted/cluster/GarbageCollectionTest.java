package io.fairlead.hosted.cluster;

import static io.fairlead.hosted.cluster.Fixture.eventually;
import static org.assertj.core.api.Assertions.assertThat;

import io.fairlead.hosted.cluster.Api.Answer;
import io.fairlead.schema.json.Json;
import io.fairlead.storage.RevisionedStore.Entry;
import io.fairlead.storage.RevisionedStore.Write;
import java.nio.file.Path;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.node.ObjectNode;

/** What becomes of objects whose owners are deleted. */
@ParameterizedClass
@EnumSource(Engine.class)
class GarbageCollectionTest {
    private static final String MAPS = "/api/v1/namespaces/default/configmaps";
    private static final String SECRETS = "/api/v1/namespaces/default/secrets";
    private static final String ROLES = "/apis/rbac.authorization.k8s.io/v1/clusterroles";

    private final Fixture fixture;
    private Api api;

    GarbageCollectionTest(Engine engine, @TempDir Path directory) {
        fixture = new Fixture(engine, directory);
        api = fixture.dev();
    }

    @BeforeEach
    void createOwner() {
        api.create(MAPS, "metadata: {name: owner}").expect(201);
    }

    @AfterEach
    void close() {
        fixture.close();
    }

    private String uid(String path) {
        return api.get(path).expect(200).at("/metadata/uid");
    }

    private String reference(String path, String name, boolean blocks) {
        return "{apiVersion: v1, kind: ConfigMap, name: " + name + ", uid: " + uid(path + "/" + name)
                + ", blockOwnerDeletion: " + blocks + "}";
    }

    private void createDependent(String name, String... references) {
        api.create(SECRETS, "metadata: {name: " + name + ", ownerReferences: [" + String.join(", ", references) + "]}")
                .expect(201);
    }

    private boolean isGone(String path) {
        return api.get(path).code() == 404;
    }

    @Test
    @Timeout(60)
    void referencesOfOneObject_areNotComparedWithEachOther() {
        api.create(MAPS, "{metadata: {name: large}, data: {text: " + "x".repeat(1_000_000) + "}}")
                .expect(201);
        String references = IntStream.range(0, 20_000)
                .mapToObj(i -> "{apiVersion: v1, kind: ConfigMap, name: large, uid: u" + i + "}")
                .collect(Collectors.joining(", "));
        createDependent("many", references, reference(MAPS, "owner", true));
        eventually(
                "references to nothing are gone",
                () -> api.get(SECRETS + "/many")
                                .expect(200)
                                .body()
                                .at("/metadata/ownerReferences")
                                .size()
                        == 1);
        api.delete(MAPS + "/owner").expect(200);

        eventually("the dependent is gone", () -> isGone(SECRETS + "/many"));
    }

    @Test
    void dependents_goAfterTheirOwner_byDefault() {
        createDependent("one", reference(MAPS, "owner", true));
        createDependent("two", reference(MAPS, "owner", false));
        api.create(SECRETS, "metadata: {name: free}").expect(201);

        assertThat(api.delete(MAPS + "/owner").expect(200).at("/status")).isEqualTo("Success");

        eventually("the dependents are gone", () -> isGone(SECRETS + "/one") && isGone(SECRETS + "/two"));
        api.get(SECRETS + "/free").expect(200);
    }

    @Test
    void dependent_goesWithTheLastOfItsOwners() {
        api.create(MAPS, "metadata: {name: other}").expect(201);
        createDependent("shared", reference(MAPS, "owner", false), reference(MAPS, "other", false));

        api.delete(MAPS + "/owner").expect(200);
        eventually(
                "the dead reference is removed",
                () -> api.get(SECRETS + "/shared")
                                .expect(200)
                                .body()
                                .at("/metadata/ownerReferences")
                                .size()
                        == 1);
        assertThat(api.get(SECRETS + "/shared").at("/metadata/ownerReferences/0/name"))
                .isEqualTo("other");
        api.delete(MAPS + "/other").expect(200);

        eventually("the dependent is gone", () -> isGone(SECRETS + "/shared"));
    }

    @Test
    void dependent_ofAnOwnerThatNeverWas_goes() {
        createDependent("stray", "{apiVersion: v1, kind: ConfigMap, name: nobody, uid: no-such-uid}");

        eventually("the stray is gone", () -> isGone(SECRETS + "/stray"));
    }

    @Test
    void dependent_ofAnEarlierOwnerOfThatName_goes() {
        String old = reference(MAPS, "owner", false);
        api.delete(MAPS + "/owner").expect(200);
        api.create(MAPS, "metadata: {name: owner}").expect(201);

        createDependent("late", old);
        createDependent("current", reference(MAPS, "owner", false));

        eventually("the late one is gone", () -> isGone(SECRETS + "/late"));
        api.get(SECRETS + "/current").expect(200);
    }

    @Test
    void orphans_loseTheirReferenceAndStay() {
        createDependent("one", reference(MAPS, "owner", true));

        Answer deleted = api.delete(MAPS + "/owner?propagationPolicy=Orphan").expect(200);

        assertThat(deleted.at("/metadata/finalizers/0")).isEqualTo("orphan");
        eventually("the owner is gone", () -> isGone(MAPS + "/owner"));
        assertThat(api.get(SECRETS + "/one").expect(200).body().path("metadata").has("ownerReferences"))
                .isFalse();
    }

    @Test
    void foreground_deletesWhatBlocksFirst() {
        createDependent("blocking", reference(MAPS, "owner", true));
        createDependent("plain", reference(MAPS, "owner", false));
        api.merge(SECRETS + "/blocking", "{\"metadata\":{\"finalizers\":[\"example.com/hold\"]}}")
                .expect(200);

        Answer deleted = api.delete(MAPS + "/owner", "{\"propagationPolicy\":\"Foreground\"}")
                .expect(200);

        assertThat(deleted.at("/metadata/finalizers/0")).isEqualTo("foregroundDeletion");
        assertThat(deleted.at("/metadata/deletionTimestamp")).isNotEmpty();
        eventually(
                "the dependent is deleted",
                () -> !api.get(SECRETS + "/blocking")
                        .at("/metadata/deletionTimestamp")
                        .isEmpty());
        eventually("what does not block is gone", () -> isGone(SECRETS + "/plain"));
        api.get(MAPS + "/owner").expect(200);
        api.merge(SECRETS + "/blocking", "{\"metadata\":{\"finalizers\":null}}").expect(200);

        eventually("both are gone", () -> isGone(SECRETS + "/blocking") && isGone(MAPS + "/owner"));
    }

    @Test
    void foreground_ofACircle_ends() {
        api.create(MAPS, "metadata: {name: second, ownerReferences: [" + reference(MAPS, "owner", true) + "]}")
                .expect(201);
        api.create(MAPS, "metadata: {name: third, ownerReferences: [" + reference(MAPS, "second", true) + "]}")
                .expect(201);
        api.merge(
                        MAPS + "/owner",
                        "{\"metadata\":{\"ownerReferences\":[{\"apiVersion\":\"v1\",\"kind\":\"ConfigMap\","
                                + "\"name\":\"third\",\"blockOwnerDeletion\":true,\"uid\":\"" + uid(MAPS + "/third")
                                + "\"}]}}")
                .expect(200);

        api.delete(MAPS + "/owner?propagationPolicy=Foreground").expect(200);

        eventually(
                "all are gone", () -> isGone(MAPS + "/owner") && isGone(MAPS + "/second") && isGone(MAPS + "/third"));
    }

    @Test
    void reference_thatCannotBeResolved_keepsItsObject() {
        createDependent("unknown", "{apiVersion: example.com/v1, kind: Nothing, name: x, uid: u}");
        api.create(
                        ROLES,
                        "metadata: {name: wide, ownerReferences: [" + reference(MAPS, "owner", false) + "]}\nrules: []")
                .expect(201);
        createDependent("last", reference(MAPS, "owner", false));

        api.delete(MAPS + "/owner").expect(200);

        eventually("the queue has come so far", () -> isGone(SECRETS + "/last"));
        api.get(SECRETS + "/unknown").expect(200);
        api.get(ROLES + "/wide").expect(200);
    }

    @Test
    void restart_findsWhatWasLeftToDo() {
        createDependent("one", reference(MAPS, "owner", true));
        fixture.clusters.close(Fixture.DEV);
        Entry owner = storedOwner();
        fixture.store.commit(new Write.Delete(owner.key(), owner.revision()));

        api = fixture.dev();

        eventually("the dependent is gone", () -> isGone(SECRETS + "/one"));
    }

    @Test
    void restart_knowsDependentsBeforeItFinishesTheirOwner() {
        createDependent("one", reference(MAPS, "owner", true));
        fixture.clusters.close(Fixture.DEV);
        Entry owner = storedOwner();
        ObjectNode deleted = (ObjectNode) Json.read(owner.value());
        deleted.withObjectProperty("metadata")
                .put("deletionTimestamp", "2026-01-01T00:00:00Z")
                .putArray("finalizers")
                .add("orphan");
        fixture.store.commit(new Write.Put(owner.key(), Json.write(deleted), owner.revision()));

        api = fixture.dev();

        eventually("the owner is gone", () -> isGone(MAPS + "/owner"));
        assertThat(api.get(SECRETS + "/one").expect(200).body().path("metadata").has("ownerReferences"))
                .isFalse();
    }

    private Entry storedOwner() {
        return fixture.store.list("/c/", null, 0, fixture.store.revision()).stream()
                .filter(entry -> entry.key().endsWith("configmaps/default/owner"))
                .findFirst()
                .orElseThrow();
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "true", "1", "yes"})
    void orphanDependents_isTrue_butWhereItSaysOtherwise(String value) {
        assertThat(api.delete(MAPS + "/owner?orphanDependents=" + value + "&dryRun=All")
                        .expect(200)
                        .body()
                        .at("/metadata/finalizers")
                        .toString())
                .isEqualTo("[\"orphan\"]");
    }

    @Test
    void finalizersOfAnEarlierDeletion_hold_untilAnotherPolicyIsGiven() {
        api.merge(MAPS + "/owner", "{\"metadata\":{\"finalizers\":[\"example.com/hold\"]}}")
                .expect(200);
        createDependent("one", reference(MAPS, "owner", true));
        api.delete(MAPS + "/owner?orphanDependents=false").expect(202);

        Answer again =
                api.delete(MAPS + "/owner?propagationPolicy=Orphan&dryRun=All").expect(200);

        assertThat(again.body().at("/metadata/finalizers").toString()).isEqualTo("[\"example.com/hold\",\"orphan\"]");
        assertThat(api.get(MAPS + "/owner").body().at("/metadata/finalizers").toString())
                .isEqualTo("[\"example.com/hold\"]");
    }

    @Test
    void policies_areCheckedAsKubeApiserverDoes() {
        assertThat(api.delete(MAPS + "/owner?propagationPolicy=Bogus")
                        .expect(422)
                        .message())
                .isEqualTo("DeleteOptions.meta.k8s.io \"\" is invalid: propagationPolicy: Unsupported value: \"Bogus\":"
                        + " supported values: \"Foreground\", \"Background\", \"Orphan\", \"nil\"");
        assertThat(api.delete(MAPS + "/owner", "{\"propagationPolicy\":\"Orphan\",\"orphanDependents\":true}")
                        .expect(422)
                        .message())
                .isEqualTo("DeleteOptions.meta.k8s.io \"\" is invalid: propagationPolicy: Invalid value: \"Orphan\":"
                        + " orphanDependents and deletionPropagation cannot be both set");
        assertThat(api.delete(MAPS + "/owner?orphanDependents=maybe&dryRun=All")
                        .expect(200)
                        .at("/metadata/finalizers/0"))
                .isEqualTo("orphan");
    }
}
