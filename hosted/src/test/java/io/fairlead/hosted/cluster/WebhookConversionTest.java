package io.fairlead.hosted.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import io.fairlead.hosted.ConversionWebhooks;
import io.fairlead.hosted.TestMemory;
import io.fairlead.hosted.cluster.Api.Answer;
import io.fairlead.model.ByteBudget;
import io.fairlead.model.ClusterName;
import io.fairlead.schema.json.Json;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** Objects of a definition that are converted by a webhook. Expected texts are those of a kube-apiserver 1.36. */
@Timeout(60)
class WebhookConversionTest {
    private static final String CRDS = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions";
    private static final String V1 = "/apis/example.com/v1/namespaces/default/crates";
    private static final String V2 = "/apis/example.com/v2/namespaces/default/crates";
    private static final String CRD = """
        apiVersion: apiextensions.k8s.io/v1
        kind: CustomResourceDefinition
        metadata: {name: crates.example.com}
        spec:
          group: example.com
          scope: Namespaced
          names: {plural: crates, kind: Crate}
          conversion:
            strategy: Webhook
            webhook:
              conversionReviewVersions: [v1]
              clientConfig: {url: "https://convert.example.com/crates"}
          versions:
          - name: v1
            served: true
            storage: true
            subresources: {status: {}}
            schema: {openAPIV3Schema: {type: object, properties: {spec: {type: object, properties: {size: {type: integer}}}}}}
          - name: v2
            served: true
            storage: false
            subresources: {status: {}}
            schema:
              openAPIV3Schema:
                type: object
                properties:
                  spec: {type: object, properties: {amount: {type: string}, colour: {type: string, default: red}}}
        """;

    private final AmountWebhook webhook = new AmountWebhook();
    private final Fixture fixture =
            new Fixture(Fixture.settings(1024, 1024, TestMemory.of(ByteBudget.of(1024L * 1024 * 1024))), webhook);
    private final Api api = fixture.dev();

    @BeforeEach
    void define() {
        api.create(CRDS, CRD).expect(201);
        Fixture.eventually("crates are served", () -> api.get(V2).code() == 200);
    }

    @AfterEach
    void close() {
        fixture.close();
    }

    private static String crate(String name, int size) {
        return "apiVersion: example.com/v1\nkind: Crate\nmetadata: {name: " + name + "}\nspec: {size: " + size + "}";
    }

    @Test
    void objectOfTheStoredVersion_isReadInTheOther_pruned_withoutItsDefaults() {
        Answer made = api.create(V1, crate("a", 3)).expect(201);
        assertThat(webhook.reviews).isEmpty();

        Answer read = api.get(V2 + "/a").expect(200);

        assertThat(read.at("/apiVersion")).isEqualTo("example.com/v2");
        assertThat(read.body().path("spec").toString()).isEqualTo("{\"amount\":\"3 pieces\"}");
        assertThat(read.body().path("metadata")).isEqualTo(made.body().path("metadata"));
        assertThat(webhook.reviews).containsExactly(1);
    }

    @Test
    void objectOfTheOtherVersion_isStoredInItsOwn() {
        api.create(V2, crate("a", 3).replace("/v1", "/v2").replace("size: 3", "amount: 7 pieces"))
                .expect(201);

        assertThat(api.get(V1 + "/a").expect(200).body().path("spec").toString())
                .isEqualTo("{\"size\":7}");
        assertThat(webhook.reviews).containsExactly(1, 1);
        Answer changed =
                api.merge(V2 + "/a", "{\"spec\":{\"amount\":\"8 pieces\"}}").expect(200);
        assertThat(changed.at("/metadata/generation")).isEqualTo("2");
        assertThat(api.get(V1 + "/a").at("/spec/size")).isEqualTo("8");
        assertThat(api.delete(V2 + "/a").expect(200).at("/status")).isEqualTo("Success");
    }

