package io.fairlead.gateway.edge;

import static org.assertj.core.api.Assertions.assertThat;

import io.fairlead.fleet.UpstreamIdentity;
import io.fairlead.gateway.edge.RawClient.RawAnswer;
import io.fairlead.model.UserInfo;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Who may act as somebody else, and whom the clusters see then. */
class ImpersonationTest {
    private static final String PODS = "/clusters/prod/api/v1/pods";
    private static final String IN_DEV = "/clusters/dev/api/v1/pods";

    private TestEdge edge;
    private Reviewing prod;
    private FakeHosted dev;

    @BeforeEach
    void start() throws Exception {
        edge = new TestEdge();
        prod = new Reviewing(edge.attach("prod"));
        dev = edge.host("dev");
    }

    @AfterEach
    void stop() throws Exception {
        edge.close();
    }

    @Test
    void attached_isAskedAboutEachPart_andThenSeesTheOtherUser() throws Exception {
        RawAnswer answer = get(
                PODS,
                TestEdge.JANE,
                "Impersonate-User: bob",
                "Impersonate-Uid: 7",
                "Impersonate-Group: z-team",
                "Impersonate-Group: a-team",
                "Impersonate-Extra-acme.com%2Fscopes: view");

        assertThat(answer.status()).isEqualTo(200);
        assertThat(prod.asked())
                .containsExactly(
                        "jane 2 [dev, ops, system:authenticated] impersonate  v1 users  bob",
                        "jane 2 [dev, ops, system:authenticated] impersonate authentication.k8s.io v1 uids  7",
                        "jane 2 [dev, ops, system:authenticated] impersonate  v1 groups  z-team",
                        "jane 2 [dev, ops, system:authenticated] impersonate  v1 groups  a-team",
                        "jane 2 [dev, ops, system:authenticated] impersonate authentication.k8s.io v1 userextras"
                                + " acme.com/scopes view");
        assertThat(prod.server.header("Impersonate-User")).containsExactly("bob");
        assertThat(prod.server.header("Impersonate-Uid")).containsExactly("7");
        assertThat(prod.server.header("Impersonate-Group")).containsExactly("z-team", "a-team", "system:authenticated");
        assertThat(prod.server.header("Impersonate-Extra-acme.com%2Fscopes")).containsExactly("view");
        assertThat(prod.server.header("Authorization")).containsExactly("Bearer " + TestEdge.FAIRLEADS_TOKEN);
    }

    @Test
    void attached_questionsAreFairleadsOwn() throws Exception {
        get(PODS, TestEdge.JANE, "Impersonate-User: bob");

        String question = prod.questions.getFirst();
        assertThat(question)
                .contains("authorization: Bearer " + TestEdge.FAIRLEADS_TOKEN)
                .doesNotContainIgnoringCase("impersonate-user")
                .doesNotContain("jane-token");
    }

    @Test
    void attached_withoutTheRight_is403AsKubernetesWordsIt_andNothingElseIsSent() throws Exception {
        prod.allowed = Set.of("bob");

        RawAnswer user = get(PODS, TestEdge.JANE, "Impersonate-User: root");
        assertThat(user.status()).isEqualTo(403);
        assertThat(user.body())
                .contains("users \\\"root\\\" is forbidden: User \\\"jane\\\" cannot impersonate resource \\\"users\\\""
                        + " in API group \\\"\\\" at the cluster scope: no rule")
                .contains("\"details\":{\"name\":\"root\",\"kind\":\"users\"}");
        assertThat(get(PODS, TestEdge.JANE, "Impersonate-User: bob", "Impersonate-Group: dev")
                        .status())
                .isEqualTo(403);
        assertThat(prod.served()).isEmpty();
    }

    @Test
    void attached_serviceAccount_isAskedForByItsNamespace_andHasItsGroups() throws Exception {
        assertThat(get(PODS, TestEdge.JANE, "Impersonate-User: system:serviceaccount:kube-system:robot")
                        .status())
                .isEqualTo(200);

        assertThat(prod.asked())
                .containsExactly(
                        "jane 2 [dev, ops, system:authenticated] impersonate  v1 serviceaccounts kube-system robot");
        assertThat(prod.server.header("Impersonate-Group"))
                .containsExactly(
                        "system:serviceaccounts", "system:serviceaccounts:kube-system", "system:authenticated");
    }

    @Test
    void attached_groupThatIsNotPassedOn_isRefused() throws Exception {
        prod = new Reviewing(edge.attach("strict", new UpstreamIdentity.Impersonate(false, Set.of("secret"))));

        for (String group : List.of("system:masters", "secret")) {
            RawAnswer answer = get(
                    "/clusters/strict/api/v1/pods",
                    TestEdge.ADMIN,
                    "Impersonate-User: bob",
                    "Impersonate-Group: " + group);
            assertThat(answer.status()).isEqualTo(403);
            assertThat(answer.body()).contains(group, "strict");
        }
        assertThat(prod.server.received()).isEmpty();
    }

    @Test
    void attached_requestOfAClientThatLeftMeanwhile_isNotSent() throws Exception {
        CountDownLatch asked = new CountDownLatch(1);
        CountDownLatch left = new CountDownLatch(1);
        prod.server.answer((head, in, out) -> {
            asked.countDown();
            left.await();
            prod.answer(head, in, out);
        });
        try (RawClient client = edge.client()) {
            client.send("DELETE /clusters/prod/api/v1/namespaces/x HTTP/1.1\r\nHost: localhost\r\n" + TestEdge.JANE
                    + "\r\nImpersonate-User: bob\r\n\r\n");
            asked.await();
        }
        Await.until(() -> edge.metrics.find("fairlead.client.connections").gauges().stream()
                .allMatch(open -> open.value() == 0));
        left.countDown();

        assertThat(get(PODS, TestEdge.JANE, "Impersonate-User: bob").status()).isEqualTo(200);
        assertThat(prod.served()).singleElement().asString().startsWith("GET ");
    }

