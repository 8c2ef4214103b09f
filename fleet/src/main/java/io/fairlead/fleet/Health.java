package io.fairlead.fleet;

/** Whether the conditions Ready and Available of a cluster are true. */
public record Health(boolean isReady, boolean isAvailable) {}
