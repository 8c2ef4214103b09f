package io.fairlead.gateway.edge;

import static org.assertj.core.api.Assertions.assertThat;

import io.fairlead.fleet.publication.RequestHeaders;
import io.fairlead.gateway.Limited;
import io.fairlead.gateway.edge.RawClient.RawAnswer;
import io.fairlead.hosted.ApiRequest;
import io.fairlead.model.CallerName;
import io.fairlead.model.ClusterName;
import io.fairlead.testkit.LogLines;
import io.netty.pkitesting.X509Bundle;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Who the caller of a published API is: the user that the target's front proxy names, and no other. */
final class PublicationCallerTest extends PublicationFixture {
    @Test
    void userInTheHeaders_isTheUserInTheSource() throws Exception {
        RawAnswer answer = proxy(east)
                .get(
                        BOATS,
                        ANN,
                        "X-Remote-Uid: u1",
                        "X-Remote-Group: devs",
                        "X-Remote-Group: ops",
                        "X-Remote-Extra-Example.com%2Fscope: a",
                        "x-remote-extra-example.com%2fScope: b");

        assertThat(answer.status()).isEqualTo(200);
        ApiRequest asked = dev.requests().getFirst();
        assertThat(asked.user().name()).isEqualTo("ann");
        assertThat(asked.user().uid()).isEqualTo("u1");
        assertThat(asked.user().groups()).containsExactly("devs", "ops", "system:authenticated");
        assertThat(asked.user().extra()).isEqualTo(Map.of("example.com/scope", List.of("a", "b")));
        assertThat(asked.caller()).isEqualTo(new CallerName(new ClusterName("east"), "ann"));
        assertThat(asked.isUserEverywhere()).isFalse();
        assertThat(asked.headers().toString()).doesNotContainIgnoringCase("x-remote");
    }

    @Test
    void anonymousUserOfTheTarget_staysAnonymous() throws Exception {
        proxy(east).get(BOATS, "X-Remote-User: system:anonymous", "X-Remote-Group: system:unauthenticated");

        assertThat(dev.requests().getFirst().user().groups()).containsExactly("system:unauthenticated");
    }

    @Test
    void mastersOfTheTarget_areNoneOfTheSource() throws Exception {
        proxy(east).get(BOATS, "X-Remote-User: system:fairlead:fleet", "X-Remote-Group: system:masters");

        assertThat(dev.requests().getFirst().user().groups()).containsExactly("system:authenticated");
    }

    @Test
    void frontProxy_thatIsNotProven_is401() throws Exception {
        assertThat(asAnn(east.client("CN=front-proxy-client")))
                .as("the right one")
                .isEqualTo(200);

        assertThat(asAnn(null)).as("headers without a certificate").isEqualTo(401);
        assertThat(asAnn(west.client(AGGREGATOR))).as("of another CA").isEqualTo(401);
        assertThat(asAnn(edge.pki.client(AGGREGATOR))).as("of the gateway's CA").isEqualTo(401);
        assertThat(asAnn(east.client("CN=mallory"))).as("of another name").isEqualTo(401);
        assertThat(asAnn(east.expiredClient(AGGREGATOR))).as("expired").isEqualTo(401);
        assertThat(asAnn(east.server("front-proxy-client"))).as("of a server").isEqualTo(401);
        assertThat(dev.requests()).hasSize(1);
    }

    private int asAnn(@Nullable X509Bundle certificate) throws Exception {
        return client(certificate).get(BOATS, ANN).status();
    }

