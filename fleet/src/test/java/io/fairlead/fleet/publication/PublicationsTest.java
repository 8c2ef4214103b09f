package io.fairlead.fleet.publication;

import static io.fairlead.fleet.root.RootCluster.ADMIN;
import static io.fairlead.fleet.root.RootCluster.eventually;
import static org.assertj.core.api.Assertions.assertThat;

import io.fairlead.fleet.root.Condition;
import io.fairlead.model.Supervised;
import io.fairlead.schema.digest.DefinitionDigests;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

/** What is published, and taken back, as objects and clusters change. */
final class PublicationsTest extends PublicationsFixture {
    private static final String AUTHORITY = "/api/v1/namespaces/fairlead-system/secrets/publication-ca";

    @Test
    void requiredPublication_isKnownInItsTargets_fromTheFirstLookOn() {
        targets.values().forEach(target -> trust(target, "front"));
        assertThat(publications.required(EAST)).isEmpty();
        isDown = true;
        publications.start();
        create("{matchNames: [east]}", "{cluster: things}\n  gate: Required");
        eventually("it is awaited", () -> requiredIn(EAST).startsWith("FALSE ConnectionFailed"));
        assertThat(publications.required(WEST)).contains(Map.of());
        isDown = false;
        eventually("it is available", () -> requiredIn(EAST).equals("TRUE Passed"));
        isDown = true;
        which.put(EAST, "uid of another");
        eventually("another one is awaited as well", () -> requiredIn(EAST).startsWith("FALSE ConnectionFailed"));
    }

    @Test
    void typeOfTheSource_thatIsAnotherThanDeclared_isNotPublished_andWhatIsPublishedStays() {
        targets.values().forEach(target -> trust(target, "front"));
        String declared = DefinitionDigests.of(widgets("integer")).api().text();
        size = "string";
        publications.start();
        String source = "{cluster: things, types: [{resource: widgets, api: \"" + declared + "\"}]}";
        create("{matchNames: [east]}", source);

        eventually("it differs", () -> condition("BackendReady", "reason").equals("TypeDiffers"));
        assertThat(condition("BackendReady", "message"))
                .contains("widgets.example.com of hosted cluster \"things\"", "(expected " + declared + ")");
        assertThat(target(EAST).has(API_SERVICE)).isFalse();
        size = "integer";
        eventually("it is published", () -> condition("Available", "status").equals("True"));
        size = "string";
        String changed = yaml("{matchNames: [east]}", source).replace("groupPriority: 1000", "groupPriority: 999");
        eventually(
                "the publication is changed",
                () -> root.send(ADMIN, "PUT", PUBLICATIONS + "/widgets", asStored(changed))
                                .code()
                        == 200);
        eventually("it differs again", () -> condition("BackendReady", "reason").equals("TypeDiffers"));
        assertThat(condition("Available", "status")).isEqualTo("True");
        assertThat(target(EAST).at(API_SERVICE).at("/spec/groupPriorityMinimum").asInt(0))
                .isEqualTo(1000);
    }

    /** A trial of another credential is one too, with the labels of the cluster that it is for. */
    @Test
    void labels_selectNoAlias_andNamesDo() {
        targets.values().forEach(target -> trust(target, "front"));
        aliases.put(WEST, EAST);
        publications.start();
        create("{matchLabels: {stage: test}}", "{cluster: things}");
        eventually("it is available", () -> condition("Available", "status").equals("True"));
        int before = turns.get();
        eventually("there were more turns", () -> turns.get() > before + 2);
        assertThat(target(WEST).has(API_SERVICE)).isFalse();

        root.send(
                ADMIN, "PATCH", PUBLICATIONS + "/widgets", "{spec: {target: {matchLabels: null, matchNames: [west]}}}");
        eventually("the alias is named", () -> target(WEST).has(API_SERVICE));
    }

    /** The objects are those of the other registration, which is of the same cluster. */
    @Test
    void targetThatBecomesAnAlias_isLeft_andNothingIsDeleted() {
        targets.values().forEach(target -> trust(target, "front"));
        publications.start();
        create("{matchLabels: {stage: test}}", "{cluster: things}");
        eventually(
                "both have it",
                () -> condition("Available", "status").equals("True")
                        && target(WEST).has(API_SERVICE)
                        && target(EAST).has(API_SERVICE));

        aliases.put(WEST, EAST);

        eventually("one target is left", () -> stored().at("/status/clusters").size() == 1);
        assertThat(target(WEST).has(API_SERVICE)).isTrue();
    }

