package io.fairlead.ittests;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import io.fairlead.ittests.HttpProbe.Answer;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Predicate;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * All objects of a cluster as the lists of each resource show them that discovery names, in each version.
 *
 * @param objects by {@code PATH NAMESPACE/NAME}, the path being that of the resource's lists
 */
record ArchivedState(Map<String, JsonObject> objects) {
    /** The certificates that verify a server, in each namespace: another server has others. */
    private static final Pattern CERTIFICATES = Pattern.compile("/api/v1/configmaps [a-z-]+/kube-root-ca.crt");

    /** Where a server is, which the cluster of an archive is told anew. */
    private static final Pattern WHEREABOUTS = Pattern.compile(
            "(/api/v1/services|/api/v1/endpoints|/apis/discovery.k8s.io/v1/endpointslices) default/kubernetes");

    /** What the root cluster notes of each start of its server. */
    private static final Pattern TRANSITIONS =
            Pattern.compile("/api/v1/configmaps fairlead-system/cluster-transitions-[a-z0-9-]+");

    /**
     * Registrations, whose status says when this server looked at the cluster last, by which port it is reached, and how soon after
     * its start it knew the cluster's types.
     */
    private static final Pattern REGISTRATIONS = Pattern.compile("/apis/fairlead.io/v1alpha1/clusters /[a-z0-9-]+");

    /** Those at exactly a revision. */
    static ArchivedState at(HttpProbe probe, String base, long revision) throws IOException, InterruptedException {
        return listed(probe, base, "?resourceVersion=" + revision + "&resourceVersionMatch=Exact");
    }

    /** Those of now. */
    static ArchivedState now(HttpProbe probe, String base) throws IOException, InterruptedException {
        return listed(probe, base, "");
    }

    /** What is in one of both only, or not the same in both; resourceVersions are left out of the comparison if so wanted. */
    List<String> differences(ArchivedState other, boolean withVersions) {
        var keys = new TreeSet<>(objects.keySet());
        keys.addAll(other.objects.keySet());
        var differences = new ArrayList<String>();
        for (String key : keys) {
            JsonObject one = compared(key, objects.get(key), withVersions);
            JsonObject another = compared(key, other.objects.get(key), withVersions);
            if (!one.equals(another)) {
                differences.add("%n%s%n  %s%n  %s".formatted(key, one, another));
            }
        }
        return differences;
    }

    /** How many objects have what is asked for. */
    long count(Predicate<JsonObject> has) {
        return objects.values().stream().filter(has).count();
    }

    /** The resources of a cluster that can be listed. */
    static List<String> resources(HttpProbe probe, String base) throws IOException, InterruptedException {
        var versions = new ArrayList<>(List.of("/api/v1"));
        for (JsonElement group : ask(probe, base + "/apis").getAsJsonArray("groups")) {
            for (JsonElement version : group.getAsJsonObject().getAsJsonArray("versions")) {
                versions.add(
                        "/apis/" + version.getAsJsonObject().get("groupVersion").getAsString());
            }
        }
        var resources = new ArrayList<String>();
        for (String version : versions) {
            for (JsonElement resource : ask(probe, base + version).getAsJsonArray("resources")) {
                if (resource.getAsJsonObject().get("verbs").toString().contains("\"list\"")) {
                    resources.add(version + "/"
                            + resource.getAsJsonObject().get("name").getAsString());
                }
            }
        }
        return resources;
    }

    private static ArchivedState listed(HttpProbe probe, String base, String query)
            throws IOException, InterruptedException {
        var objects = new TreeMap<String, JsonObject>();
        for (String resource : resources(probe, base)) {
            for (JsonElement item : ask(probe, base + resource + query).getAsJsonArray("items")) {
                JsonObject metadata = item.getAsJsonObject().getAsJsonObject("metadata");
                String namespace =
                        metadata.has("namespace") ? metadata.get("namespace").getAsString() : "";
                String key =
                        resource + " " + namespace + "/" + metadata.get("name").getAsString();
                assertThat(objects.put(key, item.getAsJsonObject())).as(key).isNull();
            }
        }
        return new ArchivedState(objects);
    }

    /** Without what a server keeps up to date by itself; empty if it is not there. */
    private static JsonObject compared(String key, @Nullable JsonObject object, boolean withVersions) {
        if (object == null) {
            return new JsonObject();
        }
        JsonObject compared = object.deepCopy();
        JsonObject metadata = compared.getAsJsonObject("metadata");
        boolean hasOwnData =
                CERTIFICATES.matcher(key).matches() || TRANSITIONS.matcher(key).matches();
        boolean isRegistration = REGISTRATIONS.matcher(key).matches();
        if (!withVersions && WHEREABOUTS.matcher(key).matches()) {
            return metadata.getAsJsonObject("labels");
        }
        if (hasOwnData) {
            compared.remove("data");
        }
        if (isRegistration) {
            metadata.remove("managedFields");
            JsonObject status = compared.getAsJsonObject("status");
            status.remove("lastSyncTime");
            status.remove("url");
            status.getAsJsonArray("conditions")
                    .forEach(condition -> condition.getAsJsonObject().remove("lastTransitionTime"));
        }
        if (!withVersions || hasOwnData || isRegistration) {
            metadata.remove("resourceVersion");
        }
        return compared;
    }

    private static JsonObject ask(HttpProbe probe, String path) throws IOException, InterruptedException {
        Answer answer = probe.get(path);
        assertThat(answer.status()).as("%s: %s", path, answer.body()).isEqualTo(200);
        return JsonParser.parseString(answer.body()).getAsJsonObject();
    }
}
