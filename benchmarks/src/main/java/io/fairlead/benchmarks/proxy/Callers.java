package io.fairlead.benchmarks.proxy;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/** Who asks the gateway, by their tokens. */
final class Callers {
    static final String ADMINISTRATOR = "benchmark";
    static final String ANN = "benchmark-ann";

    /** The file of tokens. */
    static final String TOKENS = ADMINISTRATOR + ",benchmark,1,\"system:masters\"\n" + ANN + ",ann,2,\"devs\"\n";

    private Callers() {}

    /** Lets the caller who is no administrator enter all clusters, by the root cluster's RBAC. */
    static void letAnnIn(Workshop workshop, String url) throws IOException, InterruptedException {
        create(workshop, url, "clusterroles", "role.json");
        create(workshop, url, "clusterrolebindings", "binding.json");
    }

    /** Waits until the administrator gets what is at a URL: a gateway that has just started does not know its clusters yet. */
    static void awaitAnswer(Workshop workshop, String url) throws IOException, InterruptedException {
        ask(workshop, url);
    }

    private static void create(Workshop workshop, String url, String resource, String object)
            throws IOException, InterruptedException {
        ask(
                workshop,
                url + "/apis/rbac.authorization.k8s.io/v1/" + resource,
                "-H",
                "Content-Type: application/json",
                "--data-binary",
                "@" + workshop.write(object, object));
    }

    /** As the administrator, again each second for a while if it fails. */
    private static void ask(Workshop workshop, String url, String... options) throws IOException, InterruptedException {
        List<String> command = new ArrayList<>(List.of(
                "curl",
                "-sS",
                "--fail-with-body",
                "--retry",
                "20",
                "--retry-all-errors",
                "--retry-delay",
                "1",
                "--cacert",
                workshop.path("cert.pem").toString(),
                "-H",
                "Authorization: Bearer " + ADMINISTRATOR));
        command.addAll(List.of(options));
        command.add(url);
        workshop.run("curl", Workshop.LOAD_CPU, command);
    }
}
