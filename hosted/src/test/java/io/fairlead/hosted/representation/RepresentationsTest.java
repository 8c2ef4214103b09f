package io.fairlead.hosted.representation;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.fairlead.hosted.ApiRequest;
import io.fairlead.hosted.ResourceType;
import io.fairlead.model.Status;
import io.fairlead.model.StatusException;
import io.fairlead.schema.json.Json;
import io.fairlead.schema.json.Yaml;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.node.ObjectNode;

/** Which form an answer has, and how its bytes are laid out. */
final class RepresentationsTest extends RepresentationsFixture {
    /** It knows no wildcard but that for any type. */
    @ParameterizedTest
    @ValueSource(strings = {"application/foo", "application/*", "*/json", "text/html;q=0.9"})
    void unknownMediaType_isRefusedInTheWordsOfGoRestful(String accept) {
        assertThat(refusal(request(accept, "get", Map.of())).message())
                .isEqualTo("406: Not Acceptable\n\nAvailable representations: application/json, application/yaml,"
                        + " application/vnd.kubernetes.protobuf");
    }

    @Test
    void mediaTypeOfCustomResources_isLookedAtByItself() {
        ResourceType boats = type("example.com", "boats", "Boat", true);

        Status refused = catchThrowableOfType(
                        StatusException.class,
                        () -> Representations.requireServed(request("application/xml", "list", Map.of()), boats))
                .status();

        assertThat(refused.message())
                .isEqualTo("only the following media types are accepted: application/json, application/yaml,"
                        + " application/vnd.kubernetes.protobuf");
        Representations.requireServed(request("application/*", "list", Map.of()), boats);
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
        Representation form = form("application/json;as=" + kind + ";v=v1;g=meta.k8s.io", verb, CONFIG_MAPS);

        Status status = catchThrowableOfType(
                        StatusException.class,
                        () -> Representations.requireMatching(CONFIG_MAPS, verb.equals("list"), form))
                .status();

        assertThat(status.code()).isEqualTo(406);
        assertThat(status.message()).startsWith("you requested " + kind + ", but the requested object is");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
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
    void customResource_underTheNameOfABuiltInKind_hasNoProtobuf() {
        String protobuf = "application/vnd.kubernetes.protobuf";
        ApiRequest request = request(protobuf, "get", Map.of());

        assertThat(representations
                        .of(request, builtIn("apps", "deployments", "Deployment"), false)
                        .contentType())
                .isEqualTo(protobuf);
        assertThat(catchThrowableOfType(
                                StatusException.class,
                                () -> representations.of(
                                        request, type("apps", "deployments", "Deployment", true), false))
                        .status()
                        .code())
                .isEqualTo(406);
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
    void body_inYaml_readsBackAlike() {
        ObjectNode body = object("""
            {"b":{"yes":"no","n":null,"t":true,"f":1.5,"s":"two\\nlines","x":"- a: b","e":"","d":"2020-01-01","k":"a/b"},
             "a":[{"p":1,"q":[]},[1,[2]],"z",{}],"c":{"a.b/c":"12"}}\
            """);

        String yaml = text(form("application/yaml", "get", CONFIG_MAPS), body);

        assertThat(yaml).startsWith("a:\n- p: 1\n  q: []\n- - 1\n  - - 2\n- z\n- {}\nb:\n  d: \"2020-01-01\"\n");
        assertThat(Yaml.read(yaml.getBytes(StandardCharsets.UTF_8))).isEqualTo(body);
    }
}
