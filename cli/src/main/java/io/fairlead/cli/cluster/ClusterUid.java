package io.fairlead.cli.cluster;

import io.fairlead.cli.server.CommandFailure;
import io.fairlead.cli.server.FairleadClient;
import io.fairlead.cli.server.Paths;
import io.fairlead.cli.server.StatusFailure;
import io.fairlead.model.ClusterName;
import io.fairlead.model.Visible;
import io.fairlead.schema.json.Json;
import io.fairlead.schema.json.UnreadableDocumentException;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.Optional;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * Identifies the cluster of a registration by the uid of its namespace kube-system, which is assigned once per store.
 *
 * @param uid empty if unknown
 * @param why the reason, for people, such as "the API server answers 403"; empty if known
 */
record ClusterUid(String uid, String why) {
    /** Annotation of a Cluster: the uid at the time of attachment, for when its credential no longer works. */
    private static final String ANNOTATION = "fairlead.io/kube-system-uid";

    private static final String PATH = "/api/v1/namespaces/kube-system";

    /** What a command waits for a cluster that may hang. */
    private static final Duration PATIENCE = Duration.ofSeconds(10);

    private static final int UID_CHARS_MAX = 128;
    private static final int SAID_CHARS_MAX = 400;

    /**
     * Read from the cluster now. Blocks.
     *
     * @param timeout of the command; a cluster that hangs is given a part of it
     */
    static ClusterUid asked(FairleadClient client, ClusterName cluster, Duration timeout) throws CommandFailure {
        Duration patience = timeout.compareTo(PATIENCE) < 0 ? timeout : PATIENCE;
        Optional<HttpResponse<byte[]>> answer = client.fetch("/clusters/" + cluster + PATH, patience);
        if (answer.isEmpty()) {
            return unknown(
                    "the question for namespace kube-system is not answered within " + patience.toSeconds() + " s");
        }
        HttpResponse<byte[]> response = answer.get();
        if (StatusFailure.isOfPassthrough(response)) {
            return observed(client, cluster);
        }
        if (response.statusCode() != 200) {
            return unknown("the question for namespace kube-system is answered " + response.statusCode()
                    + said(response.body()));
        }
        try {
            return of(Json.read(response.body()).path("metadata").path("uid").asString(""));
        } catch (UnreadableDocumentException notKubernetes) {
            return of("");
        }
    }

    /** The message of a Status, which names the user as which Fairlead asked; empty if it is none. */
    private static String said(byte[] status) {
        try {
            String message = Visible.printable(Json.read(status).path("message").asString(""));
            return message.isEmpty() ? "" : ": " + message.substring(0, Math.min(message.length(), SAID_CHARS_MAX));
        } catch (UnreadableDocumentException notKubernetes) {
            return "";
        }
    }

    /** As Fairlead read it with its own credential, of a cluster that takes no other callers than its own. */
    private static ClusterUid observed(FairleadClient client, ClusterName cluster) throws CommandFailure {
        try {
            String uid = client.get(Paths.cluster(cluster))
                    .at("/status/identity/uid")
                    .asString("");
            return uid.isEmpty() ? unknown("Fairlead has not read namespace kube-system yet") : of(uid);
        } catch (StatusFailure refused) {
            return unknown("the registration is answered " + refused.code());
        }
    }

    /** Read from a registration's annotation. */
    static ClusterUid noted(JsonNode registration) {
        return of(registration
                .path("metadata")
                .path("annotations")
                .path(ANNOTATION)
                .asString(""));
    }

    /** Writes it to an existing registration, if it is known and the caller may. Blocks. */
    void note(FairleadClient client, ClusterName cluster) throws CommandFailure {
        if (isUnknown()) {
            return;
        }
        ObjectNode patch = Json.object();
        patch.putObject("metadata").putObject("annotations").put(ANNOTATION, uid);
        try {
            client.patch(Paths.cluster(cluster), patch);
        } catch (StatusFailure notNoted) {
            // It can be read again whenever the credential works.
            return;
        }
    }

    boolean isUnknown() {
        return uid.isEmpty();
    }

    /** This one, or the other if only that is known. */
    ClusterUid orElse(ClusterUid other) {
        return isUnknown() && !other.isUnknown() ? other : this;
    }

    private static ClusterUid of(String uid) {
        boolean isOne =
                !uid.isEmpty() && uid.length() <= UID_CHARS_MAX && uid.chars().allMatch(c -> c > ' ' && c <= '~');
        return isOne ? new ClusterUid(uid, "") : unknown("namespace kube-system is answered without a uid");
    }

    private static ClusterUid unknown(String why) {
        return new ClusterUid("", why);
    }
}
