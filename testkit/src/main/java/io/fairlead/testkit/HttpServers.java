package io.fairlead.testkit;

import com.sun.net.httpserver.HttpServer;

/** The end of the JDK's HTTP server, which tests use for servers that are asked. */
public final class HttpServers {
    private HttpServers() {}

    /**
     * Stops a server and closes all its connections. {@link HttpServer#stop} closes those that there are and only then waits for the
     * thread that accepts them, which may accept one more meanwhile: the second call finds it.
     */
    public static void stop(HttpServer server) {
        server.stop(0);
        server.stop(0);
    }
}
