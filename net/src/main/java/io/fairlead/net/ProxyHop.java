package io.fairlead.net;

/** The proxy on the way to one server. */
record ProxyHop(HttpProxy proxy, Endpoint endpoint) implements Hop {
    @Override
    public String host() {
        return proxy.host();
    }

    @Override
    public int port() {
        return proxy.port();
    }

    @Override
    public String toString() {
        return "the proxy " + proxy + " of " + endpoint;
    }
}
