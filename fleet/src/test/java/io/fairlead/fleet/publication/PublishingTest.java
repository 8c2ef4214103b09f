package io.fairlead.fleet.publication;

import static org.assertj.core.api.Assertions.assertThat;

import io.fairlead.fleet.informers.CallFailure;
import io.fairlead.fleet.pins.judge.ClusterSet;
import io.fairlead.fleet.publication.Peers.Peer;
import io.fairlead.fleet.publication.Publication.Backend;
import io.fairlead.fleet.publication.Publication.Version;
import io.fairlead.model.ClusterName;
import io.fairlead.model.GroupVersion;
import io.fairlead.schema.json.Json;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/** The steps in one target, a look at a time. */
final class PublishingTest {
    private static final ClusterName CLUSTER = new ClusterName("target");
    private static final String API_SERVICE = FakeTarget.API_SERVICES + "/v1.example.com";

    private final FakeTarget target = new FakeTarget();
    private final FakeSource source = new FakeSource();
    private final List<Peer> peers = new ArrayList<>();

    static Publication publication(String uid, String group, String... versions) {
        return publication(
                uid, group, new Backend("apis", "gateway", 443, "", 8443, "", List.of("10.1.1.1")), versions);
    }

    static Publication publication(String uid, String group, Backend backend, String... versions) {
        return new Publication(
                "name-of-" + uid,
                uid,
                Instant.EPOCH,
                false,
                false,
                new ClusterSet.Named(Set.of(CLUSTER)),
                group,
                Arrays.stream(versions).map(name -> new Version(name, 10)).toList(),
                1000,
                Optional.empty(),
                backend,
                new TreeMap<>(),
                "");
    }

    private Progress look(Publication publication) throws InterruptedException {
        List<Peer> all = new ArrayList<>(peers);
        all.add(new Peer(publication, false));
        Progress seen =
                new Publishing(publication, new Peers(CLUSTER, all), "us", new TargetApi(target), source).look();
        target.aggregate();
        return seen;
    }

    private Progress looks(Publication publication, int times) throws InterruptedException {
        Progress progress = look(publication);
        return times == 1 ? progress : looks(publication, times - 1);
    }

    @Test
    void emptyTarget_getsServiceThenSliceThenApiServices_andIsAvailable() throws Exception {
        Progress last = looks(publication("p", "example.com", "v1", "v2"), 5);

        assertThat(target.changes)
                .containsExactly(
                        "POST " + FakeTarget.SERVICE,
                        "POST " + FakeTarget.SLICE,
                        "POST " + API_SERVICE,
                        "POST " + FakeTarget.API_SERVICES + "/v2.example.com");
        assertThat(last.problem()).isEmpty();
        assertThat(last.isDone(Step.AVAILABLE)).isTrue();
        assertThat(target.withoutBackend).isEmpty();
    }

    @Test
    void targetsBefore34_getEndpointsToo_withoutMirror() throws Exception {
        target.minor = "33+";
        looks(publication("p", "example.com", "v1"), 6);

        assertThat(target.at("/api/v1/namespaces/apis/endpoints/gateway").at("/metadata/labels"))
                .isEqualTo(Json.object()
                        .put("endpointslice.kubernetes.io/skip-mirror", "true")
                        .put("fairlead.io/installation", "us"));
        assertThat(target.has(API_SERVICE)).isTrue();
    }

    @Test
    void serviceWithoutAddress_endsTheLook_andNoApiServiceIsMade() throws Exception {
        target.interference = (call, isDone) -> {
            if (isDone && call.equals("POST /api/v1/namespaces/apis/services")) {
                target.at(FakeTarget.SERVICE).withObjectProperty("spec").put("clusterIP", "None");
            }
        };

        Progress last = looks(publication("p", "example.com", "v1"), 5);

        assertThat(last.of(Step.SERVICE).orElseThrow().reason()).isEqualTo("ServiceWithoutAddress");
        assertThat(last.of(Step.ENDPOINTS)).isEmpty();
        assertThat(target.has(FakeTarget.SLICE)).isFalse();
        assertThat(target.has(API_SERVICE)).isFalse();
    }

    @Test
    void backendThatDoesNotProveItself_isNotRegistered() throws Exception {
        source.failure = Optional.of(new StepFailure("FailedDiscoveryCheck", "no"));

        Progress last = looks(publication("p", "example.com", "v1"), 6);

        assertThat(last.of(Step.PROBE).orElseThrow().reason()).isEqualTo("FailedDiscoveryCheck");
        assertThat(target.has(API_SERVICE)).isFalse();
    }

    @Test
    void backendThatFailsLater_leavesTheApiServiceAsItIs() throws Exception {
        looks(publication("p", "example.com", "v1"), 5);
        target.changes.clear();
        source.failure = Optional.of(new StepFailure("FailedDiscoveryCheck", "no"));
        source.caBundle = "another";

        Progress last = looks(publication("p", "example.com", "v1"), 3);

        assertThat(target.changes).isEmpty();
        assertThat(last.isDone(Step.PROBE)).isFalse();
        assertThat(last.isDone(Step.REGISTERED)).isTrue();
        assertThat(last.isDone(Step.AVAILABLE)).isTrue();
    }

