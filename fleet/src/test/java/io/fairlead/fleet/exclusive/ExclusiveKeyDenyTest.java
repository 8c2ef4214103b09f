package io.fairlead.fleet.exclusive;

import static io.fairlead.fleet.root.RootCluster.ADMIN;
import static io.fairlead.fleet.root.RootCluster.eventually;
import static org.assertj.core.api.Assertions.assertThat;

import io.fairlead.fleet.root.RootApi;
import io.fairlead.fleet.root.RootCluster;
import io.fairlead.fleet.root.RootCluster.Answer;
import io.fairlead.hosted.HostedCluster;
import io.fairlead.model.ClusterName;
import io.fairlead.model.RequestInfo;
import io.fairlead.model.UserInfo;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Which objects rules deny, and what their writers are told. */
final class ExclusiveKeyDenyTest extends DenyFixture {
    @Test
    void aKeyThatAnotherObjectHas_isDenied_andTheHolderNamedToWhoMayGetIt() {
        letGet("reader");
        letGet("stranger");
        denying("hosts", "scope: Fleet, " + HOSTS);
        assertThat(create(EU, "one", "host: a.example").code()).isEqualTo(201);

        Answer denied = create(US, "two", "host: a.example");

        assertThat(denied.code()).isEqualTo(409);
        assertThat(denied.body().path("reason").asString("")).isEqualTo("Conflict");
        assertThat(denied.body().at("/details/causes/0/reason").asString("")).isEqualTo("ExclusiveKeyHeld");
        assertThat(denied.message())
                .contains("configmaps \"two\"")
                .containsPattern("exclusive-key/hosts/[0-9a-f]{32} is held by \"eu/shop/one\"")
                .doesNotContain("a.example");
        assertThat(createBy("reader", US, "two", "host: a.example").message()).contains("by \"eu/shop/one\"");
        assertThat(createBy("other", US, "two", "host: a.example").message())
                .contains("is held elsewhere")
                .doesNotContain("one");
        assertThat(createBy("stranger", US, "two", "host: a.example").message()).contains("is held elsewhere");
        assertThat(createBy("stranger", EU, "two", "host: a.example").message()).contains("by \"eu/shop/one\"");
        assertThat(createBy("other", EU, "two", "host: a.example").message()).contains("is held elsewhere");
        assertThat(create(US, "two", "host: b.example").code()).isEqualTo(201);
        awaitReservations("eu/one", "us/two");
    }

    @Test
    void anUpdate_toAKeyOfAnotherObject_isDenied_andWhatIsGivenUpIsFreeAtOnce() {
        denying("hosts", "scope: Cluster, " + HOSTS);
        create(EU, "one", "host: a.example");
        create(EU, "two", "host: b.example");

        assertThat(update(EU, "two", "host: a.example").code()).isEqualTo(409);
        assertThat(update(EU, "two", "host: b.example, more: x").code()).isEqualTo(200);
        assertThat(update(EU, "one", "host: c.example").code()).isEqualTo(200);
        assertThat(reservations()).containsExactly("eu/one", "eu/two");
        assertThat(update(EU, "two", "host: a.example").code()).isEqualTo(200);
        assertThat(create(EU, "three", "host: b.example").code()).isEqualTo(201);
        assertThat(create(EU, "four", "host: a.example").code()).isEqualTo(409);
        assertThat(create(US, "one", "host: a.example").code()).isEqualTo(201);
        awaitReservations("eu/one", "eu/three", "eu/two", "us/one");
    }

    @Test
    void aDryRun_isJudged_andReservesNothing() {
        denying("hosts", "scope: Fleet, " + HOSTS);
        create(EU, "one", "host: a.example");

        assertThat(create(EU, "two?dryRun=All", "host: a.example").code()).isEqualTo(409);
        assertThat(create(EU, "two?dryRun=All", "host: b.example").code()).isEqualTo(201);
        assertThat(reservations()).containsExactly("eu/one");
        assertThat(create(EU, "three", "host: b.example").code()).isEqualTo(201);
    }

    @Test
    void objectsFromBeforeTheRule_denyOthers_andMayBeChangedThemselves() {
        create(EU, "one", "host: a.example");
        create(EU, "two", "host: a.example");
        denying("hosts", "scope: Fleet, " + HOSTS);

        assertThat(create(US, "three", "host: a.example").code()).isEqualTo(409);
        assertThat(update(EU, "one", "host: a.example, more: x").code()).isEqualTo(200);
        assertThat(update(EU, "two", "host: b.example").code()).isEqualTo(200);
        assertThat(update(EU, "two", "host: a.example").code()).isEqualTo(409);
        delete(EU, "one");
        assertThat(update(EU, "two", "host: a.example").code()).isEqualTo(200);
        awaitReservations("eu/two");
    }

