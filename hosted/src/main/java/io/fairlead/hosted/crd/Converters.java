package io.fairlead.hosted.crd;

import io.fairlead.hosted.ConversionWebhooks;
import io.fairlead.hosted.HostedSettings;
import io.fairlead.hosted.objects.Conversion;
import io.fairlead.model.ByteBudget;
import io.fairlead.model.ClusterName;
import io.fairlead.schema.crd.CustomResourceDefinition;

/** How the objects of a cluster's definitions get from one version to another. */
public final class Converters {
    private final ClusterName cluster;
    private final ConversionWebhooks webhooks;
    private final int objectBytesMax;
    private final ConversionRoom room;

    /**
     * What all clusters share.
     *
     * @param webhooks calls what definitions name
     * @param room for what is converted at a time
     */
    public record Shared(ConversionWebhooks webhooks, ByteBudget room) {
        /** With a quarter of the budget for answers as room. */
        public static Shared of(ConversionWebhooks webhooks, HostedSettings settings) {
            ByteBudget budget = settings.memory().budget();
            return new Shared(webhooks, budget.part(Math.max(1, budget.bytesMax() / 4)));
        }
    }

    /** Of one cluster, which gets half as much room as for its answers. */
    public Converters(ClusterName cluster, Shared shared, HostedSettings settings) {
        this.cluster = cluster;
        this.webhooks = shared.webhooks();
        this.objectBytesMax = settings.objectBytesMax();
        this.room = new ConversionRoom(shared.room(), settings.memory().clusterBytesMax() / 2);
    }

    Conversion of(CustomResourceDefinition definition) {
        return definition.conversionStrategy().equals("Webhook")
                ? new WebhookConversion(
                        cluster, definition.tree().at("/spec/conversion/webhook"), webhooks, room, objectBytesMax)
                : Conversion.NONE;
    }
}