    @Test
    void attached_isAskedAboutTheCallerAsItIsPresentedThere() throws Exception {
        prod = new Reviewing(edge.attach("strict", new UpstreamIdentity.Impersonate(false, Set.of("ops"))));

        try (RawClient client = edge.client(edge.pki.client("CN=root,O=system:masters,O=ops,O=dev"))) {
            assertThat(client.get("/clusters/strict/api/v1/pods", "Impersonate-User: bob")
                            .status())
                    .isEqualTo(200);
        }
        assertThat(prod.asked()).containsExactly("root  [dev, system:authenticated] impersonate  v1 users  bob");
    }

    @Test
    void attached_overHttp2_andForAWatch() throws Exception {
        try (RawHttp2Client client = new RawHttp2Client(edge.pki, edge.address)) {
            var stream = client.open(
                    RawHttp2Client.head("GET", PODS + "?watch=1")
                            .add("authorization", "Bearer jane-token")
                            .add("impersonate-user", "bob"),
                    true);

            assertThat(stream.next()).isEqualTo("head 200");
        }
        assertThat(prod.server.header("Impersonate-User")).containsExactly("bob");
    }

    @Test
    void connectionHeader_hidesNoImpersonation() throws Exception {
        prod.allowed = Set.of();

        assertThat(get(PODS, TestEdge.JANE, "Connection: Impersonate-User, keep-alive", "Impersonate-User: bob")
                        .status())
                .isEqualTo(403);
        assertThat(prod.served()).isEmpty();
    }

    @Test
    void entering_isAskedForTheCaller_whoeverItActsAs() throws Exception {
        edge.root.allow((user, request) ->
                !request.verb().equals("access") || user.name().equals("bob"));

        assertThat(get(PODS, TestEdge.JANE, "Impersonate-User: bob").status()).isEqualTo(403);
        assertThat(prod.server.received()).isEmpty();
    }

    @Test
    void hosted_isAskedByItsRights_andServesTheOtherUser() throws Exception {
        List<String> asked = new CopyOnWriteArrayList<>();
        dev.allow((user, request) -> {
            asked.add(user.name() + " " + request.verb() + " " + request.groupResource() + " " + request.name());
            return true;
        });

        RawAnswer answer = get(
                IN_DEV,
                TestEdge.JANE,
                "Impersonate-User: bob",
                "Impersonate-Group: team",
                "Impersonate-Extra-scopes: view");

        assertThat(answer.status()).isEqualTo(200);
        assertThat(asked)
                .containsExactly(
                        "jane impersonate users bob",
                        "jane impersonate groups team",
                        "jane impersonate userextras.authentication.k8s.io view",
                        "bob list pods ");
        assertThat(dev.requests().getFirst().user())
                .isEqualTo(new UserInfo(
                        "bob", "", List.of("team", "system:authenticated"), Map.of("scopes", List.of("view"))));
    }

    @Test
    void hosted_withoutTheRight_is403() throws Exception {
        dev.allow((_, request) -> !request.verb().equals("impersonate"));

        RawAnswer answer = get(IN_DEV, TestEdge.JANE, "Impersonate-User: bob");
        assertThat(answer.status()).isEqualTo(403);
        assertThat(answer.body()).contains("cannot impersonate resource \\\"users\\\"");
        assertThat(dev.requests()).isEmpty();
    }

    @Test
    void hosted_masters_areGivenByTheGatewayAlone() throws Exception {
        String[] masters = {"Impersonate-User: bob", "Impersonate-Group: system:masters"};

        assertThat(get(IN_DEV, TestEdge.JANE, masters[0], masters[1]).status()).isEqualTo(403);
        assertThat(dev.requests()).isEmpty();
        try (RawClient client = edge.client(edge.pki.client("CN=root,O=system:masters"))) {
            assertThat(client.get(IN_DEV, masters).status()).isEqualTo(200);
        }
        assertThat(dev.requests().getFirst().user().groups()).contains("system:masters");
    }

    @Test
    void hosted_noClientActsAsFairleadItself() throws Exception {
        try (RawClient client = edge.client(edge.pki.client("CN=root,O=system:masters"))) {
            RawAnswer answer =
                    client.get(IN_DEV, "Impersonate-User: system:fairlead:fleet", "Impersonate-Group: system:masters");

            assertThat(answer.status()).isEqualTo(403);
            assertThat(answer.body()).contains("system:fairlead:fleet");
        }
        assertThat(dev.requests()).isEmpty();
    }

    @Test
    void anonymous_isNotAuthenticated() throws Exception {
        assertThat(get(IN_DEV, TestEdge.JANE, "Impersonate-User: system:anonymous")
                        .status())
                .isEqualTo(200);

        assertThat(dev.requests().getFirst().user())
                .isEqualTo(UserInfo.of("system:anonymous", List.of("system:unauthenticated")));
    }

    @ParameterizedTest
    @ValueSource(strings = {"/fairlead/v1/clusters", "/metrics", "/version", "/readyz"})
    void gatewaysOwnPaths_knowNoImpersonation(String path) throws Exception {
        RawAnswer answer = get(path, TestEdge.ADMIN, "Impersonate-User: bob");

        assertThat(answer.status()).isEqualTo(403);
        assertThat(answer.body()).contains("Impersonate-User", "clusters alone");
    }

    private RawAnswer get(String target, String... fields) throws Exception {
        try (RawClient client = edge.client()) {
            return client.get(target, fields);
        }
    }
}
