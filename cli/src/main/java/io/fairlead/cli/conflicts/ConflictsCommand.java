package io.fairlead.cli.conflicts;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.fairlead.cli.print.OutputOptions;
import io.fairlead.cli.print.Table;
import io.fairlead.cli.server.CommandFailure;
import io.fairlead.cli.server.ExitCodes;
import io.fairlead.cli.server.FairleadClient;
import io.fairlead.cli.server.ServerCommand;
import io.fairlead.cli.server.StatusFailure;
import io.fairlead.model.Visible;
import java.net.URLEncoder;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import tools.jackson.databind.JsonNode;

/** Lists conflicts: several holders of what at most one may have. */
@Command(
        name = "conflicts",
        description = {
            "List conflicts: several holders of what at most one may have.",
            "Exit code 0: there is none; 2: there are some; 3: none is known, and not all is."
        })
public final class ConflictsCommand extends ServerCommand {
    /** The kind of key that users' rules have. */
    private static final String RULE = "exclusive-key";

    private static final Pattern KEY =
            Pattern.compile("exclusive-key/[^/]+/[0-9a-f]{32}|(?!exclusive-key/)[^/]+/[^/]+");
    private static final String PATH = "/fairlead/v1/conflicts";

    private static final List<Table.Column<JsonNode>> COLUMNS = List.of(
            new Table.Column<>("KEY", conflict -> text(conflict, "key")),
            new Table.Column<>("STAYS", conflict -> names(conflict, true)),
            new Table.Column<>("OTHERS", conflict -> names(conflict, false)),
            new Table.Column<>("SINCE", conflict -> text(conflict, "since")));

    @Option(names = "--explain", paramLabel = "KEY", description = "say of one key who claims it, and what can be done")
    @Nullable
    private String explained;

    @Override
    public int run(FairleadClient client) throws CommandFailure, StatusFailure {
        if (explained != null && !KEY.matcher(explained).matches()) {
            throw CommandFailure.usage(
                    "--explain: \"" + explained + "\" is no key",
                    "a key is what 'fairlead conflicts' shows, KIND/NAME or exclusive-key/RULE/HASH");
        }
        JsonNode report = client.get(explained == null ? PATH : PATH + "?key=" + URLEncoder.encode(explained, UTF_8));
        List<JsonNode> unknown = report.path("unknown").valueStream().toList();
        List<JsonNode> conflicts = report.path("conflicts").valueStream().toList();
        if (output().form() != OutputOptions.Form.TABLE) {
            output().print(report, conflicts, COLUMNS, conflict -> text(conflict, "key"));
        } else if (conflicts.isEmpty() && unknown.isEmpty()) {
            say(explained == null ? "no conflicts" : explained + ": no conflict");
        } else if (conflicts.isEmpty()) {
            say((explained == null ? "" : explained + ": ") + "no conflict is known");
        } else if (explained == null) {
            output().print(report, conflicts, COLUMNS, conflict -> text(conflict, "key"));
        } else {
            conflicts.forEach(this::explain);
        }
        if (output().form() == OutputOptions.Form.TABLE) {
            unknown.forEach(rule -> say(
                    "not known: " + text(rule, "rule") + ": " + text(rule, "reason") + ": " + text(rule, "message")));
        }
        if (!conflicts.isEmpty()) {
            return ExitCodes.DIFFERENT;
        }
        return unknown.isEmpty() ? ExitCodes.OK : ExitCodes.UNKNOWN;
    }

    private void explain(JsonNode conflict) {
        boolean isRule = text(conflict, "kind").equals(RULE);
        int total = conflict.path("holdersTotal").asInt(0);
        say(text(conflict, "key") + ": " + total
                + (isRule ? " objects claim one key" : " registrations lead to one cluster"));
        say("since:  " + text(conflict, "since"));
        for (JsonNode holder : conflict.path("holders").values()) {
            String other = isRule ? "loses:  " : "not served: ";
            say((isIncumbent(holder) ? "stays:  " : other) + text(holder, "name") + " (uid " + text(holder, "uid")
                    + ", " + text(holder, "state") + ")");
        }
        int unnamed = total - conflict.path("holders").size();
        if (unnamed > 0) {
            say("and " + unnamed
                    + (isRule ? " more, of clusters that you may not enter" : " more that you may not enter"));
        }
        if (isRule) {
            adviseOnObjects(conflict);
        } else {
            adviseOnRegistrations(names(conflict, true));
        }
    }

    private void adviseOnObjects(JsonNode conflict) {
        String rule = text(conflict, "key").split("/", -1)[1];
        say("to do:  change what makes the key in all of them but one, or delete the others;");
        say("        what makes it says 'kubectl get exclusivekey " + rule + " -o yaml' (spec.key)");
    }

    private void adviseOnRegistrations(String incumbent) {
        say("to do:  delete the registrations that are not wanted ('fairlead cluster delete ID'),");
        say("        or point them to other endpoints,");
        say("        or set spec.aliasOf: " + (incumbent.isEmpty() ? "ID" : incumbent)
                + " in those that are wanted beside it;");
        say("        once the one that stays is deleted, the oldest of the others takes its place");
    }

    private void say(String line) {
        out().println(Visible.printable(line));
        out().flush();
    }

    private static String names(JsonNode conflict, boolean incumbent) {
        return conflict.path("holders")
                .valueStream()
                .filter(holder -> isIncumbent(holder) == incumbent)
                .map(holder -> text(holder, "name"))
                .collect(Collectors.joining(", "));
    }

    private static boolean isIncumbent(JsonNode holder) {
        return text(holder, "role").equals("Incumbent");
    }

    private static String text(JsonNode node, String field) {
        return node.path(field).asString("");
    }
}
