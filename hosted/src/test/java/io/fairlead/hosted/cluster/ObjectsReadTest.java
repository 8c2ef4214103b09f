package io.fairlead.hosted.cluster;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.fairlead.hosted.cluster.Api.Answer;
import java.nio.file.Path;
import java.util.Base64;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/** How objects are listed and chosen, and what the kinds, a restart and another incarnation make of them. */
@ParameterizedClass
@EnumSource(Engine.class)
final class ObjectsReadTest extends ObjectsFixture {
    ObjectsReadTest(Engine engine, @TempDir Path directory) {
        super(engine, directory);
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

    /** Each is nothing that a list has given out. */
    @Test
    void list_withATokenOfItsClientsOwn_isRefused() {
        createMap("a");

        for (String revision : List.of("\"7\"", "1.5", "true", "1e3", "99999999999999999999", "null")) {
            assertThat(api.get(MAPS + "?continue=" + token(revision))
                            .expect(400)
                            .message())
                    .contains("invalid continue token");
        }
        assertThat(api.get(MAPS + "?continue=" + token("1000000000000000000"))
                        .expect(504)
                        .at("/details/causes/0/reason"))
                .isEqualTo("ResourceVersionTooLarge");
        assertThat(names(api.get(MAPS + "?continue=" + token("-7")).expect(200)))
                .containsExactly("a");
    }

    private static String token(String revision) {
        String text = "{\"v\":\"meta.k8s.io/v1\",\"rv\":" + revision + ",\"start\":\"0\"}";
        return Base64.getUrlEncoder().withoutPadding().encodeToString(text.getBytes(UTF_8));
    }

    @ParameterizedTest
    @CsvSource({"%2B1, 400", "-1, 400", "18446744073709551615, 504", "9223372036854775808, 504"})
    void list_atARevisionThatNoListIsOf_isRefused(String revision, int code) {
        createMap("a");

        api.get(MAPS + "?resourceVersion=" + revision).expect(code);
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
                .isEqualTo("\"data.a\" is not a known field selector: only \"metadata.name\", \"metadata.namespace\"");
        api.get(MAPS + "?labelSelector=a%20in%20(").expect(400);
    }

    @Test
    void numberInAQuery_isOne() {
        assertThat(api.get(MAPS + "?limit=").expect(400).message())
                .isEqualTo("strconv.ParseInt: parsing \"\": invalid syntax");
        assertThat(api.get(MAPS + "?labelSelector=a%3C-5").expect(400).message())
                .startsWith("unable to parse requirement: values[0][a]: Invalid value: \"-5\": a valid label must be");
        api.get(MAPS + "?limit=0&labelSelector=a%3C5").expect(200);
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
}
