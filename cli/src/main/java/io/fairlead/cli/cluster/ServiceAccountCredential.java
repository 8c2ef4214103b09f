package io.fairlead.cli.cluster;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.fairlead.cli.server.CommandFailure;
import io.fairlead.cli.server.FairleadClient;
import io.fairlead.cli.server.StatusFailure;
import io.fairlead.credentials.kubeconfig.Target;
import io.fairlead.model.ClusterName;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * A ServiceAccount with the least rights that Fairlead needs, created in a cluster by the caller's own kubectl, and its
 * token.
 */
final class ServiceAccountCredential {
    /** Annotation of a Cluster: namespace and name of the ServiceAccount created for it. */
    private static final String ANNOTATION = "fairlead.io/service-account";

    private static final String LIFETIME = "24h";

    private final ClusterName cluster;
    private final CallerIdentity identity;
    private final OwnKubectl kubectl;
    private boolean isMade;

    /** @param identity how callers are presented by it, which takes its rights */
    ServiceAccountCredential(ClusterName cluster, CallerIdentity identity, OwnKubectl kubectl) {
        this.cluster = cluster;
        this.identity = identity;
        this.kubectl = kubectl;
    }

    /** Creates it, or updates an existing one, and returns a server with its token. */
    Target make(Target server) throws CommandFailure {
        Path manifests = null;
        try {
            manifests = Files.createTempFile("fairlead-", ".yaml");
            Files.writeString(manifests, LeastPrivilege.ofServiceAccount(cluster, identity), UTF_8);
            OwnKubectl.End applied = kubectl.end("apply", "--filename", manifests.toString());
            isMade = applied.exitCode() == 0 || !applied.printed().isBlank();
            applied.orThrow();
        } catch (IOException cannotWrite) {
            throw CommandFailure.of("the manifests for kubectl cannot be written to the folder for temporary files");
        } finally {
            remove(manifests);
        }
        String token = kubectl.run(
                        "create",
                        "token",
                        identity.account(),
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

    /** Whether all or part of it exists: kubectl prints a line for each applied object. */
    boolean isMade() {
        return isMade;
    }

    /** Records in a Cluster, or in a patch of one, what was created for it. */
    static void note(ObjectNode registration, CallerIdentity identity) {
        registration
                .withObject("/metadata")
                .withObject("/annotations")
                .put(ANNOTATION, LeastPrivilege.NAMESPACE + "/" + identity.account());
    }

    /** Whether one was created for a Cluster. */
    static boolean isNotedIn(JsonNode registration) {
        return !noted(registration).isEmpty();
    }

    private static String noted(JsonNode registration) {
        return registration
                .path("metadata")
                .path("annotations")
                .path(ANNOTATION)
                .asString("");
    }

    /** How to remove what was created for a deleted Cluster, or which other one still needs it. Blocks. */
    static String removal(FairleadClient client, JsonNode registration) {
        Optional<String> user = otherUser(client, registration);
        return user.isEmpty()
                ? removal(noted(registration).substring(noted(registration).indexOf('/') + 1))
                : "the ServiceAccount that was made for it stays in the cluster: cluster \"" + user.get()
                        + "\" is the same one, and uses it";
    }

    /** Another registration of the same cluster that uses it, as far as the caller may read. */
    private static Optional<String> otherUser(FairleadClient client, JsonNode registration) {
        ClusterUid uid = ClusterUid.noted(registration);
        try {
            return Registrations.first(
                    client,
                    other -> noted(other).equals(noted(registration))
                            && !uid.isUnknown()
                            && uid.equals(ClusterUid.noted(other)));
        } catch (StatusFailure | CommandFailure notKnown) {
            // The Cluster is already deleted successfully; the advice itself names the condition.
            return Optional.empty();
        }
    }

    /** How to remove what was created. */
    String removal() {
        return removal(identity.account());
    }

    private static String removal(String name) {
        return "the ServiceAccount that was made for it stays in the cluster; with kubectl leading there, this removes"
                + " it, unless another registration of that cluster, in whichever Fairlead, uses it:\n"
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
