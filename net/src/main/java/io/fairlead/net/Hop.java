package io.fairlead.net;

/** Where a TCP connection is made to on the way to an API server; its text names it in failures. */
sealed interface Hop permits Endpoint, ProxyHop {
    /** A name, or an address without brackets. */
    String host();

    int port();
}
