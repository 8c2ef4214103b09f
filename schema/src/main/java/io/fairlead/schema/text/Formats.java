package io.fairlead.schema.text;

import com.google.re2j.Pattern;
import java.nio.charset.StandardCharsets;
import java.time.DateTimeException;
import java.time.LocalDate;
import java.time.format.DateTimeFormatter;
import java.time.format.ResolverStyle;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.Predicate;

/**
 * The formats of strings that kube-apiserver enforces (kube-openapi {@code validation/strfmt}; the last two since 1.34).
 *
 * <p>A dash in a format's name means nothing: {@code date-time} is {@code datetime}.
 */
public final class Formats {
    private static final String HEX = "[0-9a-fA-F]";
    private static final String SHORT_NAME = "[a-z0-9](?:[-a-z0-9]*[a-z0-9])?";
    private static final Pattern CREDIT_CARD = Pattern.compile("^(?:4[0-9]{12}(?:[0-9]{3})?|5[1-5][0-9]{14}"
            + "|(?:222[1-9]|22[3-9][0-9]|2[3-6][0-9]{2}|27[01][0-9]|2720)[0-9]{12}|6(?:011|5[0-9][0-9])[0-9]{12}"
            + "|3[47][0-9]{13}|3(?:0[0-5]|[68][0-9])[0-9]{11}|(?:2131|1800|35[0-9]{3})[0-9]{11}|6[27][0-9]{14})$");
    private static final Pattern HOST_NAME =
            Pattern.compile("^([a-zA-Z0-9\\p{S}\\p{L}]((-?[a-zA-Z0-9\\p{S}\\p{L}]{0,62})?)|([a-zA-Z0-9\\p{S}\\p{L}]"
                    + "(([a-zA-Z0-9-\\p{S}\\p{L}]{0,61}[a-zA-Z0-9\\p{S}\\p{L}])?)(\\.)){1,}([a-zA-Z\\p{L}]){2,63})$");
    private static final Pattern TIME_OF_DAY =
            Pattern.compile("^([0-9]{2}):([0-9]{2}):([0-9]{2})(.[0-9]+)?(z|([+-][0-9]{2}:[0-9]{2}))$");
    private static final Pattern DURATION_PART = Pattern.compile("([0-9]+)\\s*([A-Za-zµ]+)");
    private static final Pattern GO_DURATION =
            Pattern.compile("^[-+]?(0|((([0-9]+(\\.[0-9]*)?|\\.[0-9]+))(ns|us|µs|μs|ms|s|m|h))+)$");
    private static final Pattern DURATION_UNIT = Pattern.compile(
            "(?i)^(ns|nano.*|us|µs|micro.*|ms|milli.*|s|sec.*|m|min.*|h|hr|hour.*|d|day.*|w|wk|week.*)$");

    private static final int MAC_OCTETS_MAX = 20;
    private static final int MAC_CHARS_MAX = 3 * MAC_OCTETS_MAX;
    private static final List<Predicate<String>> MAC = macs();

    private static final Map<String, Predicate<String>> BY_NAME = Map.ofEntries(
            Map.entry("bsonobjectid", matching("^" + HEX + "{24}$")),
            Map.entry("uri", RequestUri::isValid),
            Map.entry("email", MailAddress::isValid),
            Map.entry("hostname", Formats::isHostName),
            Map.entry("ipv4", text -> text.contains(".") && IpText.isAddress(text, true)),
            Map.entry("ipv6", text -> text.contains(":") && IpText.isAddress(text, false)),
            Map.entry("cidr", IpText::isCidr),
            Map.entry("mac", Formats::isMac),
            Map.entry("uuid", matching(uuid("", HEX + "{4}"))),
            Map.entry("uuid3", matching(uuid("3", HEX + "{4}"))),
            Map.entry("uuid4", matching(uuid("4", "[89abAB]" + HEX + "{3}"))),
            Map.entry("uuid5", matching(uuid("5", "[89abAB]" + HEX + "{3}"))),
            Map.entry("isbn", text -> CheckDigits.isIsbn10(text) || CheckDigits.isIsbn13(text)),
            Map.entry("isbn10", CheckDigits::isIsbn10),
            Map.entry("isbn13", CheckDigits::isIsbn13),
            Map.entry("creditcard", Formats::isCreditCard),
            Map.entry("ssn", matching("^[0-9]{3}[- ][0-9]{2}[- ][0-9]{4}$")),
            Map.entry("hexcolor", matching("^#?(" + HEX + "{3}|" + HEX + "{6})$")),
            Map.entry("rgbcolor", matching(rgb())),
            Map.entry(
                    "byte",
                    matching("^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=|[A-Za-z0-9+/]{4})$")),
            Map.entry("password", text -> true),
            Map.entry("date", Formats::isDate),
            Map.entry("duration", Formats::isDuration),
            Map.entry("datetime", Formats::isDateTime),
            Map.entry("k8sshortname", atMost(63, matching("^" + SHORT_NAME + "$"))),
            Map.entry("k8slongname", atMost(253, matching("^" + SHORT_NAME + "(\\." + SHORT_NAME + ")*$"))));

