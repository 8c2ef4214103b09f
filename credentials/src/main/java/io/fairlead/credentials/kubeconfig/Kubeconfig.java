package io.fairlead.credentials.kubeconfig;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.fairlead.credentials.PrivateFiles;
import io.fairlead.model.FileFault;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.snakeyaml.engine.v2.api.Dump;
import org.snakeyaml.engine.v2.api.DumpSettings;
import org.snakeyaml.engine.v2.api.Load;
import org.snakeyaml.engine.v2.api.LoadSettings;
import org.snakeyaml.engine.v2.common.FlowStyle;
import org.snakeyaml.engine.v2.exceptions.MarkedYamlEngineException;
import org.snakeyaml.engine.v2.exceptions.YamlEngineException;
import org.snakeyaml.engine.v2.schema.CoreSchema;

/**
 * A kubeconfig as in its file: unused entries stay unchanged.
 *
 * <p>Threads: confined to one.
 */
public final class Kubeconfig {
    static final int CODE_POINTS_MAX = 4 * 1024 * 1024;

    private final Map<String, Object> document;
    private final String source;

    private Kubeconfig(Map<String, Object> document, String source) {
        this.document = document;
        this.source = source;
    }

    /** One without entries. */
    public static Kubeconfig empty() {
        Map<String, Object> document = new LinkedHashMap<>();
        document.put("apiVersion", "v1");
        document.put("kind", "Config");
        document.put("clusters", new ArrayList<>());
        document.put("contexts", new ArrayList<>());
        document.put("users", new ArrayList<>());
        return new Kubeconfig(document, "kubeconfig");
    }

    /**
     * Reads a file.
     *
     * @throws KubeconfigException naming it if it is missing, unreadable or not a kubeconfig
     */
    public static Kubeconfig read(Path file) throws KubeconfigException {
        try {
            return parse(Files.readString(file), file.toString());
        } catch (NoSuchFileException missing) {
            throw new KubeconfigException(file + ": there is no such file (expected a kubeconfig)");
        } catch (IOException unreadable) {
            throw new KubeconfigException(file + ": cannot be read (" + FileFault.of(unreadable) + ")");
        }
    }

    /** Parses a text, which may be empty; {@code source} names it in messages. */
    public static Kubeconfig parse(String text, String source) throws KubeconfigException {
        LoadSettings settings = LoadSettings.builder()
                .setCodePointLimit(CODE_POINTS_MAX)
                .setLabel(source)
                .build();
        List<Object> documents = new ArrayList<>();
        try {
            new Load(settings).loadAllFromString(text).forEach(documents::add);
        } catch (YamlEngineException notYaml) {
            throw new KubeconfigException(source + ": is not YAML" + lineOf(notYaml) + " (expected a kubeconfig)");
        } catch (StackOverflowError tooDeep) {
            throw new KubeconfigException(source + ": is nested too deeply (expected a kubeconfig)");
        }
        if (documents.stream().skip(1).anyMatch(Objects::nonNull)) {
            throw new KubeconfigException(source + ": holds several YAML documents (expected a kubeconfig)");
        }
        return of(documents.isEmpty() ? null : documents.getFirst(), source);
    }

    /** All that a message tells of: its own text would quote the file, which may hold a credential. */
    private static String lineOf(YamlEngineException notYaml) {
        return notYaml instanceof MarkedYamlEngineException marked
                ? marked.getProblemMark()
                        .map(mark -> ", in line " + (mark.getLine() + 1))
                        .orElse("")
                : "";
    }

    private static Kubeconfig of(@Nullable Object document, String source) throws KubeconfigException {
        if (document == null) {
            return new Kubeconfig(new LinkedHashMap<>(), source);
        }
        if (!(document instanceof Map<?, ?> map)) {
            throw new KubeconfigException(source + ": is not a mapping (expected a kubeconfig)");
        }
        requireHeader(map, "apiVersion", "v1", source);
        requireHeader(map, "kind", "Config", source);
        return new Kubeconfig(object(map), source);
    }

    /** As in client-go, which accepts a file without them as a kubeconfig. */
    private static void requireHeader(Map<?, ?> document, String field, String expected, String source)
            throws KubeconfigException {
        Object value = document.get(field);
        if (value != null && !value.equals("") && !value.equals(expected)) {
            throw new KubeconfigException(source + ": " + field + " \"" + value + "\" (expected " + expected + ")");
        }
    }

    /** Whether it is empty. */
    public boolean isEmpty() {
        return document.isEmpty();
    }

    /** Its origin, for messages. */
    public String source() {
        return source;
    }

    /** The context to use where none is named; empty if the file names none. */
    public String currentContext() {
        return document.get("current-context") instanceof String name ? name : "";
    }

