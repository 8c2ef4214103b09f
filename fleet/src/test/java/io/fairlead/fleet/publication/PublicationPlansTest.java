package io.fairlead.fleet.publication;

import static io.fairlead.fleet.root.RootCluster.ADMIN;
import static io.fairlead.fleet.root.RootCluster.eventually;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.fairlead.fleet.informers.CallFailure;
import io.fairlead.fleet.root.RootCluster.Answer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** What a publication would do, which is not done. */
final class PublicationPlansTest extends PublicationsFixture {
    private static final String PLANS = "/apis/fairlead.io/v1alpha1/apipublicationplans";
    private static final String CREATE_SERVICE = "create services apis/gateway";
    private static final String CREATE_SLICE = "create endpointslices.discovery.k8s.io apis/gateway-fairlead";
    private static final String CREATE_API_SERVICE = "create apiservices.apiregistration.k8s.io v1.example.com";

    @BeforeEach
    void start() {
        targets.values().forEach(target -> trust(target, "front"));
        root.publicationPlans.by(publications);
    }

    private void follow() {
        publications.start();
        eventually("publications are followed", () -> publications.planner().isPresent());
    }

    @Test
    void ofANewPublication_namesEveryChangeInItsOrder_andMakesNone() {
        target(WEST).put(FakeTarget.SERVICE, service -> {});
        follow();

        Answer plan = plan(yaml("{all: true}", "{cluster: things}"));

        assertThat(plan.code()).as("%s", plan.body()).isEqualTo(201);
        assertThat(steps(plan, "east"))
                .containsExactly("Claimed Done", "Service Done", "Endpoints Done", "Probe Done", "Registered Done");
        assertThat(writes(plan, "east")).containsExactly(CREATE_SERVICE, CREATE_SLICE, CREATE_API_SERVICE);
        assertThat(steps(plan, "west"))
                .containsExactly(
                        "Claimed Failed ObjectOfOthers",
                        "Service Waiting",
                        "Endpoints Waiting",
                        "Probe Waiting",
                        "Registered Waiting");
        assertThat(writes(plan, "west")).isEmpty();
        assertThat(target(EAST).dryRuns)
                .containsExactly("POST " + FakeTarget.SERVICE, "POST " + FakeTarget.SLICE, "POST " + API_SERVICE);
        assertThat(target(EAST).changes).isEmpty();
        assertThat(stored().path("code").asInt(0)).isEqualTo(404);
        assertThat(served).allSatisfy(backends -> assertThat(backends).isEmpty());
    }

    @Test
    void ofAChange_isThatOfTheStoredPublication() {
        follow();
        create("{all: true}", "{cluster: things}");
        eventually("it is available", () -> condition("Available", "status").equals("True"));
        List<String> before = List.copyOf(target(WEST).changes);
        String same = yaml("{all: true}", "{cluster: things}");
        assertThat(writes(plan(same), "east")).isEmpty();

        String changed = yaml("{matchNames: [east]}", "{cluster: things}")
                .replace("priority: 15}", "priority: 16}, {name: v2, priority: 10}");
        Answer plan = plan(changed);

        assertThat(writes(plan, "east"))
                .containsExactly(
                        CREATE_API_SERVICE.replace("create", "update"), CREATE_API_SERVICE.replace("v1", "v2"));
        assertThat(steps(plan, "west")).containsExactly("Withdrawn Done");
        assertThat(writes(plan, "west"))
                .containsExactly(
                        CREATE_API_SERVICE.replace("create", "delete"),
                        CREATE_SLICE.replace("create", "delete"),
                        CREATE_SERVICE.replace("create", "delete"));
        assertThat(target(WEST).changes).isEqualTo(before);
        assertThat(condition("Available", "status")).isEqualTo("True");
    }

    @Test
    void ofWhatWouldBeRefused_isRefusedAlike() {
        follow();
        Answer invalid = plan(yaml("{all: true}", "{cluster: things}").replace("example.com", "apps"));
        assertThat(invalid.code()).isEqualTo(422);
        assertThat(invalid.fields()).containsExactly("spec.group");

        create("{all: true}", "{cluster: things}");
        Answer immutable = plan(yaml("{all: true}", "{cluster: things}").replace("example.com", "example.org"));
        assertThat(immutable.code()).isEqualTo(422);
        assertThat(immutable.fields()).containsExactly("spec.group");
    }

