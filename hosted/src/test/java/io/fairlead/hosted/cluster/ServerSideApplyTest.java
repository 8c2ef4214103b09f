package io.fairlead.hosted.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import io.fairlead.hosted.cluster.Api.Answer;
import io.fairlead.schema.json.Json;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import tools.jackson.databind.JsonNode;

/** Who manages fields, and configurations that are applied. Expected answers are those of a kube-apiserver 1.36. */
class ServerSideApplyTest {
    private static final String CRDS = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions";
    private static final String BOATS = "/apis/example.com/v1/namespaces/default/boats";
    private static final String MAPS = "/api/v1/namespaces/default/configmaps";
    private static final String MAP = "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: m%s}\n%s\n";
    private static final String BOAT = "apiVersion: example.com/v1\nkind: Boat\nmetadata: {name: b}\n%s\n";
    /** Each manager of these fields makes the object larger by 800 kB. */
    private static final String MANY_KEYS = IntStream.range(0, 3_500)
            .mapToObj("k%0230d: ''"::formatted)
            .collect(Collectors.joining(", ", "data: {", "}"));

    private final Fixture fixture = new Fixture();
    private final Api api = fixture.dev();

    @BeforeEach
    void createDefinition() {
        api.create(CRDS, """
            apiVersion: apiextensions.k8s.io/v1
            kind: CustomResourceDefinition
            metadata: {name: boats.example.com}
            spec:
              group: example.com
              scope: Namespaced
              names: {plural: boats, kind: Boat}
              versions:
              - name: v1
                served: true
                storage: true
                subresources: {status: {}, scale: {specReplicasPath: .spec.crew, statusReplicasPath: .status.crew}}
                schema:
                  openAPIV3Schema:
                    type: object
                    properties:
                      spec:
                        type: object
                        properties:
                          crew: {type: integer}
                          flag: {type: string, default: white}
                          sails:
                            type: array
                            x-kubernetes-list-type: map
                            x-kubernetes-list-map-keys: [name]
                            items:
                              type: object
                              required: [name]
                              properties: {name: {type: string}, area: {type: integer}}
                      status: {type: object, properties: {crew: {type: integer}, port: {type: string}}}
            """).expect(201);
        Fixture.eventually("boats are served", () -> api.get(BOATS).code() == 200);
    }

    @AfterEach
    void close() {
        fixture.close();
    }

    private Answer apply(String path, String body) {
        return api.send("PATCH", path, "application/apply-patch+yaml", body.getBytes(StandardCharsets.UTF_8));
    }

    private Answer applyMap(String manager, String content) {
        return apply(MAPS + "/m?fieldManager=" + manager, MAP.formatted("", content));
    }

    /** How many managers the object takes in, at most 40. */
    private int applyManyKeysUntilRefused() {
        int applied = 0;
        while (applied < 40 && applyMap("a" + applied, MANY_KEYS).code() < 300) {
            applied++;
        }
        return applied;
    }

    private Answer applyBoat(String manager, String content) {
        return apply(BOATS + "/b?fieldManager=" + manager, BOAT.formatted(content));
    }

    /** Each entry in a line: manager, operation, subresource, fields. */
    private static List<String> managers(Answer answer) {
        List<String> managers = new ArrayList<>();
        for (JsonNode entry : answer.body().at("/metadata/managedFields").values()) {
            managers.add(entry.path("manager").asString("") + " "
                    + entry.path("operation").asString("")
                    + entry.path("subresource").asString("") + " "
                    + Json.text(entry.path("fieldsV1")));
        }
        return managers;
    }

    @Test
    void configurationWithoutAName_isOfTheObjectOfThePath_ifThereIsOne() {
        String unnamed = "apiVersion: v1\nkind: ConfigMap\ndata: {a: %s}\n";
        assertThat(apply(MAPS + "/m?fieldManager=a", unnamed.formatted("x1"))
                        .expect(400)
                        .message())
                .endsWith("name must be provided");
        applyMap("a", "data: {a: x}").expect(201);

        assertThat(apply(MAPS + "/m?fieldManager=a", unnamed.formatted("y1"))
                        .expect(200)
                        .at("/data/a"))
                .isEqualTo("y1");
        apply(MAPS + "/m?fieldManager=a", "metadata: {namespace: other}\n" + unnamed.formatted("z1"))
                .expect(400);
    }

