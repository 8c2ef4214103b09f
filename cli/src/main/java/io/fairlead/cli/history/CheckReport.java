package io.fairlead.cli.history;

import io.fairlead.cli.print.OutputOptions;
import io.fairlead.cli.server.ExitCodes;
import io.fairlead.index.history.WatchDecision;
import io.fairlead.index.history.WatchEvent;
import io.fairlead.index.history.WatchEventType;
import io.fairlead.model.Visible;
import io.fairlead.schema.json.Json;
import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import picocli.CommandLine;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * What was found in a recording. For people findings are printed as they come; for programs the first
 * {@value #FINDINGS_MAX} are kept until the end.
 */
final class CheckReport {
    static final int FINDINGS_MAX = 1_000;

    private final String name;
    private final OutputOptions output;
    private final PrintWriter out;
    private final PrintWriter err;
    private final Map<WatchDecision, Long> travelled = new EnumMap<>(WatchDecision.class);
    private final List<JsonNode> findings = new ArrayList<>();
    private long events;
    private long bookmarks;
    private long errors;
    private long notComparable;
    private long notJudged;

    CheckReport(String name, OutputOptions output, CommandLine command) {
        this.name = name;
        this.output = output;
        this.out = command.getOut();
        this.err = command.getErr();
    }

    void event(WatchEventType type) {
        events++;
        switch (type) {
            case BOOKMARK, INITIAL_EVENTS_END -> bookmarks++;
            case ERROR -> errors++;
            case ADDED, MODIFIED, DELETED, UNKNOWN -> {}
        }
    }

    /** A line that is no event. */
    void notJudged(long line, String problem) {
        notJudged++;
        warn("line " + line + ": " + problem + "; it is not judged");
    }

    /**
     * A version that was not compared.
     *
     * @param isFirst whether none is compared from here on
     */
    void notComparable(long line, WatchEvent event, boolean isFirst) {
        notComparable++;
        if (isFirst) {
            warn("line " + line + ": " + TravelledEvent.what(event) + ": resourceVersion \""
                    + RecordedEvent.abbreviated(event.resourceVersion())
                    + "\" cannot be ordered; no version is compared from here on");
        }
    }

    void travelled(TravelledEvent finding) {
        travelled.merge(finding.decision(), 1L, Long::sum);
        if (output.form() == OutputOptions.Form.TABLE) {
            out.println(Visible.printable(finding.text()));
            out.flush();
        } else if (findings.size() < FINDINGS_MAX) {
            findings.add(finding.json());
        }
    }

    /** Prints the summary, or the document for programs. */
    void end() {
        if (output.form() == OutputOptions.Form.TABLE) {
            out.println(summary());
            out.flush();
        } else {
            output.print(document(), findings, List.of(), CheckReport::object);
        }
    }

    int exitCode() {
        return travelled.isEmpty() ? ExitCodes.OK : ExitCodes.DIFFERENT;
    }

    private String summary() {
        return count(events, "event") + ", " + count(bookmarks, "bookmark") + ", "
                + (errors == 0 ? "" : count(errors, "error") + ", ")
                + notComparable + " not comparable, "
                + (notJudged == 0 ? "" : notJudged + " not judged, ")
                + total() + " travelled" + kinds();
    }

    private String kinds() {
        return travelled.isEmpty()
                ? ""
                : travelled.entrySet().stream()
                        .map(each -> each.getValue() + " " + each.getKey().text())
                        .collect(Collectors.joining(", ", " (", ")"));
    }

    private long total() {
        return travelled.values().stream().mapToLong(Long::longValue).sum();
    }

    private ObjectNode document() {
        ObjectNode document = Json.object()
                .put("file", name)
                .put("events", events)
                .put("bookmarks", bookmarks)
                .put("errors", errors)
                .put("notComparable", notComparable)
                .put("notJudged", notJudged)
                .put("travelled", total());
        ArrayNode all = document.putArray("findings");
        findings.forEach(all::add);
        return document;
    }

    private static String object(JsonNode finding) {
        String object = finding.path("object").asString("");
        return object.isEmpty() ? finding.path("type").asString("") : object;
    }

    private static String count(long number, String what) {
        return number + " " + what + (number == 1 ? "" : "s");
    }

    private void warn(String problem) {
        err.println(Visible.printable("warning: " + name + ": " + problem));
    }
}
