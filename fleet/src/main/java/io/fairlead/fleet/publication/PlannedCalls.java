package io.fairlead.fleet.publication;

import io.fairlead.fleet.informers.CallFailure;
import io.fairlead.fleet.informers.ObjectCalls;
import io.fairlead.model.RequestInfo;
import io.fairlead.model.RequestInfoParser;
import io.fairlead.schema.json.Json;
import io.fairlead.schema.json.UnreadableDocumentException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * A target as it would be. Reads are real. A change is sent as a dry run (API conventions, "Dry-run"), so that the target checks
 * rights, rules and admission as for the change itself; later reads see it as done, and it is noted.
 *
 * <p>Threads: one at a time; calls block.
 */
final class PlannedCalls implements ObjectCalls {
    private static final String DRY_RUN = "?dryRun=All";

    /** Of each answer: what a publication consists of is small, and many targets may be looked at. */
    private static final int ANSWER_BYTES_MAX = 256 * 1024;

    /** More than a publication has in a target, those that it had before included. */
    private static final int WRITES_MAX = 64;

    /** Stands for the address that a Service gets when it is stored. */
    private static final String ADDRESS_OF_THE_TARGET = "192.0.2.1";

    private final ObjectCalls target;
    private final Map<String, byte[]> changed = new HashMap<>();
    private final Set<String> deleted = new HashSet<>();
    private final List<Write> writes = new ArrayList<>();

    /**
     * A change that would be made.
     *
     * @param verb {@code create}, {@code update} or {@code delete}
     * @param resource with its group, as kubectl takes it
     * @param namespace empty if it is in none
     */
    record Write(String verb, String resource, String namespace, String name) {}

    PlannedCalls(ObjectCalls target) {
        this.target = target;
    }

    /** The changes, in their order. */
    List<Write> writes() {
        return List.copyOf(writes);
    }

    @Override
    public byte[] read(String path, int bytesMax) throws CallFailure, InterruptedException {
        if (deleted.contains(path)) {
            throw new CallFailure(404, "NotFound", path + " would be deleted");
        }
        byte[] planned = changed.get(path);
        if (planned != null) {
            return planned;
        }
        byte[] read = target.read(path, Math.min(bytesMax, ANSWER_BYTES_MAX));
        int mark = path.indexOf('?');
        return mark < 0 || deleted.isEmpty() ? read : withoutDeleted(path.substring(0, mark), read);
    }

    /** A list. */
    private byte[] withoutDeleted(String collection, byte[] read) throws CallFailure {
        JsonNode list;
        try {
            list = Json.read(read);
        } catch (UnreadableDocumentException notJson) {
            throw new CallFailure(0, "UnexpectedAnswer", "what the target answers for " + collection + " is not JSON");
        }
        if (list.path("items") instanceof ArrayNode items) {
            items.removeIf(item -> deleted.contains(
                    collection + "/" + item.at("/metadata/name").asString("")));
        }
        return Json.write(list);
    }

    @Override
    public void post(String collection, ObjectNode object) throws CallFailure, InterruptedException {
        requireRoom();
        target.post(collection + DRY_RUN, object);
        String path = collection + "/" + object.at("/metadata/name").asString("");
        ObjectNode made = object.deepCopy();
        if (made.path("kind").asString("").equals("Service")
                && !made.path("spec").has("clusterIP")) {
            made.withObjectProperty("spec").put("clusterIP", ADDRESS_OF_THE_TARGET);
        }
        changed.put(path, Json.write(made));
        deleted.remove(path);
        note("create", path);
    }

    @Override
    public void replace(String path, ObjectNode object) throws CallFailure, InterruptedException {
        requireRoom();
        target.replace(path + DRY_RUN, object);
        changed.put(path, Json.write(object));
        note("update", path);
    }

    /**
     * An API server reads the options of a DELETE in its body alone if it has one (apiserver {@code endpoints/handlers/delete.go}); its
     * audit log shows what the path says.
     */
    @Override
    public void delete(String path, ObjectNode options) throws CallFailure, InterruptedException {
        requireRoom();
        ObjectNode tried = options.deepCopy();
        tried.putArray("dryRun").add("All");
        target.delete(path + DRY_RUN, tried);
        changed.remove(path);
        deleted.add(path);
        note("delete", path);
    }

    private void requireRoom() throws CallFailure {
        if (writes.size() == WRITES_MAX) {
            throw new CallFailure(
                    0, "TooManyChanges", "there is more to change than a plan names (" + WRITES_MAX + ")");
        }
    }

    private void note(String verb, String path) {
        RequestInfo info = RequestInfoParser.parse("GET", path, "");
        String resource = info.resource() + (info.group().isEmpty() ? "" : "." + info.group());
        writes.add(new Write(verb, resource, info.namespace(), info.name()));
    }
}