    @Test
    void applying_createsTheObject_thenChangesIt_thenChangesNothing() {
        Answer created = applyMap("a", "data: {x: '1'}").expect(201);
        Answer changed = applyMap("a", "data: {x: '2'}").expect(200);
        Answer same = applyMap("a", "data: {x: '2'}").expect(200);

        assertThat(managers(created)).containsExactly("a Apply {\"f:data\":{\"f:x\":{}}}");
        assertThat(changed.at("/data/x")).isEqualTo("2");
        assertThat(same.body()).isEqualTo(changed.body());
    }

    @Test
    void fieldOfAnother_isAConflict_thatNamesEachField_andForceTakesIt() {
        api.create(MAPS + "?fieldManager=u", MAP.formatted("", "data: {v: '1', x: '1'}"))
                .expect(201);

        Answer refused = applyMap("a", "data: {v: '2', x: '2', z: '2'}").expect(409);

        assertThat(refused.message())
                .isEqualTo("Apply failed with 2 conflicts: conflicts with \"u\" using v1:\n- .data.v\n- .data.x");
        assertThat(refused.body().path("details")).isEqualTo(Json.read("""
            {"causes":[{"reason":"FieldManagerConflict","message":"conflict with \\"u\\" using v1",\
            "field":".data.v"},{"reason":"FieldManagerConflict","message":"conflict with \\"u\\" using v1",\
            "field":".data.x"}]}\
            """));
        assertThat(api.get(MAPS + "/m").at("/data/z")).isEmpty();

        Answer forced =
                applyMap("a&force=true", "data: {v: '2', x: '2', z: '2'}").expect(200);

        assertThat(managers(forced))
                .containsExactly("a Apply {\"f:data\":{\"f:v\":{},\"f:x\":{},\"f:z\":{}}}", "u Update {\"f:data\":{}}");
    }

    @Test
    void whatIsLeftOut_goes() {
        applyBoat("a", "spec: {crew: 3, sails: [{name: main, area: 9}, {name: jib}]}")
                .expect(201);
        Answer applied = applyBoat("a", "spec: {sails: [{name: jib}]}").expect(200);

        assertThat(applied.body().path("spec"))
                .isEqualTo(Json.read("{\"flag\":\"white\",\"sails\":[{\"name\":\"jib\"}]}"));
        assertThat(applied.body().at("/metadata/generation").intValue()).isEqualTo(2);
    }

    @Test
    void statusIsAppliedByItsOwnPath_andManagedApart() {
        applyBoat("a", "spec: {crew: 3}\nstatus: {port: x}").expect(201);
        Answer applied = apply(
                        BOATS + "/b/status?fieldManager=s", BOAT.formatted("spec: {crew: 9}\nstatus: {port: Kiel}"))
                .expect(200);

        assertThat(applied.at("/status/port")).isEqualTo("Kiel");
        assertThat(applied.body().at("/spec/crew").intValue()).isEqualTo(3);
        assertThat(managers(applied))
                .containsExactlyInAnyOrder(
                        "a Apply {\"f:spec\":{\"f:crew\":{}}}", "s Applystatus {\"f:status\":{\"f:port\":{}}}");
    }

    @Test
    void scaleIsManagedAsTheFieldItStandsFor() {
        applyBoat("a", "spec: {crew: 3}").expect(201);
        String scale = "apiVersion: autoscaling/v1\nkind: Scale\nmetadata: {name: b}\nspec: {replicas: 5}\n";

        assertThat(apply(BOATS + "/b/scale?fieldManager=h", scale).expect(409).message())
                .isEqualTo("Apply failed with 1 conflict: conflict with \"a\": .spec.replicas");
        apply(BOATS + "/b/scale?fieldManager=h&force=true", scale).expect(200);

        Answer boat = api.get(BOATS + "/b");
        assertThat(boat.body().at("/spec/crew").intValue()).isEqualTo(5);
        assertThat(managers(boat)).containsExactly("h Applyscale {\"f:spec\":{\"f:crew\":{}}}");
    }