    @Test
    void list_asksOnceForAPage() {
        for (int i = 0; i < 20; i++) {
            api.create(V1, crate("c" + i, i)).expect(201);
        }

        Answer list = api.get(V2).expect(200);

        assertThat(webhook.reviews).containsExactly(20);
        assertThat(list.body().path("items").size()).isEqualTo(20);
        assertThat(list.at("/items/19/spec/amount")).isEqualTo("9 pieces");
        assertThat(list.at("/items/19/metadata/resourceVersion")).isNotEmpty();
        assertThat(api.get(V2 + "?fieldSelector=metadata.name%3Dc7").at("/items/0/spec/amount"))
                .isEqualTo("7 pieces");
        assertThat(api.get(V2 + "?limit=2").at("/items/1/spec/amount")).isEqualTo("1 pieces");
    }

    @Test
    void watch_showsEveryChangeInItsVersion() {
        api.create(V1, crate("a", 1)).expect(201);
        try (Events events = api.watch(V2)) {
            assertThat(events.next().object().at("/spec/amount").stringValue()).isEqualTo("1 pieces");
            api.merge(V1 + "/a", "{\"spec\":{\"size\":2}}").expect(200);
            assertThat(events.next().object().at("/spec/amount").stringValue()).isEqualTo("2 pieces");
            api.delete(V1 + "/a").expect(200);
            Events.Event gone = events.next();
            assertThat(gone.type()).isEqualTo("DELETED");
            assertThat(gone.object().at("/spec/amount").stringValue()).isEqualTo("2 pieces");
        }
    }

    @Test
    void watch_whoseObjectsCannotBeConverted_saysSo() {
        api.create(V1, crate("a", 1)).expect(201);
        try (Events events = api.watch(V2)) {
            events.next();
            webhook.before(() -> {
                throw new ConversionWebhooks.Failure("it is away");
            });
            api.merge(V1 + "/a", "{\"spec\":{\"size\":2}}").expect(200);

            Events.Event failed = events.next();

            assertThat(failed.type()).isEqualTo("ERROR");
            assertThat(failed.object().at("/message").stringValue())
                    .isEqualTo("conversion webhook for example.com/v1, Kind=Crate failed: it is away");
        }
    }

    @Test
    void objects_moveToAnotherStorageVersion_withTheNextWriteOfEach() {
        String revision = api.create(V1, crate("a", 4)).expect(201).resourceVersion();
        ObjectNode definition = api.get(CRDS + "/crates.example.com").body();
        ((ObjectNode) definition.at("/spec/versions/0")).put("storage", false);
        ((ObjectNode) definition.at("/spec/versions/1")).put("storage", true);
        api.replace(CRDS + "/crates.example.com", definition).expect(200);
        Fixture.eventually("v2 is the stored version", () -> {
            Answer same = api.replace(V1 + "/a", api.get(V1 + "/a").body());
            return same.code() == 200 && !same.resourceVersion().equals(revision);
        });
        int asked = webhook.reviews.size();

        assertThat(api.get(V2 + "/a").at("/spec/amount")).isEqualTo("4 pieces");
        assertThat(webhook.reviews).hasSize(asked);
        assertThat(api.get(CRDS + "/crates.example.com")
                        .body()
                        .at("/status/storedVersions")
                        .toString())
                .isEqualTo("[\"v1\",\"v2\"]");
    }

    @Test
    void applied_inTwoVersions_isInConflictWhereTheyMeanTheSame() {
        String type = "application/apply-patch+yaml";
        api.send("PATCH", V1 + "/a?fieldManager=ann", type, bytes(crate("a", 5)))
                .expect(201);
        String other = "apiVersion: example.com/v2\nkind: Crate\nmetadata: {name: a}\nspec: {amount: ";

        api.send("PATCH", V2 + "/a?fieldManager=ben", type, bytes(other + "5 pieces}"))
                .expect(200);
        Answer refused = api.send("PATCH", V2 + "/a?fieldManager=ben", type, bytes(other + "6 pieces}"));

        assertThat(refused.expect(409).message())
                .isEqualTo("Apply failed with 1 conflict: conflict with \"ann\": .spec.size");
        api.send("PATCH", V2 + "/a?fieldManager=ben&force=true", type, bytes(other + "6 pieces}"))
                .expect(200);
        assertThat(api.get(V1 + "/a").at("/spec/size")).isEqualTo("6");
    }

