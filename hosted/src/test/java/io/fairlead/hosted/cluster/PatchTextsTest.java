package io.fairlead.hosted.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import io.fairlead.hosted.cluster.Api.Answer;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** How refusals show the result of a patch, and values of another type. Expected texts are those of a kube-apiserver 1.36. */
class PatchTextsTest {
    private static final String MAPS = "/api/v1/namespaces/default/configmaps";
    private static final String BOATS = "/apis/example.com/v1/namespaces/default/boats";
    private static final String JSON_PATCH = "application/json-patch+json";
    private static final String MERGE_PATCH = "application/merge-patch+json";

    private final Fixture fixture = new Fixture();
    private final Api api = fixture.dev();

    @BeforeEach
    void createObjects() {
        api.create(MAPS, "{apiVersion: v1, kind: ConfigMap, metadata: {name: m, labels: {z: x}}, data: {b: '1', a: <}}")
                .expect(201);
        api.create("/apis/apiextensions.k8s.io/v1/customresourcedefinitions", """
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
                schema:
                  openAPIV3Schema:
                    type: object
                    properties:
                      spec:
                        type: object
                        properties:
                          text: {type: string}
                          flag: {type: boolean}
                          depth: {type: number, maximum: 2.5}
                          list: {type: array, items: {type: integer}}
                          map: {type: object, additionalProperties: {type: integer}}
            """)
                .expect(201);
        Fixture.eventually("boats are served", () -> api.get(BOATS).code() == 200);
        api.create(BOATS, "{apiVersion: example.com/v1, kind: Boat, metadata: {name: b}, spec: {text: a}}")
                .expect(201);
    }

    @AfterEach
    void close() {
        fixture.close();
    }

    private Answer patch(String path, String type, String body) {
        return api.send("PATCH", path, type, body.getBytes(StandardCharsets.UTF_8));
    }

    /** What the patch left alone stands in the order of Go's structs, what it reached into in that of its names. */
    @Test
    void mergePatch_whoseResultIsNoObject_isShownAsGoWritesIt() {
        Answer refused = patch(MAPS + "/m", MERGE_PATCH, "{\"data\": {\"x\": 1}}");

        assertThat(refused.expect(422)
                        .message()
                        .replaceAll("\"(uid|resourceVersion|creationTimestamp|time).\":.\"[^\"]*.\",", "$1,"))
                .startsWith(" \"\" is invalid: patch: Invalid value:"
                                + " \"{\\\"apiVersion\\\":\\\"v1\\\",\\\"data\\\":{\\\"a\\\":"
                                + "\\\"\\\\u003c\\\",\\\"b\\\":\\\"1\\\",\\\"x\\\":1},\\\"kind\\\":\\\"ConfigMap\\\",\\\"metadata\\\":{\\\"name\\\":\\\"m\\\","
                                + "\\\"namespace\\\":\\\"default\\\",")
                .contains("\\\"managedFields\\\":[{\\\"manager\\\":\\\"unknown\\\",\\\"operation\\\":\\\"Update\\\",")
                .endsWith("}\": json: cannot unmarshal number into Go struct field ConfigMap.data of type string");
    }

    @Test
    void jsonPatch_keepsTheOrderOfWhatItPutsIn() {
        String put = "[{\"op\":\"add\",\"path\":\"/metadata/labels/q\",\"value\":{\"z\":1,\"a\":2}}]";

        assertThat(patch(MAPS + "/m", JSON_PATCH, put).expect(422).message())
                .contains("\\\"labels\\\":{\\\"q\\\":{\\\"z\\\":1,\\\"a\\\":2},\\\"z\\\":\\\"x\\\"}")
                .contains("\\\"kind\\\":\\\"ConfigMap\\\",\\\"metadata\\\":{\\\"creationTimestamp\\\":");
    }

