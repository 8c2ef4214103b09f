package io.fairlead.ittests;

import static io.fairlead.ittests.ArchiveCommands.restore;
import static io.fairlead.ittests.ArchiveCommands.stores;
import static io.fairlead.ittests.ArchiveCommands.succeed;
import static org.assertj.core.api.Assertions.assertThat;

import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import io.fairlead.ittests.ArchiveWriters.Kind;
import io.fairlead.ittests.HttpProbe.Answer;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.IntStream;

/** A store of many clusters that is backed up while one of them is written to, and then served from another data directory. */
final class ArchiveRestoration {
    private static final String TOKEN = TwinClusters.ADMIN.token();
    private static final String ROOT_CLUSTERS = "/clusters/root/apis/fairlead.io/v1alpha1/clusters";
    private static final String MAPS = "/api/v1/namespaces/default/configmaps";
    private static final String WRITTEN = "/clusters/c0";
    private static final Duration SOON = Duration.ofMinutes(1);
    private static final int CLIENTS = 4;
    private static final long SEED = 20261128;
    private static final List<String> OBJECTS = List.of(
            MAPS + " {\"metadata\":{\"name\":\"map\",\"finalizers\":[\"example.com/f\"]},\"data\":{\"of\":\"NAME\"}}",
            "/api/v1/namespaces/default/secrets {\"metadata\":{\"name\":\"secret\"},\"stringData\":{\"of\":\"NAME\"}}",
            "/api/v1/namespaces {\"metadata\":{\"name\":\"more\",\"labels\":{\"of\":\"NAME\"}}}",
            "/api/v1/namespaces/default/serviceaccounts {\"metadata\":{\"name\":\"robot\"}}");

    private final Path folder;
    private final Path backup;
    private final Path tokens;
    private final List<String> names;
    private final Map<String, ArchivedState> expected = new TreeMap<>();
    private long newest;

    /** Of so many clusters. */
    ArchiveRestoration(Path folder, int count) throws IOException {
        this.folder = Files.createDirectories(folder);
        this.backup = folder.resolve("store.jsonl");
        this.tokens = FairleadUsers.tokenFile(folder, List.of(TwinClusters.ADMIN));
        this.names = IntStream.range(0, count).mapToObj(i -> "c" + i).toList();
    }

    void run() throws Exception {
        Path oldFolder = Files.createDirectories(folder.resolve("old"));
        try (FairleadProcess old = FairleadProcess.start(oldFolder, "--token-auth-file", tokens.toString());
                var probe = HttpProbe.withToken(old.endpoint(), TOKEN)) {
            ofEach(name -> make(probe, name));
            ofEach(name -> fill(probe, name));
            backUpUnderWrites(old, probe);
        }
        FairleadProcess restored = FairleadProcess.notStarted(
                Files.createDirectories(folder.resolve("restored")), "--token-auth-file", tokens.toString());
        killInTheMidst(restored.dataDir());
        note(
                "restored",
                () -> assertThat(restore(folder, backup, restored.dataDir()))
                        .satisfies(output -> assertThat(output.exitCode()).isZero()));
        assertThat(stores(restored.dataDir())).containsExactly("store");
        Output again = restore(folder, backup, restored.dataDir());
        assertThat(again.exitCode()).isEqualTo(1);
        assertThat(again.errors()).contains("has a store");
        try (restored) {
            restored.start();
            check(restored);
        }
    }

    /** Does something with each cluster. */
    private interface Step {
        void of(String name) throws Exception;
    }

    private interface Timed {
        void run() throws Exception;
    }

    private void ofEach(Step step) throws Exception {
        try (ExecutorService clients = Executors.newFixedThreadPool(CLIENTS)) {
            List<Future<Void>> all = new ArrayList<>();
            for (String name : names) {
                all.add(clients.submit(() -> {
                    step.of(name);
                    return null;
                }));
            }
            for (Future<Void> each : all) {
                each.get();
            }
        }
    }

