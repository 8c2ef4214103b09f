package io.fairlead.clustersync.source;

/**
 * A finding about a cluster in the form of a condition (API conventions, "Typical status properties").
 *
 * @param status whether it is true, or unknown
 * @param reason for programs, in CamelCase ({@code CertificateRefused})
 * @param message for people: names the offending value and what was expected; contains no credential
 */
public record Finding(Status status, String reason, String message) {
    /** The status of a condition. */
    public enum Status {
        TRUE,
        FALSE,
        UNKNOWN
    }

    public static Finding yes(String reason, String message) {
        return new Finding(Status.TRUE, reason, message);
    }

    public static Finding no(String reason, String message) {
        return new Finding(Status.FALSE, reason, message);
    }

    public static Finding unknown(String reason, String message) {
        return new Finding(Status.UNKNOWN, reason, message);
    }
}
