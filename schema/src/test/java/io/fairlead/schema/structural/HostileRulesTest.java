package io.fairlead.schema.structural;

import static org.assertj.core.api.Assertions.assertThat;

import io.fairlead.schema.field.FieldErrors;
import io.fairlead.schema.field.FieldPath;
import io.fairlead.schema.json.Json;
import io.fairlead.schema.text.Effort;
import io.fairlead.schema.typed.TypedDecoder;
import java.lang.management.ManagementFactory;
import java.time.Duration;
import java.util.Base64;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;
import org.junit.jupiter.api.Assertions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** What a tenant may do with rules: each definition and each object takes a bounded time, and leaves the heap to others. */
class HostileRulesTest {
    /** Of a processor, for the rules of one object; the bound is about two seconds on an idle machine. */
    private static final long CPU_MAX = Duration.ofSeconds(15).toNanos();

    private static final Duration HANGS = Duration.ofMinutes(2);

    private static final String SCHEMA = """
        {"type": "object", "properties": {"spec": {"type": "object", "x-kubernetes-preserve-unknown-fields": true,
         "x-kubernetes-validations": %s,
         "properties": {
           "s": {"type": "string"},
           "b": {"type": "string", "format": "byte"},
           "d": {"type": "string", "format": "duration"},
           "l": {"type": "array", "items": {"type": "integer"}},
           "m": {"type": "object", "additionalProperties": {"type": "string"}},
           "set": {"type": "array", "x-kubernetes-list-type": "set", "items": {"type": "string"}},
           "map": {"type": "array", "x-kubernetes-list-type": "map", "x-kubernetes-list-map-keys": ["k"],
             "items": {"type": "object", "required": ["k"], "properties": {"k": {"type": "string"}}}}}}}}
        """;

    private static final ObjectNode LARGE = large();

    /** A list of lists that is small, and would be a terabyte if it were written. */
    private static String nested(String step) {
        return "[[1]]"
                + IntStream.range(0, 40).mapToObj(i -> ".map(x, " + step + ")").collect(Collectors.joining());
    }

    static String[] dearRules() {
        String twice = nested("[x, x]");
        String longer = nested("x + x");
        return new String[] {
            "optional.of(1)" + ".optMap(x, x)".repeat(60) + ".hasValue()",
            "optional.of(1)" + ".optFlatMap(x, optional.of(x))".repeat(60) + ".hasValue()",
            "[1]" + ".sortBy(x, x)".repeat(60) + ".size() == 1",
            "[" + twice + "].all(x, x == x)",
            "self.set == dyn(" + twice + ") || (self.set + dyn(" + twice + ")).size() > 0",
            "[" + twice + "].all(x, dyn({'a': 1})[dyn(x)] == 1)",
            "[" + twice + "].all(x, dyn(x) in {'a': 1})",
            "(self.map + dyn([" + twice + "].map(x, {'k': x}))).size() > 0",
            "dyn(" + twice + ").max() == 1 || dyn(" + twice + ").indexOf(7) == 1",
            "'%s'.format([" + twice + "]) == '' || dyn(" + twice + ").join(',') == ''",
            twice + ".flatten(100).size() == 1",
            "dyn(" + twice + " + " + twice + ").distinct().size() == 1",
            "[" + twice + "].transformMap(i, v, {dyn(v): 1}).size() == 1",
            longer + "[0].size() > 0",
            longer.substring(0, longer.length() - 20 * ".map(x, x + x)".length()) + "[0].sort().size() > 0",
            "self.l.all(x, self.b.size() > 0)",
            "self.l.all(x, self.d > duration('1s') || true)",
            "self.l.all(x, self.s != 'a' && self.s > 'a')",
            "self.l.all(x, self.s.size() > 0 && self.s.charAt(9) == 'x')",
            "self.l.all(x, {'a': 1}[self.s] == 1 || true)",
            "self.l.all(x, timestamp('2024-01-01T00:00:00Z').getHours(self.s) > 0 || true)",
            "self.s.findAll('x(.*b)?').size() > 0",
            "self.l.all(x, self.s.find('(x+x+)+y') == '')",
            "self.l.all(x, isURL(self.s) || isURL('https:/' + '/' + self.s))",
            "self.s.replace('x', '" + "y".repeat(1000) + "').size() > 0",
            "self.l.map(x, self.s + 'a').size() > 0",
            "self.l.map(x, self.l.map(y, self.l)).size() > 0",
            "self.l.all(x, self.m.exists(k, true) && self.m == self.m)",
            "self.l.all(x, self == oldSelf)",
            "self.l.all(x, '" + "%.999f".repeat(1000) + "'.format([" + "1e308,".repeat(999) + "1e308]).size() > 0)",
            "self.l.all(x, sets.contains(self.l, self.l))",
            "isCIDR(self.s + self.s) || isIP(self.s + self.s) || cidr(':' + self.s).isCanonical()",
            "url('http://a/?' + self.s.replace('x', '&')).getQuery().size() > 0",
            "url(self.s + self.s).getHost() == '' || format.uri().validate(self.s + self.s).hasValue()",
        };
    }

