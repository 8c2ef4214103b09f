package io.fairlead.schema.cel.library;

import io.fairlead.schema.cel.value.ListValue;
import io.fairlead.schema.cel.value.Opaque;
import io.fairlead.schema.cel.value.Values;
import io.fairlead.schema.cel.value.Work;
import io.fairlead.schema.meta.Names;
import io.fairlead.schema.text.Formats;
import io.fairlead.schema.text.RequestUri;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** A format that texts can be compared with (apiserver {@code cel/library/format.go}, since 1.31). */
public enum NamedFormat implements Opaque {
    /** A label of DNS (RFC 1123). */
    DNS1123_LABEL("dns1123Label", 30),
    /** Labels with dots between them. */
    DNS1123_SUBDOMAIN("dns1123Subdomain", 60),
    /** A label of DNS that begins with a letter (RFC 1035). */
    DNS1035_LABEL("dns1035Label", 30),
    /** A key of a label. */
    QUALIFIED_NAME("qualifiedName", 60),
    /** The beginning of a {@link #DNS1123_LABEL}. */
    DNS1123_LABEL_PREFIX("dns1123LabelPrefix", 30),
    /** The beginning of a {@link #DNS1123_SUBDOMAIN}. */
    DNS1123_SUBDOMAIN_PREFIX("dns1123SubdomainPrefix", 60),
    /** The beginning of a {@link #DNS1035_LABEL}. */
    DNS1035_LABEL_PREFIX("dns1035LabelPrefix", 30),
    /** A value of a label. */
    LABEL_VALUE("labelValue", 40),
    /** A URI with a scheme, or a path. */
    URI("uri", 1103),
    /** A UUID. */
    UUID("uuid", 80),
    /** Bytes in base64. */
    BYTE("byte", 84),
    /** A day. */
    DATE("date", 113),
    /** A time of a day. */
    DATETIME("datetime", 113);

    private static final Map<String, NamedFormat> BY_NAME = new LinkedHashMap<>();

    static {
        for (NamedFormat format : values()) {
            BY_NAME.put(format.label, format);
        }
    }

    private final String label;
    private final int regexSize;

    NamedFormat(String label, int regexSize) {
        this.label = label;
        this.regexSize = regexSize;
    }

    static void addTo(Registry registry) {
        BY_NAME.forEach((name, format) -> registry.add("format." + name, (_, _) -> format));
        registry.unary("format.named", String.class, (name, _) -> Optional.ofNullable(BY_NAME.get(name)))
                .binary("validate", NamedFormat.class, String.class, NamedFormat::validate);
    }

    /** The names of all formats. */
    static List<String> names() {
        return List.copyOf(BY_NAME.keySet());
    }

    /** How long a regular expression for it would be. */
    public int regexSize() {
        return regexSize;
    }

    private Object validate(String text, Work work) {
        work.read(text.length());
        List<String> problems = problems(text);
        return problems.isEmpty() ? Optional.empty() : Optional.of(ListValue.of(problems));
    }

    private List<String> problems(String text) {
        return switch (this) {
            case DNS1123_LABEL -> Names.dns1123Label(text);
            case DNS1123_SUBDOMAIN -> Names.dns1123Subdomain(text);
            case DNS1035_LABEL -> Names.dns1035Label(text);
            case QUALIFIED_NAME -> Names.qualifiedName(text);
            case DNS1123_LABEL_PREFIX -> Names.dns1123Label(maskedEnd(text));
            case DNS1123_SUBDOMAIN_PREFIX -> Names.dns1123Subdomain(maskedEnd(text));
            case DNS1035_LABEL_PREFIX -> Names.dns1035Label(maskedEnd(text));
            case LABEL_VALUE -> Names.labelValue(text);
            case URI ->
                RequestUri.isValid(text)
                        ? List.of()
                        : List.of("parse " + Values.quoted(text) + ": invalid URI for request");
            case UUID -> known("uuid", text, "does not match the UUID format");
            case BYTE -> known("byte", text, "invalid base64");
            case DATE -> known("date", text, "invalid date");
            case DATETIME -> known("datetime", text, "invalid datetime");
        };
    }

    /** A prefix may end with a dash, to which something is added. */
    private static String maskedEnd(String text) {
        return text.length() > 1 && text.endsWith("-") ? text.substring(0, text.length() - 1) + "a" : text;
    }

    private static List<String> known(String format, String text, String problem) {
        return Formats.matches(format, text) ? List.of() : List.of(problem);
    }

    @Override
    public String typeName() {
        return "kubernetes.NamedFormat";
    }
}
