package io.fairlead.cli.cluster;

import io.fairlead.cli.server.CommandFailure;
import io.fairlead.cli.server.FairleadClient;
import io.fairlead.cli.server.Paths;
import io.fairlead.cli.server.StatusFailure;
import io.fairlead.model.ClusterName;
import io.fairlead.schema.json.Json;
import io.fairlead.schema.json.UnreadableDocumentException;
import java.net.http.HttpResponse;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * Which cluster a registration leads to: the uid of its namespace kube-system, which is given once for a store.
 *
 * @param uid empty if it is not known
 * @param why why it is not, for people, as "the API server answers 403"; empty if it is
 */
record ClusterUid(String uid, String why) {
    /** Of a Cluster: the uid that was found when it was attached, for when its credential is of no use any more. */
    private static final String ANNOTATION = "fairlead.io/kube-system-uid";

    private static final String PATH = "/api/v1/namespaces/kube-system";
    private static final int UID_CHARS_MAX = 128;

    /** As the cluster says now. Blocks. */
    static ClusterUid asked(FairleadClient client, ClusterName cluster) throws CommandFailure {
        HttpResponse<byte[]> response = client.fetch("/clusters/" + cluster + PATH);
        if (response.statusCode() != 200) {
            return unknown("the question for namespace kube-system is answered " + response.statusCode());
        }
        try {
            return of(Json.read(response.body()).path("metadata").path("uid").asString(""));
        } catch (UnreadableDocumentException notKubernetes) {
            return of("");
        }
    }

    /** As a registration notes it. */
    static ClusterUid noted(JsonNode registration) {
        return of(registration
                .path("metadata")
                .path("annotations")
                .path(ANNOTATION)
                .asString(""));
    }

    /** Notes it in a registration that there is, if it is known and the caller may. Blocks. */
    void note(FairleadClient client, ClusterName cluster) throws CommandFailure {
        if (isUnknown()) {
            return;
        }
        ObjectNode patch = Json.object();
        patch.putObject("metadata").putObject("annotations").put(ANNOTATION, uid);
        try {
            client.patch(Paths.cluster(cluster), patch);
        } catch (StatusFailure notNoted) {
            // The cluster says it again whenever its credential works.
            return;
        }
    }

    boolean isUnknown() {
        return uid.isEmpty();
    }

    /** This one, or another if this is not known and that is. */
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
