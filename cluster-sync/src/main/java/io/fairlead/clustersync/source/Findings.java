package io.fairlead.clustersync.source;

import io.fairlead.net.UpstreamFailure;

/** Converts failures of attached clusters to conditions. */
public final class Findings {
    /** The reason where the credential lacks a right. */
    public static final String FORBIDDEN = "CredentialForbidden";

    private Findings() {}

    /** A request without an answer. */
    public static Finding of(UpstreamFailure failure) {
        return Finding.no(reasonOf(failure.kind()), failure.message());
    }

    /**
     * An unexpected answer.
     *
     * @param what the requested path
     * @param detail the server's message, empty if none
     */
    public static Finding ofAnswer(int code, String what, String detail) {
        String said = detail.isEmpty() ? "" : ": " + detail;
        return switch (code) {
            case 401 ->
                Finding.no(
                        "CredentialRefused",
                        "the cluster refuses Fairlead's credential (401 for " + what
                                + ", expected a new one in the Secret that its registration names)" + said);
            case 403 ->
                isAnonymous(detail)
                        ? Finding.no(
                                "CredentialRefused",
                                "the API server does not accept Fairlead's credential and answers as to an anonymous"
                                        + " caller (403 for " + what
                                        + ", expected a token that it issued or knows, or a client certificate"
                                        + " that its client CA signed)" + said)
                        : Finding.no(FORBIDDEN, "Fairlead's credential may not read " + what + " (403)" + said);
            case 404 ->
                Finding.no("NotKubernetes", "the server has no " + what + " (404): is it a Kubernetes API server?");
            default -> Finding.no("UnexpectedAnswer", "the server answers " + code + " for " + what + said);
        };
    }

    /**
     * Whether it is the refusal of a request without a user. Fairlead sends none without its credential, so that no role would help.
     *
     * @param detail what the server says
     */
    public static boolean isAnonymous(String detail) {
        return detail.contains("\"system:anonymous\"");
    }

    private static String reasonOf(UpstreamFailure.Kind kind) {
        return switch (kind) {
            case NO_READY_ENDPOINT -> "NoReadyEndpoint";
            case ADDRESS_DENIED -> "AddressDenied";
            case UNKNOWN_HOST -> "UnknownHost";
            case CONNECT -> "ConnectionFailed";
            case TLS -> "TLSFailed";
            case CERTIFICATE -> "CertificateRefused";
            case IDENTITY -> "IdentityNotProven";
            case TIMEOUT -> "Timeout";
            case RESET -> "ConnectionReset";
            case PROTOCOL -> "ProtocolError";
            case OVERLOADED -> "Overloaded";
            case CLOSED -> "Closed";
        };
    }
}
