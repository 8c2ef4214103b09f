package io.fairlead.cli;

import io.fairlead.cli.cluster.ClusterCommand;
import io.fairlead.cli.conflicts.ConflictsCommand;
import io.fairlead.cli.doctor.DoctorCommand;
import io.fairlead.cli.history.HistoryCommand;
import io.fairlead.cli.publication.PublicationCommand;
import io.fairlead.cli.server.CommandFailure;
import io.fairlead.cli.server.ExitCodes;
import io.fairlead.cli.server.UsageProblem;
import io.fairlead.cli.store.StoreCommand;
import io.fairlead.cli.types.TypesCommand;
import io.fairlead.cli.warm.WarmCommand;
import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.MissingParameterException;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.ScopeType;
import picocli.CommandLine.Spec;
import picocli.CommandLine.UnmatchedArgumentException;

/** The command line as a whole. */
@Command(
        name = "fairlead",
        description = "One HTTPS endpoint for a fleet of Kubernetes APIs.",
        synopsisSubcommandLabel = "COMMAND",
        versionProvider = VersionCommand.class)
public final class FairleadCommand implements Runnable {
    /** The name of the command, as the launcher determined it. */
    private static final String CALLED_AS = "fairlead.calledAs";

    private static final String HELP = "help";

    /** In the order of the help. */
    private static final List<String> COMMANDS = List.of(
            "serve",
            "cluster",
            "kubeconfig",
            "login",
            "served",
            "index",
            "types",
            "history",
            "conflicts",
            "publication",
            "store",
            "top",
            "doctor",
            "config",
            "completion",
            "warm",
            "version");

    /** The list in {@code --help} has the full set of options. */
    private static final int SIMILAR_MAX = 5;

    @Spec
    @SuppressWarnings("NullAway.Init") // set by picocli before the command runs
    private CommandSpec spec;

    /** For every command; picocli answers it. */
    @Option(
            names = {"-h", "--help"},
            usageHelp = true,
            scope = ScopeType.INHERIT,
            description = "show this help and exit")
    boolean help;

    @Option(
            names = {"-V", "--version"},
            versionHelp = true,
            description = "print the version and exit")
    boolean version;

    /** Runs a command and returns its exit code. */
    public static int execute(List<String> arguments, PrintWriter out, PrintWriter err) {
        String first = arguments.isEmpty() ? "" : arguments.getFirst();
        if (first.equals(HELP)) {
            return execute(asOption(arguments), out, err);
        }
        return (COMMANDS.contains(first) ? with(List.of(first)) : whole())
                .setCommandName(System.getProperty(CALLED_AS, "fairlead"))
                .setOut(out)
                .setErr(err)
                .setUsageHelpAutoWidth(true)
                .setAbbreviatedOptionsAllowed(false)
                .setCaseInsensitiveEnumValuesAllowed(true)
                .setParameterExceptionHandler(FairleadCommand::refuseUsage)
                .setExecutionExceptionHandler((failure, command, _) -> fail(failure, command.getErr()))
                .execute(arguments.toArray(String[]::new));
    }

    /** {@code help COMMAND} as {@code COMMAND --help}. */
    private static List<String> asOption(List<String> arguments) {
        List<String> command = new ArrayList<>(arguments.subList(1, arguments.size()));
        command.add("--" + HELP);
        return command;
    }

    /** The command with all others below it. */
    static CommandLine whole() {
        return with(COMMANDS);
    }

    /**
     * Of one command if one is called: picocli reads the options of each by reflection, which takes longer for all than what
     * most of them do.
     */
    private static CommandLine with(List<String> names) {
        CommandLine line = new CommandLine(new FairleadCommand());
        names.forEach(name -> line.addSubcommand(name, new CommandLine(command(name))));
        return line;
    }

    /** No map of constructors: the JVM fails to cache what refers to one whose class it cannot cache, as picocli's own. */
    private static Object command(String name) {
        return switch (name) {
            case "serve" -> new ServeCommand();
            case "cluster" -> new ClusterCommand();
            case "kubeconfig" -> new KubeconfigCommand();
            case "login" -> new LoginCommand();
            case "served" -> new ServedCommand();
            case "index" -> new IndexCommand();
            case "types" -> new TypesCommand();
            case "history" -> new HistoryCommand();
            case "conflicts" -> new ConflictsCommand();
            case "publication" -> new PublicationCommand();
            case "store" -> new StoreCommand();
            case "top" -> new TopCommand();
            case "doctor" -> new DoctorCommand();
            case "config" -> new ConfigCommand();
            case "completion" -> new CompletionCommand();
            case "warm" -> new WarmCommand(FairleadCommand::execute);
            case "version" -> new VersionCommand();
            default -> throw new IllegalArgumentException(name);
        };
    }

    @Override
    public void run() {
        throw new ParameterException(spec.commandLine(), "no command is given");
    }

    private static int refuseUsage(ParameterException problem, String[] arguments) {
        CommandLine command = problem.getCommandLine();
        PrintWriter err = command.getErr();
        err.println("error: " + oneLine(UsageProblem.of(problem)));
        err.println("hint:  " + hint(problem, command));
        err.flush();
        return ExitCodes.USAGE;
    }

    /**
     * A misspelt option may mean another one; a word that is not a command never does: the nearest could be
     * {@code delete}.
     */
    private static String hint(ParameterException problem, CommandLine command) {
        if (problem instanceof UnmatchedArgumentException unmatched) {
            List<String> similar = unmatched.getSuggestions();
            Optional<String> meant = UsageProblem.meant(unmatched);
            if (meant.isPresent()) {
                return meant.get();
            }
            if (unmatched.isUnknownOption() && !similar.isEmpty() && similar.size() <= SIMILAR_MAX) {
                return "did you mean " + String.join(", ", similar) + "?";
            }
            if (!unmatched.isUnknownOption() && !command.getSubcommands().isEmpty()) {
                return "expected one of: "
                        + String.join(", ", command.getSubcommands().keySet());
            }
        }
        if (problem instanceof MissingParameterException missing
                && missing.getMissing().contains(command.getCommandSpec().findOption("-c"))) {
            return "option -c names the cluster, as in '"
                    + command.getCommandSpec().qualifiedName() + " -c prod'";
        }
        return "'" + command.getCommandSpec().qualifiedName() + " --help' lists what is expected";
    }

    private static int fail(Exception failure, PrintWriter err) throws Exception {
        if (!(failure instanceof CommandFailure expected)) {
            throw failure;
        }
        return expected.tell(err);
    }

    private static String oneLine(String text) {
        return text.replaceAll("\\s*\\R\\s*", " ");
    }
}
