package io.fairlead.clustersync;

import static io.fairlead.clustersync.Crds.aggregated;
import static io.fairlead.clustersync.Crds.builtIn;
import static io.fairlead.clustersync.Crds.condition;
import static io.fairlead.clustersync.Crds.crd;
import static io.fairlead.clustersync.FakeApiServer.API_SERVICES;
import static io.fairlead.clustersync.FakeApiServer.CRDS;
import static io.fairlead.clustersync.FollowedCluster.PROD;
import static io.fairlead.clustersync.FollowedCluster.eventually;
import static org.assertj.core.api.Assertions.assertThat;

import io.fairlead.index.Answer;
import io.fairlead.index.DefinedType;
import io.fairlead.index.Sync;
import io.fairlead.model.TypeDigest;
import io.fairlead.schema.digest.DefinitionDigests;
import io.fairlead.schema.json.Json;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.util.Objects;
import java.util.OptionalInt;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.node.ObjectNode;

/** What is known of an attached cluster's types, as they come and go. */
final class AttachedClusterTest extends AttachedClusterFixture {
    @ParameterizedTest
    @ValueSource(strings = {"h2", "http/1.1"})
    void lookup_afterTheList_knowsWhatIsServed(String protocol) {
        FakeApiServer server = prod.server(protocol);
        IntStream.range(0, 10)
                .forEach(i -> server.put(CRDS, "t" + i + ".example.com", crd("t" + i, "example.com", "v1")));
        server.put(CRDS, "new.example.com", notEstablished());
        server.put(API_SERVICES, "v1.", builtIn("", "v1"));
        server.put(API_SERVICES, "v1beta1.metrics.k8s.io", aggregated("metrics.k8s.io", "v1beta1"));
        prod.attach(server, null);

        eventually(() -> prod.sync() == Sync.SYNCED);

        assertThat(prod.lookup("example.com", "v1", "t7")).isEqualTo(Answer.SERVED);
        assertThat(prod.lookup("example.com", "v1", "new")).isEqualTo(Answer.ABSENT);
        assertThat(prod.lookup("", "v1", "")).isEqualTo(Answer.SERVED);
        assertThat(prod.lookup("", "v1", "pods")).isEqualTo(Answer.UNKNOWN);
        assertThat(prod.lookup("metrics.k8s.io", "v1beta1", "anything")).isEqualTo(Answer.SERVED);
        assertThat(prod.lookup("other.io", "v1", "")).isEqualTo(Answer.ABSENT);
        assertThat(server.requests()).noneMatch(request -> request.contains("resourceVersion=0"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"h2", "http/1.1"})
    void serverWhoseUrlHasAPath_isProbedListedAndWatchedBelowIt(String protocol) {
        FakeApiServer server = prod.server(protocol);
        server.serveBelow("/k8s/clusters/c-1");
        server.put(CRDS, "foos.example.com", crd("foos", "example.com", "v1"));
        prod.attach(server, null);
        eventually(() -> server.watcherCount() == 2);

        server.put(CRDS, "bars.example.com", crd("bars", "example.com", "v1"));

        eventually(() -> prod.holders("example.com", "v1") == 2);
        eventually(() -> prod.reachable().equals("Reachable"));
        assertThat(prod.last().version()).isEqualTo("v1.36.3");
        assertThat(server.requests()).allMatch(request -> request.startsWith("GET /k8s/clusters/c-1/"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"h2", "http/1.1"})
    void watch_isFollowed(String protocol) {
        FakeApiServer server = prod.server(protocol);
        prod.attach(server, null);
        eventually(() -> server.watcherCount() == 2);

        server.put(CRDS, "foos.example.com", crd("foos", "example.com", "v1", "v2"));
        server.put(CRDS, "bars.example.com", crd("bars", "example.com", "v1"));
        eventually(() -> prod.holders("example.com", "v1") == 2);
        server.put(CRDS, "foos.example.com", crd("foos", "example.com", "v2"));
        eventually(() -> prod.holders("example.com", "v1") == 1);
        server.delete(CRDS, "bars.example.com");
        eventually(() -> prod.lookup("example.com", "v1", "") == Answer.ABSENT);

        assertThat(prod.holders("example.com", "v2")).isEqualTo(1);
        prod.index.assertConsistent();
    }

    @Test
    void definition_isDigestedAsItGoesBy() {
        ObjectNode crd = crd("foos", "example.com", "v1");
        ((ObjectNode) crd.path("spec").path("versions").get(0))
                .putObject("schema")
                .putObject("openAPIV3Schema")
                .put("type", "object")
                .put("maxProperties", new BigInteger("123456789012345678901234567890"))
                .put("minProperties", new BigDecimal("1.50"));
        DefinitionDigests expected = DefinitionDigests.ofSpec(
                Json.readExact(Json.write(crd.path("spec"))).root());
        FakeApiServer server = prod.server("h2");
        server.put(CRDS, "foos.example.com", crd);
        prod.attach(server, null);
        eventually(() -> prod.sync() == Sync.SYNCED);

        DefinedType type = defined("foos.example.com");
        assertThat(type).isNotNull();
        assertThat(type.api()).isEqualTo(expected.api());
        assertThat(type.full()).isEqualTo(expected.full());
        assertThat(prod.index.types().canonical(type.api()))
                .contains(expected.type().bytes());
    }

    @Test
    void definitionThatDrifts_isAnotherType_andOneThatSaysNothingIsNone() {
        FakeApiServer server = prod.server("h2");
        server.put(CRDS, "foos.example.com", crd("foos", "example.com", "v1"));
        prod.attach(server, null);
        eventually(() -> prod.sync() == Sync.SYNCED);
        TypeDigest before = api("foos.example.com");

        server.put(CRDS, "foos.example.com", crd("foos", "example.com", "v1", "v2"));
        eventually(() -> !Objects.equals(before, api("foos.example.com")));
        assertThat(prod.index.types().distinct()).isEqualTo(2);
        ObjectNode nameless = crd("foos", "example.com", "v1");
        nameless.withObject("spec").withObject("names").remove("kind");
        server.put(CRDS, "foos.example.com", nameless);

        eventually(() -> api("foos.example.com") == null);
        assertThat(prod.lookup("example.com", "v1", "foos")).isEqualTo(Answer.SERVED);
        prod.index.assertConsistent();
    }

    @Test
    void terminatingCrd_keepsContributing() {
        FakeApiServer server = prod.server("h2");
        server.put(CRDS, "foos.example.com", condition(crd("foos", "example.com", "v1"), "Terminating", "True"));
        prod.attach(server, null);

        eventually(() -> prod.sync() == Sync.SYNCED);

        assertThat(prod.lookup("example.com", "v1", "foos")).isEqualTo(Answer.SERVED);
    }

    @Test
    void lastCrdGoneInAWatchGap_leavesWithTheRelist() {
        FakeApiServer server = prod.server("h2");
        server.put(CRDS, "foos.example.com", crd("foos", "example.com", "v1"));
        server.put(CRDS, "bars.example.com", crd("bars", "example.com", "v1"));
        prod.attach(server, null);
        eventually(() -> server.watcherCount() == 2 && prod.sync() == Sync.SYNCED);

        server.gap(() -> {
            server.delete(CRDS, "foos.example.com");
            server.delete(CRDS, "bars.example.com");
        });

        eventually(() -> prod.lookup("example.com", "v1", "") == Answer.ABSENT);
        assertThat(prod.sync()).isEqualTo(Sync.SYNCED);
        prod.index.assertConsistent();
    }

    @Test
    void crdRemadeInAWatchGap_hasItsNewUid() {
        FakeApiServer server = prod.server("h2");
        server.put(CRDS, "foos.example.com", crd("foos", "example.com", "v1"));
        prod.attach(server, null);
        eventually(() -> server.watcherCount() == 2 && prod.sync() == Sync.SYNCED);

        ObjectNode remade = crd("foos", "example.com", "v2");
        remade.withObject("metadata").put("uid", "second");
        server.gap(() -> server.put(CRDS, "foos.example.com", remade));

        eventually(() -> prod.lookup("example.com", "v2", "foos") == Answer.SERVED);
        eventually(() -> prod.lookup("example.com", "v1", "foos") == Answer.ABSENT);
    }

    @Test
    void lateDeletionOfAnEarlierIncarnation_leavesTheLaterOne() {
        FakeApiServer server = prod.server("h2");
        AttachedScope scope = followed(server);
        server.put(CRDS, "foos.example.com", crd("foos", "example.com", "v1"));
        ObjectNode first = server.get(CRDS, "foos.example.com");
        server.delete(CRDS, "foos.example.com");
        server.put(CRDS, "foos.example.com", crd("foos", "example.com", "v2"));

        server.repeat(CRDS, "DELETED", first);
        awaitAnother(server);

        assertThat(prod.lookup("example.com", "v2", "foos")).isEqualTo(Answer.SERVED);
        assertThat(api("foos.example.com")).isNotNull();
        assertNoMismatch(scope);
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void repeatedAddition_changesNothing(boolean laterOneIsThere) {
        FakeApiServer server = prod.server("h2");
        AttachedScope scope = followed(server);
        server.put(CRDS, "foos.example.com", crd("foos", "example.com", "v1"));
        ObjectNode first = server.get(CRDS, "foos.example.com");
        server.delete(CRDS, "foos.example.com");
        if (laterOneIsThere) {
            server.put(CRDS, "foos.example.com", crd("foos", "example.com", "v2"));
        }

        server.repeat(CRDS, "ADDED", first);
        awaitAnother(server);

        assertThat(prod.lookup("example.com", "v1", "foos")).isEqualTo(Answer.ABSENT);
        assertThat(prod.lookup("example.com", "v2", "foos")).isEqualTo(laterOneIsThere ? Answer.SERVED : Answer.ABSENT);
        assertNoMismatch(scope);
    }

    @Test
    void historyThatWasRewound_beginsANewEpoch() {
        FakeApiServer server = prod.server("h2");
        server.put(CRDS, "foos.example.com", crd("foos", "example.com", "v1"));
        prod.attach(server, null);
        eventually(() -> server.watcherCount() == 2 && prod.sync() == Sync.SYNCED);

        server.down();
        server.rewind(10);
        server.delete(CRDS, "foos.example.com");
        server.put(CRDS, "olds.example.com", crd("olds", "example.com", "v1"));
        server.listen();

        eventually(() -> prod.lookup("example.com", "v1", "foos") == Answer.ABSENT
                && prod.lookup("example.com", "v1", "olds") == Answer.SERVED);
        assertThat(prod.index.view(PROD).orElseThrow().evidence().epoch()).isGreaterThan(1);
        prod.index.assertConsistent();
    }

    @Test
    void malformedCrds_leaveTheOthersIndexed() {
        FakeApiServer server = prod.server("h2");
        ObjectNode withoutGroup = crd("nogroups", "", "v1");
        withoutGroup.withObject("spec").remove("group");
        server.put(CRDS, "nogroups.example.com", withoutGroup);
        server.put(
                CRDS,
                "many.example.com",
                crd(
                        "many",
                        "example.com",
                        IntStream.range(0, 10_000).mapToObj(i -> "v" + i).toArray(String[]::new)));
        ObjectNode large = crd("larges", "large.io", "v1");
        large.withObject("spec").put("filler", "x".repeat(2 << 20));
        server.put(CRDS, "larges.large.io", large);
        ObjectNode empty = crd("x", "x", "v1");
        empty.remove("spec");
        empty.remove("status");
        server.put(CRDS, "empty", empty);
        server.put(CRDS, "oddversions.odd.io", crd("oddversions", "odd.io", "", "a/b", "v1"));
        server.put(CRDS, "foos.example.com", crd("foos", "example.com", "v1"));
        prod.attach(server, null);

        eventually(() -> prod.sync() == Sync.SYNCED);

        assertThat(prod.lookup("example.com", "v1", "foos")).isEqualTo(Answer.SERVED);
        assertThat(prod.lookup("large.io", "v1", "larges")).isEqualTo(Answer.SERVED);
        assertThat(prod.lookup("odd.io", "v1", "oddversions")).isEqualTo(Answer.SERVED);
        assertThat(prod.lookup("example.com", "v1", "many")).isEqualTo(Answer.ABSENT);
        assertThat(prod.lookup("", "v1", "nogroups")).isEqualTo(Answer.ABSENT);
        server.put(CRDS, "many.example.com", crd("many", "example.com", "v1"));
        eventually(() -> prod.lookup("example.com", "v1", "many") == Answer.SERVED);
        prod.index.assertConsistent();
    }

    @Test
    void counts_areReported() {
        FakeApiServer server = prod.server("h2");
        server.put(CRDS, "foos.example.com", crd("foos", "example.com", "v1", "v2"));
        prod.attach(server, null);
        eventually(() -> !prod.reports.isEmpty()
                && prod.last().groupVersions() == 2
                && prod.last().resources().equals(OptionalInt.of(1)));

        server.put(API_SERVICES, "v1.", builtIn("", "v1"));

        eventually(() ->
                prod.last().groupVersions() == 3 && prod.last().resources().isEmpty());
    }

    @Test
    void audit_findsNothing() {
        FakeApiServer server = prod.server("h2");
        IntStream.range(0, 20)
                .forEach(i -> server.put(CRDS, "t" + i + ".example.com", crd("t" + i, "example.com", "v1")));
        AttachedScope scope = prod.attach(server, null);
        eventually(() -> server.watcherCount() == 2 && prod.sync() == Sync.SYNCED);
        IntStream.range(0, 10).forEach(i -> server.delete(CRDS, "t" + i + ".example.com"));
        eventually(() -> prod.holders("example.com", "v1") == 10);

        assertThat(scope.verify())
                .hasValueSatisfying(audit -> assertThat(audit.isClean()).isTrue());
    }
}
