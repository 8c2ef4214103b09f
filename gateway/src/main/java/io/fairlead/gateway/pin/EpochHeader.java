package io.fairlead.gateway.pin;

import io.fairlead.gateway.answer.Reply;
import io.fairlead.gateway.route.Routed;
import io.fairlead.model.RequestInfo;
import java.util.Map;

/**
 * The header by which answers to lists and watches name the history that their resourceVersions belong to: it counts the
 * histories of the cluster, as {@code status.epoch} of its {@code Cluster} does. Two answers with different ones have
 * versions that cannot be compared.
 */
final class EpochHeader {
    static final String NAME = "Fairlead-History-Epoch";

    private EpochHeader() {}

    /** Adds it to the answer of a list or watch, if the cluster is indexed. */
    static void tell(Routed request, Reply reply) {
        RequestInfo info = request.described().info();
        if (info.resourceRequest() && (info.verb().equals("list") || info.verb().equals("watch"))) {
            long epoch = request.route().evidence().epoch();
            if (epoch > 0) {
                reply.carry(Map.of(NAME, Long.toString(epoch)));
            }
        }
    }
}
