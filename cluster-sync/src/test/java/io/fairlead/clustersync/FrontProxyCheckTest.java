package io.fairlead.clustersync;

import static io.fairlead.clustersync.FollowedCluster.PROD;
import static io.fairlead.clustersync.FollowedCluster.eventually;
import static org.assertj.core.api.Assertions.assertThat;

import io.fairlead.clustersync.source.Finding;
import io.fairlead.http.Fields;
import io.fairlead.http.HttpMethod;
import io.fairlead.net.RequestHead;
import io.fairlead.net.Sender;
import io.fairlead.net.Upstream;
import io.fairlead.net.UpstreamFailure;
import io.fairlead.net.UpstreamSpec;
import io.fairlead.net.WholeAnswer;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Whether API servers take Fairlead for a front proxy, by their answers to a user that exists nowhere. */
final class FrontProxyCheckTest {
    private static final String CALLERS = "GET /callers";

    private final FollowedCluster prod = new FollowedCluster();
    private final FakeApiServer server = prod.server("h2");

    @AfterEach
    void close() {
        prod.close();
    }

    @Test
    void serverThatNamesTheUser_isServed() {
        Set<String> users = ConcurrentHashMap.newKeySet();
        server.review(201, user -> {
            users.add(user);
            return review(user);
        });
        AttachedScope scope = attach();

        eventually(() -> prod.reachable().equals("Reachable"));
        assertThat(prod.reports)
                .as("never Reachable before that")
                .allMatch(status -> status.reachable().status() != Finding.Status.TRUE || !users.isEmpty());
        assertThat(askAsCaller(scope)).isEqualTo("404");
        eventually(() -> users.size() > 2);
        assertThat(users).allMatch(user -> user.matches("fairlead-probe-[0-9a-f]{32}"));
    }

    /** It takes the certificate for a user's, as kube-apiserver does with one of another CA or another name. */
    @Test
    void serverThatNamesTheHolderOfTheCertificate_isSentNoCaller_untilItNamesTheUser() {
        server.review(201, FrontProxyCheckTest::reviewOfTheHolder);
        AttachedScope scope = attach();

        eventually(() -> prod.reachable().equals("NotAFrontProxy"));
        assertThat(prod.last().reachable().status()).isEqualTo(Finding.Status.FALSE);
        assertThat(prod.last().reachable().message())
                .contains(
                        "for one of user \"fairlead\"",
                        "--requestheader-client-ca-file",
                        "--requestheader-allowed-names");
        assertThat(askAsCaller(scope)).isEqualTo("IDENTITY");
        assertThat(server.requests()).doesNotContain(CALLERS);

        server.review(201, FrontProxyCheckTest::review);
        eventually(() -> prod.reachable().equals("Reachable"));
        assertThat(askAsCaller(scope)).isEqualTo("404");
    }

    @Test
    void refusalThatNamesTheUser_isProofAsWell() {
        server.review(403, FrontProxyCheckTest::forbidden);
        attach();

        eventually(() -> prod.reachable().equals("Reachable"));
    }

    @Test
    void refusalOfAnotherUser_isNone() {
        server.review(403, _ -> forbidden("fairlead"));
        AttachedScope scope = attach();

        eventually(() -> prod.reachable().equals("NotAFrontProxy"));
        assertThat(askAsCaller(scope)).isEqualTo("IDENTITY");
    }

    @Test
    void serverWithoutSelfSubjectReviews_isNotServed() {
        attach();

        eventually(() -> prod.reachable().equals("NotAFrontProxy"));
        assertThat(prod.last().reachable().message()).contains("Kubernetes has before 1.28");
    }

    @Test
    void serverThatDoesNotSay_isSentNoCallerBefore_andAllOfThemAfterwards() {
        server.review(500, _ -> "{}");
        AttachedScope scope = attach();
        eventually(() -> prod.reachable().equals("FrontProxyNotTried"));
        assertThat(prod.last().reachable().status()).isEqualTo(Finding.Status.UNKNOWN);
        assertThat(askAsCaller(scope)).isEqualTo("CLOSED");

        server.review(201, FrontProxyCheckTest::review);
        eventually(() -> prod.reachable().equals("Reachable"));
        server.review(500, _ -> "{}");
        int before = reviews();
        eventually(() -> reviews() > before + 2);

        assertThat(prod.reachable()).isEqualTo("Reachable");
        assertThat(askAsCaller(scope)).isEqualTo("404");
    }

