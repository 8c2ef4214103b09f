package io.fairlead.clustersync;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.fairlead.clustersync.source.Finding;
import io.fairlead.http.FieldName;
import io.fairlead.net.UpstreamFailure;
import io.fairlead.schema.json.Json;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import tools.jackson.databind.JsonNode;

/** Which cluster the endpoints lead to, and which other servers are of it. */
class ClusterIdentityTest {
    private static final Duration TIMEOUT = Duration.ofSeconds(5);
    private static final UpstreamFailure RESET = new UpstreamFailure(UpstreamFailure.Kind.RESET, "of a test", true);

    private final ManualUpstream endpoints = new ManualUpstream();
    private final ClusterIdentity identity = new ClusterIdentity(endpoints, () -> "t0ken", TIMEOUT);

    @Test
    void endpoints_areAskedWithTheCredential_others_withoutIt() {
        identity.confirm();

        assertThat(endpoints.calls(ClusterIdentity.PATH))
                .singleElement()
                .satisfies(call -> assertThat(call.head().fields().get(FieldName.AUTHORIZATION))
                        .isEqualTo("Bearer t0ken"));
        assertThat(identity.question().target()).isEqualTo(ClusterIdentity.PATH);
        assertThat(identity.question().fields().contains(FieldName.AUTHORIZATION))
                .isFalse();
        assertThat(identity.timeout()).isEqualTo(TIMEOUT);
    }

    @Test
    void cluster_hasMoved_onlyIfItWasAnotherBefore() {
        assertThat(confirmed("a")).isFalse();
        assertThat(confirmed("a")).isFalse();
        assertThat(confirmed("b")).isTrue();
        assertThat(confirmed("b")).isFalse();
    }

    @Test
    void endpointsThatDoNotSay_haveNotMoved_andWhatTheySaidHolds() {
        assertThat(confirmed("a")).isFalse();
        CompletableFuture<Boolean> silent = identity.confirm();
        endpoints.calls().getLast().fail(RESET);
        assertThat(silent).isCompletedWithValue(false);
        CompletableFuture<Boolean> refusing = identity.confirm();
        endpoints.calls().getLast().answer(403, "{}");
        assertThat(refusing).isCompletedWithValue(false);

        assertThat(identity.compare(200, namespace("a")).join().status()).isEqualTo(Finding.Status.TRUE);
    }

    @Test
    void question_isPutOnceAtATime() {
        CompletableFuture<Boolean> first = identity.confirm();
        CompletableFuture<Finding> second = identity.compare(200, namespace("a"));
        assertThat(endpoints.calls()).hasSize(1);

        say("a");

        assertThat(first).isCompletedWithValue(false);
        assertThat(second.join().reason()).isEqualTo("Reachable");
        assertThat(second.join().message()).contains("uid a");
    }

    @Test
    void whatIsKnown_isNotAskedForAgain() {
        confirmed("a");

        assertThat(identity.compare(200, namespace("a")).join().status()).isEqualTo(Finding.Status.TRUE);
        Finding other = identity.compare(200, namespace("b")).join();
        assertThat(other.status()).isEqualTo(Finding.Status.FALSE);
        assertThat(other.reason()).isEqualTo("AnotherCluster");
        assertThat(other.message()).contains("uid b there and a at spec.attached.endpoints");
        assertThat(endpoints.calls()).hasSize(1);
    }

    @Test
    void endpointsThatNeverSaid_proveNothing() {
        CompletableFuture<Finding> compared = identity.compare(200, namespace("a"));
        endpoints.calls().getLast().fail(RESET);

        assertThat(compared.join().status()).isEqualTo(Finding.Status.UNKNOWN);
        assertThat(compared.join().reason()).isEqualTo("IdentityNotKnown");
        assertThat(compared.join().message()).endsWith(": of a test");

        compared = identity.compare(200, namespace("a"));
        assertThat(endpoints.calls()).as("it is asked anew").hasSize(2);
        endpoints.calls().getLast().answer(401, "{}");
        assertThat(compared.join().message()).contains("401");
    }

