package io.fairlead.gateway.limits;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * The bounds of the front end; each is a key of the configuration, which has its default.
 *
 * @param connections of clients
 * @param heads of requests
 * @param http2 of one HTTP/2 connection
 * @param bodies of requests
 * @param buffers of requests and answers in the heap
 * @param answers that are being sent
 * @param shares of concurrent requests
 * @param reviews that wait for attached clusters
 * @param failedAuthenticationsPerSecond by one client address; then 429
 * @param unknownWait how long a request to a hosted cluster waits for the index, or for the cluster to be open; then
 *     503
 * @param unknownWaitersMax how many such requests wait at once; then 503 at once
 * @param refusedLoggedPerSecondMax the most refused requests to log; 0 for none
 */
public record EdgeLimits(
        Connections connections,
        Heads heads,
        Http2 http2,
        Bodies bodies,
        Buffers buffers,
        Answers answers,
        Shares shares,
        Reviews reviews,
        int failedAuthenticationsPerSecond,
        Duration unknownWait,
        int unknownWaitersMax,
        int refusedLoggedPerSecondMax) {
    /**
     * Connections of clients.
     *
     * @param max open ones; beyond it one on which no caller has authenticated is closed, the new one if there is none
     * @param perAddressMax the same, of one client address
     * @param perCallerMax the same, of those on which one caller was the first to authenticate; then 429. Null for a
     *     quarter of {@code max}
     * @param handshakeTimeout from accept to the end of the TLS handshake; then closed
     * @param idleTimeout without a request; then closed
     */
    public record Connections(
            int max,
            int perAddressMax,
            @Nullable Integer perCallerMax,
            Duration handshakeTimeout,
            Duration idleTimeout) {}

    /**
     * Heads of requests.
     *
     * @param timeout from the first byte to the end; then 408
     * @param targetBytesMax the request target; then 414
     * @param bytesMax all header fields; then 431
     * @param fieldsMax their number; then 431
     * @param unparsedBytesMax the incomplete input of all connections; then those that hold the most for the longest
     *     are closed
     */
    public record Heads(Duration timeout, int targetBytesMax, int bytesMax, int fieldsMax, long unparsedBytesMax) {
        /** A quarter of the direct memory: growing buffers briefly take twice their size, and answers need room. */
        public static long unparsedBytesMaxByDefault() {
            return DirectMemory.bytesMax() / 4;
        }
    }

    /**
     * HTTP/2 connections; beyond the budgets a connection ends with {@code ENHANCE_YOUR_CALM}.
     *
     * @param streamsMax concurrent streams
     * @param floodWindow in which frames are counted
     * @param resetsMax requests that one caller cancels in it, on all its connections; ten times as many once their
     *     answers have begun
     * @param controlFramesMax frames in it outside of requests, and WINDOW_UPDATE frames beyond what answers need
     * @param emptyFramesMax empty DATA frames in a row
     * @param continuationsMax small CONTINUATION frames of one head
     */
    public record Http2(
            int streamsMax,
            Duration floodWindow,
            int resetsMax,
            int controlFramesMax,
            int emptyFramesMax,
            int continuationsMax) {}

    /**
     * Bodies of requests.
     *
     * @param hostedBytesMax to a hosted cluster; then 413
     * @param proxiedBytesMax to an attached cluster; then 413
     * @param bytesPerSecondMin the slowest rate of an awaited body; below it 408
     * @param paceWindow the window of that rate
     */
    public record Bodies(int hostedBytesMax, long proxiedBytesMax, int bytesPerSecondMin, Duration paceWindow) {}

    /**
     * The heap for requests in progress; beyond it 429.
     *
     * @param bytesMax in the process
     * @param perClusterBytesMax of one cluster
     * @param perCallerBytesMax of one caller
     */
    public record Buffers(long bytesMax, long perClusterBytesMax, long perCallerBytesMax) {
        /** A quarter of the heap. */
        public static long bytesMaxByDefault() {
            return Runtime.getRuntime().maxMemory() / 4;
        }

        /**
         * A quarter of all for the bodies of one caller, enough for two of the maximum object size, and half as much
         * again for those of one cluster, which leaves room for its other callers.
         */
        public static Buffers of(long bytesMax) {
            return new Buffers(bytesMax, bytesMax / 8 * 3, bytesMax / 4);
        }
    }

    /**
     * Answers being sent.
     *
     * @param queueBytesMax the bytes that wait for the reader; then the source is held back
     * @param stallTimeout how long a full queue may make no progress; then the answer is aborted
     */
    public record Answers(int queueBytesMax, Duration stallTimeout) {}

    /**
     * Concurrent requests; beyond it 429.
     *
     * @param shortCallsMax short calls in total
     * @param shortCallsPerClusterMax short calls of one cluster
     * @param shortCallsPerCallerMax short calls of one caller in one cluster
     * @param watchesPerClusterMax watches of one cluster
     * @param upgradesPerClusterMax other long-running requests of one cluster: logs, proxied calls, upgraded streams
     */
    public record Shares(
            int shortCallsMax,
            int shortCallsPerClusterMax,
            int shortCallsPerCallerMax,
            int watchesPerClusterMax,
            int upgradesPerClusterMax) {}

    /**
     * Requests that wait for an attached cluster's impersonation review; beyond it 429.
     *
     * @param perClusterMax those of one cluster
     * @param perCallerMax those of one caller among them
     * @param timeout until the cluster has answered; then 504
     * @param lifetime how long its answer is held for true
     */
    public record Reviews(int perClusterMax, int perCallerMax, Duration timeout, Duration lifetime) {}
}
