package io.fairlead.gateway.publication;

/** How a request came in; only {@link Publications} makes one. Immutable. */
public sealed interface Arrival {
    /** To a host name of the gateway, whose own credentials count, and no header that names a user. */
    record Direct() implements Arrival {
        static final Direct INSTANCE = new Direct();
    }

    /** To a published name, from the front proxy of the target cluster. */
    record Proxied(Publication publication) implements Arrival {}

    /**
     * To a published name, from a client that proved to be no front proxy: it is let in to nothing.
     *
     * @param why in one word, for the log
     */
    record Unproven(String why) implements Arrival {}
}
