package io.fairlead.hosted.kinds.data;

import io.fairlead.schema.field.FieldErrors;
import io.fairlead.schema.field.FieldPath;
import io.fairlead.schema.meta.Names;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** Checks of how pods resolve names (kubernetes {@code validatePodDNSConfig}, {@code ValidateHostAliases}). */
final class PodNameChecks {
    private static final int SERVERS_MAX = 3;
    private static final int SEARCHES_MAX = 32;
    private static final int SEARCH_CHARS_MAX = 2048;
    private static final int SUBDOMAIN_CHARS_MAX = 253;
    private static final String LABEL = "_?[a-z0-9]([-_a-z0-9]*[a-z0-9])?";
    private static final Pattern SEARCH =
            Pattern.compile("_?+[a-z0-9]++(?:[-_]++[a-z0-9]++)*+(?:\\._?+[a-z0-9]++(?:[-_]++[a-z0-9]++)*+)*+");

    private PodNameChecks() {}

    static void pod(ObjectNode spec, FieldPath path, FieldErrors errors) {
        aliases(spec.path("hostAliases"), path.child("hostAliases"), errors);
        JsonNode config = spec.path("dnsConfig");
        FieldPath at = path.child("dnsConfig");
        boolean isAlone = spec.path("dnsPolicy").asString("").equals("None");
        if (isAlone && !config.isObject()) {
            errors.required(at, "must provide `dnsConfig` when `dnsPolicy` is None");
        } else if (isAlone && config.path("nameservers").isEmpty()) {
            errors.required(
                    at.child("nameservers"), "must provide at least one DNS nameserver when `dnsPolicy` is None");
        } else {
            servers(config.path("nameservers"), at.child("nameservers"), errors);
            searches(config.path("searches"), at.child("searches"), errors);
            options(config.path("options"), at.child("options"), errors);
        }
    }

    private static void aliases(JsonNode aliases, FieldPath path, FieldErrors errors) {
        int index = 0;
        for (JsonNode alias : aliases) {
            FieldPath at = path.index(index++);
            String address = alias.path("ip").asString("");
            errors.invalid(at.child("ip"), address, TextForm.IP.problems(address));
            int number = 0;
            for (JsonNode name : alias.path("hostnames")) {
                FieldPath one = at.child("hostnames").index(number++);
                errors.invalid(one, name, Names.dns1123Subdomain(name.asString("")));
            }
        }
    }

    private static void servers(JsonNode servers, FieldPath path, FieldErrors errors) {
        if (servers.size() > SERVERS_MAX) {
            errors.invalid(path, servers, "must not have more than " + SERVERS_MAX + " nameservers");
        }
        int index = 0;
        for (JsonNode server : servers) {
            FieldPath at = path.index(index++);
            errors.invalid(at, server, TextForm.IP.problems(server.asString("")));
        }
    }

    private static void searches(JsonNode searches, FieldPath path, FieldErrors errors) {
        if (searches.size() > SEARCHES_MAX) {
            errors.invalid(path, searches, "must not have more than " + SEARCHES_MAX + " search paths");
        }
        String list = searches.valueStream().map(search -> search.asString("")).collect(Collectors.joining(" "));
        if (list.length() > SEARCH_CHARS_MAX) {
            errors.invalid(
                    path,
                    searches,
                    "must not have more than " + SEARCH_CHARS_MAX
                            + " characters (including spaces) in the search list");
        }
        int index = 0;
        for (JsonNode search : searches) {
            FieldPath at = path.index(index++);
            String text = search.asString("");
            if (!text.equals(".")) {
                String name = text.endsWith(".") ? text.substring(0, text.length() - 1) : text;
                errors.invalid(at, name, search(name));
            }
        }
    }

    /** Labels of a search path may hold underscores ({@code IsDNS1123SubdomainWithUnderscore}). */
    private static List<String> search(String name) {
        if (name.length() > SUBDOMAIN_CHARS_MAX) {
            return List.of("must be no more than " + SUBDOMAIN_CHARS_MAX + " characters");
        }
        return SEARCH.matcher(name).matches()
                ? List.of()
                : List.of("a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '_', '-'"
                        + " or '.', and must start and end with an alphanumeric character (e.g. 'example.com',"
                        + " regex used for validation is '" + LABEL + "(\\." + LABEL + ")*')");
    }

    private static void options(JsonNode options, FieldPath path, FieldErrors errors) {
        int index = 0;
        for (JsonNode option : options) {
            if (option.path("name").asString("").isEmpty()) {
                errors.required(path.index(index), "must not be empty");
            }
            index++;
        }
    }
}
