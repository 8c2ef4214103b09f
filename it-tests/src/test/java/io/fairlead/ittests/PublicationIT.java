package io.fairlead.ittests;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.gson.JsonParser;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestMethodOrder;

/** A group of a hosted cluster becomes part of a real cluster, by the real aggregation layer of its API server. */
@TestMethodOrder(MethodOrderer.OrderAnnotation.class)
final class PublicationIT {
    private static final Duration SOON = Duration.ofSeconds(30);
    /** Twice until everything has taken up what was changed, and as long until the targets are looked at. */
    private static final Duration ROTATION = Duration.ofSeconds(90);

    private static final int REQUESTS_PER_SECOND = 50;
    private static final Path FOLDER = Checkout.scratch("PublicationIT");
    private static final KubeCluster.User ANNA = new KubeCluster.User("token-of-anna", "anna", "", "team");
    private static final KubeCluster.User BERT = new KubeCluster.User("token-of-bert", "bert", "", "others");

    private static NetworkNamespace network;
    private static KubeCluster kube;
    private static FairleadProcess fairlead;
    private static Kubectl root;
    private static Kubectl things;
    private static Kubectl prod;
    private static Kubectl anna;
    private static Kubectl bert;

    /** The OpenAPI documents of the target before anything is published, by their paths. */
    private static Map<String, String> described;

    @BeforeAll
    static void start() throws IOException {
        network = NetworkNamespace.open(FOLDER);
        kube = FrontProxy.startCluster(network, Files.createDirectories(FOLDER.resolve("kube")), ANNA, BERT);
        kube.startControllerManager();
        fairlead = FairleadProcess.startAsBackend(network, Files.createDirectories(FOLDER.resolve("fairlead")));
        root = new Kubectl(FOLDER.resolve("root"), fairlead.adminKubeconfig(), network);
        prod = new Kubectl(FOLDER.resolve("prod"), kube.kubeconfig(), network);
        anna = new Kubectl(FOLDER.resolve("anna"), kube.kubeconfig(ANNA.name(), ANNA.token()), network);
        bert = new Kubectl(FOLDER.resolve("bert"), kube.kubeconfig(BERT.name(), BERT.token()), network);
        fairlead.attach("prod", withTheRightsOfTheExample());
        assertThat(fairlead.command("cluster", "create", "things").exitCode()).isZero();
        things = new Kubectl(FOLDER.resolve("things"), fairlead.kubeconfigOf("things"), network);
        things.succeedWith(PublishedWidgets.DEFINITION, "apply", "-f", "-");
        prod.succeedWith(PublishedWidgets.IN_PROD, "apply", "-f", "-");
        described = openApi();
    }

    /** A credential that has the rights which the documentation names, and no others. */
    private static Path withTheRightsOfTheExample() throws IOException {
        prod.succeedWith(
                fairlead.command("cluster", "attach", "prod", "--print-rbac").output(), "apply", "-f", "-");
        Path rights = Checkout.root().resolve("config/examples/publications/rights-in-target.yaml");
        prod.succeedWith(Files.readString(rights), "apply", "-f", "-");
        String token = prod.succeed("create", "token", "fairlead", "-n", "fairlead-system", "--duration=24h");
        return kube.kubeconfig("of-fairlead", token.strip());
    }

    @AfterAll
    static void stop() {
        fairlead.close();
        kube.close();
        network.close();
    }

    @Test
    @Order(1)
    void fieldsThatTheAggregationLayerWouldRefuse_areRefusedByName_andNothingIsWritten() {
        for (List<String> wrong : List.of(
                List.of("targetPort: 8443", "targetPort: 8443\n    clusterIP: None", "spec.backend.clusterIP"),
                List.of("targetPort: 8443", "targetPort: 8443\n    port: 0", "spec.backend.port"),
                List.of("groupPriority: 1000", "groupPriority: 20001", "spec.groupPriority"),
                List.of("name: v1,", "name: V1,", "spec.versions[0].name"),
                List.of("priority: 15", "priority: 1001", "spec.versions[0].priority"),
                List.of(NetworkNamespace.ADDRESS, "127.0.0.1", "spec.backend.addresses[0]"),
                List.of("source: {cluster: things}", "source: {}", "spec.source"))) {
            Output refused =
                    root.apply(PublishedWidgets.PUBLICATION.replace(wrong.get(0), wrong.get(1)), "create", "-f", "-");

            assertThat(refused.exitCode()).as(wrong.get(1)).isNotZero();
            assertThat(refused.errors()).contains(wrong.get(2));
        }
        assertThat(prod.run("get", "service", "-n", "fairlead", "-o", "name").output())
                .isEmpty();
    }

