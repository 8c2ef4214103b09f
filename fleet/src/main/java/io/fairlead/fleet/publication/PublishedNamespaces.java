package io.fairlead.fleet.publication;

import io.fairlead.fleet.informers.CallFailure;
import io.fairlead.fleet.informers.ClusterCalls;
import io.fairlead.fleet.informers.Informers;
import io.fairlead.model.ClusterName;
import io.fairlead.model.GroupResource;
import io.fairlead.model.Status;
import io.fairlead.model.StatusException;
import io.fairlead.schema.json.Json;
import io.fairlead.schema.meta.Names;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * The namespaces of targets in what is published there: an object is created in one that the target has, and the hosted
 * cluster gets it with the first. The target's own admission does not see requests that it proxies.
 *
 * <p>Threads: virtual ones; calls block.
 */
public final class PublishedNamespaces implements TargetNamespaces {
    /** Names the target from which a hosted cluster has a namespace. */
    static final String FROM = "fairlead.io/published-from";

    private static final String COLLECTION = "/api/v1/namespaces";
    private static final GroupResource NAMESPACES = new GroupResource("", "namespaces");
    private static final int NAMESPACE_BYTES_MAX = 256 * 1024;
    private static final int NOT_FOUND = 404;
    private static final int CONFLICT = 409;

    private final Informers informers;

    public PublishedNamespaces(Informers informers) {
        this.informers = informers;
    }

    /** As the admission plugin NamespaceLifecycle of kube-apiserver does. */
    @Override
    public void require(ClusterName target, ClusterName source, String namespace) throws InterruptedException {
        if (!Names.dns1123Label(namespace).isEmpty()) {
            throw new StatusException(Status.notFound(NAMESPACES, namespace));
        }
        JsonNode known = get(target, namespace);
        if (known.path("status").path("phase").asString("").equals("Terminating")) {
            throw new StatusException(Status.of(
                    403,
                    "Forbidden",
                    "unable to create new content in namespace " + namespace + " because it is being terminated"));
        }
        try {
            ask(informers.calls(source), namespace);
        } catch (CallFailure failure) {
            if (failure.code() != NOT_FOUND) {
                throw unknown(source, failure);
            }
            create(target, source, namespace);
        }
    }

    private JsonNode get(ClusterName target, String namespace) throws InterruptedException {
        try {
            return ask(informers.calls(target), namespace);
        } catch (CallFailure failure) {
            if (failure.code() == NOT_FOUND) {
                throw new StatusException(Status.notFound(NAMESPACES, namespace));
            }
            throw unknown(target, failure);
        }
    }

    private static JsonNode ask(ClusterCalls calls, String namespace) throws CallFailure, InterruptedException {
        return Json.read(calls.read(COLLECTION + "/" + namespace, NAMESPACE_BYTES_MAX));
    }

    private void create(ClusterName target, ClusterName source, String namespace) throws InterruptedException {
        ObjectNode object = Json.object();
        object.put("apiVersion", "v1").put("kind", "Namespace");
        object.putObject("metadata").put("name", namespace).putObject("labels").put(FROM, target.value());
        try {
            informers.calls(source).post(COLLECTION, object);
        } catch (CallFailure failure) {
            if (failure.code() != CONFLICT) {
                throw unknown(source, failure);
            }
        }
    }

    private static StatusException unknown(ClusterName cluster, CallFailure failure) {
        return new StatusException(Status.withCause(
                503,
                "ServiceUnavailable",
                "cluster \"" + cluster + "\" does not say whether it has the namespace: " + failure.message(),
                "NamespaceUnknown",
                1));
    }
}
