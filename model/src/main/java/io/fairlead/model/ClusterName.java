package io.fairlead.model;

import org.jspecify.annotations.Nullable;

/**
 * A cluster's id: a DNS-1123 label of 1 to 63 characters, compared raw ({@code prod-eu}).
 *
 * @param value the label (RFC 1123 section 2.1, as Kubernetes narrows it: lower case)
 */
public record ClusterName(String value) implements Comparable<ClusterName> {
    /** The hosted cluster that holds Fairlead's own resources. */
    public static final ClusterName ROOT = new ClusterName("root");

    public ClusterName {
        if (!isValid(value)) {
            throw new IllegalArgumentException(
                    "cluster id: \"" + value + "\" (expected a DNS-1123 label: lower-case letters, digits and '-',"
                            + " at most 63 characters, beginning and ending with a letter or digit)");
        }
    }

    /** Whether the text is a DNS-1123 label. */
    public static boolean isValid(CharSequence text) {
        int length = text.length();
        if (length == 0 || length > 63 || text.charAt(0) == '-' || text.charAt(length - 1) == '-') {
            return false;
        }
        for (int i = 0; i < length; i++) {
            char c = text.charAt(i);
            if (!((c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '-')) {
                return false;
            }
        }
        return true;
    }

    /** Each request looks several things up by it. */
    @Override
    public boolean equals(@Nullable Object other) {
        return this == other || (other instanceof ClusterName name && value.equals(name.value));
    }

    @Override
    public int hashCode() {
        return value.hashCode();
    }

    @Override
    public int compareTo(ClusterName other) {
        return value.compareTo(other.value);
    }

    @Override
    public String toString() {
        return value;
    }
}