    @Test
    void whatWasSaidBeforeItWasForgotten_countsForNothing() {
        confirmed("a");
        CompletableFuture<Finding> before = identity.compare(200, namespace("a"));
        identity.forget();
        CompletableFuture<Finding> asked = identity.compare(200, namespace("a"));
        ManualUpstream.Call first = endpoints.calls().getLast();
        identity.forget();
        CompletableFuture<Finding> askedAgain = identity.compare(200, namespace("a"));
        assertThat(endpoints.calls()).hasSize(3);

        first.answer(200, Json.text(namespace("a")));

        assertThat(before.join().status()).isEqualTo(Finding.Status.TRUE);
        assertThat(asked.join().status()).isEqualTo(Finding.Status.UNKNOWN);
        assertThat(asked.join().message()).contains("changed meanwhile");
        assertThat(askedAgain).isNotDone();
        say("b");
        assertThat(askedAgain.join().reason()).isEqualTo("AnotherCluster");
    }

    @ParameterizedTest
    @CsvSource({"200, NotKubernetes, no uid", "401, CredentialRefused, 401", "403, CredentialForbidden, --print-rbac"})
    void serverThatDoesNotSay_isNotOfTheCluster(int status, String reason, String told) {
        confirmed("a");

        Finding finding = identity.compare(status, Json.object()).join();

        assertThat(finding.status()).isEqualTo(Finding.Status.FALSE);
        assertThat(finding.reason()).isEqualTo(reason);
        assertThat(finding.message()).contains(told);
    }

    @Test
    void serverThatTakesTheCredentialForNobodys_isSaidToRefuseIt() {
        confirmed("a");

        Finding finding = identity.compare(
                        403,
                        Json.object().put("message", "User \"system:anonymous\" cannot get resource \"namespaces\""))
                .join();

        assertThat(finding.reason()).isEqualTo("CredentialRefused");
        assertThat(finding.message())
                .contains("does not accept", "system:anonymous")
                .doesNotContain("--print-rbac");
    }

    @Test
    void uid_isOneIfItCanBe() {
        confirmed("x".repeat(128));

        assertThat(reason("x".repeat(128))).isEqualTo("Reachable");
        assertThat(reason("x".repeat(129))).isEqualTo("NotKubernetes");
        assertThat(reason("!~")).isEqualTo("AnotherCluster");
        assertThat(reason("a b")).isEqualTo("NotKubernetes");
        assertThat(reason("a\u007fb")).isEqualTo("NotKubernetes");
        assertThat(reason("")).isEqualTo("NotKubernetes");
        assertThat(identity.compare(201, namespace("x".repeat(128))).join().status())
                .isEqualTo(Finding.Status.FALSE);
    }

    @Test
    void introduction_isApproved_orRefusedWithItsReason() {
        confirmed("a");
        assertThat(identity.refusal().status()).isEqualTo(Finding.Status.UNKNOWN);

        assertThat(judged("a")).isEmpty();
        assertThat(identity.refusal().reason()).isEqualTo("Pending");
        assertThat(judged("b")).hasValueSatisfying(why -> assertThat(why).contains("another cluster"));
        assertThat(identity.refusal().reason()).isEqualTo("AnotherCluster");
        assertThat(identity.judge(200, "no JSON".getBytes(UTF_8)).join())
                .hasValueSatisfying(why -> assertThat(why).contains("no uid"));
    }

    private Optional<String> judged(String uid) {
        return identity.judge(200, Json.text(namespace(uid)).getBytes(UTF_8)).join();
    }

    private String reason(String uid) {
        return identity.compare(200, namespace(uid)).join().reason();
    }

    private boolean confirmed(String uid) {
        CompletableFuture<Boolean> moved = identity.confirm();
        say(uid);
        return moved.join();
    }

    private void say(String uid) {
        endpoints.calls().getLast().answer(200, Json.text(namespace(uid)));
    }

    private static JsonNode namespace(String uid) {
        return Json.object().set("metadata", Json.object().put("uid", uid));
    }
}
