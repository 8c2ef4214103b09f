package io.fairlead.credentials.kubeconfig;

import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.snakeyaml.engine.v2.api.DumpSettings;
import org.snakeyaml.engine.v2.api.LoadSettings;
import org.snakeyaml.engine.v2.api.lowlevel.Compose;
import org.snakeyaml.engine.v2.api.lowlevel.Present;
import org.snakeyaml.engine.v2.api.lowlevel.Serialize;
import org.snakeyaml.engine.v2.common.FlowStyle;
import org.snakeyaml.engine.v2.common.ScalarStyle;
import org.snakeyaml.engine.v2.exceptions.YamlEngineException;
import org.snakeyaml.engine.v2.nodes.MappingNode;
import org.snakeyaml.engine.v2.nodes.Node;
import org.snakeyaml.engine.v2.nodes.NodeTuple;
import org.snakeyaml.engine.v2.nodes.ScalarNode;
import org.snakeyaml.engine.v2.nodes.SequenceNode;
import org.snakeyaml.engine.v2.nodes.Tag;

/**
 * The text of a user's kubeconfig, edited entry by entry: the rest keeps its spelling, comments included.
 *
 * <p>Values are not parsed and written again, since two YAML parsers may disagree about their types ({@code yes}).
 *
 * <p>Threads: confined to one.
 */
public final class KubeconfigText {
    private static final DumpSettings SETTINGS = DumpSettings.builder()
            .setDefaultFlowStyle(FlowStyle.BLOCK)
            .setWidth(Integer.MAX_VALUE)
            .setSplitLines(false)
            .setDumpComments(true)
            .build();

    private final MappingNode root;
    private final String source;

    private KubeconfigText(MappingNode root, String source) {
        this.root = root;
        this.source = source;
    }

    /**
     * Edits a text that {@link Kubeconfig#parse} accepts and that is not empty; {@code source} names it in messages.
     *
     * @throws KubeconfigException if its layout is not that of a kubeconfig
     */
    public static KubeconfigText parse(String text, String source) throws KubeconfigException {
        LoadSettings settings = LoadSettings.builder()
                .setCodePointLimit(Kubeconfig.CODE_POINTS_MAX)
                .setParseComments(true)
                .setLabel(source)
                .build();
        try {
            Iterator<Node> documents =
                    new Compose(settings).composeAllFromString(text).iterator();
            if (documents.hasNext() && documents.next() instanceof MappingNode mapping) {
                return new KubeconfigText(mapping, source);
            }
        } catch (YamlEngineException notYaml) {
            // Its message would quote the text, which may be a credential.
            throw new KubeconfigException(source + ": is not YAML (expected a kubeconfig)");
        } catch (StackOverflowError tooDeep) {
            throw new KubeconfigException(source + ": is nested too deeply (expected a kubeconfig)");
        }
        throw new KubeconfigException(source + ": is not a mapping (expected a kubeconfig)");
    }

    /**
     * Adds or replaces an entry.
     *
     * @param section {@code clusters}, {@code contexts} or {@code users}
     * @param field {@code cluster}, {@code context} or {@code user}
     * @throws KubeconfigException if the section is not a list
     */
    public void set(String section, String field, String name, Map<String, Object> fields) throws KubeconfigException {
        List<Node> entries = section(section).getValue();
        Node entry = node(Map.of("name", name));
        ((MappingNode) entry).getValue().add(new NodeTuple(node(field), node(fields)));
        for (int i = 0; i < entries.size(); i++) {
            if (isNamed(entries.get(i), name)) {
                entries.set(i, entry);
                return;
            }
        }
        entries.add(entry);
    }

    /** Makes a context the current one. */
    public void setCurrentContext(String name) {
        put("current-context", node(name));
    }

    /** The edited text. */
    public String text() {
        return new Present(SETTINGS)
                .emitToString(new Serialize(SETTINGS).serializeOne(root).iterator());
    }

    private SequenceNode section(String name) throws KubeconfigException {
        Optional<Node> value = value(root, name);
        if (value.isPresent() && value.get() instanceof SequenceNode sequence) {
            return sequence;
        }
        if (value.isPresent() && !value.get().getTag().equals(Tag.NULL)) {
            throw new KubeconfigException(source + ": \"" + name + "\" is not a list (expected a kubeconfig)");
        }
        SequenceNode empty = new SequenceNode(Tag.SEQ, new ArrayList<>(), FlowStyle.BLOCK);
        put(name, empty);
        return empty;
    }

    private void put(String key, Node value) {
        List<NodeTuple> members = root.getValue();
        for (int i = 0; i < members.size(); i++) {
            if (isText(members.get(i).getKeyNode(), key)) {
                members.set(i, new NodeTuple(members.get(i).getKeyNode(), value));
                return;
            }
        }
        members.add(new NodeTuple(new ScalarNode(Tag.STR, key, ScalarStyle.PLAIN), value));
    }

    private static boolean isNamed(Node entry, String name) {
        return entry instanceof MappingNode mapping
                && value(mapping, "name").filter(value -> isText(value, name)).isPresent();
    }

    private static Optional<Node> value(MappingNode mapping, String key) {
        return mapping.getValue().stream()
                .filter(member -> isText(member.getKeyNode(), key))
                .map(NodeTuple::getValueNode)
                .findFirst();
    }

    private static boolean isText(Node node, String text) {
        return node instanceof ScalarNode scalar && scalar.getValue().equals(text);
    }

    private static Node node(Object value) {
        return new Quoting(SETTINGS).represent(value);
    }
}
