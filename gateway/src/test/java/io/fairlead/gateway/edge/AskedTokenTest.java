package io.fairlead.gateway.edge;

import static org.assertj.core.api.Assertions.assertThat;

import io.fairlead.gateway.Limited;
import io.fairlead.gateway.authn.Bearer;
import io.fairlead.gateway.authn.Identity;
import io.fairlead.gateway.authn.TokenAuthenticator;
import io.fairlead.gateway.authn.Verdict;
import io.fairlead.gateway.edge.RawClient.RawAnswer;
import io.fairlead.model.ClusterName;
import io.fairlead.model.UserInfo;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Tokens of which nothing is known at once. */
class AskedTokenTest {
    private static final String SLOW = "Authorization: Bearer slow";

    private final CountDownLatch answered = new CountDownLatch(1);
    private final AtomicInteger asked = new AtomicInteger();

    private TestEdge edge;
    private RawUpstream prod;

    @BeforeEach
    void start() throws Exception {
        edge = new TestEdge(Limited.BY_DEFAULT, new TokenAuthenticator() {
            @Override
            public Verdict atOnce(Bearer bearer) {
                return new Verdict.NotYet();
            }

            @Override
            public Verdict judge(Bearer bearer) {
                asked.incrementAndGet();
                return AskedTokenTest.this.judge(bearer.token());
            }
        });
        prod = edge.attach("prod");
    }

    private Verdict judge(String token) {
        try {
            return switch (token) {
                case "slow" -> {
                    answered.await();
                    yield new Verdict.Accepted(new Identity.OfGateway(UserInfo.of("ann", List.of("fairlead:admins"))));
                }
                case "of-prod" ->
                    new Verdict.Accepted(new Identity.OfCluster(
                            new ClusterName("prod"),
                            edge.upstreamOf("prod"),
                            UserInfo.of("ann", List.of("system:masters", "fairlead:admins"))));
                case "expired" -> new Verdict.Refused("TokenExpired", "it expired yesterday");
                default -> new Verdict.NotMine("OtherIssuer");
            };
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(e);
        }
    }

    @AfterEach
    void stop() throws Exception {
        answered.countDown();
        edge.close();
    }

    @Test
    void whileAnIssuerIsAsked_otherRequestsOfTheConnectionAreAnswered() throws Exception {
        try (RawHttp2Client client = new RawHttp2Client(edge.pki, edge.address)) {
            var slow = client.open(
                    RawHttp2Client.head("GET", "/clusters/prod/api/v1/pods").add("authorization", "Bearer slow"), true);
            for (int i = 0; i < 20; i++) {
                var quick = client.open(
                        RawHttp2Client.head("GET", "/clusters/prod/api/v1/pods")
                                .add("authorization", "Bearer jane-token"),
                        true);
                assertThat(quick.next()).isEqualTo("head 200");
            }

            answered.countDown();

            assertThat(slow.next()).isEqualTo("head 200");
        }
    }

    @Test
    void bodyThatCameMeanwhile_isNotLost() throws Exception {
        try (RawClient client = edge.client()) {
            client.send("POST /clusters/prod/api/v1/namespaces/a/configmaps HTTP/1.1\r\nHost: localhost\r\n" + SLOW
                    + "\r\nContent-Type: application/json\r\nContent-Length: 2\r\n\r\n{}");

            answered.countDown();

            assertThat(client.answer(false).status()).isEqualTo(200);
            assertThat(prod.header("impersonate-user")).containsExactly("ann");
        }
    }

    @Test
    void probes_andTheGatewaysOwnPaths_waitForItAsWell() throws Exception {
        answered.countDown();
        try (RawClient client = edge.client()) {
            assertThat(client.get("/readyz", SLOW).status()).isEqualTo(200);
            assertThat(client.get("/metrics", SLOW).status()).isEqualTo(200);
            assertThat(client.get("/fairlead/v1/clusters", SLOW).status()).isEqualTo(200);
            assertThat(client.get("/readyz", "Authorization: Bearer unknown").status())
                    .isEqualTo(401);
        }
    }

    @Test
    void bearerOfARefusedToken_isToldWhy_andNoOtherIs() throws Exception {
        try (RawClient client = edge.client()) {
            assertThat(client.get("/clusters/prod/api", "Authorization: Bearer expired")
                            .body())
                    .contains("\"message\":\"Unauthorized: it expired yesterday\"");
            assertThat(client.get("/clusters/prod/api", "Authorization: Bearer guess")
                            .body())
                    .contains("\"message\":\"Unauthorized\"");
        }
    }

    @Test
    void identityOfOneCluster_opensNoOther_whateverItsGroups() throws Exception {
        edge.attach("test");
        try (RawClient client = edge.client()) {
            String token = "Authorization: Bearer of-prod";
            assertThat(client.get("/clusters/prod/api", token).status()).isEqualTo(200);
            RawAnswer other = client.get("/clusters/test/api", token);
            assertThat(other.status()).isEqualTo(403);
            assertThat(client.get("/clusters/none/api", token).body()).isEqualTo(other.body());
            assertThat(client.get("/clusters/root/api", token).status()).isEqualTo(403);
            assertThat(client.get("/metrics", token).status()).isEqualTo(403);
        }
    }

    /** Behind a load balancer all callers have one address. */
    @Test
    void callersOfAnAddressThatFailsTooOften_areJudgedStill_butFewOfThemAtOnce() throws Exception {
        try (RawClient client = edge.client();
                RawHttp2Client waiting = new RawHttp2Client(edge.pki, edge.address)) {
            for (int i = 0; i < 8; i++) {
                waiting.open(
                        RawHttp2Client.head("GET", "/clusters/prod/api").add("authorization", "Bearer slow"), true);
            }
            Await.until(() -> asked.get() == 8);
            assertThat(client.get("/clusters/prod/api", "Authorization: Bearer of-prod")
                            .status())
                    .isEqualTo(200);

            int refused = 0;
            boolean isLockedOut = false;
            for (int i = 0; i < 400 && !isLockedOut; i++) {
                refused += client.get("/clusters/prod/api", "Authorization: Bearer guess")
                                        .status()
                                == 429
                        ? 1
                        : 0;
                int before = asked.get();
                isLockedOut = refused > 0
                        && client.get("/clusters/prod/api", "Authorization: Bearer of-prod")
                                        .status()
                                == 429
                        && asked.get() == before;
            }
            assertThat(isLockedOut).as("no ninth at once").isTrue();

            answered.countDown();
            Await.until(() -> isAcceptedBeside(client));
        }
    }

    /** Whether a good credential is accepted between two bad ones that are too many. */
    private static boolean isAcceptedBeside(RawClient client) {
        try {
            for (int i = 0; i < 60; i++) {
                if (client.get("/clusters/prod/api", "Authorization: Bearer guess")
                                .status()
                        == 429) {
                    return client.get("/clusters/prod/api", "Authorization: Bearer of-prod")
                                            .status()
                                    == 200
                            && client.get("/clusters/prod/api", "Authorization: Bearer guess")
                                            .status()
                                    == 429;
                }
            }
            return false;
        } catch (Exception e) {
            throw new IllegalStateException(e);
        }
    }
}
