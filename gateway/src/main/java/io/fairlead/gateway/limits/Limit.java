package io.fairlead.gateway.limits;

/** A bound that a client can reach, by the key of the configuration that sets it. */
public enum Limit {
    CONNECTIONS("connectionsMax"),
    CONNECTIONS_PER_ADDRESS("connectionsPerAddressMax"),
    CONNECTIONS_PER_CALLER("connectionsPerCallerMax"),
    HANDSHAKE_TIMEOUT("handshakeTimeout"),
    CONNECTION_IDLE_TIMEOUT("connectionIdleTimeout"),
    HEAD_TIMEOUT("headTimeout"),
    TARGET_BYTES("targetBytesMax"),
    HEAD_BYTES("headBytesMax"),
    HEADER_FIELDS("headerFieldsMax"),
    UNPARSED_BYTES("unparsedBytesMax"),
    UNREAD_BYTES("unreadBytesMax"),
    STREAM_RESETS("streamResetsMax"),
    CONTROL_FRAMES("controlFramesMax"),
    EMPTY_FRAMES("emptyFramesMax"),
    CONTINUATIONS("continuationsMax"),
    BODY_PACE("bodyBytesPerSecondMin"),
    STALLED_READER("stalledReaderTimeout"),
    BUFFERED_BYTES("bufferedBytesMax"),
    BUFFERED_BYTES_PER_CLUSTER("bufferedBytesPerClusterMax"),
    BUFFERED_BYTES_PER_CALLER("bufferedBytesPerCallerMax"),
    FAILED_AUTHENTICATIONS("failedAuthenticationsPerSecondMax"),
    SHORT_CALLS("shortCallsMax"),
    SHORT_CALLS_PER_CLUSTER("shortCallsPerClusterMax"),
    SHORT_CALLS_PER_CALLER("shortCallsPerCallerMax"),
    GATEWAY_CALLS_PER_CALLER("gatewayCallsPerCallerMax"),
    QUEUED_BYTES("queuedBytesMax"),
    QUEUED_BYTES_PER_CLUSTER("queuedBytesPerClusterMax"),
    WATCHES_PER_CLUSTER("watchesPerClusterMax"),
    WATCHES_PER_CALLER("watchesPerCallerMax"),
    LONG_RUNNING_BYTES("longRunningBytesMax"),
    LONG_RUNNING_BYTES_PER_CLUSTER("longRunningBytesPerClusterMax"),
    LONG_RUNNING_BYTES_PER_CALLER("longRunningBytesPerCallerMax"),
    UPGRADES_PER_CLUSTER("upgradesPerClusterMax"),
    UPGRADES_PER_CALLER("upgradesPerCallerMax"),
    ACCESS_REVIEWS_PER_CLUSTER("accessReviewsPerClusterMax"),
    ACCESS_REVIEWS_PER_CALLER("accessReviewsPerCallerMax"),
    TOKEN_REVIEWS_PER_CLUSTER("tokenReviewsPerClusterMax"),
    AUDITED_UNKNOWN_CALLERS("auditedUnknownCallersPerSecondMax"),
    TRACES_ASKED_FOR("tracesAskedForPerSecondMax");

    private final String key;

    Limit(String key) {
        this.key = "limits." + key;
    }

    /** Its configuration key ({@code limits.shortCallsMax}). */
    public String key() {
        return key;
    }
}