    @Test
    @Order(2)
    void plan_isTriedInTheTarget_andLeavesNothing() throws IOException {
        Path file = Files.writeString(FOLDER.resolve("widgets.yaml"), PublishedWidgets.PUBLICATION);

        Output plan = fairlead.command("publication", "plan", "-f", file.toString());

        assertThat(plan.exitCode()).as("%s", plan).isZero();
        assertThat(plan.errors()).isEmpty();
        assertThat(plan.output().lines().map(line -> line.replaceAll(" +", " ")))
                .containsExactly(
                        "PUBLICATION CLUSTER VERB RESOURCE NAMESPACE NAME",
                        "widgets prod create services fairlead fairlead",
                        "widgets prod create endpointslices.discovery.k8s.io fairlead fairlead-fairlead",
                        "widgets prod create apiservices.apiregistration.k8s.io - v1.example.com");
        assertThat(kube.audited().dryRunCreations("fairlead/"))
                .containsExactly(
                        "/api/v1/namespaces/fairlead/services",
                        "/apis/discovery.k8s.io/v1/namespaces/fairlead/endpointslices",
                        "/apis/apiregistration.k8s.io/v1/apiservices");
        assertThat(kube.audited().creations("fairlead/")).isEmpty();
        assertThat(prod.succeed("get", "services,endpointslices", "-n", "fairlead", "-o", "name"))
                .isEmpty();
        assertThat(root.succeed("get", "apipublications", "-o", "name")).isEmpty();
        String wrong = PublishedWidgets.PUBLICATION.replace("kind: APIPublication", "kind: APIPublicationPlan");
        assertThat(root.succeedWith(wrong.replace("v1,", "v9,"), "create", "-f", "-", "-o", "jsonpath={.status}"))
                .contains("SourceNotReady", "does not serve example.com/v9");
    }

    @Test
    @Order(3)
    void group_becomesPartOfTheTarget_inTheOrderThatBreaksNothing() {
        root.succeedWith(PublishedWidgets.PUBLICATION, "create", "-f", "-");
        root.succeed("wait", "apipublication/widgets", "--for=condition=Available", "--timeout=30s");

        assertThat(kube.audited().creations("fairlead/"))
                .containsExactly(
                        "/api/v1/namespaces/fairlead/services",
                        "/apis/discovery.k8s.io/v1/namespaces/fairlead/endpointslices",
                        "/apis/apiregistration.k8s.io/v1/apiservices");
        assertThat(prod.succeed("api-resources", "--api-group=example.com", "-o", "name"))
                .isEqualTo("widgets.example.com\n");
    }

    @Test
    @Order(4)
    void planOfAWithdrawal_deletesNothing() throws IOException {
        String before = published();
        Path file = Files.writeString(
                FOLDER.resolve("elsewhere.yaml"), PublishedWidgets.PUBLICATION.replace("[prod]", "[elsewhere]"));

        Output plan = fairlead.command("publication", "plan", "-f", file.toString());

        assertThat(plan.exitCode()).as("%s", plan).isZero();
        assertThat(plan.output().lines().map(line -> line.replaceAll(" +", " ")).skip(1))
                .containsExactly(
                        "widgets prod delete apiservices.apiregistration.k8s.io - v1.example.com",
                        "widgets prod delete endpointslices.discovery.k8s.io fairlead fairlead-fairlead",
                        "widgets prod delete services fairlead fairlead");
        assertThat(published()).isEqualTo(before);
        assertThat(kube.audited().deletions("fairlead/")).isEmpty();
    }

    /** The uids and versions of all that is published. */
    private static String published() {
        return prod.succeed(
                        "get",
                        "service/fairlead",
                        "endpointslice/fairlead-fairlead",
                        "-n",
                        "fairlead",
                        "-o",
                        "jsonpath={.items[*].metadata['uid','resourceVersion']}")
                + prod.succeed("get", "apiservice/v1.example.com", "-o", "jsonpath={.metadata.uid} {.spec}");
    }

    @Test
    @Order(5)
    void openApiOfTheTarget_isAsBefore_butForTheGroup() {
        Await.until("the group is described", SOON, () -> openApi().containsKey("apis/example.com/v1"));
        // An API server merges what its backends describe in another order each time.
        for (int i = 0; i < 20; i++) {
            Map<String, String> now = openApi();
            assertThat(now.remove("apis/example.com/v1")).isNotNull();
            assertThat(now).isEqualTo(described);
        }
        assertThat(prod.succeed("explain", "pods.spec.containers")).contains("List of containers belonging to the pod");
        assertThat(prod.succeed("explain", "roles.rules")).contains("PolicyRule");
        assertThat(prod.succeed("explain", "widgets.spec")).contains("Spec says how large a widget is.");
    }

