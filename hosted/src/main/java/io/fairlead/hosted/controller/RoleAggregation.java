package io.fairlead.hosted.controller;

import io.fairlead.hosted.ObjectReader;
import io.fairlead.hosted.meta.Meta;
import io.fairlead.hosted.objects.Caller;
import io.fairlead.hosted.objects.ObjectWriter;
import io.fairlead.hosted.objects.ServedResource;
import io.fairlead.hosted.rbac.Aggregation;
import io.fairlead.model.StatusException;
import java.util.List;
import java.util.concurrent.ScheduledExecutorService;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import tools.jackson.databind.node.ObjectNode;

/**
 * Writes the rules of aggregated ClusterRoles whenever the roles that make them up change (kubernetes
 * {@code controller/clusterroleaggregation}), so that readers see the effective rules.
 *
 * <p>All roles share one key: the rules of each depend on all.
 */
public final class RoleAggregation implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(RoleAggregation.class);
    private static final String ALL = "clusterroles";

    private final ObjectReader objects;
    private final ObjectWriter writer;
    private final ServedResource clusterRoles;
    private final Caller caller = Caller.controller("clusterrole-aggregation-controller");
    private final KeyQueue queue;

    /**
     * Starts with the existing roles.
     *
     * @param objects reads ClusterRoles
     */
    public RoleAggregation(
            ObjectReader objects,
            ObjectWriter writer,
            ServedResource clusterRoles,
            ScheduledExecutorService scheduler) {
        this.objects = objects;
        this.writer = writer;
        this.clusterRoles = clusterRoles;
        this.queue = new KeyQueue("role-aggregation", key -> settle(), scheduler);
        queue.add(ALL);
        queue.start();
    }

    /** Queues a reconciliation; to be called when roles change. Never blocks. */
    public void rolesChanged() {
        queue.add(ALL);
    }

    @Override
    public void close() {
        queue.close();
    }

    private boolean settle() {
        List<ObjectNode> standing = objects.list(clusterRoles.groupResource(), "");
        List<ObjectNode> settled = Aggregation.settled(standing);
        for (int i = 0; i < standing.size(); i++) {
            if (!settled.get(i).equals(standing.get(i))) {
                write(settled.get(i));
            }
        }
        return true;
    }

    /**
     * Only if the role is unchanged since it was read: every change leads here again. Rules for which there is no room
     * are not stored; decisions do without.
     */
    private void write(ObjectNode role) {
        try {
            writer.update(caller, clusterRoles, "", Meta.name(role), "", stored -> {
                boolean unchanged = Meta.resourceVersion(stored).equals(Meta.resourceVersion(role));
                return unchanged ? role.deepCopy() : stored.deepCopy();
            });
        } catch (StatusException e) {
            switch (e.status().code()) {
                case 403 ->
                    LOG.atDebug()
                            .addKeyValue("role", Meta.name(role))
                            .log(
                                    "There is no room for the rules of an aggregated role: {}",
                                    e.status().message());
                case 404 -> {}
                default -> throw e;
            }
        }
    }
}
