package io.fairlead.schema.cel;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.fairlead.schema.cel.CelEnvironment.Compilation;
import io.fairlead.schema.cel.evaluation.Program;
import io.fairlead.schema.cel.value.CelError;
import io.fairlead.schema.cel.value.Values;
import io.fairlead.schema.json.Json;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

class KeyFunctionsTest {
    private static final CelEnvironment ENVIRONMENT = CelEnvironment.builder()
            .variable("object", DeclaredType.dynamic(DeclaredType.REQUEST_BYTES_MAX))
            .variable("cluster", DeclaredType.string(63))
            .variable("classes", DeclaredType.dynamic(DeclaredType.REQUEST_BYTES_MAX))
            .keyFunctions()
            .build();

    private static final JsonNode OBJECT = Json.read("""
        {"metadata": {"namespace": "shop", "annotations": {"a/b": "c"}},
         "spec": {"host": "Shop.Example.com.", "cpu": "1000m", "replicas": 2, "share": 0.5, "none": null,
           "rules": [{"host": "a.b:80"}, {"host": "http://A.b/x"}],
           "selector": {"matchExpressions": [{"key": "app", "operator": "In", "values": ["web"]}]},
           "labels": {"app": "web"}}}
        """);

    @ParameterizedTest
    @ValueSource(
            strings = {
                "selectorOf(object.spec.selector) == 'app=web'",
                "selectorOf(object.spec.selector) == selectorOf(object.spec.labels)",
                "selectorOf({'b': 'x', 'a': 'y'}) == 'a=y,b=x'",
                "selectorOf({'matchLabels': {'a': 'y'}}) == 'a=y'",
                "hostOf(object.spec.host) == 'shop.example.com'",
                "object.spec.rules.map(rule, hostOf(rule.host)) == ['a.b', 'a.b']",
                "quantityOf(object.spec.cpu) == '1' && quantityOf(1) == '1' && quantityOf(1.0) == '1'",
                "quantityOf(object.spec.replicas) == '2' && quantityOf(object.spec.share) == '500m'",
                "cluster + '/' + object.metadata.namespace + '/' + hostOf(object.spec.host) =="
                        + " 'prod/shop/shop.example.com'",
                "classes[object.spec.labels.app].tier == 'front' && object.metadata.annotations['a/b'] == 'c'",
                "object.?spec.?absent.orValue('none') == 'none' && has(object.spec.host) && 'spec' in object",
            })
    void expression_ofObjectsWithoutSchema_isTrue(String expression) {
        assertThat(evaluate(expression, OBJECT).value()).isEqualTo(true);
    }

