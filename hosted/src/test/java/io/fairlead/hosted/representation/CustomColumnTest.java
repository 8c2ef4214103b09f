package io.fairlead.hosted.representation;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.fairlead.hosted.ResourceType.PrinterColumn;
import io.fairlead.schema.json.Json;
import java.io.IOException;
import java.io.InputStream;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** The expected cells are those that a kube-apiserver 1.36 prints for the same object and columns. */
class CustomColumnTest {
    private static final Instant NOW = Instant.parse("2026-11-21T00:00:00Z");

    @TestFactory
    List<DynamicTest> cell_isThatOfKubernetes() throws IOException {
        JsonNode cases = cases();
        List<DynamicTest> tests = new ArrayList<>();
        for (JsonNode expected : cases.path("columns")) {
            String type = expected.path("type").asString();
            String path = expected.path("jsonPath").asString();
            Column column = column(type, path);
            tests.add(DynamicTest.dynamicTest(
                    type + " " + path,
                    () -> assertThat(Json.text(column.cell().apply((ObjectNode) cases.path("object"), NOW)))
                            .isEqualTo(Json.text(expected.path("cell")))));
        }
        return tests;
    }

    /** Each of the values below a value is looked at once, however many ways lead there; before, memory ended with five steps. */
    @Test
    void pathWithManyWaysToAValue_findsTheFirst() throws IOException {
        ObjectNode object = Json.object();
        ObjectNode inner = object;
        for (int i = 0; i < 240; i++) {
            inner = inner.putObject("a");
        }
        inner.put("a", "end");

        Column column = column("string", ".a" + "..a".repeat(5));

        assertThat(column.cell().apply(object, NOW).asString()).startsWith("{\"a\":{\"a\":");
    }

    @Test
    void pathToMoreValuesThanARowMayLookAt_isNull() throws IOException {
        ObjectNode object = Json.object();
        ArrayNode many = object.putArray("many");
        for (int i = 0; i < 100_000; i++) {
            many.addObject().put("a", "b");
        }

        assertThat(column("string", ".many[*].a").cell().apply(object, NOW).isNull())
                .isTrue();
        assertThat(column("string", ".many[99999].a").cell().apply(object, NOW).asString())
                .isEqualTo("b");
    }

    @Test
    void manyColumnsOfALargeValue_printOnlyWhatARowMayHold() {
        ObjectNode object = Json.object();
        object.putObject("spec").put("a", "x".repeat(100_000));
        PrinterColumn column = new PrinterColumn("c", "string", "", "", 0, ".spec");

        assertThat(column("string", ".spec").cell().apply(object, NOW).asString())
                .hasSizeGreaterThan(100_000);
        assertThat(CustomColumn.of(Collections.nCopies(1_000, column)))
                .allMatch(each -> each.cell().apply(object, NOW).isNull());
    }

    /** Each of a thousand would else write three megabytes. */
    @Test
    void valueThatIsTooLarge_isNotPrintedToSeeIt() {
        ObjectNode object = Json.object();
        ObjectNode spec = object.putObject("spec");
        for (int i = 0; i < 100_000; i++) {
            spec.put("member with a long name " + i, "x");
        }
        List<Column> columns =
                CustomColumn.of(Collections.nCopies(1_000, new PrinterColumn("c", "string", "", "", 0, ".spec")));
        ThreadMXBean threads = ManagementFactory.getThreadMXBean();

        long before = threads.getCurrentThreadCpuTime();
        assertThat(columns).allMatch(each -> each.cell().apply(object, NOW).isNull());

        assertThat(Duration.ofNanos(threads.getCurrentThreadCpuTime() - before)).isLessThan(Duration.ofSeconds(2));
    }

    /** Of all columns of a definition together. */
    @Test
    void pathsBeyondWhatADefinitionMayHave_areNull() {
        ObjectNode object = Json.object().put("a", "b");
        PrinterColumn longer = new PrinterColumn("c", "string", "", "", 0, ".a".repeat(8_000));
        PrinterColumn simple = new PrinterColumn("c", "string", "", "", 0, ".a");

        assertThat(CustomColumn.of(List.of(simple, longer, simple, longer, simple)))
                .map(each -> each.cell().apply(object, NOW).isNull())
                .containsExactly(false, true, false, true, true);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                ".spec[",
                ".spec[?(@.a==1]",
                ".spec['a",
                ".",
                ".spec[a]",
                ".spec[0:1:0]",
                "spec",
                ".a[?(@.b==\"x)]"
            })
    void unreadablePath_isRefused(String path) {
        assertThatThrownBy(() -> JsonPath.parse(path))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining(path);
    }

    private static Column column(String type, String path) {
        return CustomColumn.of(List.of(new PrinterColumn("c", type, "", "", 0, path)))
                .getFirst();
    }

    private static JsonNode cases() throws IOException {
        try (InputStream in = CustomColumnTest.class.getResourceAsStream("printer-columns.json")) {
            return Json.read(Objects.requireNonNull(in).readAllBytes());
        }
    }
}
