package io.fairlead.schema.cel.library;

import static org.assertj.core.api.Assertions.assertThat;

import io.fairlead.schema.cel.value.CelError;
import io.fairlead.schema.cel.value.Null;
import io.fairlead.schema.cel.value.Values;
import io.fairlead.schema.cel.value.Work;
import io.fairlead.schema.json.Json;
import io.fairlead.schema.text.Effort;
import java.util.BitSet;
import java.util.HashMap;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import tools.jackson.databind.node.ObjectNode;

class CanonicalSelectorTest {
    private static final int SELECTORS = 30_000;

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "{'b': '1', 'a': 'x'} | a=x,b=1",
                "{'matchLabels': {'b': '1', 'a': 'x'}} | a=x,b=1",
                "{'matchExpressions': [{'key': 'a', 'operator': 'In', 'values': ['x']}], 'matchLabels': null} | a=x",
                "{'matchExpressions': [{'key': 'a', 'operator': 'In', 'values': ['y', 'x', 'y']}]} | a in (x,y)",
                "{'matchExpressions': [{'key': 'a', 'operator': 'NotIn', 'values': ['y', 'x', 'y']}]} | a notin (x,y)",
                "{'matchExpressions': [{'key': 'a', 'operator': 'NotIn', 'values': ['']}]} | a!=",
                "{'matchExpressions': [{'key': 'a', 'operator': 'Exists', 'values': []}]} | a",
                "{'matchExpressions': [{'key': 'a', 'operator': 'DoesNotExist', 'values': null}]} | !a",
                "{'matchLabels': {'a': 'x'}, 'matchExpressions': [{'key': 'a', 'operator': 'Exists'}]} | a=x",
                "{'matchLabels': {'a': 'x'}, 'matchExpressions': [{'key': 'a', 'operator': 'DoesNotExist'}]} |"
                        + " <nothing>",
                "{'matchLabels': 'x'} | matchLabels=x",
                "{'matchLabels': 'x', 'matchExpressions': 'y'} | matchExpressions=y,matchLabels=x",
                "{'matchLabels': {}, 'matchExpressions': []} | <everything>",
                "{} | <everything>",
            })
    void text_isASelectorInOneLine(String selector, String text) {
        assertThat(text(selector)).isEqualTo(text);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "{'matchExpressions': [{'key': 'a', 'operator': 'Gt', 'values': ['1']}]} |"
                        + " matchExpressions[0].operator: Invalid value: \"Gt\": not a valid selector operator",
                "{'matchExpressions': [{'key': 'a', 'operator': 'in', 'values': ['1']}]} |"
                        + " matchExpressions[0].operator: Invalid value: \"in\": not a valid selector operator",
                "{'matchExpressions': [{'key': 'a'}]} | matchExpressions[0].operator: Required value",
                "{'matchExpressions': [{'operator': 'Exists'}]} | matchExpressions[0].key: Required value",
                "{'matchExpressions': [{'key': 'a', 'operator': 'In'}]} | matchExpressions[0].values: Required value:"
                        + " must be specified when `operator` is 'In' or 'NotIn'",
                "{'matchExpressions': [{'key': 'a', 'operator': 'Exists', 'values': ['x']}]} |"
                        + " matchExpressions[0].values: Forbidden: may not be specified when `operator` is 'Exists' or"
                        + " 'DoesNotExist'",
                "{'matchExpressions': [{'key': 'a', 'operator': 'In', 'values': ['x', 1]}]} |"
                        + " matchExpressions[0].values[1]: expected a string, got int",
                "{'matchExpressions': [{'key': 'a', 'operator': 'In', 'value': ['x']}]} | matchExpressions[0]: unknown"
                        + " field value",
                "{'matchExpressions': {'key': 'a'}} | matchExpressions: expected a list, got map",
                "{'matchExpressions': ['a']} | matchExpressions[0]: expected a map, got string",
                "{'matchLabels': ['a']} | matchLabels: expected a map, got list",
                "{'matchLabels': {'a': null}} | matchLabels[a]: expected a string, got null_type",
                "{'matchLabels': {'a': 'x'}, 'other': 'y'} | labels[matchLabels]: expected a string, got map",
                "{'a': 1} | labels[a]: expected a string, got int",
            })
    void text_ofWhatIsNoSelector_namesWhatIsWrong(String selector, String problem) {
        assertThat(text(selector)).isEqualTo(new CelError("selectorOf: " + problem));
    }

    @Test
    void text_ofKeysAndValuesThatNoLabelHas_isRefused() {
        for (String selector : new String[] {
            "{'a,b': 'x'}",
            "{'': 'x'}",
            "{'a': 'x,y'}",
            "{'a': 'x)'}",
            "{'a': '-'}",
            "{'a/b/c': ''}",
            "{'!a': 'x'}",
            "{'a': '" + "x".repeat(64) + "'}",
            "{'" + "/".repeat(60_000) + "': 'x'}",
        }) {
            assertThat(text(selector)).as(selector.substring(0, 5)).isInstanceOf(CelError.class);
        }
        assertThat(CanonicalSelector.text(Null.VALUE, work()))
                .isEqualTo(new CelError("selectorOf: expected a label selector or a map of labels, got null_type"));
    }

    @Test
    void text_isEqual_exactlyIfTheSameLabelsAreSelected() {
        long seed = Long.getLong("fuzz.seed", 7);
        RandomSelectors selectors = new RandomSelectors(new Random(seed));
        Map<BitSet, String> textOf = new HashMap<>();
        Map<String, BitSet> selectedBy = new HashMap<>();
        for (int i = 0; i < SELECTORS; i++) {
            ObjectNode selector = selectors.next();
            BitSet selected = RandomSelectors.selected(selector);
            String text = (String) CanonicalSelector.text(Values.ofJson(selector), work());
            assertThat(textOf.computeIfAbsent(selected, _ -> text))
                    .as("seed %d, selector %d, %s", seed, i, selector)
                    .isEqualTo(text);
            assertThat(selectedBy.computeIfAbsent(text, _ -> selected))
                    .as("seed %d, selector %d, %s", seed, i, selector)
                    .isEqualTo(selected);
        }
        assertThat(textOf).hasSizeGreaterThan(500);
    }

    @Test
    void text_ofALargeSelector_isRefusedOrMadeInItsSize() {
        StringBuilder many = new StringBuilder();
        for (int i = 0; i < 8_000; i++) {
            many.append(i == 0 ? "" : ",")
                    .append("'k")
                    .append(i)
                    .append("': '")
                    .append(i % 7)
                    .append('\'');
        }
        assertThat((String) text("{" + many + "}")).hasSizeLessThan(CanonicalSelector.SIZE_MAX);
        assertThat(text("{'matchLabels': {" + many + "}, 'matchExpressions': [{'key': '" + "x".repeat(20_000) + "'}]}"))
                .isEqualTo(new CelError("selectorOf: the selector has more than 65536 characters"));
        assertThat(text("{'a': '" + "x".repeat(1 << 20) + "'}"))
                .isEqualTo(new CelError("selectorOf: the selector has more than 65536 characters"));
    }

    private static Object text(String json) {
        return CanonicalSelector.text(Values.ofJson(Json.read(json.replace('\'', '"'))), work());
    }

    private static Work work() {
        return new Work(new Effort());
    }
}
