package io.fairlead.hosted.kinds.data;

import io.fairlead.schema.json.Json;
import io.fairlead.schema.meta.NameRule;
import io.fairlead.schema.meta.Names;
import io.fairlead.schema.text.IpText;
import java.net.InetAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.regex.Pattern;
import tools.jackson.databind.JsonNode;

/** What a text must look like. */
enum TextForm {
    /** Anything. */
    ANY,
    /** A DNS label (RFC 1123). */
    LABEL,
    /** A DNS label (RFC 1035), which begins with a letter. */
    LABEL_1035,
    /** A DNS subdomain (RFC 1123). */
    SUBDOMAIN,
    /** A DNS subdomain with letters of any case. */
    SUBDOMAIN_ANY_CASE,
    /** A DNS subdomain whose first label is a star ({@code IsWildcardDNS1123Subdomain}). */
    WILDCARD,
    /** A DNS subdomain of three labels at least ({@code IsFullyQualifiedName}). */
    DOMAIN,
    /** A domain, a slash and a path ({@code IsDomainPrefixedPath}). */
    DOMAIN_PATH,
    /** The key of a label. */
    QUALIFIED,
    /** The key of a label, with letters of any case. */
    QUALIFIED_ANY_CASE,
    /** The name of a port (RFC 6335, {@code IsValidPortName}). */
    PORT,
    /** The name of an environment variable ({@code IsRelaxedEnvVarName}). */
    VARIABLE,
    /** The key of a ConfigMap's or Secret's data. */
    KEY,
    /** What may be a segment of a URL's path. */
    PATH_SEGMENT,
    /** A path that does not lead out of where it begins ({@code validateLocalDescendingPath}). */
    DESCENDING_PATH,
    /** Such a path that does not begin with {@code ..} in the name of a file, either ({@code ValidateLocalNonReservedPath}). */
    RELATIVE_PATH,
    /** A path from the root. */
    ABSOLUTE_PATH,
    /** A path without {@code ..}. */
    FORWARD_PATH,
    /** An IP address. */
    IP,
    /** An IP address and how many of its bits are a network's. */
    CIDR,
    /** A schedule of cron, or one of its names ({@code @daily}). */
    CRON;

    private static final Pattern PORT_TEXT = Pattern.compile("[-a-z0-9]+");
    private static final int PORT_CHARS_MAX = 15;
    private static final Pattern VARIABLE_TEXT = Pattern.compile("[ -<>-~]*");
    private static final String KEY_TEXT = "[-._a-zA-Z0-9]+";
    private static final Pattern KEY_PATTERN = Pattern.compile(KEY_TEXT);
    private static final int KEY_CHARS_MAX = 253;
    private static final int SEGMENTS_OF_DOMAIN = 3;
    private static final int ADDRESS_CHARS_MAX = 45;
    private static final int SUBDOMAIN_CHARS_MAX = 253;
    private static final String WILDCARD_RULE =
            "a wildcard DNS-1123 subdomain must start with '*.', followed by a valid DNS subdomain, which must consist"
                    + " of lower case alphanumeric characters, '-' or '.' and end with an alphanumeric character (e.g."
                    + " '*.example.com', regex used for validation is"
                    + " '\\*\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*')";

    static TextForm of(String name) {
        return name.isEmpty() ? ANY : valueOf(name.toUpperCase(Locale.ROOT).replace('-', '_'));
    }

    /** The text as a refusal shows it ({@code validateProvisioner} judges one in lower case). */
    JsonNode shown(JsonNode text) {
        return this == QUALIFIED_ANY_CASE
                ? Json.nodes().stringNode(text.asString("").toLowerCase(Locale.ROOT))
                : text;
    }

    /** What is wrong with a text; empty if nothing. */
    List<String> problems(String text) {
        return switch (this) {
            case ANY -> List.of();
            case LABEL -> Names.dns1123Label(text);
            case LABEL_1035 -> Names.dns1035Label(text);
            case SUBDOMAIN -> Names.dns1123Subdomain(text);
            case SUBDOMAIN_ANY_CASE -> Names.dns1123Subdomain(text.toLowerCase(Locale.ROOT));
            case WILDCARD -> wildcard(text);
            case DOMAIN -> domain(text);
            case DOMAIN_PATH -> domainPath(text);
            case QUALIFIED -> Names.qualifiedName(text);
            case QUALIFIED_ANY_CASE -> Names.qualifiedName(text.toLowerCase(Locale.ROOT));
            case PORT -> port(text);
            case VARIABLE -> variable(text);
            case KEY -> key(text);
            case PATH_SEGMENT -> NameRule.PATH_SEGMENT.problems(text, false);
            case DESCENDING_PATH -> descendingPath(text);
            case RELATIVE_PATH -> relativePath(text);
            case ABSOLUTE_PATH -> text.startsWith("/") ? List.of() : List.of("must be an absolute path");
            case FORWARD_PATH -> forwardPath(text);
            case IP -> ip(text);
            case CIDR -> IpPrefix.problems(text);
            case CRON -> CronSchedule.problems(text);
        };
    }

