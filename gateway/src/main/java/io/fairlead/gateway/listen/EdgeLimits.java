package io.fairlead.gateway.listen;

import java.time.Duration;

/**
 * The bounds of the front end; each is a key of the configuration.
 *
 * @param connectionsMax open connections; more are closed at accept
 * @param connectionsPerAddressMax the same, for one client address
 * @param handshakeTimeout from accept to the end of the TLS handshake
 * @param headTimeout from the first byte of a request to the end of its head; then 408
 * @param targetBytesMax the request target; then 414
 * @param headBytesMax all header fields of a request; then 431
 * @param headerFieldsMax their number; then 431
 * @param streamsMax concurrent HTTP/2 streams of a connection
 * @param hostedBodyBytesMax a request's body to a hosted cluster; then 413
 * @param proxiedBodyBytesMax a request's body to an attached cluster; then 413
 * @param failedAuthenticationsPerSecond by one client address; then 429
 * @param unknownWait how long a request to a hosted cluster waits for the index; then 503
 * @param unknownWaitersMax how many such requests wait at once; then 503 at once
 */
public record EdgeLimits(
        int connectionsMax,
        int connectionsPerAddressMax,
        Duration handshakeTimeout,
        Duration headTimeout,
        int targetBytesMax,
        int headBytesMax,
        int headerFieldsMax,
        int streamsMax,
        int hostedBodyBytesMax,
        long proxiedBodyBytesMax,
        int failedAuthenticationsPerSecond,
        Duration unknownWait,
        int unknownWaitersMax) {
    public static EdgeLimits defaults() {
        return new EdgeLimits(
                20_000,
                2_000,
                Duration.ofSeconds(10),
                Duration.ofSeconds(10),
                8 * 1024,
                64 * 1024,
                200,
                250,
                3 * 1024 * 1024,
                100L * 1024 * 1024,
                20,
                Duration.ofSeconds(2),
                1_000);
    }
}
