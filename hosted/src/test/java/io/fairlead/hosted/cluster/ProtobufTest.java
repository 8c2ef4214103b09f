package io.fairlead.hosted.cluster;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import io.fairlead.hosted.ApiResponse;
import io.fairlead.hosted.HostedCluster;
import io.fairlead.schema.json.Json;
import io.fairlead.schema.protobuf.Protobuf;
import io.fairlead.storage.MemoryStore;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.node.ObjectNode;

/** What typed clients send and read. */
class ProtobufTest {
    private static final String PROTOBUF = "application/vnd.kubernetes.protobuf";
    private static final String MAPS = "/api/v1/namespaces/default/configmaps";
    private static final byte[] NOTHING = {};
    private static final String WIDGETS = """
        apiVersion: apiextensions.k8s.io/v1
        kind: CustomResourceDefinition
        metadata: {name: widgets.example.com}
        spec:
          group: example.com
          names: {plural: widgets, kind: Widget}
          scope: Namespaced
          versions:
          - name: v1
            served: true
            storage: true
            schema: {openAPIV3Schema: {type: object, x-kubernetes-preserve-unknown-fields: true}}
        """;

    private final Fixture fixture = new Fixture(new MemoryStore(), Fixture.settings(1024, 1024), List.of());
    private final HostedCluster cluster = fixture.clusters.open(Fixture.DEV);
    private final Api api = fixture.dev();

    @AfterEach
    void close() {
        fixture.close();
    }

