package io.fairlead.cli;

import io.fairlead.cli.print.OutputOptions;
import io.fairlead.cli.print.Table;
import io.fairlead.cli.server.ClusterId;
import io.fairlead.cli.server.CommandFailure;
import io.fairlead.cli.server.ExitCodes;
import io.fairlead.cli.server.FairleadClient;
import io.fairlead.cli.server.Paths;
import io.fairlead.cli.server.ServerCommand;
import io.fairlead.cli.server.StatusFailure;
import io.fairlead.cli.server.UsageProblem;
import io.fairlead.model.ClusterName;
import io.fairlead.schema.json.Json;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.Option;
import picocli.CommandLine.TypeConversionException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** Prints who uses what now: clusters, and their callers. */
@Command(
        name = "top",
        description = {
            "Print who uses what now: clusters and their callers, those with the most first.",
            "Callers other than oneself are named to those who may get " + Paths.USAGE + " in the root cluster."
        })
final class TopCommand extends ServerCommand {
    private static final int ROWS_MAX = 1_000;
    private static final double SECONDS_MIN = 0.1;
    private static final double SECONDS_MAX = 3_600;
    private static final double MILLIS = 1_000;
    private static final String RATE = "requestsPerSecond";
    private static final String[] UNITS = {"", "Ki", "Mi", "Gi"};
    private static final int UNIT = 1_024;

    private static final List<Table.Column<JsonNode>> COUNTS = List.of(
            new Table.Column<>(
                    "REQ/S",
                    row -> String.format(Locale.ROOT, "%.1f", row.path(RATE).asDouble(0))),
            new Table.Column<>("SHORT", row -> count(row, "shortCalls")),
            new Table.Column<>("WAITING", row -> count(row, "waiting")),
            new Table.Column<>("WATCHES", row -> count(row, "watches")),
            new Table.Column<>("STREAMS", row -> count(row, "streams")),
            new Table.Column<>("BYTES", row -> size(row.path("bytes").asLong(0))));

    /** What the first rows have most of. */
    enum Sort {
        RATE("requests"),
        REQUESTS("requests"),
        SHORT("shortCalls"),
        WAITING("waiting"),
        WATCHES("watches"),
        STREAMS("streams"),
        BYTES("bytes");

        private final String field;

        Sort(String field) {
            this.field = field;
        }

        double of(JsonNode row) {
            return row.path(this == RATE ? TopCommand.RATE : field).asDouble(0);
        }

        @Override
        public String toString() {
            return name().toLowerCase(Locale.ROOT);
        }
    }

    /** Reads its name. */
    static final class SortName implements ITypeConverter<Sort> {
        @Override
        public Sort convert(String text) {
            return Stream.of(Sort.values())
                    .filter(sort -> sort.toString().equals(text))
                    .findFirst()
                    .orElseThrow(() -> new TypeConversionException(UsageProblem.unfit(
                            "--sort",
                            text,
                            UsageProblem.oneOf(
                                    Stream.of(Sort.values()).map(Sort::toString).toList()))));
        }
    }

    @Option(
            names = {"-c", "--cluster"},
            paramLabel = "ID",
            converter = ClusterId.class,
            description = "only this cluster")
    @Nullable
    private ClusterName cluster;

    @Option(
            names = "--sort",
            paramLabel = "COLUMN",
            defaultValue = "rate",
            converter = SortName.class,
            description = "by what rows are sorted: ${COMPLETION-CANDIDATES} (default: ${DEFAULT-VALUE})")
    private Sort sort = Sort.RATE;

    @Option(
            names = "--rows",
            paramLabel = "N",
            defaultValue = "10",
            description =
                    "how many clusters and how many callers are printed, at most 1000 (default: ${DEFAULT-VALUE})")
    private int rows;

    @Option(
            names = "--interval",
            paramLabel = "SECONDS",
            defaultValue = "1",
            description = "over which rates are measured (default: ${DEFAULT-VALUE})")
    private double seconds;

    @Option(
            names = {"-w", "--watch"},
            description = "print again after each interval")
    private boolean watch;

    @Option(names = "--count", paramLabel = "N", description = "with --watch: how often (default: until interrupted)")
    @Nullable
    private Integer count;

    @Override
    public void prepare() {
        if (rows < 1 || rows > ROWS_MAX) {
            throw wrongUsage("--rows: " + rows + " (expected 1 to " + ROWS_MAX + ")");
        }
        if (!(seconds >= SECONDS_MIN && seconds <= SECONDS_MAX)) {
            throw wrongUsage("--interval: " + seconds + " (expected 0.1 to 3600 seconds)");
        }
        if (count != null && (count < 1 || !watch)) {
            throw wrongUsage("--count: " + count + " (expected 1 or more, with --watch)");
        }
    }