    @Test
    void whatIsInTheWay_isSaidAsThePublicationWouldSayIt() {
        follow();
        isSourceDown = true;
        Answer notServed = plan(yaml("{all: true}", "{cluster: things}"));
        assertThat(steps(notServed, "east")).contains("Probe Failed SourceNotReady", "Registered Waiting");
        assertThat(writes(notServed, "east")).containsExactly(CREATE_SERVICE, CREATE_SLICE);
        isSourceDown = false;

        target(EAST).interference = (call, _) -> {
            if (call.startsWith("POST " + FakeTarget.API_SERVICES)) {
                throw new CallFailure(403, "Forbidden", "no");
            }
        };
        Answer forbidden = plan(yaml("{all: true}", "{cluster: things}"));
        assertThat(steps(forbidden, "east")).contains("Registered Failed Forbidden");
        assertThat(forbidden.body().toString())
                .contains("(expected a rule {apiGroups: [\\\"apiregistration.k8s.io\\\"], resources:"
                        + " [\\\"apiservices\\\"], verbs: [\\\"create\\\"]}");

        target(EAST).interference = (call, _) -> {
            if (call.startsWith("GET " + FakeTarget.API_SERVICES + "?")) {
                throw new CallFailure(403, "Forbidden", "no");
            }
        };
        Answer blind = plan(yaml("{all: true}", "{cluster: things}"));
        assertThat(steps(blind, "east")).contains("Claimed Failed Forbidden");
        assertThat(blind.body().toString())
                .contains("may not list /apis/apiregistration.k8s.io/v1/apiservices in the target (expected a rule"
                        + " {apiGroups: [\\\"apiregistration.k8s.io\\\"], resources: [\\\"apiservices\\\"],"
                        + " verbs: [\\\"list\\\"]}");
        target(EAST).interference = (_, _) -> {};

        trust(target(EAST), "own");
        assertThat(steps(plan(yaml("{all: true}", "{cluster: things}")), "east"))
                .contains("Probe Failed FrontProxyRefused");
        isDown = true;
        assertThat(steps(plan(yaml("{all: true}", "{cluster: things}")), "east"))
                .contains("Claimed Failed ConnectionFailed");
    }

    @Test
    void plans_canOnlyBeCreated_andOnlyTwoAtATime() throws InterruptedException {
        assertThat(plan(yaml("{all: true}", "{cluster: things}")).code())
                .as("nothing was looked at yet")
                .isEqualTo(503);
        follow();
        assertThat(root.send(ADMIN, "GET", PLANS, "").code()).isEqualTo(405);
        assertThat(root.send(ADMIN, "DELETE", PLANS + "/widgets", "").code()).isEqualTo(405);
        CountDownLatch asked = new CountDownLatch(2);
        CountDownLatch answers = new CountDownLatch(1);
        target(EAST).interference = (_, _) -> {
            asked.countDown();
            await(answers);
        };
        String yaml = yaml("{matchNames: [east]}", "{cluster: things}");
        List<Thread> others = new ArrayList<>();
        for (int i = 0; i < 2; i++) {
            others.add(Thread.ofVirtual().start(() -> plan(yaml)));
        }
        asked.await();

        Answer third = plan(yaml);

        assertThat(third.code()).isEqualTo(429);
        assertThat(third.message()).isEqualTo("too many plans at a time (expected at most 2)");
        answers.countDown();
        for (Thread other : others) {
            other.join();
        }
        assertThat(plan(yaml).code()).isEqualTo(201);
    }