    @Test
    void writesThatDoNotApply_areRecordedUnderTheirFieldManager_orTheirProgram() {
        api.create(MAPS, MAP.formatted("", "data: {x: '1'}")).expect(201);
        Answer patched = api.merge(MAPS + "/m?fieldManager=p", "{\"data\":{\"x\":\"2\",\"y\":\"1\"}}")
                .expect(200);

        assertThat(managers(patched))
                .containsExactly("p Update {\"f:data\":{\"f:x\":{},\"f:y\":{}}}", "unknown Update {\"f:data\":{}}");
    }

    @ParameterizedTest
    @CsvSource({"[],", "[{}],", "null,x"})
    void managersThatAClientEmpties_areRemoved(String sent, String kept) {
        applyMap("x", "data: {x: '1'}").expect(201);
        Answer patched = api.merge(MAPS + "/m?fieldManager=p", "{\"metadata\":{\"managedFields\":" + sent + "}}")
                .expect(200);

        assertThat(managers(patched)).hasSize(kept == null ? 0 : 1);
    }

    @Test
    void objectsOfFairleadItself_haveNoManagers_untilTheyAreApplied() {
        String account = "/api/v1/namespaces/default/serviceaccounts/default";
        assertThat(managers(api.get(account))).isEmpty();

        Answer applied = apply(account + "?fieldManager=a", """
            {apiVersion: v1, kind: ServiceAccount, metadata: {name: default, labels: {x: z}}}\
            """).expect(200);

        assertThat(managers(applied)).containsExactly("a Apply {\"f:metadata\":{\"f:labels\":{\"f:x\":{}}}}");
    }

    @Test
    void kubectl_takesOverWhatItAppliedByAnnotation_andRenewsIt() {
        String earlier =
                "{\"apiVersion\":\"v1\",\"kind\":\"ConfigMap\",\"metadata\":{\"name\":\"m\"},\"data\":{\"x\":\"1\"}}";
        api.create(
                        MAPS + "?fieldManager=kubectl-client-side-apply",
                        "apiVersion: v1\nkind: ConfigMap\ndata: {x: '1'}\nmetadata: {name: m, annotations:"
                                + " {kubectl.kubernetes.io/last-applied-configuration: '" + earlier + "'}}")
                .expect(201);

        assertThat(applyMap("other", "data: {x: '2'}").expect(409).message()).contains("kubectl-client-side-apply");
        Answer applied = applyMap("kubectl", "data: {x: '2'}").expect(200);

        assertThat(applied.at("/data/x")).isEqualTo("2");
        assertThat(applied.at("/metadata/annotations/kubectl.kubernetes.io~1last-applied-configuration"))
                .isEqualTo("{\"apiVersion\":\"v1\",\"data\":{\"x\":\"2\"},\"kind\":\"ConfigMap\","
                        + "\"metadata\":{\"name\":\"m\"}}\n");
    }

    @Test
    void objectThatManagersMakeTooLarge_isRefused_andStays() {
        int applied = applyManyKeysUntilRefused();

        assertThat(applied).isBetween(1, 39);
        assertThat(applyMap("last", MANY_KEYS).expect(413).message()).contains("limit is 6291456");
        assertThat(managers(api.get(MAPS + "/m"))).hasSize(applied);
    }

