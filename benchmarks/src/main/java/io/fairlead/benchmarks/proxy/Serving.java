package io.fairlead.benchmarks.proxy;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** How the gateway is started: with every default on but what a benchmark cannot do with. */
final class Serving {
    private Serving() {}

    /**
     * A command that serves the clusters of the workshop.
     *
     * @param data the name of its data directory in the workshop
     * @param flags further ones
     */
    static List<String> command(Workshop workshop, Path launcher, String data, int port, List<String> flags) {
        List<String> command = new ArrayList<>(List.of(
                launcher.toString(),
                "serve",
                "--data-dir",
                workshop.path(data).toString(),
                "--clusters-dir",
                workshop.path("clusters").toString(),
                "--secure-port",
                Integer.toString(port),
                "--metrics-address",
                "off",
                "--shutdown-delay",
                "0s",
                // Each load ends by leaving with its requests under way.
                "--limits-stream-resets-max",
                "1000000",
                "--token-auth-file",
                workshop.path("tokens").toString(),
                "--client-ca-file",
                workshop.path("callers.pem").toString(),
                "--tls-cert-file",
                workshop.path("cert.pem").toString(),
                "--tls-private-key-file",
                workshop.path("cert.key").toString()));
        command.addAll(flags);
        return command;
    }
}
