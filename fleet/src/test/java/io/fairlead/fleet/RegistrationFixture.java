package io.fairlead.fleet;

import static io.fairlead.fleet.root.RootCluster.ADMIN;
import static io.fairlead.fleet.root.RootCluster.CLUSTERS;
import static io.fairlead.fleet.root.RootCluster.REGISTRAR;

import io.fairlead.fleet.root.RootCluster;
import io.fairlead.fleet.root.RootCluster.Answer;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;

/** A root cluster whose callers may read some Secrets and not others. */
abstract class RegistrationFixture {
    static final String REFUSED = "https://169.254.169.254";

    final RootCluster root = new RootCluster(
            endpoint -> endpoint.equals(REFUSED) ? Optional.of("never connected to") : Optional.empty());

    @BeforeEach
    void storeSecrets() {
        root.secret("shared", "token", "t0ken");
        root.secret("private", "token", "t0ken");
    }

    @AfterEach
    void close() {
        root.close();
    }

    Answer create(String name, String spec) {
        return root.send(REGISTRAR, "POST", CLUSTERS, cluster(name, spec));
    }

    Answer createAsAdmin(String name, String spec) {
        return root.send(ADMIN, "POST", CLUSTERS, cluster(name, spec));
    }

    Answer patch(String change) {
        return root.send(REGISTRAR, "PATCH", CLUSTERS + "/prod", change);
    }

    static String attached(String endpoint, String secret) {
        return "{attached: " + server(endpoint, secret) + "}";
    }

    static String server(String endpoint, String secret) {
        return "{endpoints: ['" + endpoint + "'], credentialSecretRef: {name: " + secret + "}}";
    }

    static String cluster(String name, String spec) {
        return "{apiVersion: fairlead.io/v1alpha1, kind: Cluster, metadata: {name: " + name + "}, spec: " + spec + "}";
    }

    static String kubeconfig(String cluster, String user, String context) {
        return """
            apiVersion: v1
            kind: Config
            clusters: [{name: c, cluster: {%s}}]
            users: [{name: u, user: {%s}}]
            contexts: [{name: c, context: {cluster: c, user: u}}]
            current-context: '%s'
            """.formatted(cluster, user, context);
    }
}
