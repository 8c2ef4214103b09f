package io.fairlead.schema.meta;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;

/** The forms of names in Kubernetes; each function says what is wrong, in upstream's words, and nothing if all is well. */
public final class Names {
    private static final int LABEL_MAX = 63;
    private static final int SUBDOMAIN_MAX = 253;

    private static final String DNS_LABEL = "[a-z0-9]([-a-z0-9]*[a-z0-9])?";
    private static final String DNS_SUBDOMAIN = DNS_LABEL + "(\\." + DNS_LABEL + ")*";
    private static final String DNS_1035 = "[a-z]([-a-z0-9]*[a-z0-9])?";
    private static final String LABEL_KEY = "([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]";
    private static final String LABEL_VALUE = "(" + LABEL_KEY + ")?";

    private static final Pattern DNS_LABEL_PATTERN = linear("[a-z0-9]++(?:-++[a-z0-9]++)*+");
    private static final Pattern DNS_SUBDOMAIN_PATTERN =
            linear("[a-z0-9]++(?:-++[a-z0-9]++)*+(?:\\.[a-z0-9]++(?:-++[a-z0-9]++)*+)*+");
    private static final Pattern DNS_1035_PATTERN = linear("[a-z][a-z0-9]*+(?:-++[a-z0-9]++)*+");
    private static final Pattern LABEL_KEY_PATTERN = linear("[A-Za-z0-9]++(?:[-_.]++[A-Za-z0-9]++)*+");

    private static final String DNS_LABEL_RULE = "a lowercase RFC 1123 label must consist of lower case alphanumeric"
            + " characters or '-', and must start and end with an alphanumeric character";
    private static final String DNS_SUBDOMAIN_RULE = "a lowercase RFC 1123 subdomain must consist of lower case"
            + " alphanumeric characters, '-' or '.', and must start and end with an alphanumeric character";
    private static final String DNS_1035_RULE = "a DNS-1035 label must consist of lower case alphanumeric characters or"
            + " '-', start with an alphabetic character, and end with an alphanumeric character";
    private static final String LABEL_KEY_RULE = "must consist of alphanumeric characters, '-', '_' or '.', and must"
            + " start and end with an alphanumeric character";
    private static final String LABEL_VALUE_RULE = "a valid label must be an empty string or consist of alphanumeric"
            + " characters, '-', '_' or '.', and must start and end with an alphanumeric character";

    private Names() {}

    /** A DNS label (RFC 1123) in lower case. */
    public static List<String> dns1123Label(String name) {
        List<String> problems = tooLong(name, LABEL_MAX, "characters");
        if (!matches(DNS_LABEL_PATTERN, name)) {
            problems.add(
                    matches(DNS_SUBDOMAIN_PATTERN, name)
                            ? "must not contain dots"
                            : regex(DNS_LABEL_RULE, DNS_LABEL, "my-name", "123-abc"));
        }
        return problems;
    }

    /** A DNS subdomain (RFC 1123) in lower case. */
    public static List<String> dns1123Subdomain(String name) {
        return subdomain(name, "characters");
    }

    /** A DNS label (RFC 1035) in lower case: begins with a letter. */
    public static List<String> dns1035Label(String name) {
        List<String> problems = tooLong(name, LABEL_MAX, "characters");
        if (!matches(DNS_1035_PATTERN, name)) {
            problems.add(regex(DNS_1035_RULE, DNS_1035, "my-name", "abc-123"));
        }
        return problems;
    }

    /** A label's or finalizer's key: a name with an optional DNS subdomain and {@code /} before it. */
    public static List<String> qualifiedName(String value) {
        String[] parts = value.split("/", -1);
        if (parts.length > 2) {
            return List.of("a valid label key " + labelKeyRegex()
                    + " with an optional DNS subdomain prefix and '/' (e.g. 'example.com/MyName')");
        }
        List<String> problems = new ArrayList<>();
        if (parts.length == 2) {
            prefixProblems(parts[0]).forEach(problem -> problems.add("prefix part " + problem));
        }
        labelKeyProblems(parts[parts.length - 1]).forEach(problem -> problems.add("name part " + problem));
        return problems;
    }

    /** A label's value. */
    public static List<String> labelValue(String value) {
        List<String> problems = tooLong(value, LABEL_MAX, "bytes");
        if (!value.isEmpty() && !matches(LABEL_KEY_PATTERN, value)) {
            problems.add(regex(LABEL_VALUE_RULE, LABEL_VALUE, "MyValue", "my_value", "12345"));
        }
        return problems;
    }

    private static List<String> prefixProblems(String prefix) {
        return prefix.isEmpty() ? List.of("must be non-empty") : subdomain(prefix, "bytes");
    }

    private static List<String> labelKeyProblems(String name) {
        List<String> problems = tooLong(name, LABEL_MAX, "bytes");
        if (name.isEmpty()) {
            problems.add("must be non-empty");
        }
        if (!matches(LABEL_KEY_PATTERN, name)) {
            problems.add(labelKeyRegex());
        }
        return problems;
    }

    private static List<String> subdomain(String name, String unit) {
        List<String> problems = tooLong(name, SUBDOMAIN_MAX, unit);
        if (!matches(DNS_SUBDOMAIN_PATTERN, name)) {
            problems.add(regex(DNS_SUBDOMAIN_RULE, DNS_SUBDOMAIN, "example.com"));
        }
        return problems;
    }

    private static List<String> tooLong(String value, int bytesMax, String unit) {
        List<String> problems = new ArrayList<>();
        if (bytes(value) > bytesMax) {
            problems.add("must be no more than " + bytesMax + " " + unit);
        }
        return problems;
    }

    private static String labelKeyRegex() {
        return regex(LABEL_KEY_RULE, LABEL_KEY, "MyName", "my.name", "123-abc");
    }

    private static String regex(String rule, String regex, String... examples) {
        return rule + " (e.g. '" + String.join("',  or '", examples) + "', regex used for validation is '" + regex
                + "')";
    }

    private static int bytes(String value) {
        return value.length() > SUBDOMAIN_MAX ? value.length() : value.getBytes(StandardCharsets.UTF_8).length;
    }

    private static boolean matches(Pattern pattern, String value) {
        return pattern.matcher(value).matches();
    }

    /** Possessive throughout, so that matching takes linear time and constant stack whatever a client sends. */
    private static Pattern linear(String pattern) {
        return Pattern.compile(pattern);
    }
}
