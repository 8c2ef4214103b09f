package io.fairlead.cli.cluster;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.fairlead.cli.server.CommandFailure;
import io.fairlead.credentials.kubeconfig.Target;
import io.fairlead.model.ClusterName;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** A ServiceAccount with the least rights that Fairlead needs, made in a cluster by the caller's own kubectl, and its token. */
final class ServiceAccountCredential {
    /** Of a Cluster: namespace and name of the ServiceAccount that was made for it. */
    private static final String ANNOTATION = "fairlead.io/service-account";

    private static final String LIFETIME = "24h";

    private final ClusterName cluster;
    private final OwnKubectl kubectl;

    ServiceAccountCredential(ClusterName cluster, OwnKubectl kubectl) {
        this.cluster = cluster;
        this.kubectl = kubectl;
    }

    /** Makes it, or has it as it shall be where there is one, and answers a server with its token. */
    Target make(Target server) throws CommandFailure {
        Path manifests = null;
        try {
            manifests = Files.createTempFile("fairlead-", ".yaml");
            Files.writeString(manifests, LeastPrivilege.ofServiceAccount(cluster), UTF_8);
            kubectl.run("apply", "--filename", manifests.toString());
        } catch (IOException cannotWrite) {
            throw CommandFailure.of("the manifests for kubectl cannot be written to the folder for temporary files");
        } finally {
            remove(manifests);
        }
        String token = kubectl.run(
                        "create",
                        "token",
                        LeastPrivilege.ACCOUNT,
                        "--namespace",
                        LeastPrivilege.NAMESPACE,
                        "--duration",
                        LIFETIME)
                .strip();
        if (token.isEmpty()) {
            throw CommandFailure.of("'kubectl create token' printed no token (expected kubectl 1.24 or newer)");
        }
        return server.withToken(token);
    }

    /** Notes in a Cluster, or in a patch of one, what was made for it. */
    static void note(ObjectNode registration) {
        registration
                .withObject("/metadata")
                .withObject("/annotations")
                .put(ANNOTATION, LeastPrivilege.NAMESPACE + "/" + LeastPrivilege.ACCOUNT);
    }

    /** Whether one was made for a Cluster. */
    static boolean isNotedIn(JsonNode registration) {
        return registration.path("metadata").path("annotations").has(ANNOTATION);
    }

    /** How what was made is removed again. */
    static String removal() {
        String name = LeastPrivilege.ACCOUNT;
        return "the ServiceAccount that was made for it stays in the cluster; with kubectl leading there, this removes"
                + " it:\n"
                + "  kubectl delete --ignore-not-found"
                + " clusterrolebinding/" + name + " clusterrole/" + name + "\n"
                + "  kubectl --namespace " + LeastPrivilege.NAMESPACE + " delete --ignore-not-found rolebinding/" + name
                + " role/" + name
                + " serviceaccount/" + name + "\n"
                + "  kubectl delete --ignore-not-found namespace/" + LeastPrivilege.NAMESPACE
                + "   # if nothing else is in it";
    }

    private static void remove(@Nullable Path file) throws CommandFailure {
        try {
            if (file != null) {
                Files.deleteIfExists(file);
            }
        } catch (IOException stays) {
            throw CommandFailure.of(file + " cannot be deleted");
        }
    }
}
