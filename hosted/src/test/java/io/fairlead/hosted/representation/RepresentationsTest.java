package io.fairlead.hosted.representation;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.fairlead.hosted.ApiRequest;
import io.fairlead.hosted.ListBody;
import io.fairlead.hosted.ResourceType;
import io.fairlead.model.RequestInfo;
import io.fairlead.model.Status;
import io.fairlead.model.StatusException;
import io.fairlead.model.UserInfo;
import io.fairlead.schema.json.Json;
import io.fairlead.schema.json.Yaml;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.node.ObjectNode;

/** Forms and messages were taken from a kube-apiserver 1.36. */
class RepresentationsTest {
    private static final String TABLE = "application/json;as=Table;v=v1;g=meta.k8s.io";
    private static final String METADATA = "\"creationTimestamp\":\"2026-11-20T23:58:20Z\",\"resourceVersion\":\"7\"";
    private static final ResourceType CONFIG_MAPS = builtIn("", "configmaps", "ConfigMap");

    private final Representations representations = new Representations(() -> Instant.parse("2026-11-21T00:00:00Z"));

    @Test
    void table_ofAList_hasColumnsRowsAndTheListsMetadata() {
        ObjectNode list = object("""
            {"kind":"ConfigMapList","apiVersion":"v1","metadata":{"resourceVersion":"9","continue":"t","remainingItemCount":3},
             "items":[{"metadata":{"name":"cm1",%s},"data":{"a":"1","b":"2"},"binaryData":{"c":""}}]}\
            """.formatted(METADATA));

        ObjectNode table = list(form(TABLE, "list", CONFIG_MAPS), list);

        assertThat(table.path("columnDefinitions")
                        .valueStream()
                        .map(column -> column.path("name").asString()))
                .containsExactly("Name", "Data", "Age");
        assertThat(table.path("metadata"))
                .isEqualTo(Json.read("{\"resourceVersion\":\"9\",\"continue\":\"t\",\"remainingItemCount\":3}"));
        assertThat(table.path("rows")).isEqualTo(Json.read("""
            [{"cells":["cm1",3,"100s"],"object":{"kind":"PartialObjectMetadata",
              "apiVersion":"meta.k8s.io/v1","metadata":{"name":"cm1",%s}}}]\
            """.formatted(METADATA)));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "namespaces | '\"status\":{\"phase\":\"Active\"}' | [\"a\",\"Active\",\"100s\"]",
                "secrets | '\"type\":\"Opaque\",\"data\":{\"k\":\"\"}' | [\"a\",\"Opaque\",1,\"100s\"]",
                "serviceaccounts | '\"x\":1' | [\"a\",\"100s\"]",
                "roles | '\"x\":1' | [\"a\",\"2026-11-20T23:58:20Z\"]",
                "rolebindings |"
                    + " '\"roleRef\":{\"kind\":\"Role\",\"name\":\"r\"},\"subjects\":[{\"kind\":\"User\",\"name\":\"u\"},"
                    + "{\"kind\":\"ServiceAccount\",\"name\":\"s\",\"namespace\":\"n\"},{\"kind\":\"ServiceAccount\",\"name\":\"t\"},{\"kind\":\"Group\",\"name\":\"g\"}]'"
                    + " | [\"a\",\"Role/r\",\"100s\",\"u\",\"g\",\"n/s, t\"]",
            })
    void table_ofABuiltInKind_hasItsColumns(String plural, String fields, String cells) {
        String group = plural.startsWith("role") ? "rbac.authorization.k8s.io" : "";
        ObjectNode object = object("{\"metadata\":{\"name\":\"a\",%s},%s}".formatted(METADATA, fields));

        ObjectNode table = form(TABLE, "get", builtIn(group, plural, "Kind")).object(object);

        assertThat(table.at("/rows/0/cells")).isEqualTo(Json.read(cells));
        assertThat(table.path("metadata")).isEqualTo(Json.read("{\"resourceVersion\":\"7\"}"));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                // What client-go's older recorder writes, and kubectl create event.
                "'' | '\"involvedObject\":{\"kind\":\"Pod\",\"name\":\"web\",\"fieldPath\":\"spec.containers{c}\"},\"reason\":\"Pulled\",\"message\":\""
                    + " image\\n"
                    + "\",\"source\":{\"component\":\"kubelet\",\"host\":\"n1\"},"
                    + "\"firstTimestamp\":\"2026-11-20T23:00:00Z\",\"lastTimestamp\":\"2026-11-20T23:59:00Z\",\"count\":7,\"type\":\"Normal\",\"reportingComponent\":\"kubelet\",\"reportingInstance\":\"n1\"'"
                    + " | [\"60s\",\"Normal\",\"Pulled\",\"pod/web\",\"spec.containers{c}\",\"kubelet,"
                    + " n1\",\"image\",\"60m\",7,\"a\"]",
                // What the newer one writes, in both forms.
                "'' | '\"involvedObject\":{\"kind\":\"Node\"},\"reason\":\"Up\",\"message\":\"m\",\"type\":\"Warning\","
                    + "\"eventTime\":\"2026-11-20T23:58:00.000000Z\",\"reportingComponent\":\"x\",\"reportingInstance\":\"\"'"
                    + " | [\"2m\",\"Warning\",\"Up\",\"node\",\"\",\"x\",\"m\",\"2m\",1,\"a\"]",
                "events.k8s.io |"
                    + " '\"regarding\":{\"kind\":\"Node\",\"name\":\"n1\"},\"reason\":\"Up\",\"note\":\"m\",\"type\":\"Warning\","
                    + "\"eventTime\":\"2026-11-20T23:58:00.000000Z\",\"reportingController\":\"x\",\"reportingInstance\":\"i\",\"series\":{\"count\":3,\"lastObservedTime\":\"2026-11-20T23:59:50.000000Z\"}'"
                    + " | [\"10s\",\"Warning\",\"Up\",\"node/n1\",\"\",\"x, i\",\"m\",\"2m\",3,\"a\"]",
                "'' | '\"involvedObject\":{}'"
                        + " | [\"<unknown>\",\"\",\"\",\"\",\"\",\"\",\"\",\"<unknown>\",1,\"a\"]",
            })
    void table_ofEvents_hasTheColumnsOfKubeApiserver(String group, String fields, String cells) {
        ObjectNode event = object("{\"metadata\":{\"name\":\"a\",%s},%s}".formatted(METADATA, fields));

        ObjectNode table = form(TABLE, "get", builtIn(group, "events", "Event")).object(event);

        assertThat(table.path("columnDefinitions")
                        .valueStream()
                        .map(column -> column.path("name").asString()
                                + (column.path("priority").asInt() == 0 ? "" : " (wide)")))
                .containsExactly(
                        "Last Seen",
                        "Type",
                        "Reason",
                        "Object",
                        "Subobject (wide)",
                        "Source (wide)",
                        "Message",
                        "First Seen (wide)",
                        "Count (wide)",
                        "Name (wide)");
        assertThat(table.at("/rows/0/cells")).isEqualTo(Json.read(cells));
    }

    @Test
    void table_ofLeases_namesTheirHolders() {
        ObjectNode lease =
                object("{\"metadata\":{\"name\":\"a\",%s},\"spec\":{\"holderIdentity\":\"me\"}}".formatted(METADATA));

        ObjectNode table = form(TABLE, "get", builtIn("coordination.k8s.io", "leases", "Lease"))
                .object(lease);

        assertThat(table.path("columnDefinitions")
                        .valueStream()
                        .map(column -> column.path("name").asString()))
                .containsExactly("Name", "Holder", "Age");
        assertThat(table.at("/rows/0/cells")).isEqualTo(Json.read("[\"a\",\"me\",\"100s\"]"));
    }

    @Test
    void table_ofACustomResourceWithoutColumns_hasNameAndAge() {
        ResourceType widgets = new ResourceType(
                "example.com",
                "v1",
                "widgets",
                "widget",
                "Widget",
                "WidgetList",
                List.of(),
                List.of(),
                true,
                List.of(),
                Set.of(),
                "v1",
                true,
                null,
                null);

        ObjectNode table = form(TABLE, "get", widgets).object(object("{\"metadata\":{\"name\":\"w\"}}"));

        assertThat(table.at("/columnDefinitions/1/type").asString()).isEqualTo("date");
        assertThat(table.at("/rows/0/cells")).isEqualTo(Json.read("[\"w\",\"<unknown>\"]"));
    }

    @Test
    void table_ofAWatch_namesItsColumnsOnlyOnce() {
        Representation form = watch(TABLE);

        assertThat(form.event(object("{\"metadata\":{\"name\":\"a\"}}"), true)
                        .path("columnDefinitions")
                        .size())
                .isEqualTo(3);
        assertThat(form.event(object("{\"metadata\":{\"name\":\"b\"}}"), false)
                        .path("columnDefinitions")
                        .isNull())
                .isTrue();
        assertThat(form.sharingKey()).isEmpty();
    }

    @ParameterizedTest
    @CsvSource({"None, null", "Object, ConfigMap", "Metadata, PartialObjectMetadata"})
    void includeObject_saysWhatARowCarries(String include, String kind) {
        ObjectNode table = representations
                .of(request(TABLE, "get", Map.of("includeObject", List.of(include))), CONFIG_MAPS, false)
                .object(object("{\"kind\":\"ConfigMap\",\"metadata\":{\"name\":\"a\"}}"));

        assertThat(table.at("/rows/0/object/kind").asString("null")).isEqualTo(kind);
    }

    @Test
    void includeObject_ofAList_namesTheKindOfEachRow() {
        ObjectNode table = list(
                representations.of(
                        request(TABLE, "list", Map.of("includeObject", List.of("Object"))), CONFIG_MAPS, false),
                object("{\"kind\":\"ConfigMapList\",\"items\":[{\"metadata\":{\"name\":\"a\"}}]}"));

        assertThat(table.at("/rows/0/object"))
                .isEqualTo(object("{\"kind\":\"ConfigMap\",\"apiVersion\":\"v1\",\"metadata\":{\"name\":\"a\"}}"));
    }

    @Test
    void includeObject_unknown_isABadRequest() {
        assertThat(refusal(request(TABLE, "get", Map.of("includeObject", List.of("X"))))
                        .message())
                .isEqualTo("Unable to convert to Table as requested: includeObject: Invalid value: \"X\": must be"
                        + " 'Metadata', 'Object', 'None', or empty");
    }

    @Test
    void metadataOnly_ofAList_keepsEachObjectsMetadata() {
        ObjectNode partial = list(
                form("application/json;as=PartialObjectMetadataList;v=v1beta1;g=meta.k8s.io", "list", CONFIG_MAPS),
                object("""
                    {"kind":"ConfigMapList","metadata":{"resourceVersion":"9"},
                     "items":[{"metadata":{"name":"a","labels":{"x":"y"}},"data":{"secret":"s"}}]}\
                    """));

        assertThat(partial).isEqualTo(Json.read("""
            {"kind":"PartialObjectMetadataList","apiVersion":"meta.k8s.io/v1beta1","metadata":{"resourceVersion":"9"},
             "items":[{"kind":"PartialObjectMetadata","apiVersion":"meta.k8s.io/v1beta1",
                       "metadata":{"name":"a","labels":{"x":"y"}}}]}\
            """));
    }

    @ParameterizedTest
    @CsvSource({"PartialObjectMetadata, list", "PartialObjectMetadataList, get"})
    void metadataOnly_ofTheWrongShape_isNotAcceptable(String kind, String verb) {
        Status status = refusal(request("application/json;as=" + kind + ";v=v1;g=meta.k8s.io", verb, Map.of()));

        assertThat(status.code()).isEqualTo(406);
        assertThat(status.message()).startsWith("you requested " + kind + ", but the requested object is");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "application/foo",
                "application/vnd.kubernetes.protobuf;as=Table;v=v1;g=meta.k8s.io",
                "application/json;as=Tablx;v=v1;g=meta.k8s.io"
            })
    void unknownForm_isNotAcceptable(String accept) {
        assertThat(refusal(request(accept, "list", Map.of())).message())
                .isEqualTo("only the following media types are accepted: application/json, application/yaml,"
                        + " application/vnd.kubernetes.protobuf");
    }

    @Test
    void unknownForm_withAnAlternative_fallsBack() {
        assertThat(form("application/json;as=Table;v=v2;g=meta.k8s.io,application/json", "list", CONFIG_MAPS))
                .isInstanceOf(Whole.class);
    }

    @Test
    void yaml_isNoFormOfAWatch() {
        assertThat(catchThrowableOfType(StatusException.class, () -> watch("application/yaml"))
                        .status()
                        .code())
                .isEqualTo(406);
    }

    @Test
    void status_isNeverTransformed() {
        ObjectNode status = object("{\"kind\":\"Status\",\"apiVersion\":\"v1\",\"status\":\"Success\"}");

        assertThat(form(TABLE, "delete", CONFIG_MAPS).object(status)).isSameAs(status);
    }

    @Test
    void body_forPeople_isIndentedAsGoIndents() {
        ObjectNode body = object("{\"a\":[],\"b\":{},\"c\":[1,{\"d\":\"x, {\\\"y\\\": z}\"}]}");
        ApiRequest request = request("", "get", Map.of("pretty", List.of("true")));

        assertThat(text(representations.of(request, CONFIG_MAPS, false), body)).isEqualTo("""
            {
              "a": [],
              "b": {},
              "c": [
                1,
                {
                  "d": "x, {\\"y\\": z}"
                }
              ]
            }\
            """);
    }

    @Test
    void body_inJson_isOneLine() {
        assertThat(text(form("", "get", CONFIG_MAPS), object("{\"a\":1}"))).isEqualTo("{\"a\":1}\n");
    }

    @ParameterizedTest
    @ValueSource(strings = {"application/json", "application/json pretty", "application/yaml"})
    void list_inPieces_isWrittenAsAWhole(String accept) {
        Map<String, List<String>> query = accept.endsWith("pretty") ? Map.of("pretty", List.of("1")) : Map.of();
        ApiRequest request = request(accept.replace(" pretty", ""), "list", query);
        for (String items : List.of("[]", "[{\"a\":1}]", "[{\"a\":[]},{\"b\":{\"c\":[1,{}]}},{}]")) {
            Representation form = representations.of(request, CONFIG_MAPS, false);
            ObjectNode list =
                    object("{\"kind\":\"ConfigMapList\",\"apiVersion\":\"v1\",\"metadata\":{\"continue\":\"\"},"
                            + "\"items\":" + items + "}");

            assertThat(new String(written(form, list), StandardCharsets.UTF_8)).isEqualTo(text(form, list));
        }
    }

    @Test
    void list_inProtobuf_isWrittenAsAWhole() {
        Representation form = form("application/vnd.kubernetes.protobuf", "list", CONFIG_MAPS);
        for (String items : List.of("[]", "[{\"metadata\":{\"name\":\"a\"}}]", "[{\"data\":{\"a\":\"b\"}},{}]")) {
            ObjectNode list = object("{\"kind\":\"ConfigMapList\",\"apiVersion\":\"v1\","
                    + "\"metadata\":{\"resourceVersion\":\"7\"},\"items\":" + items + "}");

            assertThat(written(form, list)).isEqualTo(form.encode(list));
        }
    }

    @Test
    void table_ofAListWithWholeObjects_namesTheirKinds() {
        ApiRequest request = request(TABLE, "list", Map.of("includeObject", List.of("Object")));
        ListBody rows = representations.of(request, CONFIG_MAPS, false).list("v1", "ConfigMapList", false);

        byte[] row =
                rows.item(object("{\"kind\":\"ConfigMap\",\"apiVersion\":\"v1\",\"metadata\":{\"name\":\"a\"}}"), true);

        assertThat(Json.read(row).at("/object/kind").asString("")).isEqualTo("ConfigMap");
    }

    @Test
    void body_inYaml_readsBackAlike() {
        ObjectNode body = object("""
            {"b":{"yes":"no","n":null,"t":true,"f":1.5,"s":"two\\nlines","x":"- a: b","e":"","d":"2020-01-01","k":"a/b"},
             "a":[{"p":1,"q":[]},[1,[2]],"z",{}],"c":{"a.b/c":"12"}}\
            """);

        String yaml = text(form("application/yaml", "get", CONFIG_MAPS), body);

        assertThat(yaml).startsWith("a:\n- p: 1\n  q: []\n- - 1\n  - - 2\n- z\n- {}\nb:\n  d: \"2020-01-01\"\n");
        assertThat(Yaml.read(yaml.getBytes(StandardCharsets.UTF_8))).isEqualTo(body);
    }

    private Representation form(String accept, String verb, ResourceType type) {
        return representations.of(request(accept, verb, Map.of()), type, false);
    }

    private Representation watch(String accept) {
        return representations.of(request(accept, "watch", Map.of()), CONFIG_MAPS, true);
    }

    private Status refusal(ApiRequest request) {
        return catchThrowableOfType(StatusException.class, () -> representations.of(request, CONFIG_MAPS, false))
                .status();
    }

    /** A list as it is written piece by piece, read. */
    private static ObjectNode list(Representation form, ObjectNode list) {
        return (ObjectNode) Json.read(written(form, list));
    }

    private static byte[] written(Representation form, ObjectNode list) {
        ListBody body = form.list("v1", "ConfigMapList", true);
        ByteArrayOutputStream items = new ByteArrayOutputStream();
        list.path("items")
                .forEach(item -> items.writeBytes(body.item(((ObjectNode) item).deepCopy(), items.size() == 0)));
        ByteArrayOutputStream whole = new ByteArrayOutputStream();
        whole.writeBytes(body.begin(list.deepCopy().without(List.of("items")), items.size()));
        whole.writeBytes(items.toByteArray());
        whole.writeBytes(body.end());
        return whole.toByteArray();
    }

    private static String text(Representation form, ObjectNode body) {
        return new String(form.encode(body), StandardCharsets.UTF_8);
    }

    private static ApiRequest request(String accept, String verb, Map<String, List<String>> query) {
        RequestInfo info = new RequestInfo(true, "/", verb, "api", "", "v1", "ns", "configmaps", "", "", "");
        return new ApiRequest(info, "GET", query, Map.of("accept", accept), UserInfo.of("u", List.of()), new byte[0]);
    }

    private static ResourceType builtIn(String group, String plural, String kind) {
        return new ResourceType(
                group,
                "v1",
                plural,
                "",
                kind,
                kind + "List",
                List.of(),
                List.of(),
                true,
                List.of(),
                Set.of(),
                "v1",
                false,
                null,
                null);
    }

    private static ObjectNode object(String json) {
        return (ObjectNode) Json.read(json);
    }
}
