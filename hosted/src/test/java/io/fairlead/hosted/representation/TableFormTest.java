package io.fairlead.hosted.representation;

import static org.assertj.core.api.Assertions.assertThat;

import io.fairlead.hosted.ApiRequest;
import io.fairlead.hosted.ResourceType;
import io.fairlead.schema.json.Json;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import tools.jackson.databind.node.ObjectNode;

/** An answer as a table. */
final class TableFormTest extends RepresentationsFixture {
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
                    + " | [\"a\",\"Role/r\",\"100s\",\"u\",\"g\",\"n/s, /t\"]",
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
    void table_ofAListWithWholeObjects_namesTheirKinds() {
        ApiRequest request = request(TABLE, "list", Map.of("includeObject", List.of("Object")));
        ObjectNode table = list(
                representations.of(request, CONFIG_MAPS, false),
                object("{\"items\":[{\"kind\":\"ConfigMap\",\"apiVersion\":\"v1\",\"metadata\":{\"name\":\"a\"}}]}"));

        assertThat(table.at("/rows/0/object/kind").asString("")).isEqualTo("ConfigMap");
    }
}