    /** The address that a text is; empty if it is none. No name is looked up. */
    static Optional<InetAddress> address(String text) {
        return text.length() <= ADDRESS_CHARS_MAX && IpText.isAddress(text, false)
                ? Optional.of(InetAddress.ofLiteral(text))
                : Optional.empty();
    }

    /** Go's {@code netutils.ParseIPSloppy} reads zeros at the front of parts, which are refused on their own. */
    private static List<String> ip(String text) {
        boolean isRead = text.length() <= ADDRESS_CHARS_MAX && IpText.isAddress(text, true);
        if (!isRead) {
            return List.of("must be a valid IP address, (e.g. 10.9.8.7 or 2001:db8::ffff)");
        }
        return IpText.isAddress(text, false) ? List.of() : List.of("must not have leading 0s");
    }

    private static List<String> wildcard(String text) {
        boolean isOne = text.startsWith("*.")
                && text.length() <= SUBDOMAIN_CHARS_MAX
                && Names.dns1123Subdomain(text.substring(2)).isEmpty();
        return isOne ? List.of() : List.of(WILDCARD_RULE);
    }

    private static List<String> domain(String text) {
        List<String> problems = Names.dns1123Subdomain(text);
        return problems.isEmpty() && text.split("\\.", -1).length < SEGMENTS_OF_DOMAIN
                ? List.of("should be a domain with at least three segments separated by dots")
                : problems;
    }

    private static List<String> domainPath(String text) {
        int slash = text.indexOf('/');
        if (slash <= 0 || slash == text.length() - 1) {
            return List.of("must be a domain-prefixed path (such as \"acme.io/foo\")");
        }
        return Names.dns1123Subdomain(text.substring(0, slash));
    }

    private static List<String> port(String text) {
        List<String> problems = new ArrayList<>();
        if (text.length() > PORT_CHARS_MAX) {
            problems.add("must be no more than 15 characters");
        }
        if (!PORT_TEXT.matcher(text).matches()) {
            problems.add("must contain only alpha-numeric characters (a-z, 0-9), and hyphens (-)");
        }
        if (text.chars().noneMatch(c -> c >= 'a' && c <= 'z')) {
            problems.add("must contain at least one letter (a-z)");
        }
        if (text.contains("--")) {
            problems.add("must not contain consecutive hyphens");
        }
        if (text.startsWith("-") || text.endsWith("-")) {
            problems.add("must not begin or end with a hyphen");
        }
        return problems;
    }

    private static List<String> variable(String text) {
        return VARIABLE_TEXT.matcher(text).matches()
                ? List.of()
                : List.of("a valid environment variable name must consist only of printable ASCII characters other than"
                        + " '='");
    }

    private static List<String> key(String text) {
        List<String> problems = new ArrayList<>();
        if (text.length() > KEY_CHARS_MAX) {
            problems.add("must be no more than " + KEY_CHARS_MAX + " characters");
        }
        if (!KEY_PATTERN.matcher(text).matches()) {
            problems.add(
                    "a valid config key must consist of alphanumeric characters, '-', '_' or '.' (e.g. 'key.name', "
                            + " or 'KEY_NAME',  or 'key-name', regex used for validation is '" + KEY_TEXT + "')");
        }
        if (text.equals(".") || text.equals("..")) {
            problems.add("must not be '" + text + "'");
        } else if (text.startsWith("..")) {
            problems.add("must not start with '..'");
        }
        return problems;
    }

    private static List<String> descendingPath(String text) {
        List<String> problems = new ArrayList<>();
        if (text.startsWith("/")) {
            problems.add("must be a relative path");
        }
        problems.addAll(forwardPath(text));
        return problems;
    }

    private static List<String> relativePath(String text) {
        List<String> problems = descendingPath(text);
        if (text.startsWith("..") && !text.startsWith("../") && !text.equals("..")) {
            problems.add("must not start with '..'");
        }
        return problems;
    }

    private static List<String> forwardPath(String text) {
        return List.of(text.split("/", -1)).contains("..") ? List.of("must not contain '..'") : List.of();
    }
}
