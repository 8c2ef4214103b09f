package io.fairlead.hosted;

/** Which names a kind's objects may have (apimachinery {@code api/validation}). */
public enum NameRule {
    /** RFC 1123 subdomain: most kinds. */
    DNS_SUBDOMAIN,
    /** RFC 1123 label: namespaces. */
    DNS_LABEL,
    /** Anything that fits into one path segment: the RBAC kinds. */
    PATH_SEGMENT
}
