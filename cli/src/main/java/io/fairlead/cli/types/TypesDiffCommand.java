package io.fairlead.cli.types;

import io.fairlead.cli.print.OutputOptions;
import io.fairlead.cli.server.CommandFailure;
import io.fairlead.cli.server.ExitCodes;
import io.fairlead.cli.server.ServerOptions;
import io.fairlead.schema.compare.Difference;
import io.fairlead.schema.compare.TypeComparison;
import io.fairlead.schema.compare.Verdict;
import io.fairlead.schema.digest.DefinitionDigests;
import io.fairlead.schema.json.Json;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;

/** Compares the types of two sources; the exit code is the verdict. */
@Command(
        name = "diff",
        description = {
            "Compare the types of an old source with those of a new one.",
            "A source is " + TypeSources.EXPECTED + "."
        },
        exitCodeOnExecutionException = 4,
        exitCodeListHeading = "%nExit codes:%n",
        exitCodeList = {"0:equal or wider", "2:narrower or incompatible", "3:unknown", "4:error"})
final class TypesDiffCommand implements Callable<Integer> {

    @Mixin
    @SuppressWarnings("NullAway.Init") // set by picocli before the command runs
    private ServerOptions server;

    @Mixin
    @SuppressWarnings("NullAway.Init") // set by picocli before the command runs
    private OutputOptions output;

    @Parameters(index = "0", paramLabel = "OLD", description = "the source of the old types")
    @SuppressWarnings("NullAway.Init") // set by picocli before the command runs
    private String oldSource;

    @Parameters(index = "1", paramLabel = "NEW", description = "the source of the new types")
    @SuppressWarnings("NullAway.Init") // set by picocli before the command runs
    private String newSource;

    @Override
    public Integer call() throws CommandFailure {
        TypeSources sources = new TypeSources(server);
        TypeSource old = sources.of(oldSource);
        TypeSource now = sources.of(newSource);
        List<TypeComparison> comparisons;
        try {
            Map<String, DefinitionDigests> before = byName(old.types(), oldSource);
            Map<String, DefinitionDigests> after = byName(now.types(), newSource);
            before.keySet().removeAll(now.undetermined().keySet());
            after.keySet().removeAll(old.undetermined().keySet());
            comparisons = compared(before, after);
            comparisons.addAll(undetermined(old.undetermined(), now.undetermined()));
        } catch (CommandFailure failure) {
            throw failure.withExitCode(ExitCodes.FAILED);
        }
        ArrayNode document = Json.array();
        comparisons.forEach(comparison -> document.add(TypeDiff.json(comparison)));
        boolean areNames = output.form() == OutputOptions.Form.NAME;
        List<JsonNode> items = areNames ? List.copyOf(document.values()) : TypeDiff.rows(document);
        output.print(document, items, TypeDiff.columns(), TypeDiff::name);
        return exitCode(comparisons);
    }

    private static Map<String, DefinitionDigests> byName(List<DefinitionDigests> types, String source)
            throws CommandFailure {
        Map<String, DefinitionDigests> byName = new TreeMap<>();
        for (DefinitionDigests type : types) {
            String name = type.type().toString();
            DefinitionDigests other = byName.put(name, type);
            if (other != null && !other.full().equals(type.full())) {
                throw CommandFailure.of(source + ": it defines " + name + " twice, and differently (expected it once)");
            }
        }
        return byName;
    }

    private static List<TypeComparison> compared(
            Map<String, DefinitionDigests> old, Map<String, DefinitionDigests> now) {
        Set<String> names = new TreeSet<>(old.keySet());
        names.addAll(now.keySet());
        List<TypeComparison> comparisons = new ArrayList<>();
        for (String name : names) {
            comparisons.add(compared(old.get(name), now.get(name)));
        }
        return comparisons;
    }

    /** If the type is unknown on either side, the change is unknown. */
    private static List<TypeComparison> undetermined(Map<String, String> old, Map<String, String> now) {
        Map<String, String> all = new TreeMap<>(now);
        all.putAll(old);
        List<TypeComparison> comparisons = new ArrayList<>();
        all.forEach((name, why) -> {
            int dot = name.indexOf('.');
            Difference difference =
                    new Difference("spec", "definition", text(old.get(name)), text(now.get(name)), Verdict.UNKNOWN);
            comparisons.add(new TypeComparison(
                    name.substring(dot + 1), name.substring(0, dot), Verdict.UNKNOWN, List.of(difference), List.of()));
        });
        return comparisons;
    }

    private static @Nullable JsonNode text(@Nullable String why) {
        return why == null ? null : Json.nodes().stringNode(why);
    }

    private static TypeComparison compared(@Nullable DefinitionDigests old, @Nullable DefinitionDigests now) {
        if (old == null) {
            return TypeComparison.added(Objects.requireNonNull(now));
        }
        return now == null ? TypeComparison.removed(old) : TypeComparison.of(old, now);
    }

    private static int exitCode(List<TypeComparison> comparisons) {
        Verdict verdict = comparisons.stream().map(TypeComparison::verdict).reduce(Verdict.EQUAL, Verdict::and);
        return switch (verdict) {
            case EQUAL, WIDER -> ExitCodes.OK;
            case NARROWER, INCOMPATIBLE -> ExitCodes.DIFFERENT;
            case UNKNOWN -> ExitCodes.UNKNOWN;
        };
    }
}
