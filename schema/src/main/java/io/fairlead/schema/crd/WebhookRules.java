package io.fairlead.schema.crd;

import io.fairlead.schema.field.FieldErrors;
import io.fairlead.schema.field.FieldPath;
import io.fairlead.schema.meta.Names;
import java.net.URI;
import java.net.URISyntaxException;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import tools.jackson.databind.JsonNode;

/**
 * The rules for the webhook that converts the objects of a definition (apiextensions {@code validation.go}, apiserver
 * {@code util/webhook/validation.go}). As in upstream, problems are reported at the fields of {@code v1beta1}.
 */
final class WebhookRules {
    private static final String FORM = "; desired format: https://host[/path]";
    private static final List<String> REVIEW_VERSIONS = List.of("v1", "v1beta1");
    private static final int PORT_MAX = 65_535;

    /** Of certificates, in base64: they are kept for as long as the webhook is called. */
    private static final int BUNDLE_CHARS_MAX = 65_536;

    private WebhookRules() {}

    /** @param path of the conversion */
    static void check(JsonNode webhook, FieldPath path, FieldErrors errors) {
        FieldPath at = path.child("webhookClientConfig");
        JsonNode client = webhook.path("clientConfig");
        JsonNode url = client.path("url");
        JsonNode service = client.path("service");
        if (!client.isObject()) {
            errors.required(at, "required when strategy is set to Webhook");
        } else if (url.isString() == service.isObject()) {
            errors.required(at, "exactly one of url or service is required");
        } else if (url.isString()) {
            url(url.stringValue(), at.child("url"), errors);
        } else {
            service(service, at.child("service"), errors);
        }
        if (client.path("caBundle").asString("").length() > BUNDLE_CHARS_MAX) {
            errors.tooLong(at.child("caBundle"), BUNDLE_CHARS_MAX);
        }
        reviewVersions(webhook.path("conversionReviewVersions"), path.child("conversionReviewVersions"), errors);
    }

    private static void url(String text, FieldPath path, FieldErrors errors) {
        URI url;
        try {
            url = new URI(text);
        } catch (URISyntaxException e) {
            errors.required(path, "url must be a valid URL: " + e.getMessage() + FORM);
            return;
        }
        String scheme = url.getScheme() == null ? "" : url.getScheme();
        if (!scheme.equals("https")) {
            errors.invalid(path, scheme, "'https' is the only allowed URL scheme" + FORM);
        }
        String authority = url.getRawAuthority() == null ? "" : url.getRawAuthority();
        int user = authority.lastIndexOf('@');
        if (authority.substring(user + 1).isEmpty()) {
            errors.invalid(path, "", "host must be specified" + FORM);
        }
        if (user >= 0) {
            errors.invalid(path, authority.substring(0, user), "user information is not permitted in the URL");
        }
        if (url.getRawFragment() != null && !url.getRawFragment().isEmpty()) {
            errors.invalid(path, url.getFragment(), "fragments are not permitted in the URL");
        }
        if (url.getRawQuery() != null && !url.getRawQuery().isEmpty()) {
            errors.invalid(path, url.getRawQuery(), "query parameters are not permitted in the URL");
        }
    }

    private static void service(JsonNode service, FieldPath path, FieldErrors errors) {
        if (service.path("name").asString("").isEmpty()) {
            errors.required(path.child("name"), "");
        }
        if (service.path("namespace").asString("").isEmpty()) {
            errors.required(path.child("namespace"), "");
        }
        JsonNode port = service.path("port");
        if (port.asLong(0) < 1 || port.asLong(0) > PORT_MAX) {
            errors.invalid(path.child("port"), port, "port is not valid: must be between 1 and 65535, inclusive");
        }
        servicePath(service.path("path").asString(""), path.child("path"), errors);
    }

    private static void servicePath(String text, FieldPath path, FieldErrors errors) {
        if (text.isEmpty() || text.equals("/")) {
            return;
        }
        if (text.equals("//")) {
            errors.invalid(path, text, "segment[0] may not be empty");
            return;
        }
        if (!text.startsWith("/")) {
            errors.invalid(path, text, "must start with a '/'");
        }
        String steps = text.substring(1, text.endsWith("/") && text.length() > 1 ? text.length() - 1 : text.length());
        int index = 0;
        for (String step : steps.split("/", -1)) {
            if (step.isEmpty()) {
                errors.invalid(path, text, "segment[" + index + "] may not be empty");
            } else {
                for (String problem : Names.dns1123Subdomain(step)) {
                    errors.invalid(path, text, "segment[" + index + "]: " + problem);
                }
            }
            index++;
        }
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
