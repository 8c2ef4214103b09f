package io.fairlead.ittests;

import static io.fairlead.ittests.AggregatedWidgets.widget;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/** What a user does with widgets by kubectl in a namespace that has none, from the first to the last, while a watch goes on. */
final class WidgetUser {
    private static final Duration SOON = Duration.ofSeconds(20);
    private static final List<Step> STEPS = List.of(
            step(widget("first", 3), "apply -f -"),
            step(widget("first", 4), "apply -f -"),
            step(widget("second", 5), "apply --server-side -f -"),
            step(widget("second", 6), "apply --server-side --field-manager=other -f -"),
            step("", "patch wd/first --type=merge -p {\"spec\":{\"size\":7}}"),
            step("", "patch wd/first --type=merge -p {\"spec\":{\"size\":700}}"),
            step("", "get widgets --no-headers -o custom-columns=A:.metadata.name,B:.spec"),
            step("", "get tools"),
            step("", "get widget third"),
            step("", "explain widgets.spec"),
            step("", "api-resources --api-group=example.com --no-headers"),
            step("", "delete widget doomed"),
            step("", "auth can-i create widgets.example.com"));

    private record Step(String input, String command) {}

    private WidgetUser() {}

    private static Step step(String input, String command) {
        return new Step(input, command);
    }

    /** All that kubectl says, and how it ends each time, without what is never the same. */
    static String work(Kubectl kubectl) {
        List<String> told = new ArrayList<>();
        kubectl.succeedWith(widget("doomed", 1), "create", "-f", "-");
        OwnedProcess watch = kubectl.start(
                "watch",
                "get",
                "widgets",
                "--namespace=" + AggregatedWidgets.TEAM,
                "--watch",
                "--output-watch-events",
                "-o",
                "jsonpath={.type} {.object.metadata.name} {.object.spec.size}{\"\\n\"}");
        try (watch) {
            awaitSeen(watch, "ADDED doomed 1");
            for (Step step : STEPS) {
                Output output = kubectl.apply(step.input(), arguments(step.command()));
                String text = Normalised.of(output.output() + output.told(), "https://")
                        .text();
                told.add(step.command() + ": " + output.exitCode() + " " + text);
            }
            awaitSeen(watch, "MODIFIED first 7");
            awaitSeen(watch, "DELETED doomed 1");
        }
        kubectl.succeed(arguments("delete widgets --all"));
        return String.join("\n", told);
    }

    private static String[] arguments(String command) {
        return Stream.concat(Stream.of(command.split(" ")), Stream.of("--namespace=" + AggregatedWidgets.TEAM))
                .toArray(String[]::new);
    }

    private static void awaitSeen(OwnedProcess watch, String line) {
        Await.until(
                line + "; " + watch.tail(), SOON, () -> watch.output().lines().anyMatch(line::equals));
    }
}
