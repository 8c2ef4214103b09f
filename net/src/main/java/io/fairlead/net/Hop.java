package io.fairlead.net;

/** The target of a TCP connection on the way to an API server; its text names it in failures. */
sealed interface Hop permits Endpoint, ProxyHop {
    /** A name, or an address without brackets. */
    String host();

    int port();
}
