package io.fairlead.hosted.cluster;

import io.fairlead.hosted.meta.Meta;
import io.fairlead.hosted.objects.Caller;
import io.fairlead.hosted.objects.ObjectWriter;
import io.fairlead.hosted.objects.ServedResource;
import io.fairlead.model.GroupVersion;
import io.fairlead.model.StatusException;
import io.fairlead.storage.RevisionedStore;
import java.util.List;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import tools.jackson.databind.node.ObjectNode;

/**
 * Creates the initial objects of a cluster, where they are missing.
 *
 * <p>Writes all objects of one scope at once, so that the store makes them durable together: a new cluster costs a few
 * disk syncs, not one per object.
 */
final class Bootstrap {
    private static final Logger LOG = LoggerFactory.getLogger(Bootstrap.class);

    private final RevisionedStore store;
    private final ObjectWriter writer;
    private final List<ServedResource> resources;
    private final Caller caller = Caller.controller("bootstrap");

    /**
     * A bootstrap.
     *
     * @param resources where the objects are stored
     */
    Bootstrap(RevisionedStore store, ObjectWriter writer, List<ServedResource> resources) {
        this.store = store;
        this.writer = writer;
        this.resources = List.copyOf(resources);
    }

    /** Creates the objects, those that live in namespaces after the others. */
    void create(List<ObjectNode> objects) {
        createTogether(objects.stream().filter(object -> Meta.namespace(object).isEmpty()));
        createTogether(objects.stream().filter(object -> !Meta.namespace(object).isEmpty()));
    }

    private void createTogether(Stream<ObjectNode> objects) {
        List<ObjectNode> missing = objects.filter(this::isMissing).toList();
        try {
            Together.run(missing, this::createIfAbsent);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted while a cluster was created", e);
        }
    }

    private boolean isMissing(ObjectNode object) {
        return store.get(resourceOf(object).key(Meta.namespace(object), Meta.name(object))) == null;
    }

    private void createIfAbsent(ObjectNode object) {
        try {
            writer.create(caller, resourceOf(object), Meta.namespace(object), object);
        } catch (StatusException e) {
            if (e.status().code() == 422) {
                // Something that a client made stands in the way; without the object the cluster can be used, and
                // mended.
                LOG.atWarn()
                        .addKeyValue("object", object.path("kind").asString("") + "/" + Meta.name(object))
                        .addKeyValue("reason", e.status().message())
                        .log("An initial object of a cluster was refused");
            } else if (!e.status().reason().equals("AlreadyExists")) {
                throw e;
            }
        }
    }

    private ServedResource resourceOf(ObjectNode object) {
        String kind = object.path("kind").stringValue();
        GroupVersion version = GroupVersion.parse(object.path("apiVersion").stringValue());
        return resources.stream()
                .filter(resource -> resource.type().kind().equals(kind)
                        && resource.type().groupVersion().equals(version))
                .findFirst()
                .orElseThrow(() -> new IllegalStateException("no resource of kind " + kind + " in " + version));
    }
}