    @Test
    void hostedGroup_isServedAndPublished_andTakenBackWhereItIsWantedNoMore() {
        targets.values().forEach(target -> trust(target, "front"));
        publications.start();
        create("{matchLabels: {stage: test}}", "{cluster: things}");

        eventually("it is available", () -> condition("Available", "status").equals("True"));
        assertThat(condition("Conflict", "status")).isEqualTo("False");
        assertThat(served.getLast())
                .extracting(backend -> backend.target() + " " + backend.serverName() + " "
                        + backend.trusted().allowedNames())
                .containsExactly("east gateway.apis.svc [front-proxy]", "west gateway.apis.svc [front-proxy]");
        JsonNode last = stored().at("/status/clusters/0/steps/5");
        assertThat(last.path("step").asString("") + " " + last.path("state").asString(""))
                .isEqualTo("Available Done");

        registered.put(EAST, Map.of());

        eventually(
                "it is taken back in one", () -> stored().at("/status/targets").asInt(0) == 1);
        assertThat(target(EAST).has(API_SERVICE)).isFalse();
        assertThat(target(EAST).has(FakeTarget.SERVICE)).isFalse();
        assertThat(target(WEST).has(API_SERVICE)).isTrue();
        assertThat(served.getLast()).extracting(PublishedBackend::target).containsExactly(WEST);

        root.send(ADMIN, "DELETE", PUBLICATIONS + "/widgets", "");

        eventually(
                "it is gone",
                () -> root.send(ADMIN, "GET", PUBLICATIONS + "/widgets", "").code() == 404);
        assertThat(target(WEST).has(API_SERVICE)).isFalse();
        assertThat(target(WEST).has(FakeTarget.SERVICE)).isFalse();
        assertThat(served.getLast()).isEmpty();
    }

    @Test
    void targetThatIsDown_holdsTheNextCa_untilItTrustsThat() {
        targets.values().forEach(target -> trust(target, "front"));
        publications.start();
        create("{matchLabels: {stage: test}}", "{cluster: things}");
        eventually("it is available", () -> condition("Available", "status").equals("True"));
        List<String> before = presented();

        isDown = true;
        root.send(ADMIN, "PATCH", AUTHORITY, "{metadata: {annotations: {fairlead.io/rotate: now}}}");
        eventually("there is a next one", () -> authority().has("next.crt"));
        ahead = Duration.ofHours(1);
        int then = turns.get();
        eventually("it was turned some times", () -> turns.get() > then + 20);
        assertThat(authority().has("next.crt")).isTrue();
        assertThat(presented()).isEqualTo(before);

        isDown = false;
        eventually("the one before is kept no more", () -> {
            ahead = ahead.plusSeconds(1);
            return authority().size() == 2;
        });
        assertThat(presented()).doesNotContainAnyElementsOf(before).hasSize(2);
        eventually(
                "the targets trust the other one alone",
                () -> targets.values().stream()
                        .allMatch(target -> target.at(API_SERVICE)
                                .at("/spec/caBundle")
                                .equals(authority().path("tls.crt"))));
    }

    private List<String> presented() {
        return served.getLast().stream().map(PublishedBackend::certificateChain).toList();
    }

    private JsonNode authority() {
        return root.send(ADMIN, "GET", AUTHORITY, "").body().path("data");
    }

    @Test
    void whatIsRegistered_isServedAgainAfterARestart_beforeAnythingElseIsLookedAt() {
        registered.remove(WEST);
        trust(target(EAST), "front");
        publications.start();
        create("{all: true}", "{cluster: things}");
        eventually("it is available", () -> condition("Available", "status").equals("True"));
        publications.close();
        served.clear();
        isSourceDown = true;

        try (Publications again = publications()) {
            again.start();

            eventually(
                    "it is served", () -> !served.isEmpty() && served.getLast().size() == 1);
            eventually(
                    "nothing else is", () -> condition("BackendReady", "reason").equals("SourceNotReady"));
        }
    }

    @Test
    void secondSourceOfOneBackend_isNeverServed_andTheFirstStays() {
        registered.remove(WEST);
        trust(target(EAST), "front");
        publications.start();
        create("{all: true}", "{cluster: things}");
        Instant created =
                Instant.parse(stored().at("/metadata/creationTimestamp").asString(""));
        eventually("the second one is younger", () -> Instant.now().isAfter(created.plusSeconds(1)));
        String second = yaml("{all: true}", "{cluster: things}")
                .replace("name: widgets", "name: second")
                .replace("name: v1", "name: v2");
        assertThat(root.send(ADMIN, "POST", PUBLICATIONS, second).code()).isEqualTo(201);
        eventually(
                "both are served", () -> !served.isEmpty() && served.getLast().size() == 2);
        eventually("both are registered", () -> target(EAST).has(API_SERVICE.replace("v1.", "v2.")));

        eventually(
                "the source is exchanged",
                () -> root.send(ADMIN, "PATCH", PUBLICATIONS + "/second", "{spec: {source: {cluster: others}}}")
                                .code()
                        == 200);

        eventually(
                "it is refused",
                () -> Condition.in(
                                root.send(ADMIN, "GET", PUBLICATIONS + "/second", "")
                                        .body()
                                        .path("status"),
                                "Accepted")
                        .path("reason")
                        .asString("")
                        .equals("BackendClaimed"));
        assertThat(served.getLast()).hasSize(1);
        assertThat(served)
                .allSatisfy(all -> assertThat(all)
                        .allSatisfy(
                                backend -> assertThat(backend.source().value()).isEqualTo("things")));
    }