    @Test
    void labelsAndAnnotations_areTheWebhooks_otherMetadataStay() {
        api.create(V1, crate("a", 1)).expect(201);
        webhook.lie(answer -> {
            ObjectNode metadata = (ObjectNode) answer.at("/response/convertedObjects/0/metadata");
            metadata.putObject("labels").put("made", "here");
            metadata.put("generation", 77).putArray("finalizers").add("example.com/x");
            return answer;
        });

        JsonNode metadata = api.get(V2 + "/a").expect(200).body().path("metadata");

        assertThat(metadata.path("labels").toString()).isEqualTo("{\"made\":\"here\"}");
        assertThat(metadata.path("generation").asInt()).isEqualTo(1);
        assertThat(metadata.has("finalizers")).isFalse();
    }

    static Stream<Arguments> lies() {
        String object = "/response/convertedObjects/0";
        String failed = " failed: ";
        String invalid = " returned invalid object: ";
        return Stream.of(
                lie(
                        "",
                        "kind",
                        "Review",
                        failed + "expected webhook response of apiextensions.k8s.io/v1,"
                                + " Kind=ConversionReview, got apiextensions.k8s.io/v1, Kind=Review"),
                lie("", "response", "null", failed + "no response provided"),
                lie("/response", "uid", "other", failed + "expected response.uid=\"UID\", got \"other\""),
                lie("/response/result", "status", "", failed + "response.result.status was '', not 'Success'"),
                lie("/response", "result", "{\"status\":\"Failure\",\"message\":\"no\"}", failed + "no"),
                lie("/response", "convertedObjects", "[]", " returned 0 objects, expected 1"),
                lie(
                        object,
                        "apiVersion",
                        "example.com/v1",
                        " returned invalid object at index 0: invalid groupVersion (expected example.com/v2, received"
                                + " example.com/v1)"),
                lie(
                        object,
                        "kind",
                        "Box",
                        " returned invalid object at index 0: invalid kind (expected Crate, received Box)"),
                lie(object + "/metadata", "name", "b", invalid + "must have the same name: a != b"),
                lie(object + "/metadata", "namespace", "b", invalid + "must have the same namespace: default != b"),
                lie(object + "/metadata", "uid", "b", invalid + "must have the same UID: UID != b"),
                lie(
                        object + "/metadata",
                        "labels",
                        "{\"a b\":\"c\"}",
                        " returned invalid metadata: metadata.labels: Invalid value: \"a b\": name part must consist"
                                + " of alphanumeric characters, '-', '_' or '.', and must start and end with an"
                                + " alphanumeric character (e.g. 'MyName',  or 'my.name',  or '123-abc', regex used for"
                                + " validation is '([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]')"));
    }

    private static Arguments lie(String place, String member, String value, String problem) {
        return Arguments.of(place, member, value, problem);
    }

    @ParameterizedTest
    @MethodSource("lies")
    void answerOfAWebhook_thatIsNoConversion_isRefused(String place, String member, String value, String problem) {
        String uid = api.create(V1, crate("a", 1)).expect(201).at("/metadata/uid");
        webhook.lie(answer -> {
            ObjectNode parent = (ObjectNode) answer.at(place);
            if (value.equals("null")) {
                parent.remove(member);
            } else if (value.startsWith("{") || value.startsWith("[")) {
                parent.set(member, Json.read(value));
            } else {
                parent.put(member, value);
            }
            return answer;
        });

        Answer refused = api.get(V2 + "/a").expect(500);

        assertThat(refused.reason()).isEmpty();
        assertThat(refused.message().replace(uid, "UID").replaceAll("[0-9a-f]{8}-[0-9a-f-]{27}", "UID"))
                .isEqualTo("conversion webhook for example.com/v1, Kind=Crate" + problem);
        assertThat(api.get(V2).code()).isEqualTo(500);
        assertThat(api.get(V1 + "/a").code()).isEqualTo(200);
    }

