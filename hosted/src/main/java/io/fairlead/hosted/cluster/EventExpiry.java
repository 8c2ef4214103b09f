package io.fairlead.hosted.cluster;

import io.fairlead.hosted.meta.Meta;
import io.fairlead.hosted.objects.Caller;
import io.fairlead.hosted.objects.DeleteOptions;
import io.fairlead.hosted.objects.ObjectWriter;
import io.fairlead.hosted.objects.Propagation;
import io.fairlead.hosted.objects.ServedResource;
import io.fairlead.model.ClusterName;
import io.fairlead.model.StatusException;
import io.fairlead.storage.RevisionedStore;
import io.fairlead.storage.RevisionedStore.CompactedException;
import io.fairlead.storage.RevisionedStore.Entry;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import tools.jackson.databind.node.ObjectNode;

/** Deletes the events of one cluster that are old. */
final class EventExpiry {
    private static final Logger LOG = LoggerFactory.getLogger(EventExpiry.class);

    private final ClusterName name;
    private final RevisionedStore store;
    private final ObjectWriter writer;
    private final ServedResource events;
    private final Caller caller = Caller.controller("event-expiry");

    EventExpiry(ClusterName name, RevisionedStore store, ObjectWriter writer, ServedResource events) {
        this.name = name;
        this.store = store;
        this.writer = writer;
        this.events = events;
    }

    /** Deletes the events whose last write has this revision or an earlier one. */
    void deleteUpTo(long lastRevision) {
        try {
            store.forEach(events.prefix(), store.revision(), entry -> {
                if (entry.revision() <= lastRevision) {
                    delete(entry);
                }
            });
        } catch (CompactedException e) {
            // Enough time was spent: the next sweep continues.
            LOG.atDebug().addKeyValue("cluster", name).log("Old events are left for the next sweep");
        }
    }

    private void delete(Entry entry) {
        ObjectNode event = events.read(entry);
        DeleteOptions options = new DeleteOptions(Meta.uid(event), Meta.resourceVersion(event), Propagation.UNSET);
        try {
            writer.delete(caller, events, Meta.namespace(event), Meta.name(event), options);
        } catch (StatusException e) {
            // Gone or rewritten: keep it.
            LOG.atDebug().addKeyValue("event", entry.key()).log("An old event is not deleted");
        }
    }
}