    @Test
    void targetThatIsDown_keepsADeletedPublication_untilItIsBack() {
        registered.remove(WEST);
        publications.start();
        createExternal();
        eventually("it is available", () -> condition("Available", "status").equals("True"));

        isDown = true;
        root.send(ADMIN, "DELETE", PUBLICATIONS + "/widgets", "");
        eventually(
                "it says what it waits for",
                () -> condition("Registered", "reason").equals("ConnectionFailed"));
        assertThat(target(EAST).has(API_SERVICE)).isTrue();

        isDown = false;
        eventually(
                "it is gone",
                () -> root.send(ADMIN, "GET", PUBLICATIONS + "/widgets", "").code() == 404);
        assertThat(target(EAST).objects).isEmpty();
    }

    @Test
    void clusterThatIsRegisteredNoMore_holdsNoDeletedPublication() {
        registered.remove(WEST);
        publications.start();
        createExternal();
        eventually("it is available", () -> condition("Available", "status").equals("True"));

        registered.remove(EAST);
        root.send(ADMIN, "DELETE", PUBLICATIONS + "/widgets", "");

        eventually(
                "it is gone",
                () -> root.send(ADMIN, "GET", PUBLICATIONS + "/widgets", "").code() == 404);
    }

    @Test
    void frontProxyWhoseCaIsTheGatewaysOwn_isRefused() {
        registered.remove(WEST);
        trust(target(EAST), "own");
        publications.start();
        create("{all: true}", "{cluster: things}");

        eventually("it says so", () -> condition("BackendReady", "reason").equals("FrontProxyRefused"));
        assertThat(served).allSatisfy(backends -> assertThat(backends).isEmpty());
        assertThat(target(EAST).has(API_SERVICE)).isFalse();
    }

    @Test
    void clusterThatIsRegisteredNoMore_isServedNothing_thoughThePublicationStays() {
        targets.values().forEach(target -> trust(target, "front"));
        publications.start();
        create("{matchNames: [east, west]}", "{cluster: things}");
        eventually("it is available", () -> condition("Available", "status").equals("True"));

        registered.remove(EAST);

        eventually("it is one target", () -> stored().at("/status/targets").asInt(0) == 1);
        eventually(
                "the other is served",
                () -> served.getLast().stream()
                        .map(PublishedBackend::target)
                        .toList()
                        .equals(List.of(WEST)));
        assertThat(condition("Available", "status")).isEqualTo("True");
    }

    @Test
    void sourceThatIsExchanged_isServedNoMore_thoughTheOtherIsNotReady() {
        registered.remove(WEST);
        trust(target(EAST), "front");
        publications.start();
        create("{all: true}", "{cluster: things}");
        eventually("it is available", () -> condition("Available", "status").equals("True"));

        eventually(
                "the source is another one",
                () -> root.send(
                                        ADMIN,
                                        "PUT",
                                        PUBLICATIONS + "/widgets",
                                        asStored(yaml("{all: true}", "{cluster: others}")))
                                .code()
                        == 200);

        eventually("nothing is served", () -> served.getLast().isEmpty());
        eventually("it says why", () -> condition("BackendReady", "reason").equals("SourceNotReady"));
        assertThat(target(EAST).has(API_SERVICE)).isTrue();
    }

    @Test
    void error_endsNeitherThread() {
        registered.remove(WEST);
        publications.start();
        errorsOfTurns.set(2);
        errorsOfLooks.set(2);
        createExternal();

        eventually(
                "it is available in spite of errors",
                () -> condition("Available", "status").equals("True"));
        assertThat(errorsOfTurns).hasValue(0);
        assertThat(errorsOfLooks).hasValue(0);
        eventually(
                "both go on",
                () -> publications.work().stream()
                        .allMatch(work -> work.isAlive() && work.problem().isEmpty()));
        assertThat(publications.work()).extracting(Supervised::name).contains("publications");
    }
}