    @Override
    public int run(FairleadClient client) throws CommandFailure, StatusFailure {
        long times = !watch ? 1 : count == null ? Long.MAX_VALUE : count;
        if (cluster != null) {
            var _ = client.get(Paths.fleet(cluster)); // What nothing is known of uses nothing, too.
        }
        JsonNode before = client.get(path());
        for (long printed = 0; printed < times && !out().checkError(); printed++) {
            pause();
            JsonNode now = client.get(path());
            if (printed > 0 && output().form() == OutputOptions.Form.TABLE) {
                out().println();
            }
            print(measured(before, now));
            before = now;
        }
        return ExitCodes.OK;
    }

    private String path() {
        return Paths.USAGE + "?sort=" + sort.field + "&top=" + ROWS_MAX
                + (cluster == null ? "" : "&cluster=" + cluster);
    }

    private void pause() throws CommandFailure {
        try {
            TimeUnit.MILLISECONDS.sleep((long) (seconds * MILLIS));
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            throw CommandFailure.of("interrupted");
        }
    }

    /** The rows that are printed, with their rates. */
    private ObjectNode measured(JsonNode before, JsonNode now) {
        double passed = Duration.between(Instant.parse(text(before, "time")), Instant.parse(text(now, "time")))
                        .toNanos()
                / (double) TimeUnit.SECONDS.toNanos(1);
        ObjectNode report = Json.object().put("time", text(now, "time")).put("seconds", passed);
        for (String list : List.of("clusters", "callers")) {
            Map<String, Long> earlier = new HashMap<>();
            before.path(list)
                    .values()
                    .forEach(row -> earlier.put(name(row), row.path("requests").asLong(0)));
            List<ObjectNode> measured = new ArrayList<>();
            now.path(list)
                    .values()
                    .forEach(row -> measured.add(
                            ((ObjectNode) row.deepCopy()).put(RATE, rate(row, earlier.get(name(row)), passed))));
            measured.sort(
                    Comparator.<ObjectNode>comparingDouble(sort::of).reversed().thenComparing(TopCommand::name));
            ArrayNode printed = report.putArray(list);
            measured.stream().limit(rows).forEach(printed::add);
            report.put(list + "Total", now.path(list + "Total").asInt(0));
        }
        return report;
    }

    /** One that was not there before, or was counted anew meanwhile, had all its requests since. */
    private static double rate(JsonNode row, @Nullable Long earlier, double passed) {
        long requests = row.path("requests").asLong(0);
        long since = earlier == null || earlier > requests ? requests : requests - earlier;
        return passed > 0 ? since / passed : 0;
    }

    private void print(ObjectNode report) {
        List<JsonNode> clusters = List.copyOf(report.path("clusters").values());
        List<JsonNode> callers = List.copyOf(report.path("callers").values());
        if (output().form() != OutputOptions.Form.TABLE) {
            List<JsonNode> all = new ArrayList<>(clusters);
            all.addAll(callers);
            output().print(report, all, List.of(), TopCommand::name);
            return;
        }
        output().print(report, clusters, columns("CLUSTER", row -> text(row, "cluster")), TopCommand::name);
        more(report, "clusters", clusters.size());
        out().println();
        List<Table.Column<JsonNode>> columns = new ArrayList<>(columns("CALLER", TopCommand::caller));
        columns.addFirst(new Table.Column<>("CLUSTER", row -> text(row, "cluster")));
        output().print(report, callers, columns, TopCommand::name);
        more(report, "callers", callers.size());
        out().flush();
    }

    private void more(JsonNode report, String list, int printed) {
        int left = report.path(list + "Total").asInt(0) - printed;
        if (left > 0) {
            out().println("and " + left + " more " + list);
        }
    }

    private static List<Table.Column<JsonNode>> columns(String header, Function<JsonNode, String> value) {
        List<Table.Column<JsonNode>> columns = new ArrayList<>();
        columns.add(new Table.Column<>(header, value));
        columns.addAll(COUNTS);
        return columns;
    }

    /** What no other row is called. */
    private static String name(JsonNode row) {
        boolean isCaller = row.has("caller") || row.has("others");
        return text(row, "cluster") + (isCaller ? "/" + caller(row) : "");
    }

    private static String caller(JsonNode row) {
        if (row.path("others").asBoolean(false)) {
            return "(others)";
        }
        return text(row, "caller") + (row.has("realm") ? " (of " + text(row, "realm") + ")" : "");
    }

    private static String count(JsonNode row, String field) {
        return String.valueOf(row.path(field).asLong(0));
    }

    private static String size(long bytes) {
        long amount = bytes;
        int unit = 0;
        while (amount >= 10L * UNIT && unit < UNITS.length - 1) {
            amount /= UNIT;
            unit++;
        }
        return amount + UNITS[unit];
    }

    private static String text(JsonNode node, String field) {
        return node.path(field).asString("");
    }
}
