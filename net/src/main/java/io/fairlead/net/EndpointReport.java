package io.fairlead.net;

/**
 * What is known of one endpoint of an upstream.
 *
 * @param url as it was given
 * @param verdict whether it gets requests, and why
 */
public record EndpointReport(String url, Verdict verdict) {
    static final Verdict UNPROVEN = new Unproven();

    /** Whether an endpoint gets requests. */
    public sealed interface Verdict {
        /** Whether it is known to be ready. */
        default boolean isReady() {
            return this instanceof Ready;
        }
    }

    /** Nothing has come from it yet; it gets requests. */
    public record Unproven() implements Verdict {}

    /** It gets requests. */
    public record Ready(Evidence evidence) implements Verdict {}

    /**
     * It gets no requests: it says itself that it is not ready, or is no API server.
     *
     * @param status the status of its answer to a probe
     */
    public record Unready(int status) implements Verdict {}

    /** It gets no requests: connections or requests to it are lost, or a probe was not answered. */
    public record Broken(UpstreamFailure failure) implements Verdict {}

    /** By what an endpoint is known to be ready. */
    public enum Evidence {
        /** It says so. */
        READYZ,
        /** It answers, but not the question whether it is ready; or is not asked that, as the only endpoint. */
        CONNECTION
    }
}