    private Formats() {}

    /** Whether strings of this format are checked. */
    public static boolean isKnown(String format) {
        return BY_NAME.containsKey(normalized(format));
    }

    /** Whether a string is of a known format. */
    public static boolean matches(String format, String text) {
        Predicate<String> rule = BY_NAME.get(normalized(format));
        return rule == null || rule.test(text);
    }

    private static String normalized(String format) {
        return format.replace("-", "");
    }

    private static Predicate<String> matching(String pattern) {
        Pattern compiled = Pattern.compile(pattern);
        return text -> compiled.matcher(text).find();
    }

    private static Predicate<String> atMost(int length, Predicate<String> rule) {
        return text -> text.length() <= length && rule.test(text);
    }

    private static String uuid(String version, String variant) {
        String third = version.isEmpty() ? HEX + "{4}" : version + HEX + "{3}";
        return "^" + HEX + "{8}-?" + HEX + "{4}-?" + third + "-?" + variant + "-?" + HEX + "{12}$";
    }

    private static String rgb() {
        String channel = "(0|[1-9][0-9]?|1[0-9][0-9]?|2[0-4][0-9]|25[0-5])";
        return "^rgb\\(\\s*" + channel + "\\s*,\\s*" + channel + "\\s*,\\s*" + channel + "\\s*\\)$";
    }

    private static boolean isHostName(String text) {
        if (text.getBytes(StandardCharsets.UTF_8).length > 255
                || !HOST_NAME.matcher(text).find()) {
            return false;
        }
        for (String label : text.split("\\.", -1)) {
            if (label.getBytes(StandardCharsets.UTF_8).length > 63) {
                return false;
            }
        }
        return true;
    }

    private static boolean isMac(String text) {
        return text.length() <= MAC_CHARS_MAX && MAC.stream().anyMatch(form -> form.test(text));
    }

    private static List<Predicate<String>> macs() {
        List<Predicate<String>> forms = new ArrayList<>();
        String octet = HEX + "{2}";
        for (int octets : new int[] {6, 8, MAC_OCTETS_MAX}) {
            String more = "{" + (octets - 1) + "}$";
            forms.add(matching("^" + octet + "(:" + octet + ")" + more));
            forms.add(matching("^" + octet + "(-" + octet + ")" + more));
            forms.add(matching("^" + HEX + "{4}(\\." + HEX + "{4}){" + (octets / 2 - 1) + "}$"));
        }
        return forms;
    }

    private static boolean isCreditCard(String text) {
        String digits = text.replaceAll("[^0-9]+", "");
        return CREDIT_CARD.matcher(digits).find() && CheckDigits.isLuhn(digits);
    }

    private static boolean isDate(String text) {
        if (text.length() != 10) {
            return false;
        }
        try {
            LocalDate.parse(text, DateTimeFormatter.ISO_LOCAL_DATE.withResolverStyle(ResolverStyle.STRICT));
            return true;
        } catch (DateTimeException e) {
            return false;
        }
    }

    private static boolean isDateTime(String text) {
        String[] parts = text.toLowerCase(Locale.ROOT).split("t", -1);
        if (parts.length < 2 || !isDate(parts[0])) {
            return false;
        }
        var matcher = TIME_OF_DAY.matcher(parts[1]);
        return matcher.find()
                && matcher.group(1).compareTo("23") <= 0
                && matcher.group(2).compareTo("59") <= 0
                && matcher.group(3).compareTo("59") <= 0;
    }

    /** Go's durations, or a number and a unit of Scala's somewhere in the text. */
    private static boolean isDuration(String text) {
        if (GO_DURATION.matcher(text).find()) {
            return true;
        }
        var parts = DURATION_PART.matcher(text);
        boolean found = false;
        while (parts.find()) {
            if (parts.group(1).length() > 18) {
                return false;
            }
            found |= DURATION_UNIT.matcher(parts.group(2)).find();
        }
        return found;
    }
}