    /** The names of all contexts. */
    public List<String> contexts() {
        return names("contexts");
    }

    /**
     * The fields of an entry.
     *
     * @param section {@code clusters}, {@code contexts} or {@code users}
     * @param field {@code cluster}, {@code context} or {@code user}
     */
    public Optional<Map<String, Object>> entry(String section, String field, String name) {
        return entries(section).stream()
                .filter(entry -> name.equals(entry.get("name")))
                .findFirst()
                .map(entry -> entry.get(field) instanceof Map<?, ?> map ? object(map) : Map.of());
    }

    /** The names of a section's entries. */
    public List<String> names(String section) {
        return entries(section).stream()
                .map(entry -> entry.get("name"))
                .filter(String.class::isInstance)
                .map(String.class::cast)
                .toList();
    }

    /** Adds or replaces a cluster with its fields. */
    public void setCluster(String name, Map<String, Object> fields) {
        set("clusters", "cluster", name, fields);
    }

    /** Adds or replaces a user with its fields. */
    public void setUser(String name, Map<String, Object> fields) {
        set("users", "user", name, fields);
    }

    /** The encoding of fields whose name ends in {@code -data}. */
    public static String data(String text) {
        return Base64.getEncoder().encodeToString(text.getBytes(UTF_8));
    }

    /** Adds or replaces a user with a client certificate. */
    public void setUser(String name, String certificate, String key) {
        Map<String, Object> user = new LinkedHashMap<>();
        user.put("client-certificate-data", data(certificate));
        user.put("client-key-data", data(key));
        setUser(name, user);
    }

    /** Adds or replaces a context. */
    public void setContext(String name, String cluster, String user) {
        Map<String, Object> context = new LinkedHashMap<>();
        context.put("cluster", cluster);
        context.put("user", user);
        setContext(name, context);
    }

    /** Adds or replaces a context with its fields. */
    public void setContext(String name, Map<String, Object> fields) {
        set("contexts", "context", name, fields);
    }

    /** Adds a cluster, a user and a current context of one name for a target. */
    public void set(Target target, String name) {
        Map<String, Object> cluster = new LinkedHashMap<>();
        cluster.put("server", target.server().toString());
        putData(cluster, "certificate-authority-data", target.caCertificates());
        put(cluster, "tls-server-name", target.tlsServerName());
        set("clusters", "cluster", name, cluster);
        Map<String, Object> user = new LinkedHashMap<>();
        putData(user, "client-certificate-data", target.clientCertificate());
        putData(user, "client-key-data", target.clientKey());
        put(user, "token", target.token());
        setUser(name, user);
        setContext(name, name, name);
        setCurrentContext(name);
    }

    /** Makes a context the current one. */
    public void setCurrentContext(String name) {
        document.put("current-context", name);
    }

    /** What it says now; later changes are not seen there. Two that say the same are equal. */
    public Map<String, Object> content() {
        return new LinkedHashMap<>(document);
    }

    /** The text of the file. */
    public String text() {
        DumpSettings settings = DumpSettings.builder()
                .setSchema(new CoreSchema())
                .setDefaultFlowStyle(FlowStyle.BLOCK)
                .setWidth(Integer.MAX_VALUE)
                .setSplitLines(false)
                .build();
        return new Dump(settings, new Quoting(settings)).dumpToString(document);
    }

    /** Replaces a file by this, readable by its owner alone. */
    public void write(Path file) throws IOException {
        PrivateFiles.writeSecret(file, text());
    }

    private void set(String section, String field, String name, Map<String, Object> fields) {
        Map<String, Object> entry = new LinkedHashMap<>();
        entry.put("name", name);
        entry.put(field, fields);
        List<Object> all = new ArrayList<>(document.get(section) instanceof List<?> list ? list : List.of());
        int at = names(section).indexOf(name);
        if (at >= 0) {
            all.set(at, entry);
        } else {
            all.add(entry);
        }
        document.put(section, all);
    }

    private List<Map<String, Object>> entries(String section) {
        List<Map<String, Object>> entries = new ArrayList<>();
        if (document.get(section) instanceof List<?> list) {
            for (Object entry : list) {
                entries.add(entry instanceof Map<?, ?> map ? object(map) : Map.of());
            }
        }
        return entries;
    }

    private static Map<String, Object> object(Map<?, ?> map) {
        Map<String, Object> object = new LinkedHashMap<>();
        map.forEach((key, value) -> object.put(String.valueOf(key), value));
        return object;
    }

    private static void put(Map<String, Object> fields, String field, @Nullable String value) {
        if (value != null) {
            fields.put(field, value);
        }
    }

    private static void putData(Map<String, Object> fields, String field, @Nullable String value) {
        put(fields, field, value == null ? null : data(value));
    }
}