    @Test
    void frontProxyOfAnyName_isTaken_whereNoneIsNamed() throws Exception {
        edge.server.publish(List.of(backend("east", "dev", headers(east, List.of()), "v1")));

        assertThat(client(east.client("CN=mallory")).get(BOATS, ANN).status()).isEqualTo(200);
        assertThat(client(west.client("CN=mallory")).get(BOATS, ANN).status()).isEqualTo(401);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "X-Other: ann",
                "X-Remote-User:",
                "X-Remote-Group: system:masters",
                "X-Remote-User: \u00ff",
                "Authorization: Bearer admin-token"
            })
    void requestThatNamesNoUser_is401(String header) throws Exception {
        RawClient proxy = proxy(east);

        assertThat(proxy.get(BOATS, header).status()).isEqualTo(401);
        assertThat(proxy.get(BOATS, ANN).status()).isEqualTo(200);
    }

    @Test
    void firstHeaderThatIsNotEmpty_namesTheUser() throws Exception {
        edge.server.publish(List.of(backend(
                "east",
                "dev",
                new RequestHeaders(
                        east.caPem(),
                        List.of(),
                        List.of("X-First", "X-Second"),
                        List.of(),
                        List.of("X-Groups", "X-Teams"),
                        List.of("X-A-", "X-B-")),
                "v1")));
        proxy(east)
                .get(
                        BOATS,
                        "X-Second: ann",
                        "X-First:",
                        "X-Teams: ops",
                        "X-Groups: devs",
                        "X-Groups:",
                        "X-B-k: 2",
                        "X-A-k: 1",
                        "X-Remote-Uid: ignored");

        ApiRequest asked = dev.requests().getFirst();
        assertThat(asked.user().name()).isEqualTo("ann");
        assertThat(asked.user().uid()).isEmpty();
        assertThat(asked.user().groups()).containsExactly("devs", "ops", "system:authenticated");
        assertThat(asked.user().extra()).isEqualTo(Map.of("k", List.of("1", "2")));
    }

    @Test
    void credentialsOfTheGateway_countForNothingOnAPublishedName() throws Exception {
        RawClient stranger = client(null);

        assertThat(stranger.get(BOATS, TestEdge.ADMIN).status()).isEqualTo(401);
        assertThat(stranger.get("/livez", TestEdge.ADMIN).status()).isEqualTo(401);
        assertThat(stranger.get("/livez").status()).isEqualTo(401);
        assertThat(client(edge.pki.client("CN=root,O=system:masters"))
                        .get("/clusters/dev" + BOATS)
                        .status())
                .isEqualTo(401);
        assertThat(dev.requests()).isEmpty();
    }

    @Test
    void headersOfAFrontProxy_countForNothingElsewhere() throws Exception {
        RawUpstream prod = edge.attach("prod");
        RawClient proxy = keep(edge.client(east.client(AGGREGATOR)));
        RawClient jane = keep(edge.client());

        assertThat(proxy.get("/clusters/dev" + BOATS, ANN).status()).isEqualTo(401);
        assertThat(proxy.get("/clusters/dev" + BOATS, ANN, "X-Remote-Group: system:masters")
                        .status())
                .isEqualTo(401);
        assertThat(jane.get("/clusters/dev" + BOATS, TestEdge.JANE, "X-Remote-User: root")
                        .status())
                .isEqualTo(200);
        assertThat(dev.requests())
                .singleElement()
                .satisfies(asked -> assertThat(asked.user().name()).isEqualTo("jane"));
        assertThat(jane.get("/clusters/prod" + BOATS, TestEdge.JANE, "X-Remote-User: root", "X-Remote-Uid: 0")
                        .status())
                .isEqualTo(200);
        assertThat(prod.received()).contains("jane").doesNotContainIgnoringCase("x-remote");
    }

    @Test
    void targetsOfOneServerName_areToldApartByTheirFrontProxies() throws Exception {
        FakeHosted ops = edge.host("ops");
        edge.server.publish(List.of(backend("east", east, "dev"), backend("west", west, "ops")));

        assertThat(proxy(east).get(BOATS, ANN).status()).isEqualTo(200);
        assertThat(proxy(west).get(BOATS, "X-Remote-User: wes").status()).isEqualTo(200);

        assertThat(dev.requests())
                .singleElement()
                .satisfies(asked -> assertThat(asked.user().name()).isEqualTo("ann"));
        assertThat(ops.requests())
                .singleElement()
                .satisfies(asked -> assertThat(asked.user().name()).isEqualTo("wes"));
        assertThat(proxy(west).get("/clusters/dev" + BOATS, ANN).status()).isEqualTo(400);
    }

    @Test
    void frontProxy_thatCouldBeOfTwoTargets_is401() throws Exception {
        edge.host("ops");
        edge.server.publish(List.of(backend("east", east, "dev"), backend("west", east, "ops")));

        assertThat(proxy(east).get(BOATS, ANN).status()).isEqualTo(401);
    }

    @Test
    void targetThatCannotBeRecognised_keepsNoOtherFromBeingServed() throws Exception {
        RequestHeaders broken =
                new RequestHeaders("no PEM", List.of(), List.of("X-Remote-User"), List.of(), List.of(), List.of());
        edge.server.publish(List.of(backend("broken", "dev", broken, "v1"), backend("east", east, "dev")));

        assertThat(proxy(east).get(BOATS, ANN).status()).isEqualTo(200);
    }

    @Test
    void openConnection_followsWhatIsPublished() throws Exception {
        RawClient proxy = proxy(east);
        assertThat(proxy.get(BOATS, ANN).status()).isEqualTo(200);

        edge.server.publish(List.of(backend("east", "dev", headers(east, List.of()), "v2")));
        assertThat(proxy.get(BOATS, ANN).status()).isEqualTo(403);
        assertThat(proxy.get(BOATS.replace("v1", "v2"), ANN).status()).isEqualTo(200);

        edge.server.publish(List.of());
        assertThat(proxy.get(BOATS.replace("v1", "v2"), ANN).status()).isEqualTo(401);
    }

    @Test
    void failures_areLimitedAsElsewhere() throws Exception {
        RawClient stranger = client(west.client(AGGREGATOR));

        assertThat(IntStream.range(0, 200).map(_ -> statusOf(stranger))).contains(429);
    }

    private static int statusOf(RawClient client) {
        try {
            return client.get(BOATS, ANN).status();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Test
    void connections_belongToTheFrontProxy_andNotToItsUsers() throws Exception {
        start(Limited.by(Map.of("limits.connectionsPerCallerMax", 1)));
        RawClient first = proxy(east);

        assertThat(first.get(BOATS, ANN).status()).isEqualTo(200);
        assertThat(first.get(BOATS, "X-Remote-User: ben").status()).isEqualTo(200);
        assertThat(proxy(east).get(BOATS, "X-Remote-User: cleo").status()).isEqualTo(429);
    }

    @Test
    void userWhoGivesUpTooManyRequests_doesNotEndTheConnectionForOthers() throws Exception {
        start(Limited.by(Map.of("limits.floodWindow", Duration.ofDays(365), "limits.streamResetsMax", 3)));
        try (RawHttp2Client proxy = new RawHttp2Client(edge.pki, edge.address, east.client(AGGREGATOR), NAME)) {
            assertThat(proxy.open(RawHttp2Client.head("GET", BOATS).add("x-remote-user", "ben"), true)
                            .next())
                    .isEqualTo("head 200");
            proxy.openAndReset(RawHttp2Client.head("GET", BOATS).add("x-remote-user", "ann"), 10);

            assertThat(proxy.open(RawHttp2Client.head("GET", BOATS).add("x-remote-user", "ann"), true)
                            .next())
                    .isEqualTo("head 429");
            assertThat(proxy.open(RawHttp2Client.head("GET", BOATS).add("x-remote-user", "ben"), true)
                            .next())
                    .isEqualTo("head 200");
        }
    }

    @Test
    void refusedRequest_isLoggedWithItsUserAndCluster() throws Exception {
        start(Limited.by(Map.of("logRefusedPerSecondMax", 100)));
        try (LogLines log = new LogLines(RefusedRequests.class)) {
            proxy(east).get("/api/v1/secrets", ANN, "Audit-ID: a1");
            client(west.client(AGGREGATOR)).get(BOATS, ANN, "Audit-ID: a2");
            client(east.client("CN=mallory")).get(BOATS, ANN, "Audit-ID: a3");
            proxy(east).get(BOATS, "Audit-ID: a4");

            assertThat(log.texts())
                    .containsExactly(
                            "INFO Refused a request code=403 method=GET path=/api/v1/secrets cluster=dev user=ann"
                                    + " address=127.0.0.1 auditId=a1 leftOut=0",
                            "INFO Refused a request code=401 reason=CertificateOfAnotherCA method=GET path=" + BOATS
                                    + " cluster= user= address=127.0.0.1 auditId=a2 leftOut=0",
                            "INFO Refused a request code=401 reason=FrontProxyNotAllowed method=GET path=" + BOATS
                                    + " cluster= user= address=127.0.0.1 auditId=a3 leftOut=0",
                            "INFO Refused a request code=401 reason=NoUserInHeaders method=GET path=" + BOATS
                                    + " cluster=dev user= address=127.0.0.1 auditId=a4 leftOut=0");
        }
    }
}
