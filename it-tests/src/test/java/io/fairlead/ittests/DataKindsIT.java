package io.fairlead.ittests;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.gson.Gson;
import com.google.gson.GsonBuilder;
import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import com.google.gson.ToNumberPolicy;
import java.io.InputStream;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.yaml.snakeyaml.Yaml;

/**
 * The built-in kinds that hosted clusters serve as data are served as a real kube-apiserver serves them, without controllers: the
 * same objects with the same defaults, status and managed fields, the same refusals with the same causes, the same tables.
 */
final class DataKindsIT {
    private static final Gson GSON = new GsonBuilder()
            .setObjectToNumberStrategy(ToNumberPolicy.LONG_OR_DOUBLE)
            .create();
    /** What two servers cannot have in common: uids, times, and the addresses and ports that services are given. */
    private static final Pattern OWN = Pattern.compile("[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}"
            + "|\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\dZ|\"\\d+s\""
            + "|10\\.(?:0|9[6-9]|10\\d|11[01])\\.\\d+\\.\\d+|3[012]\\d{3}(?!\\d)");

    /**
     * What is not compared, with the reason: kube-apiserver's own controller writes the status of a FlowSchema at any time; it
     * refuses each change of a ControllerRevision, whose data it finds changed by being read; a job's template is shown in
     * a refusal as Go writes it; the Table of IPAddresses has a cell more than columns; the attacher's column has a format.
     */
    private static final Pattern DIFFERENT = Pattern.compile(
            "(PATCH|PUT|GET) .*/(flowschemas|prioritylevelconfigurations|controllerrevisions)/.*|PUT .*/jobs/.*"
                    + "|GET .*/(ipaddresses|volumeattachments)/.*");

    private final List<String> differences = new ArrayList<>();
    private int asked;

    @Test
    void everyKind_isServedAsKubeApiserverServesIt() throws Exception {
        try (var twins = TwinClusters.startWithEveryKind("DataKindsIT", List.of(TwinClusters.ADMIN))) {
            JsonObject resources = resources(twins);
            try (InputStream text = Objects.requireNonNull(getClass().getResourceAsStream("data-objects.yaml"))) {
                for (Object object : new Yaml().loadAll(text)) {
                    live(twins, resources, GSON.toJsonTree(object).getAsJsonObject());
                }
            }
        }

        assertThat(differences).isEmpty();
        assertThat(asked).isGreaterThan(300);
    }

    /** One object's whole life: created, changed in each way, shown, scaled, replaced, deleted. */
    private void live(TwinClusters twins, JsonObject resources, JsonObject object) throws Exception {
        String apiVersion = object.get("apiVersion").getAsString();
        String kind = object.get("kind").getAsString();
        JsonObject resource = Objects.requireNonNull(resources.getAsJsonObject(apiVersion + " " + kind), kind);
        String collection = (apiVersion.equals("v1") ? "/api/v1" : "/apis/" + apiVersion)
                + (resource.get("namespaced").getAsBoolean() ? "/namespaces/default/" : "/")
                + resource.get("name").getAsString();
        String path = collection + "/"
                + object.getAsJsonObject("metadata").get("name").getAsString();
        String json = object.toString();
        if (compare(twins, "POST", collection + "?fieldManager=one", "application/json", json) != 201) {
            return;
        }
        String merge = "application/merge-patch+json";
        compare(twins, "PATCH", path + "?fieldManager=one", merge, "{\"metadata\":{\"labels\":{\"x\":\"y\"}}}");
        if (has(resources, apiVersion, resource, "status")) {
            compare(twins, "PATCH", path + "/status?fieldManager=two", merge, "{\"status\":{}}");
        }
        compareTables(twins, path);
        compare(twins, "PATCH", path + "?fieldManager=three", "application/apply-patch+yaml", json);
        compare(twins, "PUT", path + "?fieldManager=one", "application/json", json);
        if (has(resources, apiVersion, resource, "scale")) {
            compare(twins, "GET", path + "/scale", merge, "");
            compare(twins, "PATCH", path + "/scale?fieldManager=four", merge, "{\"spec\":{\"replicas\":2}}");
            compare(twins, "PATCH", path + "/scale", merge, "{\"spec\":{\"replicas\":-2}}");
        }
        compare(twins, "DELETE", path, "application/json", "{\"gracePeriodSeconds\":0}");
    }

    private static boolean has(JsonObject resources, String apiVersion, JsonObject resource, String subresource) {
        return resources.has(apiVersion + " " + resource.get("name").getAsString() + "/" + subresource);
    }

    private int compare(TwinClusters twins, String method, String target, String type, String body) throws Exception {
        var request = new TwinClusters.Request(TwinClusters.ADMIN, method, target, type, body);
        return compare(request, twins.ask(request));
    }

    private void compareTables(TwinClusters twins, String path) throws Exception {
        var request = new TwinClusters.Request(TwinClusters.ADMIN, "GET", path, "application/json", "");
        compare(request, twins.askForTables(request));
    }

    private int compare(TwinClusters.Request request, TwinClusters.Answers answers) {
        String kube = ComparedAnswers.text(request, common(answers.kube()));
        String hosted = ComparedAnswers.text(request, common(answers.hosted()));
        asked++;
        if (!kube.equals(hosted)
                && !DIFFERENT.matcher(request.method() + " " + request.target()).matches()) {
            differences.add("%n%s%n  kube   %s%n  hosted %s".formatted(request, kube, hosted));
        }
        return answers.kube().status();
    }

    /** What both can have in common; of a Table not the descriptions of its columns, and not its objects. */
    private static TwinClusters.Answer common(TwinClusters.Answer answer) {
        JsonObject body = JsonParser.parseString(answer.body()).getAsJsonObject();
        if (body.has("columnDefinitions")) {
            body.getAsJsonArray("columnDefinitions")
                    .forEach(column -> column.getAsJsonObject().remove("description"));
            body.getAsJsonArray("rows").forEach(row -> row.getAsJsonObject().remove("object"));
        }
        return new TwinClusters.Answer(
                answer.status(), OWN.matcher(body.toString()).replaceAll("1"));
    }

    /** What discovery says of each kind, and of each subresource, which is what kube-apiserver says of it. */
    private static JsonObject resources(TwinClusters twins) throws Exception {
        JsonObject resources = new JsonObject();
        List<String> versions = new ArrayList<>(List.of("v1"));
        JsonObject groups = ask(twins, "/apis", true);
        for (JsonElement group : groups.getAsJsonArray("groups")) {
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
                String key = name.contains("/") ? name : described.get("kind").getAsString();
                resources.add(version + " " + key, described);
            }
        }
        return resources;
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