    @ParameterizedTest
    @CsvSource(
            quoteCharacter = '`',
            value = {
                "'1000m', 1",
                "'0.0', 0",
                "'-0', 0",
                "'1Gi', 1073741824",
                "'1024Mi', 1073741824",
                "'1500', 1500",
                "'2000', 2k",
                "'2e3', 2k",
                "'-1500000u', -1500m",
                "'0.1n', 1n",
                "'1E', 1E",
                "'9223372036854775806.999999999', 9223372036854775806999999999n",
                "'1e999999999', 9223372036854775807",
                "-9223372036854775807 - 1, -9223372036854775807",
                "1e300, 9223372036854775807",
                "1e-300, 1n",
                "0.1, 100m",
                "-0.0, 0",
            })
    void quantityOf_sameAmount_isOneText(String argument, String text) {
        assertThat(evaluate("quantityOf(" + argument + ")", OBJECT).value()).isEqualTo(text);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "selectorOf(object.spec.none) | selectorOf: expected a label selector or a map of labels, got"
                        + " null_type",
                "selectorOf({1: 'a'}) | selectorOf: labels: expected a string, got int",
                "hostOf(object.spec.none) | hostOf: expected a string, got null_type",
                "hostOf(object.spec.replicas) | hostOf: expected a string, got int",
                "quantityOf(object.spec.none) | quantityOf: expected a string, an int or a double, got null_type",
                "quantityOf(double('NaN')) | quantityOf: NaN is no quantity",
                "quantityOf(object) | quantityOf: expected a string, an int or a double, got map",
                "selectorOf(object.absent) | no such key: absent",
            })
    void call_withWhatItCannotTake_saysWhatItExpects(String expression, String message) {
        assertThat(evaluate(expression, OBJECT).value()).isEqualTo(new CelError(message));
    }

    @ParameterizedTest
    @ValueSource(strings = {"selectorOf({'a': 'b'}) == ''", "hostOf('a') == ''", "quantityOf('1') == ''"})
    void function_whereItWasNotAskedFor_isUnknown(String expression) {
        assertThat(CelEnvironment.builder().build().compile(expression))
                .isInstanceOfSatisfying(
                        Compilation.Refused.class,
                        refused -> assertThat(refused.issues())
                                .contains("undeclared reference to '"
                                        + expression.substring(0, expression.indexOf('('))));
    }

    @ParameterizedTest
    @ValueSource(strings = {"hostOf(1)", "quantityOf(true)", "hostOf(null)", "'a'.hostOf()", "selectorOf()"})
    void call_ofOtherTypes_doesNotCompile(String expression) {
        assertThat(ENVIRONMENT.compile(expression)).isInstanceOf(Compilation.Refused.class);
    }

    @Test
    void cost_isWithinItsEstimate_whateverTheArgument() {
        ObjectNode large = Json.object();
        large.putObject("spec")
                .put("text", "x".repeat(1 << 20))
                .set("labels", Json.object().put("a", "x".repeat(1 << 20)));
        large.withObject("/spec").set("selector", manyRequirements(10_000));
        large.withObject("/spec").set("wide", manyRequirements(900));
        for (String call : new String[] {
            "hostOf object.spec.text",
            "quantityOf object.spec.text",
            "selectorOf object.spec.labels",
            "selectorOf object.spec.selector",
            "selectorOf object.spec.wide",
            "selectorOf object",
            "hostOf 'a.b'",
            "selectorOf {'a':'b'}",
            "quantityOf 7",
        }) {
            String argument = call.substring(call.indexOf(' ') + 1);
            String expression = call.replace(" ", "(") + ")";
            Program.Outcome outcome = evaluate(expression, large);
            assertThat(outcome.cancelled()).as(expression).isFalse();
            assertThat(outcome.cost() - evaluate(argument, large).cost())
                    .as(expression)
                    .isPositive()
                    .isLessThanOrEqualTo(
                            compiled(expression).costMax() - compiled(argument).costMax());
        }
        assertThat(evaluate("selectorOf(object.spec.selector)", large).value()).isInstanceOf(CelError.class);
        assertThat(evaluate("selectorOf(object.spec.wide)", large).value()).isInstanceOf(String.class);
        assertThat(compiled("selectorOf(object.spec.labels)").costMax()).isLessThan(10_000);
        assertThat(compiled("hostOf(object.spec.host) + selectorOf(object.spec.labels)")
                        .costMax())
                .isLessThan(EvaluationBudget.COST_OF_CALL_MAX);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "lists.range(100000).map(i, selectorOf(object)).size() > 0",
                "lists.range(100000).all(i, hostOf(object.spec.name) != '')",
                "lists.range(1000000).all(i, quantityOf(object.spec.cpu) != '')",
                "lists.range(100000).all(i, selectorOf(object.spec.selector) != '')",
            })
    void evaluation_ofManyCalls_isCancelled(String expression) {
        ObjectNode object = Json.object();
        object.putObject("spec")
                .put("name", "ü".repeat(1000))
                .put("cpu", "1".repeat(900))
                .set("selector", manyRequirements(900));
        assertThat(evaluate(expression, object).cancelled()).isTrue();
    }

    @Test
    void variable_namedAsAReservedWord_isRefused() {
        assertThatThrownBy(() -> CelEnvironment.builder().variable("namespace", DeclaredType.STRING))
                .hasMessage("variable \"namespace\" (expected a word that CEL has not reserved)");
        assertThat(ENVIRONMENT.compile("namespace == 'a'"))
                .isInstanceOfSatisfying(
                        Compilation.Refused.class,
                        refused -> assertThat(refused.issues()).contains("reserved identifier: namespace"));
    }

    private static ObjectNode manyRequirements(int count) {
        ArrayNode expressions = Json.array();
        for (int i = 0; i < count; i++) {
            ObjectNode requirement = Json.object().put("key", "key-" + i).put("operator", "NotIn");
            requirement.putArray("values").add("b").add("a");
            expressions.add(requirement);
        }
        return Json.object().set("matchExpressions", expressions);
    }

    private static Program.Outcome evaluate(String expression, JsonNode object) {
        Map<String, Object> values = Map.of(
                "object", Values.ofJson(object),
                "cluster", "prod",
                "classes", Values.ofJson(Json.read("{\"web\": {\"tier\": \"front\"}}")));
        return compiled(expression).evaluate(values, new EvaluationBudget());
    }

    private static CompiledExpression compiled(String expression) {
        return switch (ENVIRONMENT.compile(expression)) {
            case Compilation.Compiled(CompiledExpression compiled) -> compiled;
            case Compilation.Refused(String issues) -> throw new AssertionError(issues);
        };
    }
}
