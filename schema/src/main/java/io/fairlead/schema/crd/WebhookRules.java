package io.fairlead.schema.crd;

import io.fairlead.schema.field.FieldErrors;
import io.fairlead.schema.field.FieldPath;
import io.fairlead.schema.meta.Names;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import tools.jackson.databind.JsonNode;

/**
 * The rules for the webhook that converts the objects of a definition (apiextensions {@code validation.go}). As in upstream, problems are reported at the fields of {@code v1beta1}.
 */
final class WebhookRules {
    private static final List<String> REVIEW_VERSIONS = List.of("v1", "v1beta1");

    /** Of certificates, in base64: they are kept for as long as the webhook is called. */
    private static final int BUNDLE_CHARS_MAX = 65_536;

    private WebhookRules() {}

    /** @param path of the conversion */
    static void check(JsonNode webhook, FieldPath path, FieldErrors errors) {
        FieldPath at = path.child("webhookClientConfig");
        JsonNode client = webhook.path("clientConfig");
        if (client.isObject()) {
            WebhookClientRules.check(client, at, errors);
        } else {
            errors.required(at, "required when strategy is set to Webhook");
        }
        if (client.path("caBundle").asString("").length() > BUNDLE_CHARS_MAX) {
            errors.tooLong(at.child("caBundle"), BUNDLE_CHARS_MAX);
        }
        reviewVersions(webhook.path("conversionReviewVersions"), path.child("conversionReviewVersions"), errors);
    }

    private static void reviewVersions(JsonNode versions, FieldPath path, FieldErrors errors) {
        if (versions.isEmpty()) {
            errors.required(path, "");
            return;
        }
        Set<String> seen = new HashSet<>();
        int index = 0;
        for (JsonNode node : versions) {
            FieldPath at = path.index(index++);
            String version = node.asString("");
            if (seen.add(version)) {
                errors.invalid(at, version, Names.dns1035Label(version));
            } else {
                errors.invalid(at, version, "duplicate version");
            }
        }
        if (REVIEW_VERSIONS.stream().noneMatch(seen::contains)) {
            errors.invalid(path, versions, "must include at least one of " + String.join(", ", REVIEW_VERSIONS));
        }
    }
}