    @Test
    void anObjectWithoutAKey_isRefused_unlessItsKeyStaysAsItWas() {
        create(EU, "old", "other: x");
        denying("hosts", "scope: Fleet, key: \"object.metadata.namespace == 'shop' ? object.data.host : null\"");

        Answer refused = create(EU, "one", "other: x");
        assertThat(refused.code()).isEqualTo(409);
        assertThat(refused.body().at("/details/causes/0/reason").asString("")).isEqualTo("ExclusiveKeyNotRendered");
        assertThat(refused.message()).contains("no such key: host");

        String finalizer = "{metadata: {finalizers: [example.com/held]}}";
        assertThat(RootCluster.send(cluster(EU), "PATCH", path("old"), finalizer)
                        .code())
                .isEqualTo(200);
        delete(EU, "old");
        assertThat(RootCluster.send(cluster(EU), "PATCH", path("old"), "{metadata: {finalizers: null}}")
                        .code())
                .isEqualTo(200);
        assertThat(RootCluster.send(cluster(EU), "GET", path("old"), "").code()).isEqualTo(404);
    }

    @Test
    void lookedUpObjects_areReadAsTheyAreStored() {
        create(EU, "none", "selector: none");
        denying(
                "pools",
                "scope: Namespace, lookups: [{name: pool, resource: {version: v1, resource: configmaps}, objectName:"
                        + " \"object.?data.pool.orValue('none')\"}], key:"
                        + " \"has(object.data) && has(object.data.pool) ? dyn([pool.data.selector,"
                        + " object.data.container]) : null\"");
        assertThat(create(EU, "early", "pool: p1, container: c")
                        .body()
                        .at("/details/causes/0/reason")
                        .asString(""))
                .isEqualTo("ExclusiveKeyNotRendered");
        for (String pool : List.of("p1", "p2")) {
            create(EU, pool, "selector: x");
        }
        assertThat(create(EU, "one", "pool: p1, container: c").code()).isEqualTo(201);
        assertThat(create(EU, "two", "pool: p2, container: c").code()).isEqualTo(409);
        assertThat(update(EU, "p2", "selector: z").code()).isEqualTo(200);
        assertThat(create(EU, "two", "pool: p2, container: c").code()).isEqualTo(201);
        awaitReservations("eu/one", "eu/two");
    }

    @Test
    void whatLookedUpObjectsHold_isNotToldToWriters() {
        create(EU, "none", "host: none");
        create(EU, "secret", "host: 'TOP SECRET!'");
        denying(
                "hosts",
                "scope: Fleet, lookups: [{name: other, resource: {version: v1, resource: configmaps}, objectName:"
                        + " \"object.?data.other.orValue('none')\"}], key:"
                        + " \"has(object.data) && has(object.data.other) ? dyn(hostOf(other.data.host)) : null\"");

        Answer refused = createBy("stranger", EU, "one", "other: secret");
        Answer missing = createBy("stranger", EU, "one", "other: missing");

        assertThat(refused.body().at("/details/causes/0/reason").asString("")).isEqualTo("ExclusiveKeyNotRendered");
        assertThat(refused.message()).doesNotContain("TOP");
        assertThat(missing.message()).isEqualTo(refused.message());
    }

    @Test
    void holdersOfOtherClusters_areNotNamedToUsersWhomOnlyThisOneKnows() {
        denying("hosts", "scope: Fleet, " + HOSTS);
        create(EU, "one", "host: a.example");

        Answer denied = createInOneCluster(ADMIN, US, "two", "host: a.example");

        assertThat(denied.code()).isEqualTo(409);
        assertThat(denied.message()).contains("is held elsewhere");
        assertThat(createInOneCluster(ADMIN, EU, "two", "host: a.example").message())
                .contains("by \"eu/shop/one\"");
    }

    @Test
    void fairleadsOwnObjects_areStored_andReported() {
        denying("every", "scope: Fleet, key: \"'one'\"");

        Answer own =
                create(UserInfo.of("system:fairlead:fleet", List.of(UserInfo.MASTERS)), EU, "own", "host: a.example");

        assertThat(own.code()).isEqualTo(201);
        eventually(
                "it denies others what it has",
                () -> create(EU, "other?dryRun=All", "host: a.example").code() == 409);
    }