    @Test
    void anotherCaBundle_isWrittenOnlyOnceTheSourceProvesItselfByIt() throws Exception {
        looks(publication("p", "example.com", "v1"), 5);
        target.changes.clear();
        source.caBundle = "another";

        Progress last = looks(publication("p", "example.com", "v1"), 2);

        assertThat(target.changes).containsExactly("PUT " + API_SERVICE);
        assertThat(last.problem()).isEmpty();
    }

    @Test
    void deletedService_isMadeAgain_andTheApiServiceStays() throws Exception {
        looks(publication("p", "example.com", "v1"), 5);
        target.changes.clear();
        target.remove(FakeTarget.SERVICE);

        Progress first = look(publication("p", "example.com", "v1"));
        Progress second = look(publication("p", "example.com", "v1"));

        assertThat(first.of(Step.SERVICE).orElseThrow().reason()).isEqualTo("ServiceNotFound");
        assertThat(first.isDone(Step.REGISTERED)).isTrue();
        assertThat(second.problem()).isEmpty();
        assertThat(target.changes).containsExactly("POST " + FakeTarget.SERVICE);
    }

    @Test
    void serviceThatGoesBetweenProbeAndRegistration_isSeenBeforeTheApiServiceIsMade() throws Exception {
        target.interference = (call, isDone) -> {
            if (call.equals("GET " + API_SERVICE) && source.probes > 0) {
                target.remove(FakeTarget.SERVICE);
            }
        };

        Progress last = look(publication("p", "example.com", "v1"));

        assertThat(source.probes).isPositive();
        assertThat(last.isDone(Step.PROBE)).isTrue();
        assertThat(last.of(Step.REGISTERED).orElseThrow().reason()).isEqualTo("ServiceNotFound");
        assertThat(target.has(API_SERVICE)).isFalse();
    }

    @Test
    void objectsOfOthers_areAConflict_andStayAsTheyAre() throws Exception {
        for (String path : List.of(FakeTarget.SERVICE, FakeTarget.SLICE, API_SERVICE)) {
            target.objects.clear();
            target.changes.clear();
            target.put(path, object -> {});
            var before = target.at(path).deepCopy();

            Progress last = looks(publication("p", "example.com", "v1"), 4);

            assertThat(last.of(Step.CLAIMED).orElseThrow().reason()).as(path).isEqualTo("ObjectOfOthers");
            assertThat(target.objects).as(path).isEqualTo(Map.of(path, before));
            assertThat(target.changes).isEmpty();
        }
    }

    @Test
    void versionThatIsPublishedNoMore_isTakenBack() throws Exception {
        looks(publication("p", "example.com", "v1", "v2"), 5);

        looks(publication("p", "example.com", "v2"), 2);

        assertThat(target.has(API_SERVICE)).isFalse();
        assertThat(target.has(FakeTarget.API_SERVICES + "/v2.example.com")).isTrue();
    }

    @Test
    void ofTwoOfOneGroupAndVersion_theSmallerUidHasIt_unlessTheOtherIsRegistered() throws Exception {
        peers.add(new Peer(publication("a", "example.com", "v1"), false));

        assertThat(looks(publication("b", "example.com", "v1"), 3)
                        .of(Step.CLAIMED)
                        .orElseThrow()
                        .reason())
                .isEqualTo("GroupVersionClaimed");
        assertThat(target.changes).isEmpty();

        peers.clear();
        peers.add(new Peer(publication("z", "example.com", "v1"), true));
        assertThat(look(publication("b", "example.com", "v1")).isDone(Step.CLAIMED))
                .isFalse();
        peers.clear();
        peers.add(new Peer(publication("z", "example.com", "v1"), false));
        assertThat(look(publication("b", "example.com", "v1")).isDone(Step.CLAIMED))
                .isTrue();
    }

    @Test
    void otherPortsOfOneService_areAConflict_andTheSameOnesAreShared() throws Exception {
        Backend other = new Backend("apis", "gateway", 444, "", 8443, "", List.of("10.1.1.1"));
        peers.add(new Peer(publication("a", "other.example.com", other, "v1"), false));

        assertThat(look(publication("b", "example.com", "v1"))
                        .of(Step.CLAIMED)
                        .orElseThrow()
                        .reason())
                .isEqualTo("BackendClaimed");

        peers.clear();
        peers.add(new Peer(publication("a", "other.example.com", "v1"), false));
        assertThat(look(publication("b", "example.com", "v1")).isDone(Step.CLAIMED))
                .isTrue();
    }

    @Test
    void rightThatIsMissing_isNamedWithTheRuleThatGrantsIt() throws Exception {
        target.interference = (call, isDone) -> {
            if (call.startsWith("POST /api/v1")) {
                throw new CallFailure(403, "Forbidden", "no");
            }
        };

        Progress last = look(publication("p", "example.com", "v1"));

        assertThat(last.of(Step.SERVICE).orElseThrow().reason()).isEqualTo("Forbidden");
        assertThat(last.of(Step.SERVICE).orElseThrow().message())
                .contains("{apiGroups: [\"\"], resources: [\"services\"], verbs: [\"create\"]}");
    }