    @Test
    void whatCannotBeConverted_isNotStored_andCanBeDeleted() {
        api.create("/api/v1/namespaces", "metadata: {name: ns}").expect(201);
        api.create(V1.replace("default", "ns"), crate("a", 1)).expect(201);
        api.create(V1, crate("b", 1)).expect(201);
        webhook.before(() -> {
            throw new ConversionWebhooks.Failure("it is away");
        });

        api.create(V2, crate("c", 3).replace("/v1", "/v2").replace("size: 3", "amount: 7 pieces"))
                .expect(500);
        assertThat(api.get(V1).body().path("items").size()).isEqualTo(1);
        api.delete("/api/v1/namespaces/ns").expect(200);
        Fixture.eventually(
                "the namespace is gone", () -> api.get("/api/v1/namespaces/ns").code() == 404);
        api.delete(CRDS + "/crates.example.com").expect(200);
        Fixture.eventually(
                "the definition is gone",
                () -> api.get(CRDS + "/crates.example.com").code() == 404);
    }

    @Test
    void owners_areFollowed_withoutTheWebhook() {
        String uid = api.create(V1, crate("owner", 1)).expect(201).at("/metadata/uid");
        api.create(
                        V1,
                        crate("owned", 1)
                                .replace(
                                        "owned}",
                                        "owned, ownerReferences: [{apiVersion: example.com/v2, kind:"
                                                + " Crate, name: owner, uid: " + uid + "}]}"))
                .expect(201);
        webhook.before(() -> {
            throw new ConversionWebhooks.Failure("it is away");
        });

        api.delete(V1 + "/owner").expect(200);

        Fixture.eventually("what it owned is gone", () -> api.get(V1 + "/owned").code() == 404);
    }

    @Test
    void webhookThatHangs_holdsUpNoOtherList() throws Exception {
        CountDownLatch asked = new CountDownLatch(4);
        CountDownLatch answers = new CountDownLatch(1);
        String text = "x".repeat(1_000);
        for (int i = 0; i < 300; i++) {
            api.create(V1, crate("c" + i, i).replace("{name", "{annotations: {a: " + text + "}, name"))
                    .expect(201);
        }
        Api other = fixture.api(new ClusterName("other"));
        for (int i = 0; i < 300; i++) {
            other.create(
                            "/api/v1/namespaces/default/configmaps",
                            "metadata: {name: m" + i + "}\ndata: {a: " + text + "}")
                    .expect(201);
        }
        webhook.before(() -> {
            asked.countDown();
            answers.await();
        });
        try (ExecutorService callers = Executors.newVirtualThreadPerTaskExecutor()) {
            List<Future<Answer>> lists = new ArrayList<>();
            for (int i = 0; i < 4; i++) {
                lists.add(callers.submit(() -> api.get(V2)));
            }
            try {
                asked.await();
                assertThat(api.get(V1).expect(200).body().path("items").size()).isEqualTo(300);
                assertThat(other.get("/api/v1/configmaps")
                                .expect(200)
                                .body()
                                .path("items")
                                .size())
                        .isGreaterThanOrEqualTo(300);
            } finally {
                answers.countDown();
            }
            for (Future<Answer> list : lists) {
                assertThat(list.get().expect(200).body().path("items").size()).isEqualTo(300);
            }
        }
    }

    @Test
    void certificatesThatCannotBeRead_keepADefinitionFromBeingServed() {
        String placeholder = CRD.replace("crates", "boxes")
                .replace("Crate", "Box")
                .replace("/boxes\"}", "/boxes\", caBundle: Cg==}");
        api.create(CRDS, placeholder).expect(201);
        Fixture.eventually(
                "it is told",
                () -> api.get(CRDS + "/boxes.example.com")
                        .body()
                        .at("/status/conditions")
                        .toString()
                        .contains("InvalidCABundle"));
        api.get(V1.replace("crates", "boxes")).expect(404);

        api.merge(
                        CRDS + "/boxes.example.com",
                        "{\"spec\":{\"conversion\":{\"webhook\":{\"clientConfig\":{\"caBundle\":null}}}}}")
                .expect(200);

        Fixture.eventually(
                "boxes are served", () -> api.get(V1.replace("crates", "boxes")).code() == 200);
    }

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }
}
