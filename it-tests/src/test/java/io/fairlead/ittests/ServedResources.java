package io.fairlead.ittests;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;

/** The resources of a hosted cluster by the kinds of their objects, as discovery says them, which is as kube-apiserver says them. */
final class ServedResources {
    private final Map<String, JsonObject> described = new TreeMap<>();
    private final Set<String> subresources = new HashSet<>();

    private ServedResources() {}

    /** A resource of a version. */
    record Served(String apiVersion, String plural, boolean namespaced, Set<String> subresources) {
        /** The path of all its objects, in one namespace if they have one. */
        String collection(String namespace) {
            String version = apiVersion.equals("v1") ? "/api/v1" : "/apis/" + apiVersion;
            return version + (namespaced ? "/namespaces/" + namespace + "/" : "/") + plural;
        }
    }

    /** What both serve; a difference fails the test. */
    static ServedResources of(TwinClusters twins) throws Exception {
        var resources = new ServedResources();
        List<String> versions = new ArrayList<>(List.of("v1"));
        for (JsonElement group : ask(twins, "/apis", true).getAsJsonArray("groups")) {
            for (JsonElement version : group.getAsJsonObject().getAsJsonArray("versions")) {
                versions.add(version.getAsJsonObject().get("groupVersion").getAsString());
            }
        }
        for (String version : versions) {
            String path = version.equals("v1") ? "/api/v1" : "/apis/" + version;
            Map<String, JsonObject> ofKube = byName(ask(twins, path, false));
            for (JsonObject described : byName(ask(twins, path, true)).values()) {
                String name = described.get("name").getAsString();
                assertThat(described).as("%s in %s", name, version).isEqualTo(ofKube.get(name));
                resources.add(version, name, described);
            }
        }
        return resources;
    }

    private void add(String version, String name, JsonObject resource) {
        if (name.contains("/")) {
            subresources.add(version + " " + name);
        } else {
            described.put(version + " " + resource.get("kind").getAsString(), resource);
        }
    }

    /** The resource of an object. */
    Served of(JsonObject object) {
        String apiVersion = object.get("apiVersion").getAsString();
        String kind = object.get("kind").getAsString();
        JsonObject resource = Objects.requireNonNull(described.get(apiVersion + " " + kind), kind);
        String plural = resource.get("name").getAsString();
        Set<String> own = new HashSet<>(Set.of("status", "scale"));
        own.removeIf(name -> !subresources.contains(apiVersion + " " + plural + "/" + name));
        return new Served(apiVersion, plural, resource.get("namespaced").getAsBoolean(), own);
    }

    private static JsonObject ask(TwinClusters twins, String path, boolean hosted) throws Exception {
        var answers = twins.ask(new TwinClusters.Request(TwinClusters.ADMIN, "GET", path, "application/json", ""));
        String body = (hosted ? answers.hosted() : answers.kube()).body();
        return JsonParser.parseString(body).getAsJsonObject();
    }

    /** The resources of a version, verbs in order. */
    private static Map<String, JsonObject> byName(JsonObject list) {
        Map<String, JsonObject> resources = new TreeMap<>();
        for (JsonElement element : list.getAsJsonArray("resources")) {
            JsonObject resource = element.getAsJsonObject();
            List<String> verbs = new ArrayList<>();
            resource.remove("verbs").getAsJsonArray().forEach(verb -> verbs.add(verb.getAsString()));
            resource.remove(
                    "storageVersionHash"); // of the version that kube-apiserver stores, which may be an older one
            resource.addProperty("verbs", verbs.stream().sorted().toList().toString());
            resources.put(resource.get("name").getAsString(), resource);
        }
        return resources;
    }
}
