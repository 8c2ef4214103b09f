package io.fairlead.hosted.cluster;

import io.fairlead.hosted.ApiResponse;
import io.fairlead.hosted.HostedCluster;
import io.fairlead.hosted.TestMemory;
import io.fairlead.model.ByteBudget;
import io.fairlead.model.ClusterName;
import io.fairlead.storage.EmbeddedStore;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;

/**
 * A process with hosted clusters that hold large objects, all of which are listed many times at once and one of which is updated
 * often under watches. It tells how its requests ended, and ends itself at the first allocation that fails.
 *
 * <p>Arguments: a directory, objects in each of three clusters, lists at once, updates.
 */
final class LargeObjects {
    private static final int OBJECT_BYTES = 900_000;
    private static final String MAPS = "/api/v1/namespaces/default/configmaps";
    private static final int WATCHES = 10;
    private static final List<String> FORMS = List.of(
            "application/json",
            "application/vnd.kubernetes.protobuf",
            "application/json;as=Table;v=v1;g=meta.k8s.io",
            "application/yaml");

    private LargeObjects() {}

    public static void main(String[] arguments) throws Exception {
        ByteBudget budget = ByteBudget.of(Runtime.getRuntime().maxMemory() / 4);
        int objects = Integer.parseInt(arguments[1]);
        try (Fixture fixture = new Fixture(
                EmbeddedStore.open(Path.of(arguments[0]), Engine.OPTIONS),
                Fixture.settings(1024, 1024, TestMemory.of(budget)),
                List.of())) {
            List<HostedCluster> clusters = new ArrayList<>();
            for (String name : List.of("one", "two", "three")) {
                HostedCluster cluster = fixture.clusters.open(new ClusterName(name));
                clusters.add(cluster);
                for (int i = 0; i < objects; i++) {
                    new Api(cluster).createJson(MAPS, object("m-" + i, i)).expect(201);
                }
            }
            System.out.println("lists " + lists(clusters, Integer.parseInt(arguments[2])));
            System.out.println("watches " + watches(new Api(clusters.getFirst()), Integer.parseInt(arguments[3])));
            System.out.println("clusters closed");
            fixture.clusters.close();
            System.out.println("held " + budget.taken());
        }
    }

    private static Map<String, Integer> lists(List<HostedCluster> clusters, int count) throws InterruptedException {
        Map<String, Integer> outcomes = new ConcurrentHashMap<>();
        List<Thread> readers = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            HostedCluster cluster = clusters.get(i % clusters.size());
            String form = FORMS.get(i % FORMS.size());
            readers.add(Thread.ofVirtual().start(() -> outcomes.merge(list(cluster, form), 1, Integer::sum)));
        }
        for (Thread reader : readers) {
            reader.join();
        }
        return new TreeMap<>(outcomes);
    }

    private static String list(HostedCluster cluster, String form) {
        ApiResponse answer = Routing.serve(cluster, Api.request("GET", MAPS, "", form, new byte[0]));
        if (answer instanceof ApiResponse.Pieces pieces) {
            try (ApiResponse.Frames frames = pieces.pieces()) {
                byte[] piece = frames.next();
                while (piece != null) {
                    piece = frames.next();
                }
            } catch (ApiResponse.BrokenOffException | InterruptedException e) {
                return "broken off";
            }
        }
        return Integer.toString(answer.status());
    }

    /** How many watches saw the last update; one that ends begins again where it was. */
    private static int watches(Api api, int updates) throws InterruptedException {
        String from = api.get(MAPS + "/m-0").resourceVersion();
        List<Thread> watchers = new ArrayList<>();
        Map<Thread, String> seen = new ConcurrentHashMap<>();
        for (int i = 0; i < WATCHES; i++) {
            watchers.add(Thread.ofVirtual().start(() -> seen.put(Thread.currentThread(), follow(api, from, updates))));
        }
        for (int i = 1; i <= updates; i++) {
            api.merge(MAPS + "/m-0", object("m-0", i)).expect(200);
        }
        for (Thread watcher : watchers) {
            watcher.join();
        }
        return (int)
                seen.values().stream().filter(Integer.toString(updates)::equals).count();
    }

    private static String follow(Api api, String from, int last) {
        String revision = from;
        String seen = "";
        while (!seen.equals(Integer.toString(last))) {
            // At once, whatever became of the one before: clients that wait are no test.
            try (Events events = api.watchIfThereIsRoom(MAPS + "?resourceVersion=" + revision)) {
                for (Events.Event event = events.nextOrNull();
                        event != null && !seen.equals(Integer.toString(last));
                        event = seen.equals(Integer.toString(last)) ? null : events.nextOrNull()) {
                    seen = event.object().at("/data/n").asString("");
                    revision = Long.toString(event.revision());
                }
            }
        }
        return seen;
    }

    private static String object(String name, int n) {
        return "{\"metadata\":{\"name\":\"" + name + "\"},\"data\":{\"n\":\"" + n + "\",\"v\":\""
                + "x".repeat(OBJECT_BYTES) + "\"}}";
    }
}
