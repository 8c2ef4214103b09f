package io.fairlead.schema.json;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.snakeyaml.engine.v2.api.LoadSettings;
import org.snakeyaml.engine.v2.api.lowlevel.Parse;
import org.snakeyaml.engine.v2.common.Anchor;
import org.snakeyaml.engine.v2.events.AliasEvent;
import org.snakeyaml.engine.v2.events.Event;
import org.snakeyaml.engine.v2.events.MappingEndEvent;
import org.snakeyaml.engine.v2.events.MappingStartEvent;
import org.snakeyaml.engine.v2.events.NodeEvent;
import org.snakeyaml.engine.v2.events.ScalarEvent;
import org.snakeyaml.engine.v2.events.SequenceEndEvent;
import org.snakeyaml.engine.v2.events.SequenceStartEvent;
import org.snakeyaml.engine.v2.exceptions.Mark;
import org.snakeyaml.engine.v2.exceptions.MarkedYamlEngineException;
import org.snakeyaml.engine.v2.exceptions.YamlEngineException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** One reading of one YAML stream: the parser's events become trees. */
final class YamlReader {
    private static final int CHARS_OF_A_VALUE = 100;

    private final Iterator<Event> events;
    private final NumberForm numbers;
    /** By the text, which has an order: {@link Anchor} has none, so that a map of thousands of one hash would be slow. */
    private final Map<String, Anchored> anchors = new HashMap<>();

    private List<DuplicateField> duplicates = new ArrayList<>();
    private int aliasedValues;

    private YamlReader(Iterator<Event> events, NumberForm numbers) {
        this.events = events;
        this.numbers = numbers;
    }

    static List<Document> readAll(String text, NumberForm numbers) {
        LoadSettings settings = LoadSettings.builder()
                .setCodePointLimit(Math.max(1, text.length()))
                .setParseComments(false)
                .build();
        try {
            return new YamlReader(new Parse(settings).parseString(text).iterator(), numbers).documents();
        } catch (MarkedYamlEngineException e) {
            throw unreadable(e.getProblemMark(), String.valueOf(e.getProblem()));
        } catch (YamlEngineException e) {
            throw unreadable(Optional.empty(), String.valueOf(e.getMessage()));
        } catch (StackOverflowError e) {
            throw unreadable(Optional.empty(), "the text nests too deeply");
        }
    }

    private List<Document> documents() {
        List<Document> documents = new ArrayList<>();
        while (events.hasNext()) {
            Event event = events.next();
            if (event.getEventId() == Event.ID.DocumentStart) {
                anchors.clear();
                duplicates = new ArrayList<>();
                Composed root = value(events.next(), Place.ROOT, 0);
                if (!root.tree.isNull()) {
                    documents.add(new Document(root.tree, duplicates));
                }
            }
        }
        return documents;
    }

    private Composed value(Event event, Place place, int depth) {
        return switch (event) {
            case AliasEvent alias -> aliased(alias);
            case ScalarEvent scalar -> anchored(scalar, scalar(scalar));
            case MappingStartEvent start -> anchored(start, mapping(start, place, depth + 1));
            case SequenceStartEvent start -> anchored(start, sequence(start, place, depth + 1));
            default -> throw unreadable(event.getStartMark(), "a value was expected");
        };
    }

    /** A long text counts as many values, since aliases repeat it. */
    private Composed scalar(ScalarEvent scalar) {
        return new Composed(
                YamlScalar.value(scalar, numbers), 1 + scalar.getValue().length() / CHARS_OF_A_VALUE);
    }

    private Composed anchored(NodeEvent event, Composed composed) {
        event.getAnchor()
                .ifPresent(anchor -> anchors.put(anchor.getValue(), new Anchored(composed.tree, composed.values)));
        return composed;
    }

    private Composed aliased(AliasEvent alias) {
        Anchored anchored =
                alias.getAnchor().map(Anchor::getValue).map(anchors::get).orElse(null);
        if (anchored == null) {
            throw unreadable(alias.getStartMark(), "the alias names no anchor before it");
        }
        aliasedValues += anchored.values;
        if (aliasedValues > Yaml.ALIASED_VALUES_MAX) {
            throw unreadable(
                    alias.getStartMark(), "aliases stand for more than " + Yaml.ALIASED_VALUES_MAX + " values");
        }
        return new Composed(anchored.tree.deepCopy(), anchored.values);
    }

    private Composed sequence(SequenceStartEvent start, Place place, int depth) {
        refuseDeeper(start, depth);
        ArrayNode array = Json.array();
        int values = 1;
        for (Event event = events.next(); !(event instanceof SequenceEndEvent); event = events.next()) {
            Composed element = value(event, place.element(array.size()), depth);
            refuseDeeper(start, depth + depthOf(event, element.tree));
            values += element.values;
            array.add(element.tree);
        }
        return new Composed(array, values);
    }