    @ParameterizedTest
    @CsvSource({"500, 20000, Timeout", "20000, 500, NotLookedAt"})
    void targetThatDoesNotAnswer_isNotWaitedForLonger_andTheOthersArePlanned(int each, int whole, String reason)
            throws InterruptedException {
        follow();
        CountDownLatch never = new CountDownLatch(1);
        target(EAST).interference = (_, _) -> await(never);
        ObjectNode object = root.send(
                        ADMIN, "POST", PUBLICATIONS + "?dryRun=All", yaml("{all: true}", "{cluster: things}"))
                .body();
        Planner all = publications.planner().orElseThrow();
        Planner impatient = new Planner(
                all.api(),
                all.clusters(),
                all.peers(),
                all.installation(),
                all.calls(),
                all.backends(),
                all.probe(),
                new Planner.Limits(Duration.ofMillis(each), Duration.ofMillis(whole)));

        JsonNode status = impatient.plan(object);

        assertThat(status.at("/clusters/0/steps/0/reason").asString("")).isEqualTo(reason);
        assertThat(status.at("/clusters/1/cluster").asString("")).isEqualTo("west");
        assertThat(status.at("/clusters/1/writes").size()).isEqualTo(3);
    }

    @Test
    void whateverATargetSays_isNoFailureOfTheOthers_andLeadsNowhereElse() {
        follow();
        create("{all: true}", "{cluster: things}");
        eventually("it is available", () -> condition("Available", "status").equals("True"));
        String uid = stored().at("/metadata/uid").asString("");
        String installation = target(EAST)
                .at(API_SERVICE)
                .at("/metadata/labels")
                .path(PublishedObject.INSTALLATION)
                .asString("");
        target(EAST).put(FakeTarget.API_SERVICES + "/v3?x=", service -> {
            service.withObjectProperty("metadata")
                    .putObject("labels")
                    .put(PublishedObject.INSTALLATION, installation)
                    .put(PublishedObject.PUBLICATION_UID, uid);
            service.putObject("spec").put("version", "v3");
        });
        Answer plan = plan(yaml("{all: true}", "{cluster: things}"));
        assertThat(steps(plan, "east")).contains("Registered Failed UnexpectedAnswer");
        assertThat(steps(plan, "west")).contains("Registered Done");

        target(EAST).at(FakeTarget.SERVICE).put("spec", "no object");
        Answer odd = plan(yaml("{all: true}", "{cluster: things}"));
        assertThat(odd.code()).isEqualTo(201);
        assertThat(steps(odd, "east")).first().asString().startsWith("Claimed Failed UnexpectedAnswer");
        assertThat(steps(odd, "west")).contains("Registered Done");
    }

    @Test
    void error_endsThatPlanAlone() {
        follow();
        errorsOfLooks.set(1);
        String yaml = yaml("{matchNames: [east]}", "{cluster: things}");

        assertThatThrownBy(() -> plan(yaml)).isInstanceOf(OutOfMemoryError.class);

        for (int i = 0; i < 3; i++) {
            assertThat(plan(yaml).code()).isEqualTo(201);
        }
    }

    private Answer plan(String publication) {
        return root.send(ADMIN, "POST", PLANS, publication.replace("APIPublication", "APIPublicationPlan"));
    }

    private static void await(CountDownLatch latch) throws CallFailure {
        try {
            latch.await();
        } catch (InterruptedException ended) {
            throw new CallFailure(0, "Interrupted", "the call is given up");
        }
    }

    private static List<String> steps(Answer plan, String cluster) {
        return inCluster(plan, cluster).path("steps").values().stream()
                .map(step -> (text(step, "step") + " " + text(step, "state") + " " + text(step, "reason")).strip())
                .toList();
    }

    private static List<String> writes(Answer plan, String cluster) {
        return inCluster(plan, cluster).path("writes").values().stream()
                .map(write -> text(write, "verb") + " " + text(write, "resource") + " "
                        + (write.has("namespace") ? text(write, "namespace") + "/" : "") + text(write, "name"))
                .toList();
    }

    private static JsonNode inCluster(Answer plan, String cluster) {
        return plan.body().at("/status/clusters").values().stream()
                .filter(node -> text(node, "cluster").equals(cluster))
                .findFirst()
                .orElseThrow(() -> new AssertionError("no " + cluster + " in " + plan.body()));
    }

    private static String text(JsonNode node, String field) {
        return node.path(field).asString("");
    }
}
