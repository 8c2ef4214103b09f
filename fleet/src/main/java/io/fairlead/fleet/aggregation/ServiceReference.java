package io.fairlead.fleet.aggregation;

import io.fairlead.hosted.ApiService;

/**
 * A port of a Service of a hosted cluster that something of the cluster leads to.
 *
 * @param port of the Service
 */
record ServiceReference(String namespace, String name, int port) {
    static ServiceReference of(ApiService service) {
        return new ServiceReference(service.namespace(), service.service(), service.port());
    }

    /** The host name that the certificate of what answers there must be for. */
    String serverName() {
        return name + "." + namespace + ".svc";
    }

    @Override
    public String toString() {
        return "service/" + name + " in \"" + namespace + "\"";
    }
}
