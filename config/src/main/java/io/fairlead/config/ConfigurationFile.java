package io.fairlead.config;

import io.fairlead.model.FileFault;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;
import org.snakeyaml.engine.v2.api.LoadSettings;
import org.snakeyaml.engine.v2.api.lowlevel.Compose;
import org.snakeyaml.engine.v2.exceptions.Mark;
import org.snakeyaml.engine.v2.exceptions.MarkedYamlEngineException;
import org.snakeyaml.engine.v2.exceptions.YamlEngineException;
import org.snakeyaml.engine.v2.nodes.MappingNode;
import org.snakeyaml.engine.v2.nodes.Node;
import org.snakeyaml.engine.v2.nodes.NodeTuple;
import org.snakeyaml.engine.v2.nodes.ScalarNode;
import org.snakeyaml.engine.v2.nodes.SequenceNode;
import org.snakeyaml.engine.v2.nodes.Tag;

/** Reads a configuration file into given values; reports unknown keys, with line and column. */
final class ConfigurationFile {
    static final String API_VERSION = "config.fairlead.io/v1alpha1";
    static final String KIND = "FairleadConfiguration";

    private static final int CODE_POINTS_MAX = 1024 * 1024;

    private final Path file;
    private final Map<String, Given> given;
    private final List<Problem> problems;
    private final Set<String> headers = new HashSet<>();

    private ConfigurationFile(Path file, Map<String, Given> given, List<Problem> problems) {
        this.file = file;
        this.given = given;
        this.problems = problems;
    }

    /** Adds what a file gives to the values, and what is wrong with it to the problems. */
    static void read(Path file, Map<String, Given> given, List<Problem> problems) {
        new ConfigurationFile(file, given, problems).read();
    }

    private void read() {
        try {
            Optional<Node> document = parse(Files.readString(file));
            if (document.isEmpty()) {
                problems.add(new Problem(file.toString(), "the file is empty (expected kind: " + KIND + ")"));
            } else if (document.get() instanceof MappingNode top) {
                readSection(top, "");
                requireHeader(top, "apiVersion");
                requireHeader(top, "kind");
            } else {
                report(document.get(), "expected a mapping of keys to values");
            }
        } catch (IOException unreadable) {
            problems.add(new Problem(file.toString(), "cannot be read (" + FileFault.of(unreadable) + ")"));
        } catch (MarkedYamlEngineException notYaml) {
            problems.add(new Problem(
                    notYaml.getProblemMark().map(this::at).orElse(file.toString()),
                    "not YAML: " + notYaml.getProblem()));
        } catch (YamlEngineException notYaml) {
            problems.add(new Problem(file.toString(), "not YAML: " + notYaml.getMessage()));
        } catch (StackOverflowError tooDeep) {
            problems.add(new Problem(file.toString(), "nested too deeply"));
        }
    }

    private static Optional<Node> parse(String text) {
        LoadSettings settings = LoadSettings.builder()
                .setUseMarks(true)
                .setMaxAliasesForCollections(0)
                .setCodePointLimit(CODE_POINTS_MAX)
                .build();
        return new Compose(settings).composeString(text);
    }

    private void readSection(MappingNode section, String prefix) {
        Set<String> seen = new HashSet<>();
        for (NodeTuple entry : section.getValue()) {
            if (!(entry.getKeyNode() instanceof ScalarNode name)) {
                report(entry.getKeyNode(), "expected the name of a key");
            } else if (!seen.add(name.getValue())) {
                report(name, "key \"" + prefix + name.getValue() + "\" is given twice");
            } else {
                readEntry(name, prefix + name.getValue(), entry.getValueNode());
            }
        }
    }

    private void readEntry(ScalarNode name, String path, Node value) {
        if (path.equals("apiVersion")) {
            checkHeader(path, value, API_VERSION);
        } else if (path.equals("kind")) {
            checkHeader(path, value, KIND);
        } else if (Key.ALL.stream().anyMatch(key -> key.path().equals(path))) {
            readValue(path, value);
        } else if (Key.ALL.stream().anyMatch(key -> key.path().startsWith(path + "."))) {
            readNested(path, value);
        } else {
            report(name, "unknown key \"" + path + "\" (" + instead(path) + ")");
        }
    }

    private static String instead(String path) {
        return NearestKey.to(path)
                .map(near -> "nearest known key: " + near)
                .orElse("'fairlead config reference' lists the keys");
    }

    private void readNested(String path, Node value) {
        if (value instanceof MappingNode section) {
            readSection(section, path + ".");
        } else {
            report(value, path + ": expected a mapping of keys to values");
        }
    }

    private void readValue(String path, Node value) {
        switch (value) {
            case ScalarNode scalar when scalar.getTag().equals(Tag.NULL) -> {}
            case ScalarNode scalar -> give(path, value, List.of(scalar.getValue()));
            case SequenceNode list when isAny(path, Key::isList) -> readList(path, list);
            case SequenceNode list -> report(list, path + ": expected a single value, found a list");
            case MappingNode mapping when isAny(path, Key::isMapping) -> readMapping(path, mapping);
            default -> report(value, path + ": expected a value, found a mapping");
        }
    }

    private static boolean isAny(String path, Predicate<Key> kind) {
        return Key.ALL.stream().anyMatch(key -> key.path().equals(path) && kind.test(key));
    }

    private void readList(String path, SequenceNode list) {
        List<String> texts = new ArrayList<>();
        for (Node element : list.getValue()) {
            if (element instanceof ScalarNode scalar) {
                texts.add(scalar.getValue());
            } else {
                report(element, path + ": expected text in the list");
            }
        }
        give(path, list, texts);
    }

    private void readMapping(String path, MappingNode mapping) {
        List<String> texts = new ArrayList<>();
        for (NodeTuple entry : mapping.getValue()) {
            if (entry.getKeyNode() instanceof ScalarNode name && entry.getValueNode() instanceof ScalarNode value) {
                texts.add(name.getValue() + "=" + value.getValue());
            } else {
                report(entry.getValueNode(), path + ": expected a name and a value");
            }
        }
        give(path, mapping, texts);
    }

    private void give(String path, Node value, List<String> texts) {
        Path folder = file.toAbsolutePath().getParent();
        given.put(path, Given.inFile(texts, at(value), folder == null ? Path.of("") : folder));
    }

    private void checkHeader(String path, Node value, String expected) {
        headers.add(path);
        if (!(value instanceof ScalarNode scalar)) {
            report(value, path + ": expected " + expected);
        } else if (!scalar.getValue().equals(expected)) {
            report(value, path + ": \"" + scalar.getValue() + "\" (expected " + expected + ")");
        }
    }

    private void requireHeader(MappingNode top, String path) {
        if (!headers.contains(path)) {
            report(top, path + " is missing (expected " + (path.equals("kind") ? KIND : API_VERSION) + ")");
        }
    }

    private void report(Node node, String message) {
        problems.add(new Problem(at(node), message));
    }

    private String at(Node node) {
        return node.getStartMark().map(this::at).orElse(file.toString());
    }

    private String at(Mark mark) {
        return file + ":" + (mark.getLine() + 1) + ":" + (mark.getColumn() + 1);
    }
}
