package io.fairlead.fleet.informers;

import static io.fairlead.fleet.root.RootCluster.eventually;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.fairlead.fleet.root.RootCluster;
import io.fairlead.model.ClusterName;
import io.fairlead.schema.json.Json;
import io.fairlead.schema.json.Yaml;
import java.time.Instant;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** Changes of Fairlead's own in clusters, and reviews of rights there. */
final class ClusterChangesTest {
    private static final ClusterName PROD = new ClusterName("prod");
    private static final String ROLES = "/apis/rbac.authorization.k8s.io/v1/clusterroles";
    private static final String ROLE = ROLES + "/fairlead-test";

    @Test
    void attached_changes_sendTheirBodies() throws Exception {
        FakeServer server = new FakeServer(answer -> answer.of(200, "{}"));
        ClusterCalls calls = calls(server, false);

        calls.replace("/api/v1/namespaces/shop/configmaps/a", object("{kind: ConfigMap}"));
        calls.delete("/api/v1/namespaces/shop/configmaps/a", object("{preconditions: {uid: u}}"));

        assertThat(server.asked)
                .containsExactly(
                        "PUT /api/v1/namespaces/shop/configmaps/a SHORT",
                        "DELETE /api/v1/namespaces/shop/configmaps/a SHORT");
        assertThat(server.sent).containsExactly("{\"kind\":\"ConfigMap\"}", "{\"preconditions\":{\"uid\":\"u\"}}");
        assertThat(server.cancelled.get()).as("what is over is let go of").isEqualTo(2);
    }

    @Test
    void attached_review_isTheAnswer_alsoOfAClusterThatTakesNoChanges() throws Exception {
        FakeServer server = new FakeServer(answer -> answer.of(201, "{\"status\": ", "{\"allowed\": true}}"));

        ObjectNode reviewed = calls(server, true).review(object("{spec: {user: jane}}"));

        assertThat(reviewed.at("/status/allowed").asBoolean(false)).isTrue();
        assertThat(server.asked).containsExactly("POST /apis/authorization.k8s.io/v1/subjectaccessreviews SHORT");
        assertThat(server.sent).containsExactly("{\"spec\":{\"user\":\"jane\"}}");
    }

    @ParameterizedTest
    @ValueSource(strings = {"<html>", "[]", ""})
    void attached_answerThatIsNoReview_isAFailure(String answered) {
        FakeServer server = new FakeServer(answer -> answer.of(201, answered));

        CallFailure failure = catchThrowableOfType(
                CallFailure.class, () -> calls(server, false).review(Json.object()));
        assertThat(failure.reason()).isEqualTo("UnexpectedAnswer");
    }

    @Test
    void attached_reviewOfAnySize_isNotRead() {
        FakeServer server = new FakeServer(answer -> answer.of(201, "\"" + "x".repeat(300_000) + "\""));

        CallFailure failure = catchThrowableOfType(
                CallFailure.class, () -> calls(server, false).review(Json.object()));
        assertThat(failure.reason()).isEqualTo("AnswerTooLarge");
    }

    @Test
    void attached_clusterThatMoved_takesNoChange() throws Exception {
        FakeServer server = new FakeServer(answer -> answer.of(200, "{}"));
        ClusterCalls calls = calls(server, true);

        for (Change change : new Change[] {
            () -> calls.post("/x", Json.object()),
            () -> calls.replace("/x", Json.object()),
            () -> calls.delete("/x", Json.object())
        }) {
            assertThat(catchThrowableOfType(CallFailure.class, change::make).reason())
                    .isEqualTo("ClusterIdentityMoved");
        }
        assertThat(server.asked).isEmpty();
    }

    @Test
    void attached_refusal_hasItsCode() throws Exception {
        FakeServer server =
                new FakeServer(answer -> answer.of(409, "{\"reason\": \"Conflict\", \"message\": \"another uid\"}"));

        CallFailure failure = catchThrowableOfType(
                CallFailure.class, () -> calls(server, false).delete("/x", Json.object()));
        assertThat(failure.code()).isEqualTo(409);
        assertThat(failure.message()).isEqualTo("another uid");
    }

    @Test
    void hosted_replacesAndDeletes_whatIsAsItIsSaid() throws Exception {
        try (RootCluster root = new RootCluster(_ -> Optional.empty())) {
            HostedCalls calls = new HostedCalls(root.hosted.open(new ClusterName("dev")), 1024 * 1024);
            calls.post(ROLES, object("{metadata: {name: fairlead-test}, rules: []}"));
            ObjectNode role = get(calls, ROLE);
            ObjectNode labelled = role.deepCopy();
            labelled.withObject("/metadata/labels").put("a", "b");

            calls.replace(ROLE, labelled);
            assertThat(get(calls, ROLE).at("/metadata/labels/a").asString("")).isEqualTo("b");
            assertThat(code(() -> calls.replace(ROLE, labelled)))
                    .as("of an old resourceVersion")
                    .isEqualTo(409);

            assertThat(code(() -> calls.delete(ROLE, options("another")))).isEqualTo(409);
            calls.delete(ROLE, options(role.at("/metadata/uid").asString("")));
            assertThat(code(() -> get(calls, ROLE))).isEqualTo(404);
        }
    }

    @Test
    void hosted_review_saysWhatRbacDoes() throws Exception {
        try (RootCluster root = new RootCluster(_ -> Optional.empty())) {
            HostedCalls calls = new HostedCalls(root.hosted.open(new ClusterName("dev")), 1024 * 1024);

            assertThat(calls.review(review("jane", "[system:authenticated]"))
                            .at("/status/allowed")
                            .asBoolean(true))
                    .isFalse();
            eventually("masters may", () -> isAllowed(calls, review("root", "[system:masters]")));
        }
    }

    private static boolean isAllowed(ClusterCalls calls, ObjectNode review) {
        try {
            return calls.review(review).at("/status/allowed").asBoolean(false);
        } catch (CallFailure | InterruptedException notYet) {
            return false;
        }
    }

    private static ObjectNode review(String user, String groups) {
        return object("{apiVersion: authorization.k8s.io/v1, kind: SubjectAccessReview, spec: {user: " + user
                + ", groups: " + groups + ", resourceAttributes: {verb: list, resource: pods, version: v1}}}");
    }

    private static ObjectNode options(String uid) {
        return object("{apiVersion: v1, kind: DeleteOptions, preconditions: {uid: " + uid + "}}");
    }

    private static ObjectNode get(ClusterCalls calls, String target) throws CallFailure, InterruptedException {
        try (ClusterCalls.Document document = calls.ask(target)) {
            JsonNode tree = Json.read(document.read());
            return (ObjectNode) tree;
        }
    }

    private static int code(Change change) {
        return catchThrowableOfType(CallFailure.class, change::make).code();
    }

    private static ObjectNode object(String yaml) {
        return (ObjectNode) Yaml.read(yaml.getBytes(UTF_8));
    }

    private static ClusterCalls calls(FakeServer server, boolean holdsWrites) throws CallFailure {
        try (Informers informers = new Informers(_ -> server.entry(PROD, holdsWrites), _ -> 1, Instant::now)) {
            return informers.calls(PROD);
        }
    }

    /** A call. */
    @FunctionalInterface
    private interface Change {
        void make() throws CallFailure, InterruptedException;
    }
}
