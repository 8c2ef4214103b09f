package io.fairlead.cli.server;

import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import picocli.CommandLine;
import picocli.CommandLine.MaxValuesExceededException;
import picocli.CommandLine.MissingParameterException;
import picocli.CommandLine.Model.ArgSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.OverwrittenOptionException;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.UnmatchedArgumentException;

/** The error of a command line, worded for users; the parser's own messages are for developers. */
public final class UsageProblem {
    /** What the parser says of {@code KEY=VALUE}; it keeps the value nowhere else. */
    private static final Pattern PAIR =
            Pattern.compile("Value for .* should be in KEY=VALUE.* format but was (.*)", Pattern.DOTALL);

    private UsageProblem() {}

    /** A sentence without a final full stop. */
    public static String of(ParameterException problem) {
        return switch (problem) {
            case UnmatchedArgumentException unmatched -> unmatched(unmatched);
            case MissingParameterException missing -> missing(missing);
            case OverwrittenOptionException twice -> name(twice.getOverwritten()) + " is given twice (expected once)";
            case MaxValuesExceededException many
            when many.getArgSpec() != null -> name(many.getArgSpec()) + " is given too often (expected once)";
            default ->
                problem.getArgSpec() == null
                        ? String.valueOf(problem.getMessage())
                        : unfit(problem, problem.getArgSpec());
        };
    }

    private static String unmatched(UnmatchedArgumentException problem) {
        String first = problem.getUnmatched().getFirst();
        CommandLine command = problem.getCommandLine();
        if (problem.isUnknownOption()) {
            return "option " + first + " is unknown";
        }
        return command.getSubcommands().isEmpty()
                ? "unexpected argument \"" + first + "\""
                : "\"" + first + "\" is not a command of "
                        + command.getCommandSpec().qualifiedName();
    }

    /** The probable intention: a flag of kube-apiserver, an option of a command before its name, or a cluster for {@code -c}. */
    public static Optional<String> meant(UnmatchedArgumentException problem) {
        CommandLine command = problem.getCommandLine();
        String first = problem.getUnmatched().getFirst();
        Optional<String> ofKubeApiserver = insteadOf(first);
        if (ofKubeApiserver.isPresent()) {
            return ofKubeApiserver;
        }
        if (problem.isUnknownOption() && !command.getSubcommands().isEmpty()) {
            return isOptionOfACommand(first, command)
                    ? Optional.of("options follow the command: '"
                            + command.getCommandSpec().qualifiedName() + " COMMAND " + first + " …'")
                    : Optional.empty();
        }
        return !problem.isUnknownOption()
                        && command.getSubcommands().isEmpty()
                        && command.getCommandSpec().findOption("-c") != null
                ? Optional.of("option -c names a cluster: '"
                        + command.getCommandSpec().qualifiedName() + " -c " + first + "'")
                : Optional.empty();
    }

    /** What there is in place of a flag of kube-apiserver that an operator may look for. */
    private static Optional<String> insteadOf(String flag) {
        if (flag.equals("--port")) {
            return Optional.of("the port of the HTTPS endpoint is --secure-port");
        }
        if (flag.startsWith("--oidc-")) {
            return Optional.of("the issuers of tokens are in the file of --authentication-config");
        }
        if (flag.startsWith("--authorization-")) {
            return Optional.of(
                    "there is no configuration of authorizers: the RBAC of each hosted cluster decides, that of cluster"
                            + " root who enters, and attached clusters decide themselves");
        }
        return flag.startsWith("--audit-")
                ? Optional.of("the audit log is a file, or standard output, of lines of JSON: --audit-policy-file,"
                        + " --audit-log-path, --audit-log-mode, --audit-log-maxsize, --audit-log-maxage,"
                        + " --audit-log-maxbackup and --audit-log-compress")
                : Optional.empty();
    }

    private static boolean isOptionOfACommand(String argument, CommandLine command) {
        String name = argument.replaceFirst("=.*", "");
        return command.getSubcommands().values().stream()
                .anyMatch(each -> each.getCommandSpec().findOption(name) != null || isOptionOfACommand(argument, each));
    }

    /** A missing option, or a missing value; an option may be in its place. */
    private static String missing(MissingParameterException problem) {
        if (problem.getMissing().size() == 1
                && problem.getMissing().getFirst() instanceof OptionSpec option
                && !String.valueOf(problem.getMessage()).startsWith("Missing required option")) {
            return name(option) + " has no value (expected " + option.paramLabel() + ")";
        }
        return problem.getMissing().stream()
                .map(each -> each instanceof OptionSpec ? name(each) + " " + each.paramLabel() : each.paramLabel())
                .map(each -> each + " is missing")
                .collect(Collectors.joining(", "));
    }

    /** An argument's value is none that it can have. */
    public static String unfit(String argument, String value, String expected) {
        return argument + ": \"" + value + "\" (expected " + expected + ")";
    }

    /** A list of values to choose from, as in {@code a, b or c}. */
    public static String oneOf(List<String> values) {
        int last = values.size() - 1;
        return String.join(", ", values.subList(0, last)) + " or " + values.get(last);
    }

    /** A value that is not of the argument's type. */
    private static String unfit(ParameterException problem, ArgSpec argument) {
        String message = String.valueOf(problem.getMessage());
        Matcher pair = PAIR.matcher(message);
        if (pair.matches()) {
            return unfit(bareName(argument), pair.group(1), argument.paramLabel());
        }
        if (problem.getValue() == null) {
            return message;
        }
        if (argument.type() == int.class || argument.type() == Integer.class) {
            String unit = argument.paramLabel().equals("SECONDS") ? " of seconds, as 60" : "";
            return name(argument) + " \"" + problem.getValue() + "\" (expected an integer" + unit + ")";
        }
        if (argument.type() == double.class) {
            return name(argument) + " \"" + problem.getValue() + "\" (expected a number)";
        }
        if (argument.type().isEnum() && argument.converters().length == 0) {
            List<String> values = Stream.of(argument.type().getEnumConstants())
                    .map(String::valueOf)
                    .toList();
            return unfit(bareName(argument), problem.getValue(), oneOf(values));
        }
        // A converter's own message follows the parser's.
        return message.replaceFirst("^Invalid value for [^:]*: ", "");
    }

    private static String bareName(ArgSpec argument) {
        return argument instanceof OptionSpec option ? option.longestName() : argument.paramLabel();
    }

    private static String name(ArgSpec argument) {
        return argument instanceof OptionSpec option ? "option " + option.longestName() : argument.paramLabel();
    }
}
