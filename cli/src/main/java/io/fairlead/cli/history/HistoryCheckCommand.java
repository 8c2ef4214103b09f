package io.fairlead.cli.history;

import io.fairlead.cli.print.OutputOptions;
import io.fairlead.cli.server.CommandFailure;
import io.fairlead.cli.server.ExitCodes;
import io.fairlead.index.history.WatchCursor;
import io.fairlead.index.history.WatchDecision;
import io.fairlead.index.history.WatchEvent;
import io.fairlead.index.history.WatchGuard;
import io.fairlead.model.FileFault;
import io.fairlead.model.ResourceVersion;
import io.fairlead.model.Visible;
import io.fairlead.schema.json.Json;
import io.fairlead.schema.json.UnreadableDocumentException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/**
 * Judges a recorded watch as {@link WatchGuard} would judge it on its way to a client; the exit code is the answer.
 *
 * <p>Events are read one by one, and findings printed as they come, so that it can follow a watch that is open. An event
 * that the guard would end the watch with ends nothing here: those after it are judged as if it had not come.
 */
@Command(
        name = "check",
        description = "Judge whether a recorded watch, one JSON event on each line, goes back in time.",
        exitCodeOnExecutionException = ExitCodes.ERROR,
        exitCodeListHeading = "%nExit codes:%n",
        exitCodeList = {
            "0:no event is behind one before it",
            "1:error: the recording cannot be read",
            "2:some are behind events before them"
        })
final class HistoryCheckCommand implements Callable<Integer> {
    private static final Path STANDARD_INPUT = Path.of("-");
    private static final String EXPECTED =
            "a recording has one JSON event on each line, as 'kubectl get --raw' prints it with '?watch=1'";

    @Spec
    @SuppressWarnings("NullAway.Init") // set by picocli before the command runs
    private CommandSpec spec;

    @Parameters(
            arity = "0..1",
            paramLabel = "FILE",
            description = "the recording, - for standard input, which is the default")
    private Path file = STANDARD_INPUT;

    @Option(
            names = "--resource-version",
            paramLabel = "N",
            description = "the resourceVersion that the watch began from; none by default")
    private String resourceVersion = "";

    @Option(
            names = "--send-initial-events",
            description = "the watch asked for initial events (sendInitialEvents=true)")
    private boolean sendInitialEvents;

    @Mixin
    @SuppressWarnings("NullAway.Init") // set by picocli before the command runs
    private OutputOptions output;

    @Override
    public Integer call() throws CommandFailure {
        OptionsBefore.requireNone(spec);
        WatchGuard guard = new WatchGuard(start());
        CheckReport report = new CheckReport(name(), output, spec.commandLine());
        try (InputStream input = open()) {
            check(new EventLines(input), guard, report);
        } catch (IOException e) {
            throw failure(FileFault.of(e), "");
        }
        report.end();
        return report.exitCode();
    }

    private WatchCursor start() {
        if (!resourceVersion.isEmpty()
                && !resourceVersion.equals("0")
                && !ResourceVersion.isComparable(resourceVersion)) {
            throw new ParameterException(
                    spec.commandLine(),
                    "option --resource-version \"" + RecordedEvent.abbreviated(resourceVersion)
                            + "\" (expected 0 or a positive integer without leading zero, at most 256 digits)");
        }
        return WatchCursor.of(resourceVersion, sendInitialEvents);
    }

    private void check(EventLines lines, WatchGuard guard, CheckReport report) throws IOException, CommandFailure {
        try {
            for (byte[] line = lines.next(); line != null; line = lines.next()) {
                judge(lines.number(), RecordedEvent.of(Json.read(line)), guard, report);
            }
        } catch (UnreadableDocumentException e) {
            throw failure("line " + lines.number() + ": " + problem(e), EXPECTED);
        }
    }

    private static void judge(long line, RecordedEvent recorded, WatchGuard guard, CheckReport report) {
        switch (recorded) {
            case RecordedEvent.Unknown unknown -> report.notJudged(line, unknown.problem());
            case RecordedEvent.Known known -> {
                report.event(known.type());
                known.versions().forEach(event -> judge(line, event, guard, report));
            }
        }
    }

    private static void judge(long line, WatchEvent event, WatchGuard guard, CheckReport report) {
        boolean wasComparable = guard.cursor().comparable();
        WatchDecision decision = guard.judge(event);
        ResourceVersion highWater = guard.cursor().highWater();
        if (decision == WatchDecision.UNGUARDED) {
            report.notComparable(line, event, wasComparable && !guard.cursor().comparable());
        } else if (decision.isTravel() && highWater != null) {
            report.travelled(new TravelledEvent(line, event, highWater, decision));
        }
    }

    private InputStream open() throws IOException {
        return isStandardInput() ? new Unclosed(System.in) : Files.newInputStream(file);
    }

    private boolean isStandardInput() {
        return file.equals(STANDARD_INPUT);
    }

    private String name() {
        return isStandardInput() ? "standard input" : file.toString();
    }

    /** Without the reader's own line, since every text that it gets is one, and without what it says of its source. */
    private static String problem(UnreadableDocumentException unreadable) {
        return unreadable
                .getMessage()
                .replaceFirst("^invalid JSON: line 1, ", "invalid JSON: ")
                .replaceFirst(" \\(start marker at .*", "");
    }

    private CommandFailure failure(String problem, String hint) {
        return CommandFailure.of(Visible.printable(name() + ": " + problem), hint)
                .withExitCode(ExitCodes.ERROR);
    }
}