    private static void make(HttpProbe probe, String name) throws Exception {
        post(probe, ROOT_CLUSTERS, """
            {"apiVersion":"fairlead.io/v1alpha1","kind":"Cluster","metadata":{"name":"%s"},"spec":{"hosted":{}}}\
            """.formatted(name));
    }

    private static void fill(HttpProbe probe, String name) throws Exception {
        String base = "/clusters/" + name;
        Await.until(name + " is filled", SOON, () -> hasItsOwn(probe, base));
        for (String object : OBJECTS) {
            String[] pathAndBody = object.split(" ", 2);
            post(probe, base + pathAndBody[0], pathAndBody[1].replace("NAME", name));
        }
        Await.until(
                name + " has what belongs to a namespace",
                SOON,
                () -> probe.get(base + "/api/v1/namespaces/more/configmaps/kube-root-ca.crt")
                                        .status()
                                == 200
                        && probe.get(base + "/api/v1/namespaces/more/serviceaccounts/default")
                                        .status()
                                == 200);
    }

    private static boolean hasItsOwn(HttpProbe probe, String base) throws Exception {
        return probe.get(base + "/api/v1/namespaces/default").status() == 200;
    }

    private void backUpUnderWrites(FairleadProcess old, HttpProbe probe) throws Exception {
        ArchiveFile archive;
        try (var writers =
                new ArchiveWriters(old.endpoint() + WRITTEN, TOKEN, SEED, List.of(Kind.CONFIG_MAPS, Kind.SECRETS))) {
            Await.until("it is written to", SOON, () -> writers.acknowledged() > 100);
            long before = writers.newest();
            note("backed up", () -> succeed(old, "store", "backup", "-f", backup.toString()));
            archive = ArchiveFile.read(backup);
            assertThat(archive.revision()).isGreaterThanOrEqualTo(before);
            Await.until("it is written to after that", SOON, () -> writers.newest() > archive.revision() + 100);
            writers.stop();
            newest = version(listed(probe)); // no writer is told the revision of a deletion
        }
        assertThat(ArchiveCommands.ownerless(archive)).isEmpty();
        for (String name : names) {
            expected.put(name, ArchivedState.at(probe, "/clusters/" + name, archive.revision()));
        }
        expected.put("root", ArchivedState.at(probe, "/clusters/root", archive.revision()));
        Answer after = probe.get(WRITTEN + MAPS + "?watch=1&timeoutSeconds=1&resourceVersion=" + newest);
        assertThat(after.status()).as("a watch from the last write").isEqualTo(200);
        assertThat(after.body()).isEmpty();
    }

    /** SIGKILL when half of the archive was read leaves no store. */
    private void killInTheMidst(Path dataDir) throws Exception {
        byte[] archive = Files.readAllBytes(backup);
        Process killed = new ProcessBuilder(ArchiveCommands.restoreCommand("-", dataDir))
                .redirectOutput(folder.resolve("killed.out").toFile())
                .redirectError(folder.resolve("killed.log").toFile())
                .start();
        try (OutputStream input = killed.getOutputStream()) {
            input.write(archive, 0, archive.length / 2);
            input.flush();
            Await.until(
                    "the restoration is under way", SOON, () -> stores(dataDir).equals(List.of("store.unfinished")));
            assertThat(killed.isAlive()).isTrue();
        } finally {
            killed.destroyForcibly().waitFor();
        }
        assertThat(stores(dataDir)).doesNotContain("store");
    }

