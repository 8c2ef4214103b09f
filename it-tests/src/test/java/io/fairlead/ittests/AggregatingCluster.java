package io.fairlead.ittests;

import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.function.Function;

/** A cluster into which APIServices take the groups of backends, as users and plain requests reach it. */
final class AggregatingCluster {
    static final String AGGREGATED = "application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList";

    private static final Duration SOON = Duration.ofSeconds(40);

    private final String name;
    private final String url;
    private final NetworkProbe probe;
    private final Kubectl admin;
    private final Map<String, Kubectl> users = new TreeMap<>();

    /**
     * One that is reached from within a network.
     *
     * @param kubeconfigs makes the kubeconfig of a user
     */
    AggregatingCluster(
            String name,
            String url,
            NetworkNamespace network,
            NetworkProbe probe,
            Path folder,
            Function<KubeCluster.User, Path> kubeconfigs) {
        this.name = name;
        this.url = url;
        this.probe = probe;
        for (KubeCluster.User user : AggregatedClusters.USERS) {
            users.put(
                    user.name(),
                    new Kubectl(folder.resolve(name + "-" + user.name()), kubeconfigs.apply(user), network));
        }
        admin = kubectl(AggregatedClusters.ADMIN);
    }

    Kubectl admin() {
        return admin;
    }

    Kubectl kubectl(KubeCluster.User user) {
        return Objects.requireNonNull(users.get(user.name()), user.name());
    }

    void apply(String manifests) {
        admin.succeedWith(manifests, "apply", "-f", "-");
    }

    NetworkProbe.Answer get(KubeCluster.User user, String path) {
        return ask(user, "GET", path, Map.of(), "");
    }

    NetworkProbe.Answer ask(
            KubeCluster.User user, String method, String path, Map<String, String> headers, String body) {
        Map<String, String> all = new TreeMap<>(Map.of("Accept", "application/json"));
        all.put("Authorization", "Bearer " + user.token());
        all.putAll(headers);
        return probe.ask(new NetworkProbe.Request(url, method, path, all, body));
    }

    /** JSON that the administrator gets. */
    JsonObject document(String path, String accept) {
        NetworkProbe.Answer answer = ask(AggregatedClusters.ADMIN, "GET", path, Map.of("Accept", accept), "");
        if (answer.status() != 200) {
            throw new AssertionError(this + ": " + path + ": " + answer);
        }
        return JsonParser.parseString(answer.body()).getAsJsonObject();
    }

    JsonObject document(String path) {
        return document(path, "application/json");
    }

    /** What is listed of a group in {@code /apis}; an empty object if it is not there. */
    JsonObject listedGroup(String group) {
        return document("/apis").getAsJsonArray("groups").asList().stream()
                .map(JsonElement::getAsJsonObject)
                .filter(each -> each.get("name").getAsString().equals(group))
                .findFirst()
                .orElseGet(JsonObject::new);
    }

    /** What aggregated discovery says of a group; an empty object if it is not there. */
    JsonObject aggregatedGroup(String group) {
        return document("/apis", AGGREGATED).getAsJsonArray("items").asList().stream()
                .map(JsonElement::getAsJsonObject)
                .filter(each -> each.getAsJsonObject("metadata")
                        .get("name")
                        .getAsString()
                        .equals(group))
                .findFirst()
                .orElseGet(JsonObject::new);
    }

    /** The names of all groups as {@code /apis} orders them. */
    List<String> groups() {
        return document("/apis").getAsJsonArray("groups").asList().stream()
                .map(each -> each.getAsJsonObject().get("name").getAsString())
                .toList();
    }

    /** Where OpenAPI documents are. */
    List<String> described() {
        return document("/openapi/v3").getAsJsonObject("paths").keySet().stream()
                .sorted()
                .toList();
    }

    Availability availability(String apiService) {
        return Availability.of(apiService(apiService));
    }

    JsonObject apiService(String name) {
        return document("/apis/apiregistration.k8s.io/v1/apiservices/" + name);
    }

    void await(String apiService, Availability expected) {
        Await.untilNothing(this + ": " + apiService + " says " + expected, SOON, () -> {
            Availability now = availability(apiService);
            return now.equals(expected) ? "" : now.toString();
        });
    }

    /** Awaits what a user gets; the APIService is known to requests a moment after it has its condition. */
    void awaitStatus(KubeCluster.User user, String path, int status) {
        Await.untilNothing(this + ": " + path + " is " + status, SOON, () -> {
            NetworkProbe.Answer answer = get(user, path);
            return answer.status() == status ? "" : answer.toString();
        });
    }

    /** Has a backend that was found unable to answer, or able, checked now and not within half a minute. */
    void checkNow(String apiService) {
        admin.succeed("annotate", "apiservice", apiService, "--overwrite", "example.com/check=" + System.nanoTime());
    }

    @Override
    public String toString() {
        return name;
    }
}