    /** Where each document of the target is, with the hash of its content. */
    private static Map<String, String> openApi() {
        Map<String, String> documents = new TreeMap<>();
        JsonParser.parseString(prod.succeed("get", "--raw", "/openapi/v3"))
                .getAsJsonObject()
                .getAsJsonObject("paths")
                .asMap()
                .forEach((path, at) -> documents.put(path, at.toString()));
        return documents;
    }

    @Test
    @Order(6)
    void userOfTheTarget_worksWithIt_asItsRbacSays() {
        anna.succeedWith("""
            apiVersion: example.com/v1
            kind: Widget
            metadata: {name: first, namespace: team}
            spec: {size: 3}
            """, "apply", "-f", "-");

        assertThat(anna.succeed("get", "widgets", "-n", "team", "-o", "jsonpath={.items[*].spec.size}"))
                .isEqualTo("3");
        assertThat(anna.succeed("explain", "widgets.spec")).contains("how large a widget is");
        assertThat(things.succeed("get", "widgets", "-n", "team", "-o", "name"))
                .isEqualTo("widget.example.com/first\n");
        assertThat(bert.run("get", "widgets", "-n", "team").errors())
                .contains("User \"bert\" cannot list resource \"widgets\"");
        Output elsewhere = prod.apply(
                "{apiVersion: example.com/v1, kind: Widget, metadata: {name: lost, namespace: nowhere}}",
                "create",
                "-f",
                "-");
        assertThat(elsewhere.errors()).contains("namespaces \"nowhere\" not found");
    }

    /** The target's API server asks for the right to patch alone, since it does not know what is missing in the source. */
    @Test
    @Order(6)
    void serverSideApplyOfWhatIsMissing_needsTheTargetsRightToCreate() {
        prod.succeedWith(PublishedWidgets.BERT_MAY_PATCH, "apply", "-f", "-");
        String applied = PublishedWidgets.APPLIED;
        Output denied = bert.apply(applied, "apply", "--server-side", "-f", "-");
        assertThat(denied.exitCode()).isNotZero();
        assertThat(denied.errors())
                .contains("User \"bert\" cannot create resource \"widgets\" in API group \"example.com\"");
        assertThat(things.succeed("get", "widgets", "-n", "team", "-o", "name")).doesNotContain("applied");

        anna.succeedWith(applied, "apply", "--server-side", "-f", "-");
        bert.succeedWith(applied.replace("4", "5"), "apply", "--server-side", "--force-conflicts", "-f", "-");
        assertThat(things.succeed("get", "widget", "applied", "-n", "team", "-o", "jsonpath={.spec.size}"))
                .isEqualTo("5");
        prod.succeed("create", "namespace", "fresh");
        prod.succeedWith(applied.replace("team", "fresh"), "apply", "--server-side", "-f", "-");
        things.succeed("delete", "widgets", "-A", "--field-selector=metadata.name=applied");
    }

    @Test
    @Order(7)
    void deletedService_isMadeAgain_whileTheApiServiceStays() {
        String uid = prod.succeed("get", "apiservice", "v1.example.com", "-o", "jsonpath={.metadata.uid}");
        OwnedProcess watch = root.start(
                "watch",
                "get",
                "apipublication/widgets",
                "--watch",
                "-o",
                "jsonpath={.status.conditions[?(@.type==\"BackendReady\")].status}{\"\\n\"}");
        try (watch) {
            Await.until("the watch has begun", SOON, () -> watch.output().contains("True"));
            prod.succeed("delete", "service", "fairlead", "-n", "fairlead");

            Await.until(
                    "BackendReady goes and comes; " + watch.tail(),
                    SOON,
                    () -> watch.output().contains("False\nTrue")
                            || watch.output().matches("(?s).*False.*True.*"));
        }
        assertThat(prod.succeed("get", "service", "fairlead", "-n", "fairlead", "-o", "name"))
                .isEqualTo("service/fairlead\n");
        assertThat(prod.succeed("get", "apiservice", "v1.example.com", "-o", "jsonpath={.metadata.uid}"))
                .isEqualTo(uid);
    }

