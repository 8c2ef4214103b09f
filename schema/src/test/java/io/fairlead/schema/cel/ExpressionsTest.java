package io.fairlead.schema.cel;

import static org.assertj.core.api.Assertions.assertThat;

import io.fairlead.schema.cel.CelEnvironment.Compilation;
import io.fairlead.schema.cel.value.CelError;
import io.fairlead.schema.cel.value.ListValue;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ExpressionsTest {
    private static final CelEnvironment ENVIRONMENT = CelEnvironment.builder()
            .variable("n", DeclaredType.INT)
            .variable("text", DeclaredType.string(100))
            .variable("list", DeclaredType.list(DeclaredType.INT, 100L))
            .variable("any", DeclaredType.dynamic(100))
            .build();
    private static final Map<String, Object> VALUES =
            Map.of("n", 3L, "text", "a-b-c", "list", ListValue.of(List.of(3L, 1L, 2L)), "any", "word");

    @ParameterizedTest
    @ValueSource(
            strings = {
                "n + 2 * 3 - 4 / 2 % 2 == 9",
                "n < 3.5 && n >= 3u && double(n) == 3.0",
                "text.split('-') == ['a', 'b', 'c']",
                "text.replace('-', '+', 1) == 'a+b-c' && text.substring(2, 3) == 'b' && text.indexOf('c') == 4",
                "'%s is %d, %.2f %x %b'.format([dyn(text), n, 1.5, 255, 5]) == 'a-b-c is 3, 1.50 ff 101'",
                "'%s'.format([[dyn(1), 'a', {'k': 2.5}]]) == '[1, \"a\", {\"k\":2.500000}]'",
                "list.all(x, x > 0) && list.exists(x, x == 2) && list.exists_one(x, x == 1)",
                "list.map(x, x * 2) == [6, 2, 4] && list.filter(x, x > 1) == [3, 2]",
                "list.sum() == 6 && list.min() == 1 && list.max() == 3 && !list.isSorted()",
                "list.indexOf(1) == 1 && list.lastIndexOf(9) == -1 && list.sort() == [1, 2, 3]",
                "list.sortBy(x, -x) == [3, 2, 1] && list.reverse() == [2, 1, 3] && lists.range(2) == [0, 1]",
                "[[1], [2, 3]].flatten() == [1, 2, 3] && [1, 1].distinct() == [1] && list.slice(1, 3) == [1, 2]",
                "list.all(i, v, i + v > 0) && list.transformList(i, v, v + i) == [3, 2, 4]",
                "list.transformMap(i, v, v) == {0: 3, 1: 1, 2: 2} && {'a': 1}.transformMapEntry(k, v, {v: k}) == {1:"
                        + " 'a'}",
                "sets.contains([1, 2], [1]) && sets.equivalent([1, 2], [2, 1, 1]) && sets.intersects([1], [1, 2])",
                "list[?7].orValue(5) == 5 && optional.of(1).optMap(x, x + 1).value() == 2",
                "{'a': 1}.?b.hasValue() == false && [?optional.none(), 1] == [1] && [1, 2].first().value() == 1",
                "text.find('[b-c]+') == 'b' && text.findAll('[a-c]', 2) == ['a', 'b'] && text.matches('^a')",
                "url('https://u@h.io:81/p%20q?x=1&x=2').getHost() == 'h.io:81' && url('https://[::1]/').getHostname()"
                        + " == '::1'",
                "url('/a?b=c').getQuery()['b'] == ['c'] && !isURL('a b')",
                "quantity('1.5Gi').add(quantity('512Mi')).compareTo(quantity('2Gi')) == 0 && !isQuantity('1x')",
                "ip('10.0.0.1').family() == 4 && cidr('10.0.0.0/8').containsIP('10.2.3.4') && string(ip('::0:1')) =="
                        + " '::1'",
                "isCIDR('::/0') && !isIP('::ffff:1.2.3.4') && ip.isCanonical('::1') && type(ip('::1')) == net.IP",
                "semver('1.2.3-a.1').isLessThan(semver('1.2.3')) && isSemver('v1.2', true) && semver('1.2.3').minor()"
                        + " == 2",
                "!format.dns1123Label().validate('a-b').hasValue() &&"
                        + " format.named('uuid').value().validate('x').hasValue()",
                "timestamp('2024-02-29T01:02:03Z') + duration('1h') == timestamp('2024-02-29T02:02:03Z')",
                "timestamp('2024-02-29T01:02:03Z').getDayOfWeek() == 4 && duration('90m').getHours() == 1",
                "string(duration('1m1.5s')) == '61.5s' && string(1.0) == '1' && string(1e20) =="
                        + " '1e+20' && string(1234567.5) == '1.2345675e+06' && string(-999999.5) == '-999999.5'"
                        + " && string(0.0001) == '0.0001' && string(0.00001) == '1e-05'",
                "int('12') == 12 && bytes('é').size() == 2 && 'é'.size() == 1 && bool('true')",
                "type(any) == string && any.startsWith('w') && (any == 1 || true)",
                "any > 1 || true",
                "has({'a': 1}.a) && !has({'a': 1}.b) && 'a' in {'a': 1} && 2 in list",
                "optional.none() == optional.none() && optional.ofNonZeroValue('') == optional.none()",
            })
    void expression_ofEachLibrary_isTrue(String expression) {
        assertThat(evaluate(expression)).isEqualTo(true);
    }

    @Test
    void error_says_whatCelGoSays() {
        assertThat(evaluate("1 / (n - 3) == 1")).isEqualTo(new CelError("division by zero"));
        assertThat(evaluate("list[5] == 1")).isEqualTo(new CelError("index out of bounds: 5"));
        assertThat(evaluate("{'a': 1}[text] == 1")).isEqualTo(new CelError("no such key: a-b-c"));
        assertThat(evaluate("9223372036854775807 + n > 0")).isEqualTo(new CelError("integer overflow"));
        assertThat(evaluate("any > 1")).isEqualTo(CelError.NO_SUCH_OVERLOAD);
        assertThat(evaluate("int(text) == 1")).isEqualTo(new CelError("type conversion error from 'string' to 'int'"));
    }

    @Test
    void evaluation_beyondItsBounds_isCancelled() {
        for (String expression : List.of(
                "lists.range(1000000000).size() > 0",
                "lists.range(1000).all(x, lists.range(1000).all(y, x + y >= 0))",
                "lists.range(10000).map(x, '" + "x".repeat(10_000) + "').join('').size() > 0")) {
            assertThat(compiled(expression)
                            .evaluate(VALUES, new EvaluationBudget())
                            .cancelled())
                    .as(expression)
                    .isTrue();
        }
    }

    @Test
    void text_tooDeepOrLong_isRefused() {
        for (String text : List.of(
                "(".repeat(50_000) + "1" + ")".repeat(50_000),
                "1" + "+1".repeat(20_000) + " == 1",
                "n" + ".a".repeat(40_000),
                "[".repeat(30_000),
                "true" + " ? true : true".repeat(6_000),
                "x".repeat(CelEnvironment.CODE_POINTS_MAX + 1))) {
            assertThat(ENVIRONMENT.compile(text)).as(text.substring(0, 10)).isInstanceOf(Compilation.Refused.class);
        }
    }

    private static Object evaluate(String expression) {
        return compiled(expression).evaluate(VALUES, new EvaluationBudget()).value();
    }

    private static CompiledExpression compiled(String expression) {
        return switch (ENVIRONMENT.compile(expression)) {
            case Compilation.Compiled(CompiledExpression compiled) -> compiled;
            case Compilation.Refused(String issues) -> throw new AssertionError(issues);
        };
    }
}
