package io.fairlead.schema.crd;

import io.fairlead.schema.field.FieldErrors;
import io.fairlead.schema.field.FieldPath;
import io.fairlead.schema.meta.Names;
import java.net.URI;
import java.net.URISyntaxException;
import tools.jackson.databind.JsonNode;

/** The rules for where a webhook is called (apiserver {@code util/webhook/validation.go}). */
public final class WebhookClientRules {
    private static final String FORM = "; desired format: https://host[/path]";
    private static final int PORT_MAX = 65_535;

    private WebhookClientRules() {}

    /**
     * Adds the problems of a client configuration.
     *
     * @param path of it
     */
    public static void check(JsonNode client, FieldPath path, FieldErrors errors) {
        JsonNode url = client.path("url");
        JsonNode service = client.path("service");
        if (url.isString() == service.isObject()) {
            errors.required(path, "exactly one of url or service is required");
        } else if (url.isString()) {
            url(url.stringValue(), path.child("url"), errors);
        } else {
            service(service, path.child("service"), errors);
        }
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
}