    private Composed mapping(MappingStartEvent start, Place place, int depth) {
        refuseDeeper(start, depth);
        ObjectNode object = Json.object();
        List<ObjectNode> merged = new ArrayList<>();
        Set<String> told = new HashSet<>();
        int values = 1;
        for (Event event = events.next(); !(event instanceof MappingEndEvent); event = events.next()) {
            if (isMergeKey(event)) {
                Composed source = value(events.next(), place, depth);
                values += source.values;
                collectMerged(event, source.tree, merged);
                continue;
            }
            String key = key(event);
            Place memberPlace = place.member(key);
            Event valueEvent = events.next();
            Composed member = value(valueEvent, memberPlace, depth);
            refuseDeeper(start, depth + depthOf(valueEvent, member.tree));
            values += member.values + key.length() / CHARS_OF_A_VALUE;
            if (object.replace(key, member.tree) != null && told.add(key)) {
                duplicate(event, memberPlace, key);
            }
        }
        merged.forEach(source -> source.properties().forEach(m -> object.putIfAbsent(m.getKey(), m.getValue())));
        return new Composed(object, values);
    }

    private String key(Event event) {
        JsonNode key = switch (event) {
            case ScalarEvent scalar -> YamlScalar.value(scalar, NumberForm.GO);
            case AliasEvent alias -> aliased(alias).tree;
            default -> Json.nodes().nullNode();
        };
        if (key.isNull() || key.isContainer()) {
            throw unreadable(event.getStartMark(), "a key must be a string, a number or a boolean");
        }
        return key.isString() ? key.stringValue() : Json.text(key);
    }

    private static boolean isMergeKey(Event event) {
        return event instanceof ScalarEvent scalar
                && scalar.isPlain()
                && scalar.getTag().isEmpty()
                && scalar.getValue().equals("<<");
    }

    private static void collectMerged(Event key, JsonNode source, List<ObjectNode> merged) {
        if (source instanceof ObjectNode object) {
            merged.add(object);
        } else if (source instanceof ArrayNode array && array.valueStream().allMatch(JsonNode::isObject)) {
            array.forEach(element -> merged.add((ObjectNode) element));
        } else {
            throw unreadable(key.getStartMark(), "\"<<\" merges a mapping or a sequence of mappings");
        }
    }

    private void duplicate(Event key, Place place, String name) {
        if (duplicates.size() < Document.DUPLICATES_MAX) {
            int line = key.getStartMark().map(mark -> mark.getLine() + 1).orElse(0);
            duplicates.add(new DuplicateField(place.path(), name, line));
        }
    }

    /** How deep the tree of an alias is; what was read here has been checked on the way. */
    private static int depthOf(Event event, JsonNode tree) {
        return event instanceof AliasEvent ? depthOf(tree) : 0;
    }

    private static int depthOf(JsonNode tree) {
        return tree.isContainer()
                ? 1 + tree.valueStream().mapToInt(YamlReader::depthOf).max().orElse(0)
                : 0;
    }

    private static void refuseDeeper(Event event, int depth) {
        if (depth > Json.DEPTH_MAX) {
            throw unreadable(
                    event.getStartMark(), "mappings and sequences nest deeper than " + Json.DEPTH_MAX + " levels");
        }
    }

    static UnreadableDocumentException unreadable(Optional<Mark> mark, String problem) {
        String where = mark.map(m -> "line " + (m.getLine() + 1) + ", column " + (m.getColumn() + 1) + ": ")
                .orElse("");
        return new UnreadableDocumentException("invalid YAML: " + where + problem);
    }

    /**
     * The position of a value; its path is built only when it is reported.
     *
     * @param outer where the mapping or sequence around it stands, null for the root
     * @param step from there, with its dot or brackets
     */
    private record Place(@Nullable Place outer, String step) {
        static final Place ROOT = new Place(null, "");

        Place member(String name) {
            return new Place(this, "." + name);
        }

        Place element(int index) {
            return new Place(this, "[" + index + "]");
        }

        /** As {@code spec.list[0].name}. */
        String path() {
            StringBuilder path = new StringBuilder();
            for (Place place = this; place != null; place = place.outer) {
                path.insert(0, place.step);
            }
            return path.length() > 0 && path.charAt(0) == '.' ? path.substring(1) : path.toString();
        }
    }

    /** A value and how many values it consists of. */
    private record Composed(JsonNode tree, int values) {}

    private record Anchored(JsonNode tree, int values) {}
}