    @Test
    @Order(8)
    void certificateAndItsCa_areReplaced_whileEveryRequestThroughTheTargetSucceeds() {
        String before = authority("{.data.tls\\.crt}");
        try (SteadyProgram requests = SteadyProgram.start(
                network,
                FOLDER,
                kube,
                "/apis/example.com/v1/namespaces/team/widgets",
                "{\"apiVersion\":\"example.com/v1\",\"kind\":\"Widget\",\"metadata\":{\"generateName\":\"w-\"}}",
                REQUESTS_PER_SECOND)) {
            Await.until("requests are answered", SOON, () -> requests.answered() > 0);
            root.succeed("annotate", "secret", "publication-ca", "-n", "fairlead-system", "fairlead.io/rotate=now");
            Await.until(
                    "another CA signs, and the one before is kept no more; " + requests.failures(),
                    ROTATION,
                    () -> authority("{.data.tls\\.crt}").length() > 0
                            && !authority("{.data.tls\\.crt}").equals(before)
                            && authority("{.data}").split(":").length == 3);
            Await.until(
                    "the target trusts the other CA alone",
                    SOON,
                    () -> prod.succeed("get", "apiservice", "v1.example.com", "-o", "jsonpath={.spec.caBundle}")
                            .equals(authority("{.data.tls\\.crt}")));
            int then = requests.answered();
            Await.until(
                    "requests are answered since", SOON, () -> requests.answered() > then + 2 * REQUESTS_PER_SECOND);

            assertThat(requests.failures()).isEmpty();
            assertThat(requests.answered()).isGreaterThan(10 * REQUESTS_PER_SECOND);
        }
    }

    private static String authority(String path) {
        return root.succeed("get", "secret", "publication-ca", "-n", "fairlead-system", "-o", "jsonpath=" + path);
    }

    @Test
    @Order(9)
    void namespaceOfTheTarget_isDeletedWithWhatIsPublishedInIt() {
        prod.succeed("delete", "namespace", "team", "--timeout=60s");

        assertThat(things.succeed("get", "widgets", "-A", "-o", "name")).isEmpty();
    }

    @Test
    @Order(10)
    void deletedPublication_isWithdrawn_apiServiceFirst() {
        root.succeed("delete", "apipublication", "widgets", "--timeout=30s");

        assertThat(prod.run("get", "apiservice", "v1.example.com").errors()).contains("NotFound");
        assertThat(prod.succeed("get", "services,endpointslices", "-n", "fairlead", "-o", "name"))
                .isEmpty();
        assertThat(kube.audited().deletions("fairlead/"))
                .containsExactly(
                        "/apis/apiregistration.k8s.io/v1/apiservices/v1.example.com",
                        "/apis/discovery.k8s.io/v1/namespaces/fairlead/endpointslices/fairlead-fairlead",
                        "/api/v1/namespaces/fairlead/services/fairlead");
    }

    @Test
    @Order(11)
    void ofTwoPublicationsOfOneGroupAndVersion_oneHasIt_theSameAfterARestart() {
        String other = PublishedWidgets.PUBLICATION
                .replace("{name: widgets}", "{name: widgets-again}")
                .replace("service: fairlead", "service: again");
        root.succeedWith(PublishedWidgets.PUBLICATION + "---\n" + other, "create", "-f", "-");
        Await.until(
                "one is published, and the other in conflict",
                SOON,
                () -> conditions("Available").contains("True")
                        && conditions("Conflict").contains("True"));
        String winner = holder();
        assertThat(conditions("Available")).containsExactlyInAnyOrder("True", "False");
        fairlead.kill();
        fairlead.start();
        Await.until(
                "the same after a restart",
                SOON,
                () -> conditions("Available").contains("True")
                        && conditions("Conflict").contains("True"));

        assertThat(holder()).isEqualTo(winner);
        String name = root.succeed(
                        "get",
                        "apipublications",
                        "-o",
                        "jsonpath={.items[?(@.metadata.uid==\"" + winner + "\")].metadata.name}")
                .strip();
        root.succeed("delete", "apipublication", name, "--timeout=30s");
        Await.until(
                "the other one has it now", SOON, () -> conditions("Available").equals(List.of("True")));
        assertThat(holder()).isNotEqualTo(winner);
    }

    private static String holder() {
        return prod.succeed(
                "get",
                "apiservice",
                "v1.example.com",
                "-o",
                "jsonpath={.metadata.labels.fairlead\\.io/publication-uid}");
    }

    private static List<String> conditions(String type) {
        return List.of(root.succeed(
                        "get",
                        "apipublications",
                        "-o",
                        "jsonpath={.items[*].status.conditions[?(@.type==\"" + type + "\")].status}")
                .split(" "));
    }
}