    @Test
    void targetWithoutAnswer_saysNothingOfWhatIsRegistered() throws Exception {
        looks(publication("p", "example.com", "v1"), 5);
        target.interference = (call, isDone) -> {
            throw new CallFailure(0, "Timeout", "silent");
        };

        Progress last = look(publication("p", "example.com", "v1"));

        assertThat(last.problem().orElseThrow().reason()).isEqualTo("Timeout");
        assertThat(last.registered()).isEmpty();
    }

    @Test
    void withdrawal_takesTheApiServicesFirst_andTheBackendOnceNoOtherHasIt() throws Exception {
        Publication first = publication("a", "example.com", "v1");
        Publication second = publication("b", "other.example.com", "v1");
        looks(first, 5);
        looks(second, 5);
        target.changes.clear();
        Peers both = new Peers(CLUSTER, List.of(new Peer(first, true), new Peer(second, true)));
        TargetApi api = new TargetApi(target);

        assertThat(new Withdrawal(first, both, "us", api).look().isDone(Step.WITHDRAWN))
                .as("it is looked at again whether they are gone")
                .isFalse();
        assertThat(new Withdrawal(first, both, "us", api).look().isDone(Step.WITHDRAWN))
                .isTrue();
        assertThat(target.changes).containsExactly("DELETE " + API_SERVICE);
        assertThat(target.has(FakeTarget.SERVICE)).isTrue();

        Peers last = new Peers(CLUSTER, List.of(new Peer(second, true)));
        for (int look = 0; look < 5; look++) {
            new Withdrawal(second, last, "us", api).look();
        }
        assertThat(target.objects).isEmpty();
        assertThat(target.changes)
                .containsExactly(
                        "DELETE " + API_SERVICE,
                        "DELETE " + FakeTarget.API_SERVICES + "/v1.other.example.com",
                        "DELETE " + FakeTarget.SLICE,
                        "DELETE " + FakeTarget.SERVICE);
    }

    @Test
    void withdrawal_leavesObjectsOfOthers() throws Exception {
        target.put(
                API_SERVICE,
                object -> object.withObjectProperty("metadata")
                        .putObject("labels")
                        .put(PublishedObject.PUBLICATION_UID, "p"));
        target.put(FakeTarget.SERVICE, object -> {});
        Publication publication = publication("p", "example.com", "v1");

        Progress progress = new Withdrawal(
                        publication,
                        new Peers(CLUSTER, List.of(new Peer(publication, true))),
                        "us",
                        new TargetApi(target))
                .look();

        assertThat(progress.isDone(Step.WITHDRAWN)).isTrue();
        assertThat(target.objects.keySet()).containsExactlyInAnyOrder(API_SERVICE, FakeTarget.SERVICE);
    }

    @Test
    void versionThatIsWantedNoMore_isServed_untilItIsGone() throws Exception {
        looks(publication("p", "example.com", "v1"), 5);
        source.failure = Optional.of(new StepFailure("FailedDiscoveryCheck", "no"));

        Progress last = looks(publication("p", "example.com", "v2"), 3);

        assertThat(last.registered()).as("it may not lose its place").contains(true);
        assertThat(source.stored).containsExactly(new GroupVersion("example.com", "v1"));
        assertThat(target.has(API_SERVICE)).isTrue();

        source.failure = Optional.empty();
        looks(publication("p", "example.com", "v2"), 3);

        assertThat(source.stored).containsExactly(new GroupVersion("example.com", "v2"));
    }

    @Test
    void withdrawal_leavesTheBackend_asLongAsAnApiServiceLeadsToIt() throws Exception {
        Publication never = publication("a", "example.com", "v1");
        Publication registered = publication("b", "other.example.com", "v1");
        looks(registered, 5);
        Peers none = new Peers(CLUSTER, List.of());

        Progress progress = new Withdrawal(never, none, "us", new TargetApi(target)).look();

        assertThat(progress.of(Step.WITHDRAWN).orElseThrow().reason()).isEqualTo("BackendInUse");
        assertThat(target.has(FakeTarget.SLICE)).isTrue();
        assertThat(target.has(FakeTarget.SERVICE)).isTrue();
    }

    @Test
    void selectorThatOthersGiveTheService_isTakenOut() throws Exception {
        looks(publication("p", "example.com", "v1"), 5);
        target.at(FakeTarget.SERVICE)
                .withObjectProperty("spec")
                .putObject("selector")
                .put("app", "another");

        Progress last = looks(publication("p", "example.com", "v1"), 2);

        assertThat(target.at(FakeTarget.SERVICE).at("/spec/selector").isEmpty()).isTrue();
        assertThat(last.problem()).isEmpty();
    }

    @Test
    void whatATargetSays_isCut() {
        Progress.Observed observed = Progress.Observed.failed("no\u001b[31m word", "x".repeat(100_000));

        assertThat(observed.reason()).isEqualTo("UnexpectedAnswer");
        assertThat(observed.message()).hasSize(1024);
    }
}
