package io.fairlead.hosted.crd;

import io.fairlead.hosted.ConversionWebhooks;
import io.fairlead.hosted.HostedSettings;
import io.fairlead.hosted.objects.Conversion;
import io.fairlead.model.ClusterName;
import io.fairlead.schema.crd.CustomResourceDefinition;

/** How the objects of a cluster's definitions get from one version to another. */
public final class Converters {
    private final ClusterName cluster;
    private final ConversionWebhooks webhooks;
    private final int objectBytesMax;
    private final ConversionRoom room;

    /**
     * Of one cluster, which gets half as much room as for its answers.
     *
     * @param webhooks calls what definitions name
     */
    public Converters(ClusterName cluster, ConversionWebhooks webhooks, HostedSettings settings) {
        this.cluster = cluster;
        this.webhooks = webhooks;
        this.objectBytesMax = settings.objectBytesMax();
        this.room =
                new ConversionRoom(settings.memory().budget(), settings.memory().clusterBytesMax() / 2);
    }

    Conversion of(CustomResourceDefinition definition) {
        return definition.conversionStrategy().equals("Webhook")
                ? new WebhookConversion(
                        cluster, definition.tree().at("/spec/conversion/webhook"), webhooks, room, objectBytesMax)
                : Conversion.NONE;
    }
}
