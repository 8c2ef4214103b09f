package io.fairlead.ittests;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import com.google.gson.JsonObject;
import io.fairlead.ittests.AuditedRequests.Sent;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.TestMethodOrder;

/** What Fairlead records of requests, beside what a real kube-apiserver records by the same policy. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@TestMethodOrder(MethodOrderer.OrderAnnotation.class)
final class AuditIT {
    private static final long SEED = 20_261_127;
    private static final int REQUESTS = 2_000;
    private static final int THREADS = 8;
    private static final int CREATIONS_MAX = 50;
    private static final Duration SOON = Duration.ofSeconds(30);
    private static final Path FOLDER = Checkout.scratch("AuditIT");
    private static final Path POLICY = FOLDER.resolve("policy.yaml");
    private static final Path DISK = FOLDER.resolve("disk");
    private static final Path LOG = DISK.resolve("fairlead.audit");
    private static final Path KUBE_LOG = FOLDER.resolve("kube.audit");

    private static final KubeCluster.User ANN = new KubeCluster.User("token-of-ann", "ann", "uid-of-ann", "crew");
    private static final KubeCluster.User ROOT =
            new KubeCluster.User(AttachedCluster.ROOT_TOKEN, "root", "uid-of-root", "system:masters");

    private static final String MAPS = "/clusters/dev/api/v1/namespaces/default/configmaps";

    private static final String RIGHTS = """
        apiVersion: v1
        kind: ServiceAccount
        metadata: {name: robot, namespace: default}
        ---
        apiVersion: rbac.authorization.k8s.io/v1
        kind: ClusterRole
        metadata: {name: audit-it}
        rules:
        - {apiGroups: [""], resources: [configmaps], verbs: ["*"]}
        - {nonResourceURLs: ["*"], verbs: [get]}
        ---
        apiVersion: rbac.authorization.k8s.io/v1
        kind: ClusterRoleBinding
        metadata: {name: audit-it}
        subjects:
        - {apiGroup: rbac.authorization.k8s.io, kind: Group, name: crew}
        - {apiGroup: rbac.authorization.k8s.io, kind: User, name: bob}
        - {kind: ServiceAccount, namespace: default, name: robot}
        roleRef: {apiGroup: rbac.authorization.k8s.io, kind: ClusterRole, name: audit-it}
        """;

    private int created;
    private final Map<String, Kubectl> kubectls = new HashMap<>();
    private final List<HttpProbe> probes = new ArrayList<>();

    @SuppressWarnings("NullAway.Init") // started before all tests
    private KubeCluster kube;

    @SuppressWarnings("NullAway.Init") // made before all tests
    private VouchedCallers vouched;

    @SuppressWarnings("NullAway.Init") // mounted before all tests
    private SmallDisk disk;

    private FairleadProcess fairlead = FairleadProcess.notStarted(FOLDER);

    @BeforeAll
    void start() throws Exception {
        Files.writeString(POLICY, AuditedRequests.POLICY);
        disk = SmallDisk.mount(Files.createDirectories(DISK), 64);
        kube = KubeCluster.start(
                Checkout.scratch("AuditIT-kube"),
                List.of("--audit-policy-file=" + POLICY, "--audit-log-path=" + KUBE_LOG),
                ANN,
                ROOT);
        vouched = VouchedCallers.make(FOLDER);
        fairlead = FairleadProcess.startBy(
                List.of("env", "--default-signal=HUP", Checkout.launcher().toString()),
                FOLDER,
                "--token-auth-file",
                FairleadUsers.tokenFile(FOLDER, List.of(ANN, ROOT)).toString(),
                "--authentication-config",
                vouched.authenticationConfig().toString(),
                "--requestheader-client-ca-file",
                vouched.frontProxyCa().toString(),
                "--audit-policy-file",
                POLICY.toString(),
                "--audit-log-path",
                LOG.toString(),
                "--shutdown-delay",
                "100ms",
                "--limits-failed-authentications-per-second-max",
                "100000",
                "--limits-audited-unknown-callers-per-second-max",
                "100000");
        fairlead.attach("prod", kube.kubeconfig());
        assertThat(fairlead.command("cluster", "create", "dev", "--built-ins", "all")
                        .exitCode())
                .isZero();
        for (String cluster : List.of("dev", "prod")) {
            kubectl(cluster).succeedWith(RIGHTS, "apply", "-f", "-");
            FairleadUsers.admitGroup(fairlead, "crew", cluster);
        }
        new Kubectl(FOLDER.resolve("kubectl-root"), fairlead.adminKubeconfig())
                .succeed(
                        "patch",
                        "cluster",
                        "prod",
                        "--type=merge",
                        "-p",
                        "{\"spec\":{\"attached\":{\"tokenReview\":true}}}");
    }

    @AfterAll
    void stop() {
        probes.forEach(HttpProbe::close);
        fairlead.close();
        vouched.close();
        disk.close();
        kube.close();
    }

    @Test
    @Order(1)
    void requestsOfAllCallers_haveTheLinesThatThePolicyAsksFor_andThoseOfTheClusterHaveTheirIds() throws Exception {
        List<AuditedCaller> callers = callers();
        AuditedRequests requests = new AuditedRequests(SEED);
        List<Sent> sent = new ArrayList<>();
        for (int i = 0; i < REQUESTS; i++) {
            sent.add(requests.next(callers));
        }

        Map<String, Integer> statuses = send(sent);

        long expected = sent.stream().mapToLong(one -> one.stages().size()).sum();
        Await.until(
                expected + " lines",
                SOON,
                () -> AuditEvents.read(LOG, AuditedRequests.PREFIX).count() >= expected);
        AuditEvents recorded = AuditEvents.read(LOG, AuditedRequests.PREFIX);
        AuditEvents ofKube = AuditEvents.read(KUBE_LOG, AuditedRequests.PREFIX);
        for (Sent one : sent) {
            List<JsonObject> lines = recorded.of(one.id());
            assertThat(lines)
                    .as("%s", one)
                    .extracting(line -> AuditEvents.text(line, "stage"))
                    .containsExactlyElementsOf(one.stages());
            for (JsonObject line : lines) {
                assertLine(one, line);
            }
            if (!lines.isEmpty()) {
                assertThat(AuditEvents.text(lines.getLast(), "responseStatus", "code"))
                        .as("%s", one)
                        .isEqualTo("" + statuses.get(one.id()));
            }
            assertJoined(one, lines, ofKube.of(one.id()));
        }
        assertThat(recorded.count()).isEqualTo(expected);
        assertThat(statuses.values()).contains(200, 201, 401, 403, 404, 409);
        assertThat(Files.readString(LOG)).doesNotContain("canary", ANN.token(), ROOT.token());
    }

    private static void assertLine(Sent sent, JsonObject line) {
        AuditedCaller caller = sent.caller();
        assertThat(List.of(
                        AuditEvents.text(line, "level"),
                        AuditEvents.text(line, "verb"),
                        AuditEvents.text(line, "requestURI"),
                        AuditEvents.text(line, "user", "username"),
                        AuditEvents.text(line, "annotations", "fairlead.io/cluster")))
                .as("%s", sent)
                .containsExactly(
                        sent.level(),
                        sent.verb(),
                        "/clusters/" + sent.cluster() + sent.path(),
                        caller.user(),
                        sent.cluster());
        if (!AuditEvents.text(line, "stage").equals("RequestReceived")) {
            assertThat(AuditEvents.text(line, "impersonatedUser", "username")).isEqualTo(caller.actsAs());
        }
    }

    /** The cluster has the same request by the same id, of the user whom Fairlead presented, with the same outcome. */
    private static void assertJoined(Sent sent, List<JsonObject> lines, List<JsonObject> ofKube) {
        if (!sent.cluster().equals("prod") || !sent.caller().isKnown()) {
            assertThat(ofKube).as("%s", sent).isEmpty();
            return;
        }
        assertThat(ofKube)
                .as("%s", sent)
                .extracting(line -> AuditEvents.text(line, "stage"))
                .containsExactlyElementsOf(sent.stages());
        if (!lines.isEmpty()) {
            JsonObject last = ofKube.getLast();
            assertThat(AuditEvents.text(last, "impersonatedUser", "username"))
                    .isEqualTo(sent.caller().effective());
            assertThat(AuditEvents.text(last, "responseStatus", "code"))
                    .isEqualTo(AuditEvents.text(lines.getLast(), "responseStatus", "code"));
            assertThat(AuditEvents.text(lines.getLast(), "annotations", "fairlead.io/upstream-identity"))
                    .isEqualTo("Impersonate");
        }
    }

    @Test
    @Order(2)
    void hostedCluster_recordsAsKubeApiserver() throws Exception {
        HttpProbe atKube = probe(HttpProbe.withToken(kube.url(), ROOT.token()));
        HttpProbe atFairlead = probe(HttpProbe.withToken(fairlead.endpoint(), ROOT.token()));
        List<ComparedRequest> requests = ComparedRequest.all();
        for (int i = 0; i < requests.size(); i++) {
            requests.get(i).send(atKube, "", "same-" + i);
            requests.get(i).send(atFairlead, "/clusters/dev", "same-" + i);
        }

        AuditEvents ofKube = AuditEvents.read(KUBE_LOG, "same-");
        Await.until("as many lines", SOON, () -> AuditEvents.read(LOG, "same-").count() >= ofKube.count());
        AuditEvents ofFairlead = AuditEvents.read(LOG, "same-");

        List<String> differences = new ArrayList<>();
        for (int i = 0; i < requests.size(); i++) {
            String id = "same-" + i;
            List<String> expected =
                    ofKube.of(id).stream().map(ComparedRequest::comparable).toList();
            List<String> found =
                    ofFairlead.of(id).stream().map(ComparedRequest::comparable).toList();
            if (!found.equals(expected)) {
                differences.add(requests.get(i) + "\n  kube-apiserver " + expected + "\n  Fairlead       " + found);
            }
        }
        assertThat(differences).isEmpty();
        assertThat(ofKube.count()).isGreaterThan(requests.size());
    }

    @Test
    @Order(3)
    void changedPolicy_counts_andOneThatCannotBeUsedDoesNot() throws Exception {
        HttpProbe probe = probe(HttpProbe.withToken(fairlead.endpoint(), ROOT.token()));
        Files.writeString(POLICY, AuditedRequests.POLICY.replace("{level: Metadata}", "{level: Everything}"));

        fairlead.hangUp();

        Await.until(
                "it is told",
                SOON,
                () -> probe.get("/readyz?verbose")
                        .body()
                        .contains("configured-files ok: a changed one cannot be used"));
        assertThat(probe.get("/metrics").body()).contains("fairlead_audit_policy_refused 1.0");
        assertThat(fairlead.log()).contains("rules[5].level: Unsupported value: \\\"Everything\\\"");
        probe.get("/clusters/dev/api/v1/namespaces/default", Map.of("Audit-Id", "policy-1"));
        Await.until(
                "it is recorded", SOON, () -> AuditEvents.read(LOG, "policy-1").count() == 2);

        Files.writeString(POLICY, AuditedRequests.POLICY.replace("{level: Metadata}", "{level: None}"));
        fairlead.hangUp();
        Await.until(
                "it is used", SOON, () -> probe.get("/metrics").body().contains("fairlead_audit_policy_refused 0.0"));
        probe.get("/clusters/dev/api/v1/namespaces/default", Map.of("Audit-Id", "policy-2"));
        probe.get("/clusters/dev/api", Map.of("Audit-Id", "policy-3"));
        Await.until(
                "the later one is recorded",
                SOON,
                () -> AuditEvents.read(LOG, "policy-3").count() == 2);

        assertThat(AuditEvents.read(LOG, "policy-2").count()).isZero();
    }

    /** In the mode that is the default. */
    @Test
    @Order(4)
    void fullDisk_refusesChangesAndNoReads_untilThereIsRoom_andLosesNoLine() throws Exception {
        assumeThat(disk.isMounted())
                .as("mounting a small disk: %s", disk.mounted())
                .isTrue();
        HttpProbe probe = probe(HttpProbe.withToken(fairlead.endpoint(), ROOT.token()));
        Path filler = disk.fill();

        HttpProbe.Answer refused = createUntilRefused(probe);

        assertThat(refused.body())
                .contains("AuditLogNotWritten", "failed to store audit event", "No space left on device");
        assertThat(probe.get(MAPS, Map.of("Audit-Id", "full-read")).status()).isEqualTo(200);
        assertThat(probe.get("/readyz").status()).isEqualTo(200);
        assertThat(probe.get("/readyz?verbose").body())
                .contains("audit-log ok: it cannot be written (No space left on device); what it should record is"
                        + " refused if it changes something, reads are not");
        assertThat(probe.get("/metrics").body())
                .contains("fairlead_audit_log_failing 1.0")
                .containsPattern("apiserver_audit_requests_rejected_total [1-9]");

        Files.delete(filler);
        Await.until("it is written again", SOON, () -> create(probe, "after").status() == 201);
        assertThat(fairlead.stop()).isZero();

        AuditEvents recorded = AuditEvents.read(LOG, "full-");
        assertThat(recorded.of("full-read")).hasSize(1);
        List<JsonObject> ofRefused = recorded.of("full-" + (created - 1));
        assertThat(AuditEvents.text(ofRefused.getLast(), "responseStatus", "code"))
                .isEqualTo("500");
        for (int i = 0; i < created; i++) {
            assertThat(recorded.of("full-" + i)).as("full-%s", i).hasSize(2);
        }
        assertThat(recorded.of("full-after")).isNotEmpty();
    }

    private HttpProbe.Answer createUntilRefused(HttpProbe probe) throws Exception {
        while (created < CREATIONS_MAX) {
            HttpProbe.Answer answer = create(probe, "" + created++);
            if (answer.status() != 201) {
                assertThat(answer.status()).as(answer.body()).isEqualTo(500);
                return answer;
            }
        }
        throw new AssertionError(CREATIONS_MAX + " lines fit on a full disk");
    }

    private static HttpProbe.Answer create(HttpProbe probe, String name) throws Exception {
        return probe.send(
                "POST",
                MAPS,
                Map.of("Audit-Id", "full-" + name, "Content-Type", "application/json"),
                "{\"apiVersion\":\"v1\",\"kind\":\"ConfigMap\",\"metadata\":{\"name\":\"full-" + name + "\"}}");
    }

    private List<AuditedCaller> callers() {
        String ofDev = kubectl("dev").succeed("create", "token", "robot").strip();
        String ofProd = kubectl("prod").succeed("create", "token", "robot").strip();
        List<String> both = List.of("dev", "prod");
        String robot = "system:serviceaccount:default:robot";
        Map<String, String> asBob = Map.of("Authorization", "Bearer " + ROOT.token(), "Impersonate-User", "bob");
        String url = fairlead.endpoint();
        return List.of(
                new AuditedCaller(
                        probe(HttpProbe.withCertificate(url, fairlead.adminKubeconfig())), "fairlead-admin", "", both),
                new AuditedCaller(probe(HttpProbe.withToken(url, ANN.token())), "ann", "", both),
                new AuditedCaller(probe(HttpProbe.overHttp2(url, ofDev)), robot, "", List.of("dev")),
                new AuditedCaller(probe(HttpProbe.overHttp2(url, ofProd)), robot, "", List.of("prod")),
                new AuditedCaller(probe(new HttpProbe(url, asBob)), "root", "bob", both),
                new AuditedCaller(probe(vouched.byIssuer(url, "joe", "crew")), "joe", "", both),
                new AuditedCaller(probe(vouched.byFrontProxy(url, "fay", "crew")), "fay", "", both),
                new AuditedCaller(probe(HttpProbe.withToken(url, "canary")), "", "", both));
    }

    private static Map<String, Integer> send(List<Sent> sent) throws Exception {
        Map<String, Integer> statuses = new HashMap<>();
        try (ExecutorService threads = Executors.newFixedThreadPool(THREADS)) {
            List<Callable<Integer>> calls = new ArrayList<>();
            sent.forEach(one -> calls.add(() -> one.send().status()));
            List<Future<Integer>> answers = threads.invokeAll(calls);
            for (int i = 0; i < sent.size(); i++) {
                statuses.put(sent.get(i).id(), answers.get(i).get());
            }
        }
        return statuses;
    }

    private HttpProbe probe(HttpProbe made) {
        probes.add(made);
        return made;
    }

    private Kubectl kubectl(String cluster) {
        return kubectls.computeIfAbsent(
                cluster,
                _ -> new Kubectl(
                        FOLDER.resolve("kubectl-" + cluster),
                        cluster.equals("prod") ? kube.kubeconfig() : fairlead.kubeconfigOf(cluster)));
    }
}
