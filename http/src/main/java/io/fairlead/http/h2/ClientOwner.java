package io.fairlead.http.h2;

/** The client behind a {@link ClientSession}. On its thread. */
public interface ClientOwner extends Http2Owner {
    /**
     * The server's settings came, the first or later ones.
     *
     * @param streamsMax concurrent requests that it takes
     */
    void settled(long streamsMax);

    /** The server takes no further requests; those that it did not look at have been reset as refused. */
    void goneAway();
}