    @Test
    void serverThatTakesTheCertificateForAUsersLater_isFoundWithinAnInterval() {
        server.review(201, FrontProxyCheckTest::review);
        AttachedScope scope = attach();
        eventually(() -> prod.reachable().equals("Reachable"));

        server.review(201, FrontProxyCheckTest::reviewOfTheHolder);

        eventually(() -> prod.reachable().equals("NotAFrontProxy"));
        assertThat(askAsCaller(scope)).isEqualTo("IDENTITY");
    }

    @Test
    void otherServers_areSentNoCaller_beforeTheyAreTriedThemselves() {
        server.review(201, FrontProxyCheckTest::review);
        AttachedScope scope = attach();
        eventually(() -> prod.reachable().equals("Reachable"));
        FakeApiServer other = prod.server("h2");
        other.review(201, FrontProxyCheckTest::reviewOfTheHolder);

        scope.reconfigure(new AttachedCluster(PROD, frontProxy(other), null));

        assertThat(askAsCaller(scope)).isIn("CLOSED", "IDENTITY");
        eventually(() -> prod.reachable().equals("NotAFrontProxy"));
        assertThat(askAsCaller(scope)).isEqualTo("IDENTITY");
        assertThat(other.requests()).doesNotContain(CALLERS);
    }

    /** Each request takes the next of them. */
    @Test
    void oneOfSeveralServersThatDoesNot_isEnough() {
        FakeApiServer other = prod.server("h2");
        server.review(201, FrontProxyCheckTest::review);
        other.review(201, FrontProxyCheckTest::reviewOfTheHolder);
        prod.sync.attach(new AttachedCluster(
                PROD,
                new UpstreamSpec(List.of(server.url(), other.url()), FakeApiServer.caPem(), null, null, null)
                        .asFrontProxy("fairlead"),
                null));

        eventually(() -> prod.reachable().equals("NotAFrontProxy"));
    }

    @Test
    void presentedInAnotherWay_isNotTried() {
        prod.attach(server, null);

        eventually(() -> prod.reachable().equals("Reachable"));
        assertThat(reviews()).isZero();
    }

    private AttachedScope attach() {
        return prod.sync.attach(new AttachedCluster(PROD, frontProxy(server), null));
    }

    private static UpstreamSpec frontProxy(FakeApiServer server) {
        return FollowedCluster.spec(server.url()).asFrontProxy("fairlead");
    }

    private int reviews() {
        return Math.toIntExact(server.requests().stream()
                .filter(request -> request.endsWith(FrontProxyTrial.PATH))
                .count());
    }

    /** The status of the answer, or the kind of the failure. */
    private static String askAsCaller(AttachedScope scope) {
        RequestHead head = new RequestHead(HttpMethod.GET, "/callers", Fields.EMPTY, 0, Sender.FRONT_PROXY, null);
        return switch (WholeAnswer.of(scope.upstream(), head, Upstream.Kind.SHORT, Duration.ofSeconds(20), 1 << 16)
                .join()) {
            case WholeAnswer.Answered(int status, byte[] _) -> String.valueOf(status);
            case WholeAnswer.TooLong _ -> "too long";
            case WholeAnswer.Failed(UpstreamFailure failure) -> failure.kind().name();
        };
    }

    private static String review(String user) {
        return "{\"status\": {\"userInfo\": {\"username\": \"" + user + "\"}}}";
    }

    private static String reviewOfTheHolder(String ignored) {
        return review("fairlead");
    }

    private static String forbidden(String user) {
        return "{\"message\": \"selfsubjectreviews.authentication.k8s.io is forbidden: User \\\"" + user
                + "\\\" cannot create resource\"}";
    }
}
