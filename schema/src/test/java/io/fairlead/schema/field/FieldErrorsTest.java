package io.fairlead.schema.field;

import static org.assertj.core.api.Assertions.assertThat;

import io.fairlead.model.Status;
import io.fairlead.schema.json.Json;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import tools.jackson.databind.JsonNode;

class FieldErrorsTest {
    private final FieldErrors errors = new FieldErrors();

    @Test
    void path_printsMembersElementsAndKeys() {
        assertThat(FieldPath.of("spec", "list").index(0).child("map").key("a/b").child("x"))
                .hasToString("spec.list[0].map[a/b].x");
        assertThat(FieldPath.ROOT).hasToString("<nil>");
        assertThat(FieldPath.ROOT.child("spec")).hasToString("spec");
    }

    @Test
    void status_oneProblem_readsLikeUpstream() {
        errors.invalid(FieldPath.of("spec", "x"), "a\"b", "must be c");

        Status status = errors.status("example.com", "Widget", "w1");

        assertThat(status.code()).isEqualTo(422);
        assertThat(status.reason()).isEqualTo("Invalid");
        assertThat(status.message())
                .isEqualTo("Widget.example.com \"w1\" is invalid: spec.x: Invalid value: \"a\\\"b\": must be c");
        assertThat(status.details())
                .isEqualTo(new Status.Details(
                        "w1",
                        "example.com",
                        "Widget",
                        "",
                        List.of(new Status.Cause(
                                "FieldValueInvalid", "Invalid value: \"a\\\"b\": must be c", "spec.x")),
                        0));
    }

    @Test
    void status_severalProblems_areBracketedAndEqualOnesToldOnce() {
        errors.required(FieldPath.of("a"), "");
        errors.forbidden(FieldPath.of("b"), "no");
        errors.required(FieldPath.of("a"), "");

        assertThat(errors.status("", "Pod", "p").message())
                .isEqualTo("Pod \"p\" is invalid: [a: Required value, b: Forbidden: no]");
        assertThat(errors.list()).hasSize(3);
    }

    @Test
    void eachType_printsItsText() {
        FieldPath path = FieldPath.of("f");
        errors.duplicate(path, Json.read("{\"b\":1,\"a\":\"<\"}"));
        errors.notSupported(path, "x", List.of("a", "b"));
        errors.tooLong(path, 1);
        errors.tooMany(path, 3, 2);
        errors.typeInvalid(path, Json.read("1.5"), "must be y");
        errors.internal(path, "broken");
        errors.invalid(path, Json.read("null"), "must be y");
        errors.invalid(path, Json.read("1e-7"), "must be y");

        assertThat(errors.list())
                .map(FieldError::toString)
                .containsExactly(
                        "f: Duplicate value: {\"a\":\"\\u003c\",\"b\":1}",
                        "f: Unsupported value: \"x\": supported values: \"a\", \"b\"",
                        "f: Too long: may not be more than 1 byte",
                        "f: Too many: 3: must have at most 2 items",
                        "f: Invalid value: 1.5: must be y",
                        "f: Internal error: broken",
                        "f: Invalid value: null: must be y",
                        "f: Invalid value: 1e-07: must be y");
    }

    @ParameterizedTest
    @CsvSource({
        "0.0001, 0.0001",
        "0.00001, 1e-05",
        "1.5e-300, 1.5e-300",
        "100000, 100000",
        "1e6, 1e+06",
        "1234567.5, 1.2345675e+06",
        "1e21, 1e+21",
        "-2.5, -2.5",
        "3.0, 3"
    })
    void number_isPrintedAsByGo(double value, String expected) {
        assertThat(GoText.general(value)).isEqualTo(expected);
    }

    @Test
    void containers_arePrintedByGoAsTextAndAsSyntax() {
        JsonNode value = Json.read("{\"b\":[1,\"x\",null,1.5,true,[]],\"a\":{}}");

        assertThat(GoText.plain(value)).isEqualTo("map[a:map[] b:[1 x <nil> 1.5 true []]]");
        assertThat(GoText.syntax(value))
                .isEqualTo("map[string]interface {}{\"a\":map[string]interface {}{}, \"b\":[]interface {}{1, \"x\","
                        + " interface {}(nil), 1.5, true, []interface {}{}}}");
    }

    @Test
    void quote_escapesAsGo() {
        assertThat(GoText.quote("a\n\t\u0001é\u200b😀\u00a0")).isEqualTo("\"a\\n\\t\\x01é\\u200b😀\\u00a0\"");
    }
}