    /** A patch leads into what it copies from or compares, as well. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "{'op':'copy','from':'/metadata/labels','path':'/data/x'}",
                "{'op':'test','path':'/metadata/name','value':'m'},{'op':'add','path':'/data/x','value':1}",
                "{'op':'test','path':'/data/b','value':'1'},{'op':'copy','from':'/metadata','path':'/data/x'}",
            })
    void jsonPatch_sortsWhatItReads(String operations) {
        String message = patch(MAPS + "/m", JSON_PATCH, "[" + operations.replace('\'', '"') + "]")
                .expect(422)
                .message();

        boolean isCopied = operations.contains("'/metadata'");
        assertThat(message)
                .contains("\\\"metadata\\\":{\\\"" + (isCopied ? "name" : "creationTimestamp") + "\\\":")
                .contains("\\\"data\\\":{\\\"a\\\":");
    }

    @Test
    void strategicMergePatch_isShownAsGoPrintsAMap() {
        String type = "application/strategic-merge-patch+json";

        assertThat(patch(MAPS + "/m", type, "{\"data\": {\"x\": 1}}")
                        .expect(422)
                        .message())
                .startsWith(" \"\" is invalid: patch: Invalid value: \"map[data:map[x:1]]\": ");
    }

    @Test
    void patchedCustomResource_isShownAsJson() {
        assertThat(patch(BOATS + "/b", MERGE_PATCH, "{\"metadata\": {\"labels\": 1}}")
                        .expect(422)
                        .message())
                .startsWith(" \"\" is invalid: patch: Invalid value:"
                        + " \"{\\\"apiVersion\\\":\\\"example.com/v1\\\",\\\"kind\\\":")
                .contains("\\\"spec\\\":{\\\"text\\\":\\\"a\\\"}}\": json: cannot unmarshal number into Go struct field"
                        + " ObjectMeta.labels of type map[string]string");
    }

    @ParameterizedTest
    @CsvSource({"10000000.0, 1e+07", "1234567.5, 1.2345675e+06", "3.0, 3", "1e21, 1e+21"})
    void numberBeyondItsRange_isShownAsGoPrintsIt(String number, String shown) {
        assertThat(patch(BOATS + "/b", MERGE_PATCH, "{\"spec\": {\"depth\": " + number + "}}")
                        .expect(422)
                        .message())
                .isEqualTo("Boat.example.com \"b\" is invalid: spec.depth: Invalid value: " + shown
                        + ": spec.depth in body should be less than or equal to 2.5");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "text: {c: [1, a], b: x} | .spec.text: expected string, got"
                        + " &value.valueUnstructured{Value:map[string]interface {}{\"b\":\"x\", \"c\":[]interface {}{1,"
                        + " \"a\"}}}",
                "text: [] | .spec.text: expected string, got &value.valueUnstructured{Value:[]interface {}{}}",
                "text: 5 | .spec.text: expected string, got &value.valueUnstructured{Value:5}",
                "flag: {} | .spec.flag: expected boolean, got &{map[]}",
                "map: [1, a] | .spec.map: expected map, got &{[1 a]}",
                "list: {a: 1} | .spec.list: expected list, got &{map[a:1]}",
            })
    void appliedValueOfAnotherType_isShownAsGoPrintsIt(String spec, String problem) {
        Answer refused = patch(
                BOATS + "/b?fieldManager=m",
                "application/apply-patch+yaml",
                "{apiVersion: example.com/v1, kind: Boat, metadata: {name: b}, spec: {" + spec + "}}");

        assertThat(refused.expect(500).message())
                .isEqualTo("failed to create typed patch object (/b; example.com/v1, Kind=Boat): " + problem);
    }

    @Test
    void otherNamespace_isRefusedBeforeAnotherName() {
        Answer refused = api.send(
                "PUT",
                MAPS + "/m",
                "application/yaml",
                "{apiVersion: v1, kind: ConfigMap, metadata: {name: k, namespace: other}}"
                        .getBytes(StandardCharsets.UTF_8));

        assertThat(refused.expect(400).message())
                .isEqualTo("the namespace of the provided object does not match the namespace sent on the request");
    }
}
