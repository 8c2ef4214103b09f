package io.fairlead.schema.json;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.fairlead.model.StatusException;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

class PatchTest {
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                // RFC 7396, appendix A, as far as both are objects
                "{'a':'b'}|{'a':'c'}|{'a':'c'}",
                "{'a':'b'}|{'b':'c'}|{'a':'b','b':'c'}",
                "{'a':'b'}|{'a':null}|{}",
                "{'a':'b','b':'c'}|{'a':null}|{'b':'c'}",
                "{'a':['b']}|{'a':'c'}|{'a':'c'}",
                "{'a':'c'}|{'a':['b']}|{'a':['b']}",
                "{'a':{'b':'c'}}|{'a':{'b':'d','c':null}}|{'a':{'b':'d'}}",
                "{'a':[{'b':'c'}]}|{'a':[1]}|{'a':[1]}",
                "{'e':null}|{'a':1}|{'e':null,'a':1}",
                "{}|{'a':{'bb':{'ccc':null}}}|{'a':{'bb':{}}}",
                // beyond the RFC, as kube-apiserver
                "{}|{'a':[null,{'b':null}]}|{'a':[null,{}]}"
            })
    void mergePatch_merges(String target, String patch, String expected) {
        assertThat(MergePatch.apply((ObjectNode) json(target), json(patch))).isEqualTo(json(expected));
    }

    @Test
    void mergePatch_changesNeitherTargetNorPatch() {
        ObjectNode target = (ObjectNode) json("{'a':{'b':1}}");
        JsonNode patch = json("{'a':{'b':null,'c':{'d':null}}}");

        MergePatch.apply(target, patch);

        assertThat(target).isEqualTo(json("{'a':{'b':1}}"));
        assertThat(patch).isEqualTo(json("{'a':{'b':null,'c':{'d':null}}}"));
    }

    @Test
    void mergePatch_noObject_is400() {
        assertRefused(() -> MergePatch.apply(Json.object(), json("[1]")), 400, "the patch leaves no object");
        assertRefused(() -> MergePatch.apply(Json.object(), json("null")), 400, "Invalid JSON Patch");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "{}|{'op':'add','path':'/a','value':1}|{'a':1}",
                "{'a':[1,2]}|{'op':'add','path':'/a/1','value':9}|{'a':[1,9,2]}",
                "{'a':[1,2]}|{'op':'add','path':'/a/-','value':9}|{'a':[1,2,9]}",
                "{'a':[1,2]}|{'op':'add','path':'/a/2','value':9}|{'a':[1,2,9]}",
                "{'a':[1,2]}|{'op':'add','path':'/a/-1','value':9}|{'a':[1,2,9]}",
                "{'a':1,'b':2}|{'op':'remove','path':'/a'}|{'b':2}",
                "{'a':[1,2]}|{'op':'remove','path':'/a/-1'}|{'a':[1]}",
                "{'a':1}|{'op':'replace','path':'/a','value':null}|{'a':null}",
                "{'a':1}|{'op':'replace','path':'/b','value':2}|{'a':1,'b':2}",
                "{'a':1}|{'op':'replace','path':'','value':{'x':1}}|{'x':1}",
                "{'a':{'x':1}}|{'op':'move','from':'/a/x','path':'/b'}|{'a':{},'b':1}",
                "{'a':{'x':1}}|{'op':'copy','from':'/a','path':'/a/y'}|{'a':{'x':1,'y':{'x':1}}}",
                "{'a':{}}|{'op':'copy','from':'/a/no','path':'/b'}|{'a':{},'b':null}",
                "{'a/b':{'m~n':1}}|{'op':'remove','path':'/a~1b/m~0n'}|{'a/b':{}}",
                "{'a':{'b':[1]}}|{'op':'test','path':'/a','value':{'b':[1]}}|{'a':{'b':[1]}}",
                "{'a':{'b':[1]}}|{'op':'test','path':'/a','value':{'b':[1.0]}}|{'a':{'b':[1]}}",
                "{'a':1}|{'op':'test','path':'/no','value':null}|{'a':1}",
                "{'a':1}|{'op':'test','path':'','value':{'a':1}}|{'a':1}"
            })
    void jsonPatch_applies(String target, String operation, String expected) {
        assertThat(JsonPatch.of(json("[" + operation + "]")).apply(json(target)))
                .isEqualTo(json(expected));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "{'op':'add','path':'/no/x','value':1}|the document has no /no/x",
                "{'op':'add','path':'/s/x','value':1}|the document has no /s/x",
                "{'op':'add','path':'/s/x/y','value':1}|the document has no /s/x/y",
                "{'op':'add','path':'/n/x','value':1}|the document has no /n/x",
                "{'op':'add','path':'/l/3','value':1}|index 3 is out of range",
                "{'op':'add','path':'/l/x','value':1}|is no index",
                "{'op':'add','path':'','value':{}}|must begin with",
                "{'op':'add','value':{}}|is missing",
                "{'op':'remove','path':'/no'}|no member",
                "{'op':'remove','path':'/l/2'}|out of range",
                "{'op':'remove','path':'/l/-3'}|out of range",
                "{'op':'replace','path':'/l/2','value':1}|out of range",
                "{'op':'replace','path':'','value':1}|whole document",
                "{'op':'move','from':'/no','path':'/x'}|no member",
                "{'op':'copy','path':'/x'}|is missing",
                "{'op':'test','path':'/s','value':'y'}|not the expected one",
                "{'op':'test','path':'/n/a','value':null}|the document has no /n/a",
                "{'op':'nope','path':'/s'}|unknown operation",
                "{'path':'/s'}|unknown operation"
            })
    void jsonPatch_thatDoesNotApply_is422(String operation, String problem) {
        JsonNode target = json("{'s':'x','l':[1,2],'n':null}");

        assertRefused(() -> JsonPatch.of(json("[" + operation + "]")).apply(target), 422, problem);
        assertThat(target).isEqualTo(json("{'s':'x','l':[1,2],'n':null}"));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {"{}|array of operations", "[1]|[0] is not an object", "[{'op':1}]|[0].op is not a string"})
    void jsonPatch_undecodable_is400(String document, String problem) {
        assertRefused(() -> JsonPatch.of(json(document)), 400, problem);
    }

    @Test
    void jsonPatch_tooManyOperations_is413() {
        String operation = "{'op':'test','path':'','value':{}}";

        JsonPatch.of(json("[" + operation + ("," + operation).repeat(9_999) + "]"))
                .apply(Json.object());
        assertRefused(() -> JsonPatch.of(json("[" + operation + ("," + operation).repeat(10_000) + "]")), 413, "10001");
    }

    @Test
    void jsonPatch_copiesBeyondTheLimit_is413() {
        String copy = "{'op':'copy','from':'/a','path':'/a/-'}";
        JsonPatch patch = JsonPatch.of(json("[" + copy + ("," + copy).repeat(60) + "]"));

        assertRefused(() -> patch.apply(json("{'a':['" + "x".repeat(1000) + "']}")), 413, "copy operations");
    }

    @Test
    void jsonPatch_unknownMember_isTold() {
        assertThat(JsonPatch.of(json("[{'op':'remove','path':'/a','x':1}]")).unknownFields())
                .containsExactly("json patch unknown field \"[0].x\"");
    }

    private static void assertRefused(Runnable action, int code, String problem) {
        assertThatThrownBy(action::run)
                .isInstanceOfSatisfying(
                        StatusException.class,
                        e -> assertThat(e.status().code()).isEqualTo(code))
                .hasMessageContaining(problem);
    }

    @Test
    void operationsThatNestDeeperThanCanBeRead_areRefused() {
        assertThat(JsonPatch.of(json("[" + nested(255) + "]")).apply(json("{}")).isObject())
                .isTrue();
        assertRefused(
                () -> JsonPatch.of(json("[" + nested(256) + "]")).apply(json("{}")), 422, "deeper than 256 levels");
        // Each puts the document into itself, once more as deep.
        String copy = "{'op':'copy','from':'/a','path':'/a" + "/a".repeat(200) + "'}";
        assertRefused(
                () -> JsonPatch.of(json("[" + nested(201) + ("," + copy).repeat(3) + "]"))
                        .apply(json("{}")),
                422,
                "deeper than 256 levels");
    }

    /** So many operations, each of which adds an object to that of the one before. */
    private static String nested(int levels) {
        return IntStream.rangeClosed(1, levels)
                .mapToObj(level -> "{'op':'add','path':'" + "/a".repeat(level) + "','value':{}}")
                .collect(Collectors.joining(","));
    }

    private static JsonNode json(String singleQuoted) {
        return Json.read(singleQuoted.replace('\'', '"'));
    }
}
