package io.fairlead.hosted;

import io.fairlead.model.ClusterName;
import tools.jackson.databind.JsonNode;

/**
 * Calls the webhooks that convert custom resources between the versions of their definitions (apiextensions.k8s.io/v1
 * {@code WebhookConversion}).
 *
 * <p>Threads: any; a call blocks until there is an answer, and never without end.
 */
@FunctionalInterface
public interface ConversionWebhooks {
    /** Reaches no webhook. */
    ConversionWebhooks NONE = (_, _, _, _) -> {
        throw new Failure("nothing here calls webhooks");
    };

    /**
     * Sends a review.
     *
     * @param cluster whose definition names the webhook
     * @param client {@code spec.conversion.webhook.clientConfig} of the definition
     * @param review a {@code ConversionReview} as JSON
     * @param bytesMax of the answer
     * @return the body of the answer
     * @throws Failure if there is none in time, or none with a status of success
     */
    byte[] call(ClusterName cluster, JsonNode client, byte[] review, int bytesMax) throws Failure, InterruptedException;

    /** A call without a result; the message is for users of the cluster. */
    final class Failure extends Exception {
        private static final long serialVersionUID = 1;

        public Failure(String message) {
            super(message);
        }
    }
}
