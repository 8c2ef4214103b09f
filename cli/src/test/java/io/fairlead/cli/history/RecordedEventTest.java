package io.fairlead.cli.history;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What {@code fairlead history check} takes for the version of an event, and what it refuses to read. */
class RecordedEventTest extends HistoryCheckFixture {
    @TempDir
    private Path folder;

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
        {"type":"ADDED"}                                    | the ADDED event has no object; it is not judged
        {"type":"ADDED","object":null}                      | the ADDED event has no object; it is not judged
        {"type":"ADDED","object":["resourceVersion"]}       | the ADDED event has no object; it is not judged
        {"type":"SYNC","object":{"metadata":{}}}            | unknown type "SYNC" (expected ADDED, MODIFIED, DELETED, BOOKMARK or ERROR); it is not judged
        {"type":"added","object":{"metadata":{}}}           | unknown type "added" (expected ADDED, MODIFIED, DELETED, BOOKMARK or ERROR); it is not judged
        {"type":7,"object":{"metadata":{}}}                 | no type (expected an event
        {"kind":"Pod","metadata":{"resourceVersion":"3"}}   | no type (expected an event
        [1]                                                 | no type (expected an event
        7                                                   | no type (expected an event
        """)
    void lineThatIsNoEvent_isNamedAndUnknown(String line, String problem) {
        assertThat(check(event("ADDED", "a", "9") + "\n" + line + "\n" + event("ADDED", "b", "10")))
                .isZero();

        assertThat(err.toString()).startsWith("warning: standard input: line 3: " + problem);
        assertThat(out).hasToString("2 events, 0 bookmarks, 0 not comparable, 1 not judged, 0 travelled\n");
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
        nonsense                           | line 2: invalid JSON: column
        {"type":"ADDED","object":{         | line 2: invalid JSON: column
        {"type":"ADDED"} {"type":"ADDED"}  | unexpected text after the end of the value
        {                                  | Unexpected end-of-input: expected close marker for Object
        """)
    void textThatIsNotJson_isExitCode4NamingTheLine(String line, String problem) {
        assertThat(check(event("ADDED", "a", "9") + line + "\n" + event("ADDED", "b", "10")))
                .isEqualTo(1);

        assertThat(err.toString().lines()).hasSize(2);
        assertThat(err.toString())
                .startsWith("error: standard input: line 2: invalid JSON: ")
                .doesNotContain("Source")
                .contains(problem)
                .contains("\nhint:  a recording has one JSON event on each line");
        assertThat(out.toString()).isEmpty();
    }

    @Test
    void deepNesting_isExitCode4() {
        String deep = "{\"type\":\"ADDED\",\"object\":" + "[".repeat(100_000) + "]".repeat(100_000) + "}";

        assertThat(check(deep)).isEqualTo(1);

        assertThat(err.toString()).contains("line 1: invalid JSON: ", "nest deeper than 256 levels");
    }

    @Test
    void lineThatIsTooLong_isExitCode4NamingLineAndLimit() {
        assertThat(check(event("ADDED", "a", "9") + "x".repeat(EventLines.LINE_BYTES_MAX + 1)))
                .isEqualTo(1);

        assertThat(err.toString())
                .startsWith("error: standard input: line 2: more than 8388608 bytes (expected at most as many)\n");
    }

    @ParameterizedTest
    @CsvSource({"absent, there is no such file", "., directory"})
    void fileThatCannotBeRead_isExitCode4(String name, String problem) {
        Path file = folder.resolve(name);

        assertThat(check("", file.toString())).isEqualTo(1);

        assertThat(err.toString()).startsWith("error: " + file + ": ").contains(problem);
    }

    @Test
    void nothing_isClean() {
        assertThat(check("")).isZero();
        assertThat(check("\n \n\r\n")).isZero();

        assertThat(out.toString().lines())
                .containsOnly("0 events, 0 bookmarks, 0 not comparable, 0 travelled")
                .hasSize(2);
    }

    /** What looks like a version elsewhere is none; of a member that is there twice the last one counts, as in Go. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "{\"metadata\":{\"name\":\"a\",\"resourceVersion\":\"9\"},\"spec\":{\"resourceVersion\":\"1\"},\"resourceVersion\":\"1\"}",
                "{\"metadata\":{\"annotations\":{\"resourceVersion\":\"1\",\"x\":\"{\\\"resourceVersion\\\":\\\"1\\\"}\"},\"resourceVersion\":\"9\"}}",
                "{\"metadata\":{\"ownerReferences\":[{\"resourceVersion\":\"1\"}],\"resourceVersion\":\"9\",\"labels\":{\"resourceVersion\":\"1\"}}}",
                "{\"metadata\":{\"resourceVersion\":\"1\",\"name\":\"a\",\"resourceVersion\":\"9\"}}",
                "{\"metadata\":{\"resourceVersion\":\"1\"},\"metadata\":{\"resourceVersion\":\"9\"}}",
                "{\"\\u006detadata\":{\"resource\\u0056ersion\":\"\\u0039\"}}",
                "{\"kind\":\"Table\",\"apiVersion\":\"example.com/v1\",\"rows\":[{\"object\":{\"metadata\":{\"resourceVersion\":\"1\"}}}],\"metadata\":{\"resourceVersion\":\"9\"}}"
            })
    void versionIsThatOfTheObjectsMetadata(String object) {
        String line = "{\"type\":\"MODIFIED\",\"object\":" + object + "}\n";

        assertThat(check(event("MODIFIED", "x", "8") + line)).isZero();
        assertThat(check(event("MODIFIED", "x", "10") + line)).isEqualTo(2);
        assertThat(out.toString()).contains("resourceVersion 9 is below 10");
    }

    @Test
    void versionThatIsNoString_isNone() {
        String line = "{\"type\":\"MODIFIED\",\"object\":{\"metadata\":{\"name\":\"a\",\"resourceVersion\":5}}}\n";

        assertThat(check(event("MODIFIED", "x", "8") + line)).isZero();
    }

    @Test
    void table_isJudgedByItsRows() {
        assertThat(check(table("MODIFIED", "12", row("a", "12")) + table("MODIFIED", "9", row("a", "9"))))
                .isEqualTo(2);

        assertThat(out.toString())
                .startsWith("line 2: MODIFIED shop/a: rewind: resourceVersion 9 is below 12")
                .endsWith("2 events, 0 bookmarks, 0 not comparable, 1 travelled (1 rewind)\n");
    }

    @Test
    void rowsOfOneTable_areInNoOrder() {
        assertThat(check(event("MODIFIED", "x", "8") + table("MODIFIED", "12", row("b", "12") + "," + row("a", "10"))))
                .isZero();
        assertThat(check(event("MODIFIED", "x", "11") + table("MODIFIED", "12", row("b", "12") + "," + row("a", "10"))))
                .isEqualTo(2);

        assertThat(out.toString()).contains("line 2: MODIFIED shop/a: rewind").doesNotContain("shop/b");
    }

    /** With {@code includeObject=None} the rows have no objects; a client resumes from the Table's own version. */
    @Test
    void tablesOwnVersion_isJudgedToo() {
        String without = "{\"cells\":[\"a\"],\"object\":null}";

        assertThat(check(table("ADDED", "12", without) + table("MODIFIED", "9", without)))
                .isEqualTo(2);
        assertThat(out.toString()).startsWith("line 2: MODIFIED: rewind: resourceVersion 9 is below 12");

        assertThat(check(event("MODIFIED", "x", "10") + table("MODIFIED", "9", row("a", "11"))))
                .isEqualTo(2);
        assertThat(check(event("MODIFIED", "x", "10") + table("MODIFIED", "", row("a", "11"))))
                .isZero();
    }

    @Test
    void tableWithTheEndOfInitialEvents_isNotDropped() {
        String bookmark = table(
                "BOOKMARK", "9", row("", "9\",\"annotations\":{\"k8s.io/initial-events-end\":\"true\"},\"x\":\""));

        assertThat(check(event("ADDED", "a", "12") + bookmark)).isEqualTo(2);

        assertThat(out.toString()).contains("stale initial events end");
    }

    /** A recording must not write to the terminal. */
    @Test
    void controlCharacters_areEscaped() {
        assertThat(check(event("MODIFIED", "x", "12") + event("MODIFIED", "a\\u001b[2J\\nline 9", "9")))
                .isEqualTo(2);

        assertThat(out.toString().lines()).hasSize(2);
        assertThat(out.toString()).contains("shop/a\\u001B[2J\\u000Aline 9: rewind");
    }

    private static String row(String name, String version) {
        return "{\"cells\":[\"%s\"],\"object\":%s}".formatted(name, object(name, version));
    }

    private static String table(String type, String version, String rows) {
        return "{\"type\":\"%s\",\"object\":{\"kind\":\"Table\",\"apiVersion\":\"meta.k8s.io/v1\",\"metadata\":{\"resourceVersion\":\"%s\"},\"columnDefinitions\":null,\"rows\":[%s]}}\n"
                .formatted(type, version, rows);
    }
}
