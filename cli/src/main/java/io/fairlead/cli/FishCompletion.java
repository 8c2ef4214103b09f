package io.fairlead.cli;

import java.util.ArrayList;
import java.util.List;
import picocli.CommandLine;
import picocli.CommandLine.Model.ArgSpec;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.Model.PositionalParamSpec;

/** Completions of fish, one {@code complete} line for each command and option. */
final class FishCompletion {
    private final String name;
    private final StringBuilder lines = new StringBuilder();

    private FishCompletion(String name) {
        this.name = name;
    }

    static String of(String name, CommandSpec root) {
        FishCompletion completion = new FishCompletion(name);
        completion.lines.append("complete -c ").append(name).append(" -f\n");
        completion.add(root, List.of());
        return completion.lines.toString();
    }

    private void add(CommandSpec command, List<String> path) {
        List<CommandSpec> subcommands = command.subcommands().values().stream()
                .map(CommandLine::getCommandSpec)
                .filter(subcommand -> !subcommand.usageMessage().hidden())
                .distinct()
                .toList();
        List<String> names = subcommands.stream().map(CommandSpec::name).toList();
        for (CommandSpec subcommand : subcommands) {
            line(
                    path,
                    names,
                    "-a " + subcommand.name(),
                    subcommand.usageMessage().description());
            List<String> deeper = new ArrayList<>(path);
            deeper.add(subcommand.name());
            add(subcommand, deeper);
        }
        for (OptionSpec option : command.options()) {
            line(path, List.of(), words(option), option.description());
        }
        for (PositionalParamSpec argument : command.positionalParameters()) {
            if (argument.completionCandidates() != null) {
                line(path, List.of(), choices(argument), argument.description());
            }
        }
    }

    private void line(List<String> path, List<String> notYet, String words, String[] description) {
        List<String> conditions = new ArrayList<>();
        path.forEach(word -> conditions.add("__fish_seen_subcommand_from " + word));
        if (!notYet.isEmpty()) {
            conditions.add("not __fish_seen_subcommand_from " + String.join(" ", notYet));
        }
        lines.append("complete -c ").append(name);
        if (!conditions.isEmpty()) {
            lines.append(" -n ").append(quoted(String.join("; and ", conditions)));
        }
        lines.append(' ').append(words);
        if (description.length > 0) {
            lines.append(" -d ").append(quoted(description[0]));
        }
        lines.append('\n');
    }

    private static String words(OptionSpec option) {
        StringBuilder words = new StringBuilder();
        for (String spelling : option.names()) {
            words.append(words.isEmpty() ? "" : " ")
                    .append(spelling.startsWith("--") ? "-l " : "-s ")
                    .append(spelling.replaceFirst("^--?", ""));
        }
        if (option.arity().min() > 0 && option.completionCandidates() != null) {
            words.append(" -r -f ").append(choices(option));
        } else if (option.arity().min() > 0) {
            // File names are a reasonable completion for any value.
            words.append(" -r -F");
        }
        return words.toString();
    }

    private static String choices(ArgSpec argument) {
        return "-a " + quoted(String.join(" ", argument.completionCandidates()));
    }

    private static String quoted(String text) {
        return "'" + text.replace("\\", "\\\\").replace("'", "\\'").replaceAll("\\s+", " ") + "'";
    }
}