    @ParameterizedTest
    @MethodSource("dearRules")
    void rule_ofAnySort_takesABoundedTime(String rule) {
        StructuralSchema schema = schema("rule", rule);
        ObjectNode old = LARGE.deepCopy();
        assertThat(cpu(() -> schema.rules(LARGE, old, new FieldErrors()))).isLessThan(CPU_MAX);
    }

    @Test
    void rule_thatTakesLongToCheck_countsForIt() {
        String rule = "[" + "[],".repeat(30_000) + "[]].size() > 0";
        assertThat(schema("rule", rule)
                        .problems(FieldPath.of("s"), new Effort())
                        .message())
                .contains("steps to compile");
    }

    /** Each name that is not declared is shown with the line that it is in. */
    @Test
    void rulesThatDoNotCompile_areShownOnlyAsFarAsOneCanRead() {
        String rule = "a" + "+a".repeat(100) + " ".repeat(700);
        assertThat(problems(Stream.generate(() -> rule).limit(300).toList())).isBetween(10_000L, 600_000L);
        assertThat(problems(List.of("a" + "+a".repeat(20_000)))).isBetween(10_000L, 400_000L);
    }

    private static long problems(List<String> texts) {
        ArrayNode rules = Json.array();
        texts.forEach(text -> rules.addObject().put("rule", text));
        FieldErrors errors = new FieldErrors();
        RuleChecks.check(
                JsonSchema.of((ObjectNode) Json.read(SCHEMA.replace("%s", Json.text(rules)))),
                FieldPath.of("s"),
                errors);
        return StreamSupport.stream(errors.spliterator(), false)
                .mapToLong(error -> error.detail().length())
                .sum();
    }

    @Test
    void findings_areBoundedInNumberAndLength() {
        ObjectNode root = (ObjectNode) Json.read("""
            {"type": "object", "properties": {"l": {"type": "array", "items": {"type": "integer",
             "x-kubernetes-validations": [{"rule": "false"}]}}}}
            """);
        ObjectNode rule = (ObjectNode) root.at("/properties/l/items/x-kubernetes-validations/0");
        assertThat(found(root)).hasSize(Findings.KEPT_MAX);
        rule.put("message", "m".repeat(Findings.KEPT_CHARS_MAX / 10));
        assertThat(found(root)).hasSize(10);
    }

    private static FieldErrors found(ObjectNode root) {
        ObjectNode object = Json.object();
        object.set("l", LARGE.at("/spec/l"));
        FieldErrors errors = new FieldErrors();
        StructuralSchema.of(root).rules(object, null, errors);
        return errors;
    }

    private static StructuralSchema schema(String name, String text) {
        ArrayNode rules = Json.array();
        rules.addObject().put(name, text);
        ObjectNode tree = (ObjectNode) Json.read(SCHEMA.replace("%s", Json.text(rules)));
        return StructuralSchema.of(TypedDecoder.decode(SchemaTypes.JSON_SCHEMA_PROPS, tree, "", false)
                .tree());
    }

    private static long cpu(Runnable judging) {
        return Assertions.assertTimeoutPreemptively(HANGS, () -> {
            long before = ManagementFactory.getThreadMXBean().getCurrentThreadCpuTime();
            judging.run();
            return ManagementFactory.getThreadMXBean().getCurrentThreadCpuTime() - before;
        });
    }

    private static ObjectNode large() {
        ObjectNode object = Json.object();
        ObjectNode spec = object.putObject("spec");
        spec.put("s", "x".repeat(1_400_000) + "€" + "x".repeat(1_400_000));
        spec.put("b", Base64.getEncoder().encodeToString(new byte[2_000_000]));
        spec.put("d", "1h".repeat(20_000));
        ArrayNode list = spec.putArray("l");
        IntStream.range(0, 200_000).forEach(list::add);
        ObjectNode map = spec.putObject("m");
        IntStream.range(0, 100_000).forEach(i -> map.put("k" + i, "v"));
        ArrayNode set = spec.putArray("set");
        ArrayNode keyed = spec.putArray("map");
        for (int i = 0; i < 1_000; i++) {
            set.add("e" + i);
            keyed.addObject().put("k", "e" + i);
        }
        ArrayNode unseen = spec.putArray("unseen");
        IntStream.range(0, 200_000).forEach(unseen::add);
        return object;
    }
}
