package io.fairlead.cli.print;

import io.fairlead.model.ClusterName;
import io.fairlead.model.Visible;
import java.io.PrintWriter;
import java.util.Iterator;
import java.util.List;
import java.util.Locale;
import java.util.function.Function;
import java.util.stream.Stream;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;
import tools.jackson.databind.JsonNode;

/** How a command prints its result. */
public final class OutputOptions {
    @Spec(Spec.Target.MIXEE)
    @SuppressWarnings("NullAway.Init") // set by picocli before the command runs
    private CommandSpec spec;

    private Form form = Form.TABLE;

    @Option(
            names = {"-o", "--output"},
            paramLabel = "FORM",
            completionCandidates = FormNames.class,
            description = "table (the default), json, yaml or name")
    void form(String text) {
        for (Form known : Form.values()) {
            if (known.text().equals(text)) {
                form = known;
                return;
            }
        }
        throw new ParameterException(
                spec.commandLine(), "--output: \"" + text + "\" (expected table, json, yaml or name)");
    }

    public Form form() {
        return form;
    }

    /**
     * Prints a list.
     *
     * @param document all of them, for programs
     * @param items each of them
     * @param columns the table's columns
     * @param name what {@code -o name} prints of an item
     */
    public void print(
            JsonNode document,
            List<JsonNode> items,
            List<Table.Column<JsonNode>> columns,
            Function<JsonNode, String> name) {
        PrintWriter out = spec.commandLine().getOut();
        switch (form) {
            case TABLE -> Table.print(out, items, columns);
            case JSON -> out.println(Rendering.json(document));
            case YAML -> out.print(Rendering.yaml(document));
            case NAME -> items.forEach(item -> out.println(Visible.printable(name.apply(item))));
        }
        out.flush();
    }

    /** Prints the result of a change to a {@code Cluster}: a sentence, or the object for programs. */
    public void printChange(JsonNode cluster, String what) {
        printChange(cluster, cluster.path("metadata").path("name").asString(""), what);
    }

    public void printChange(JsonNode document, ClusterName name, String what) {
        printChange(document, name.value(), what);
    }

    private void printChange(JsonNode document, String name, String what) {
        PrintWriter out = spec.commandLine().getOut();
        switch (form) {
            case TABLE -> out.println("cluster.fairlead.io/" + name + " " + what);
            case JSON -> out.println(Rendering.json(document));
            case YAML -> out.print(Rendering.yaml(document));
            case NAME -> out.println("cluster.fairlead.io/" + name);
        }
        out.flush();
    }

    public enum Form {
        TABLE,
        JSON,
        YAML,
        NAME;

        private String text() {
            return name().toLowerCase(Locale.ROOT);
        }
    }

    /** For completion. */
    static final class FormNames implements Iterable<String> {
        @Override
        public Iterator<String> iterator() {
            return Stream.of(Form.values()).map(Form::text).iterator();
        }
    }
}
