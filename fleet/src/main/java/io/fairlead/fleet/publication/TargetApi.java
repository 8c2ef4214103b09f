package io.fairlead.fleet.publication;

import io.fairlead.fleet.informers.CallFailure;
import io.fairlead.fleet.informers.ObjectCalls;
import io.fairlead.schema.json.Json;
import io.fairlead.schema.json.UnreadableDocumentException;
import java.util.Optional;
import java.util.regex.Pattern;
import tools.jackson.databind.node.ObjectNode;

/**
 * Objects of a target. What it refuses is a {@link StepFailure} that names the right that is missing.
 *
 * <p>Threads: virtual ones; calls block.
 */
final class TargetApi {
    private static final int NOT_FOUND = 404;
    private static final int CONFLICT = 409;

    /** More than an object of a cluster may take. */
    private static final int OBJECT_BYTES_MAX = 2 * 1024 * 1024;

    /** A DNS subdomain (Kubernetes "Object Names and IDs"). */
    private static final Pattern NAME = Pattern.compile("[a-z0-9]([-a-z0-9.]{0,251}[a-z0-9])?");

    private final ObjectCalls calls;

    TargetApi(ObjectCalls calls) {
        this.calls = calls;
    }

    /** The object of a path; empty if there is none. */
    Optional<ObjectNode> get(String path) throws StepFailure, InterruptedException {
        try {
            if (Json.read(calls.read(path, OBJECT_BYTES_MAX)) instanceof ObjectNode object) {
                return Optional.of(object);
            }
            throw new StepFailure("UnexpectedAnswer", "what the target answers for " + path + " is no object");
        } catch (UnreadableDocumentException notJson) {
            throw new StepFailure("UnexpectedAnswer", "what the target answers for " + path + " is not JSON");
        } catch (CallFailure failure) {
            if (failure.code() == NOT_FOUND) {
                return Optional.empty();
            }
            throw StepFailure.of(failure, "get", path);
        }
    }

    /** Creates an object in a collection; one that another request has made meanwhile is looked at again later. */
    void create(String collection, ObjectNode object) throws StepFailure, InterruptedException {
        try {
            calls.post(collection, object);
        } catch (CallFailure failure) {
            if (failure.code() != CONFLICT) {
                throw StepFailure.of(failure, "create", collection);
            }
        }
    }

    /** Replaces an object as it was read; one that was changed since is looked at again later. */
    void replace(String path, ObjectNode object) throws StepFailure, InterruptedException {
        try {
            calls.replace(path, object);
        } catch (CallFailure failure) {
            if (failure.code() != CONFLICT && failure.code() != NOT_FOUND) {
                throw StepFailure.of(failure, "update", path);
            }
        }
    }

    /** Deletes the very object that was read, and no other of its name. */
    void delete(String path, ObjectNode object) throws StepFailure, InterruptedException {
        ObjectNode options = Json.object();
        options.put("apiVersion", "v1").put("kind", "DeleteOptions");
        options.putObject("preconditions").put("uid", object.at("/metadata/uid").asString(""));
        try {
            calls.delete(path, options);
        } catch (CallFailure failure) {
            if (failure.code() != CONFLICT && failure.code() != NOT_FOUND) {
                throw StepFailure.of(failure, "delete", path);
            }
        }
    }

    /** Replaces an APIService as it was read. */
    void replaceApiService(ObjectNode apiService) throws StepFailure, InterruptedException {
        replace(path(apiService), apiService);
    }

    /** Deletes the very APIService that was read. */
    void deleteApiService(ObjectNode apiService) throws StepFailure, InterruptedException {
        delete(path(apiService), apiService);
    }

    /** A target may say any name: one that is none would lead elsewhere. */
    private static String path(ObjectNode apiService) throws StepFailure {
        String name = apiService.at("/metadata/name").asString("");
        if (!NAME.matcher(name).matches()) {
            throw new StepFailure(
                    "UnexpectedAnswer", "the target says that an APIService has the name \"" + name + "\"");
        }
        return PublishedObject.API_SERVICES + "/" + name;
    }
}