    private void check(FairleadProcess restored) throws Exception {
        try (var probe = HttpProbe.withToken(restored.endpoint(), TOKEN)) {
            var all = new ArrayList<>(names);
            all.add("root");
            assertThat(ArchiveCommands.clusters(restored)).containsExactlyInAnyOrderElementsOf(all);
            ofEach(name -> Await.until(name + " answers", SOON, () -> hasItsOwn(probe, "/clusters/" + name)));
            Await.untilNothing("all are Ready", SOON, () -> notReady(probe));
            for (Map.Entry<String, ArchivedState> each : expected.entrySet()) {
                ArchivedState now = ArchivedState.now(probe, "/clusters/" + each.getKey());
                assertThat(each.getValue().objects()).hasSizeGreaterThan(20);
                assertThat(each.getValue().differences(now, true))
                        .as("in %s", each.getKey())
                        .isEmpty();
            }
            assertExpired(probe);
            String last = names.getLast();
            for (String name : List.of(names.getFirst(), last)) {
                assertThat(version(post(probe, "/clusters/" + name + MAPS, "{\"metadata\":{\"name\":\"new\"}}")))
                        .isGreaterThan(newest);
            }
            assertThat(Objects.requireNonNull(expected.get(last))
                            .differences(ArchivedState.now(probe, "/clusters/" + last), true))
                    .as("what was written since")
                    .singleElement()
                    .asString()
                    .contains("/configmaps default/new");
        }
        String last = names.getLast();
        var kubectl = new Kubectl(folder.resolve("kubectl"), restored.kubeconfigOf(last));
        assertThat(kubectl.succeed("get", "configmap", "map", "-o", "jsonpath={.data.of}"))
                .isEqualTo(last);
    }

    /** From a version that the old server gave out after the backup; one that the new server gives out is as good as ever. */
    private void assertExpired(HttpProbe probe) throws Exception {
        String watch = WRITTEN + MAPS + "?watch=1&timeoutSeconds=1&resourceVersion=";
        Answer expired = probe.get(watch + newest);
        assertThat(expired.body())
                .startsWith("{\"type\":\"ERROR\",")
                .contains("\"reason\":\"Expired\",\"code\":410")
                .hasLineCount(1);
        JsonObject list = listed(probe);
        Answer open = probe.get(watch + version(list));
        assertThat(open.status()).isEqualTo(200);
        assertThat(open.body()).isEmpty();
    }

    /** Which clusters are not, empty if all are. */
    private static String notReady(HttpProbe probe) {
        var notReady = new ArrayList<String>();
        try {
            JsonObject list =
                    JsonParser.parseString(probe.get(ROOT_CLUSTERS).body()).getAsJsonObject();
            for (JsonElement cluster : list.getAsJsonArray("items")) {
                if (!isReady(cluster.getAsJsonObject().getAsJsonObject("status"))) {
                    notReady.add(cluster.toString());
                }
            }
        } catch (IOException e) {
            return e.toString();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return e.toString();
        }
        return String.join("\n", notReady);
    }

    private static boolean isReady(JsonObject status) {
        for (JsonElement element : status.getAsJsonArray("conditions")) {
            JsonObject condition = element.getAsJsonObject();
            if (condition.get("type").getAsString().equals("Ready")) {
                return condition.get("status").getAsString().equals("True");
            }
        }
        return false;
    }

    private void note(String what, Timed step) throws Exception {
        long begin = System.nanoTime();
        step.run();
        Files.writeString(
                folder.resolve("took.txt"),
                "%s clusters, %s bytes %s in %s\n"
                        .formatted(names.size(), Files.size(backup), what, Duration.ofNanos(System.nanoTime() - begin)),
                StandardOpenOption.CREATE,
                StandardOpenOption.APPEND);
    }

    private static JsonObject post(HttpProbe probe, String path, String body) throws Exception {
        Answer answer = probe.send("POST", path, "application/json", body);
        assertThat(answer.status()).as("%s: %s", path, answer.body()).isEqualTo(201);
        return JsonParser.parseString(answer.body()).getAsJsonObject();
    }

    private static JsonObject listed(HttpProbe probe) throws Exception {
        return JsonParser.parseString(probe.get(WRITTEN + MAPS).body()).getAsJsonObject();
    }

    private static long version(JsonObject object) {
        return object.getAsJsonObject("metadata").get("resourceVersion").getAsLong();
    }
}