    @Test
    void objectThatIsAsDeepAsABodyMayBe_canBeReadAndDeletedAgain() {
        String deep = "{\"apiVersion\":\"v1\",\"kind\":\"Pit\",\"metadata\":{\"name\":\"p\"},\"spec\":%s}"
                .replace("\"v1\"", "\"example.com/v1\"");
        api.create(CRDS, """
            apiVersion: apiextensions.k8s.io/v1
            kind: CustomResourceDefinition
            metadata: {name: pits.example.com}
            spec:
              group: example.com
              scope: Namespaced
              names: {plural: pits, kind: Pit}
              versions:
              - name: v1
                served: true
                storage: true
                schema: {openAPIV3Schema: {type: object, x-kubernetes-preserve-unknown-fields: true}}
            """).expect(201);
        String pits = BOATS.replace("boats", "pits");
        Fixture.eventually("pits are served", () -> api.get(pits).code() == 200);

        api.createJson(pits, deep.formatted("{\"x\":".repeat(255) + "1" + "}".repeat(255)))
                .expect(201);

        api.get(pits + "/p").expect(200);
        apply(
                        pits + "/p?fieldManager=a",
                        "{apiVersion: example.com/v1, kind: Pit, metadata: {name: p, labels: {x: z}}}")
                .expect(200);
        api.delete(pits + "/p").expect(200);
        api.get(pits + "/p").expect(404);
    }

    @Test
    void itemThatNothingIdentifies_isNotLost_whenAConfigurationIsApplied() {
        String accounts = "/api/v1/namespaces/default/serviceaccounts";
        api.create(accounts, "{apiVersion: v1, kind: ServiceAccount, metadata: {name: s}, secrets: [{namespace: x}]}")
                .expect(201);

        Answer refused = apply(
                        accounts + "/s?fieldManager=a",
                        "{apiVersion: v1, kind: ServiceAccount, metadata: {name: s, labels: {x: z}}}")
                .expect(500);

        assertThat(refused.message())
                .isEqualTo("failed to create typed live object (default/s; /v1, Kind=ServiceAccount): .secrets: element"
                        + " 0: associative list with keys has an element that omits all key fields [\"name\"] (and"
                        + " doesn't have default values for any key fields)");
        assertThat(api.get(accounts + "/s").body().path("secrets").size()).isOne();
    }

    @Test
    void objectBeyondItsRoom_canStillBeDeleted() {
        apply(MAPS + "/m?fieldManager=f", MAP.formatted(", finalizers: [example.com/f]", ""))
                .expect(201);
        applyManyKeysUntilRefused();

        api.delete(MAPS + "/m").expect(200);
        assertThat(api.get(MAPS + "/m").at("/metadata/deletionTimestamp")).isNotEmpty();
        api.merge(MAPS + "/m", "{\"metadata\":{\"finalizers\":null}}").expect(200);
        api.get(MAPS + "/m").expect(404);
    }

    @Test
    void dryRun_storesNothing() {
        applyMap("a&dryRun=All", "data: {x: '1'}").expect(201);

        api.get(MAPS + "/m").expect(404);
    }

    @Test
    void configurationThatDoesNotFit_isRefused_andNothingStored() {
        assertThat(apply(MAPS + "/m", MAP.formatted("", "")).expect(422).message())
                .endsWith("fieldManager: Required value: is required for apply patch");
        assertThat(apply(MAPS + "/other?fieldManager=a", MAP.formatted("", ""))
                        .expect(400)
                        .message())
                .contains("does not match the name on the URL");
        assertThat(apply(MAPS + "/m?fieldManager=a", MAP.formatted(", namespace: kube-system", ""))
                        .expect(400)
                        .message())
                .contains("namespace");
        assertThat(apply(MAPS + "/m?fieldManager=a", MAP.formatted(", managedFields: []", ""))
                        .expect(400)
                        .message())
                .isEqualTo("metadata.managedFields must be nil");
        assertThat(apply(MAPS + "/m?fieldManager=a", "{apiVersion: v1, kind: Secret, metadata: {name: m}}")
                        .expect(400)
                        .message())
                .isEqualTo("invalid object type: /v1, Kind=Secret");
        assertThat(applyMap("a", "dota: {}").expect(500).message()).endsWith(": .dota: field not declared in schema");
        assertThat(applyMap("a&fieldValidation=Strict", "data: {x: '1', x: '2'}")
                        .expect(400)
                        .message())
                .contains("strict");
        apply(MAPS + "/m?fieldManager=a", ": : :").expect(400);
        apply(BOATS + "/none/status?fieldManager=a", "{apiVersion: example.com/v1, kind: Boat, metadata: {name: none}}")
                .expect(404);

        api.get(MAPS + "/m").expect(404);
    }
}