    @Test
    void aVersionThatIsNotServedForAWhile_freesNoKey() {
        denyingBerths();
        assertThat(boat(EU, "v1", "one", 1).code()).isEqualTo(201);

        serve(EU, false);
        assertThat(boat(US, "v2", "two", 1).code()).isIn(409, 503);
        assertThat(reservations()).contains("eu/one");
        serve(EU, true);
        assertThat(boat(US, "v2", "two", 1).code()).isEqualTo(409);
    }

    /** Whether version v1 of boats is served. */
    private void serve(ClusterName cluster, boolean isServed) {
        Answer patched = RootCluster.send(
                cluster(cluster),
                "PATCH",
                "/apis/apiextensions.k8s.io/v1/customresourcedefinitions/boats.example.com",
                "{spec: {versions: [{name: v1, served: " + isServed + ", storage: true, " + BOAT_SCHEMA
                        + "}, {name: v2, served: true, storage: false, " + BOAT_SCHEMA + "}]}}");
        assertThat(patched.code()).as(patched.message()).isEqualTo(200);
        eventually("it is so", () -> isServed(cluster, "v1") == isServed);
    }

    @Test
    void customResources_areDenied_inWhateverVersionTheyAreWritten() {
        denyingBerths();

        assertThat(boat(EU, "v1", "one", 1).code()).isEqualTo(201);
        assertThat(boat(US, "v1", "two", 1).code()).isEqualTo(409);
        assertThat(boat(US, "v2", "two", 1).code()).isEqualTo(409);
        assertThat(boat(US, "v2", "two", 2).code()).isEqualTo(201);
        assertThat(boat(EU, "v1", "three", 2).code()).isEqualTo(409);
        awaitReservations("eu/one", "us/two");
        RootCluster.send(cluster(EU), "DELETE", "/apis/example.com/v2/namespaces/shop/boats/one", "");
        assertThat(boat(US, "v2", "three", 1).code()).isEqualTo(201);
        awaitReservations("us/three", "us/two");
    }

    @Test
    void eventsAndReservations_areNotDenied() {
        for (String resource : List.of(
                "{version: v1, resource: events}",
                "{group: events.k8s.io, version: v1, resource: events}",
                "{group: fairlead.io, version: v1alpha1, resource: keyreservations}")) {
            Answer refused = root.send(
                    ADMIN,
                    "POST",
                    RULES,
                    text(
                            "bad",
                            "clusters: {all: true}, scope: Fleet, enforcement: Deny, key: 'object.x', resource: "
                                    + resource));
            assertThat(refused.fields()).containsExactly("spec.enforcement");
        }
    }

    private void letGet(String user) {
        for (String path : List.of(
                "clusterroles {metadata: {name: maps}, rules: [{apiGroups: [''], resources: [configmaps], verbs:"
                        + " [get]}]}",
                "clusterrolebindings {metadata: {name: maps-" + user
                        + "}, roleRef: {apiGroup: rbac.authorization.k8s.io, kind: ClusterRole, name: maps}, subjects:"
                        + " [{apiGroup: rbac.authorization.k8s.io, kind: User, name: " + user + "}]}")) {
            int space = path.indexOf(' ');
            RootCluster.send(
                    cluster(EU),
                    "POST",
                    "/apis/rbac.authorization.k8s.io/v1/" + path.substring(0, space),
                    path.substring(space + 1));
        }
        eventually(
                "the right is known",
                () -> cluster(EU)
                                .authorize(
                                        user(user), RequestInfo.resource("get", RootApi.CONFIG_MAPS, "shop", "one", ""))
                        instanceof HostedCluster.Decision.Allowed);
    }

    /** No two boats, in either version, have one berth. */
    private void denyingBerths() {
        define(EU);
        define(US);
        rule(
                "berths",
                "clusters: {all: true}, resource: {group: example.com, version: v1, resource: boats},"
                        + " enforcement: Deny, scope: Fleet, key: 'object.spec.berth'");
        awaitEnforced("berths", "True", "Enforced");
    }

    private Answer boat(ClusterName cluster, String version, String name, int berth) {
        return RootCluster.send(
                cluster(cluster),
                "POST",
                "/apis/example.com/" + version + "/namespaces/shop/boats",
                "{apiVersion: example.com/" + version + ", kind: Boat, metadata: {name: " + name + "}, spec: {berth: "
                        + berth + "}}");
    }
}