    @BeforeEach
    void serveWidgets() {
        api.create("/apis/apiextensions.k8s.io/v1/customresourcedefinitions", WIDGETS)
                .expect(201);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "/api/v1/namespaces | {\"apiVersion\":\"v1\",\"kind\":\"Namespace\",\"metadata\":{\"name\":\"typed\"}}",
                MAPS + " | {\"apiVersion\":\"v1\",\"kind\":\"ConfigMap\",\"metadata\":{\"name\":\"a\"},"
                        + "\"data\":{\"k\":\"v\"},\"binaryData\":{\"b\":\"AQI=\"},\"immutable\":false}",
                "/api/v1/namespaces/default/secrets |"
                        + " {\"apiVersion\":\"v1\",\"kind\":\"Secret\",\"metadata\":{\"name\":\"a\"},"
                        + "\"data\":{\"k\":\"dg==\"},\"type\":\"Opaque\"}",
                "/api/v1/namespaces/default/serviceaccounts | {\"apiVersion\":\"v1\",\"kind\":\"ServiceAccount\","
                        + "\"metadata\":{\"name\":\"a\",\"labels\":{\"x\":\"y\"}}}",
                "/apis/rbac.authorization.k8s.io/v1/clusterroles | {\"apiVersion\":\"rbac.authorization.k8s.io/v1\","
                        + "\"kind\":\"ClusterRole\",\"metadata\":{\"name\":\"a\"},"
                        + "\"rules\":[{\"verbs\":[\"get\"],\"apiGroups\":[\"\"],\"resources\":[\"pods\"]}]}",
                "/apis/apiextensions.k8s.io/v1/customresourcedefinitions | {\"apiVersion\":\"apiextensions.k8s.io/v1\","
                        + "\"kind\":\"CustomResourceDefinition\",\"metadata\":{\"name\":\"gadgets.example.com\"},"
                        + "\"spec\":{\"group\":\"example.com\",\"names\":{\"plural\":\"gadgets\",\"kind\":\"Gadget\"},"
                        + "\"scope\":\"Cluster\",\"versions\":[{\"name\":\"v1\",\"served\":true,\"storage\":true,"
                        + "\"schema\":{\"openAPIV3Schema\":{\"type\":\"object\",\"properties\":{\"spec\":"
                        + "{\"type\":\"object\",\"additionalProperties\":{\"type\":\"integer\",\"default\":3}}}}}}]}}",
            })
    void create_inProtobuf_isWhatItIsInJson(String path, String json) {
        ObjectNode object = (ObjectNode) Json.read(json);
        String dryRun = path + "?dryRun=All";
        ObjectNode fromJson =
                (ObjectNode) Json.read(whole(serve("POST", dryRun, "application/json", "", Json.write(object)), 201)
                        .body());

        ApiResponse.Whole answer =
                whole(serve("POST", dryRun, PROTOBUF, PROTOBUF + ",application/json", Protobuf.write(object)), 201);

        assertThat(answer.contentType()).isEqualTo(PROTOBUF);
        ObjectNode fromProtobuf =
                (ObjectNode) Json.read(whole(serve("POST", dryRun, PROTOBUF, "", Protobuf.write(object)), 201)
                        .body());
        assertThat(withoutTimes(fromProtobuf)).isEqualTo(withoutTimes(fromJson));
        assertThat(Protobuf.read(answer.body()).at("/metadata/uid").asString()).isNotEmpty();
    }

    @Test
    void update_delete_andList_speakProtobuf() {
        ObjectNode object = (ObjectNode) Json.read(
                "{\"apiVersion\":\"v1\",\"kind\":\"ConfigMap\",\"metadata\":{\"name\":\"a\"},\"data\":{\"k\":\"v\"}}");
        whole(serve("POST", MAPS, PROTOBUF, PROTOBUF, Protobuf.write(object)), 201);
        ObjectNode read = read(serve("GET", MAPS + "/a", "", PROTOBUF, NOTHING), 200);
        read.withObjectProperty("data").put("k", "w");

        ObjectNode updated = read(serve("PUT", MAPS + "/a", PROTOBUF, PROTOBUF, Protobuf.write(read)), 200);
        ObjectNode list = read(serve("GET", MAPS, "", PROTOBUF, NOTHING), 200);
        ObjectNode stale = read(serve("PUT", MAPS + "/a", PROTOBUF, PROTOBUF, Protobuf.write(read)), 409);

        assertThat(updated.at("/data/k").asString()).isEqualTo("w");
        assertThat(list.path("kind").asString()).isEqualTo("ConfigMapList");
        assertThat(list.at("/items").findValuesAsString("k")).containsExactly("w");
        assertThat(stale.path("reason").asString()).isEqualTo("Conflict");
        ObjectNode options = (ObjectNode)
                Json.read("{\"apiVersion\":\"v1\",\"kind\":\"DeleteOptions\",\"preconditions\":{\"uid\":\"other\"}}");
        assertThat(read(serve("DELETE", MAPS + "/a", PROTOBUF, PROTOBUF, Protobuf.write(options)), 409)
                        .path("message")
                        .asString())
                .contains("does not match the UID in record");
        options.remove("preconditions");
        assertThat(read(serve("DELETE", MAPS + "/a", PROTOBUF, PROTOBUF, Protobuf.write(options)), 200)
                        .path("status")
                        .asString())
                .isEqualTo("Success");
    }

    @ParameterizedTest
    @CsvSource({"rbac.authorization.k8s.io/v1, 200", "v1, 200", "apps/v1, 200", "foo/v1, 200"})
    void deleteOptions_areThoseOfAnyVersion(String apiVersion, int code) {
        String roles = "/apis/rbac.authorization.k8s.io/v1/clusterroles";
        api.create(roles, "metadata: {name: r}").expect(201);
        ObjectNode options = Json.object().put("apiVersion", apiVersion).put("kind", "DeleteOptions");

        read(serve("DELETE", roles + "/r", PROTOBUF, PROTOBUF, Protobuf.write(options)), code);
    }

    @Test
    void watch_inProtobuf_isFramedByLengths() throws Exception {
        api.create(MAPS, "metadata: {name: a}").expect(201);

        ApiResponse answer = serve(
                "GET", MAPS + "?watch=1&fieldSelector=metadata.name=a", "", PROTOBUF + ",application/json", NOTHING);

        assertThat(answer.contentType()).isEqualTo(PROTOBUF + ";stream=watch");
        try (ApiResponse.Frames frames = ((ApiResponse.Stream) answer).frames()) {
            assertThat(event(requireNonNull(frames.next())).at("/metadata/name").asString())
                    .isEqualTo("a");
            api.merge(MAPS + "/a", "{\"data\":{\"k\":\"v\"}}").expect(200);
            assertThat(event(requireNonNull(frames.next())).at("/data/k").asString())
                    .isEqualTo("v");
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"application/json", PROTOBUF})
    void watch_ofMetadataAlone_holdsNothingElse(String mediaType) throws Exception {
        api.create(MAPS, "{metadata: {name: a, labels: {x: on-watch}}, data: {k: v}}")
                .expect(201);
        String accept = mediaType + ";as=PartialObjectMetadata;g=meta.k8s.io;v=v1";

        ApiResponse answer = serve("GET", MAPS + "?watch=1&labelSelector=x", "", accept, NOTHING);

        try (ApiResponse.Frames frames = ((ApiResponse.Stream) answer).frames()) {
            byte[] frame = requireNonNull(frames.next());
            ObjectNode object = mediaType.equals(PROTOBUF)
                    ? event(frame)
                    : (ObjectNode) Json.read(frame).get("object");
            assertThat(object.path("kind").asString()).isEqualTo("PartialObjectMetadata");
            assertThat(object.at("/metadata/labels/x").asString()).isEqualTo("on-watch");
            assertThat(object.has("data")).isFalse();
        }
    }

    @Test
    void watch_fromACompactedRevision_tellsAStatusInProtobuf() throws Exception {
        String revision = api.create(MAPS, "metadata: {name: a}").expect(201).resourceVersion();
        api.merge(MAPS + "/a", "{\"data\":{\"k\":\"v\"}}").expect(200);
        fixture.compact();

        ApiResponse answer = serve("GET", MAPS + "?watch=1&resourceVersion=" + revision, "", PROTOBUF, NOTHING);

        try (ApiResponse.Frames frames = ((ApiResponse.Stream) answer).frames()) {
            ObjectNode status = event(requireNonNull(frames.next()));
            assertThat(status.path("kind").asString()).isEqualTo("Status");
            assertThat(status.path("code").asInt()).isEqualTo(410);
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "k8s\0",
                "{}",
                "k8s\0\n\t\n\002v1\022\003Pod",
                "k8s\0\n\017\n\002v1\022\tConfigMap\022\005\n\100",
            })
    void body_thatIsNoSuchObject_isABadRequest(String body) {
        ApiResponse.Whole answer =
                whole(serve("POST", MAPS, PROTOBUF, "", body.getBytes(StandardCharsets.ISO_8859_1)), 400);

        assertThat(new String(answer.body(), StandardCharsets.UTF_8)).contains("\"reason\":\"BadRequest\"");
    }

    @Test
    void customResources_haveNoProtobufButTheirMetadataHas() {
        String widgets = "/apis/example.com/v1/namespaces/default/widgets";
        Fixture.eventually("widgets are served", () -> api.get(widgets).code() == 200);
        api.create(widgets, "{apiVersion: example.com/v1, kind: Widget, metadata: {name: w}}")
                .expect(201);
        ObjectNode options = (ObjectNode) Json.read("{\"apiVersion\":\"v1\",\"kind\":\"DeleteOptions\"}");
        String metadata = PROTOBUF + ";as=PartialObjectMetadataList;g=meta.k8s.io;v=v1,application/json";

        assertThat(whole(serve("GET", widgets, "", PROTOBUF + ",application/json", NOTHING), 200)
                        .contentType())
                .isEqualTo("application/json");
        whole(serve("GET", widgets, "", PROTOBUF, NOTHING), 406);
        whole(serve("POST", widgets, PROTOBUF, "", Protobuf.write(options)), 415);
        assertThat(read(serve("GET", widgets, "", metadata, NOTHING), 200)
                        .at("/items/0/metadata/name")
                        .asString())
                .isEqualTo("w");
        whole(serve("DELETE", widgets + "/w", PROTOBUF, "", Protobuf.write(options)), 200);
    }

    private ApiResponse serve(String method, String target, String contentType, String accept, byte[] body) {
        return Routing.serve(cluster, Api.request(method, target, contentType, accept, body));
    }

    private static ApiResponse.Whole whole(ApiResponse answer, int status) {
        assertThat(answer).isInstanceOf(ApiResponse.Whole.class);
        ApiResponse.Whole whole = (ApiResponse.Whole) answer;
        assertThat(whole.status())
                .as(new String(whole.body(), StandardCharsets.UTF_8))
                .isEqualTo(status);
        return whole;
    }

    private static ObjectNode read(ApiResponse answer, int status) {
        assertThat(answer.contentType()).isEqualTo(PROTOBUF);
        return Protobuf.read(whole(answer, status).body());
    }

    /** The object of an event, which stands at the end of its frame. */
    private static ObjectNode event(byte[] frame) {
        assertThat(ByteBuffer.wrap(frame).getInt()).isEqualTo(frame.length - 4);
        for (int i = 4; i < frame.length; i++) {
            if (frame[i] == 'k' && frame[i + 1] == '8' && frame[i + 2] == 's' && frame[i + 3] == 0) {
                return Protobuf.read(Arrays.copyOfRange(frame, i, frame.length));
            }
        }
        throw new AssertionError("no envelope in " + Arrays.toString(frame));
    }

    private static ObjectNode withoutTimes(ObjectNode object) {
        object.withObjectProperty("metadata").remove("uid");
        object.withObjectProperty("metadata").remove("creationTimestamp");
        object.at("/metadata/managedFields").forEach(manager -> ((ObjectNode) manager).remove("time"));
        return object;
    }
}
