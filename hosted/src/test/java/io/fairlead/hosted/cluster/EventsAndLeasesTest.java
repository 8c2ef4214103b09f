package io.fairlead.hosted.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import io.fairlead.hosted.cluster.Api.Answer;
import io.fairlead.schema.json.Json;
import io.fairlead.storage.MemoryStore;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import tools.jackson.databind.JsonNode;

/** Events of both groups, and leases. Expected texts are those of a kube-apiserver 1.36. */
class EventsAndLeasesTest {
    private static final String CORE = "/api/v1/namespaces/default/events";
    private static final String NEWER = "/apis/events.k8s.io/v1/namespaces/default/events";
    private static final String LEASES = "/apis/coordination.k8s.io/v1/namespaces/default/leases";
    private static final String OLD_EVENT = """
        metadata: {name: e1}
        involvedObject: {kind: ConfigMap, namespace: default, name: a}
        reason: R
        message: hello
        type: Normal
        count: 1
        firstTimestamp: "2026-01-01T00:00:00Z"
        lastTimestamp: "2026-01-01T00:00:00Z"
        source: {component: me}
        """;
    private static final String NEW_EVENT = """
        metadata: {name: e2}
        eventTime: "2026-01-01T00:00:00.123456Z"
        reportingController: x.io/ctl
        reportingInstance: i
        action: Act
        reason: R
        regarding: {kind: ConfigMap, namespace: default, name: a}
        note: hi
        type: Normal
        """;

    private volatile Instant now = Instant.parse("2026-01-01T00:00:00Z");
    private final Fixture fixture = new Fixture(new MemoryStore(), Fixture.settings(1024, 1024), List.of(), () -> now);
    private final Api api = fixture.dev();

    @AfterEach
    void close() {
        fixture.close();
    }

    private static JsonNode withoutMetadata(Answer answer) {
        return answer.body().without("metadata");
    }

    @Test
    void event_ofTheCoreGroup_isReadInBothForms() {
        assertThat(withoutMetadata(api.create(CORE, OLD_EVENT).expect(201)))
                .isEqualTo(tree("{\"kind\":\"Event\",\"apiVersion\":\"v1\",\"involvedObject\":{\"kind\":\"ConfigMap\","
                        + "\"namespace\":\"default\",\"name\":\"a\"},\"reason\":\"R\",\"message\":\"hello\","
                        + "\"source\":{\"component\":\"me\"},\"firstTimestamp\":\"2026-01-01T00:00:00Z\","
                        + "\"lastTimestamp\":\"2026-01-01T00:00:00Z\",\"count\":1,\"type\":\"Normal\","
                        + "\"eventTime\":null,\"reportingComponent\":\"\",\"reportingInstance\":\"\"}"));
        assertThat(withoutMetadata(api.get(NEWER + "/e1").expect(200)))
                .isEqualTo(tree("{\"kind\":\"Event\",\"apiVersion\":\"events.k8s.io/v1\",\"eventTime\":null,"
                        + "\"reason\":\"R\",\"regarding\":{\"kind\":\"ConfigMap\",\"namespace\":\"default\","
                        + "\"name\":\"a\"},\"note\":\"hello\",\"type\":\"Normal\","
                        + "\"deprecatedSource\":{\"component\":\"me\"},"
                        + "\"deprecatedFirstTimestamp\":\"2026-01-01T00:00:00Z\","
                        + "\"deprecatedLastTimestamp\":\"2026-01-01T00:00:00Z\",\"deprecatedCount\":1}"));
    }

    @Test
    void event_ofTheNewerGroup_isReadInBothForms_andWatchedInBoth() {
        String start = api.get(CORE).resourceVersion();
        assertThat(withoutMetadata(api.create(NEWER, NEW_EVENT).expect(201)))
                .isEqualTo(tree("{\"kind\":\"Event\",\"apiVersion\":\"events.k8s.io/v1\","
                        + "\"eventTime\":\"2026-01-01T00:00:00.123456Z\",\"reportingController\":\"x.io/ctl\","
                        + "\"reportingInstance\":\"i\",\"action\":\"Act\",\"reason\":\"R\","
                        + "\"regarding\":{\"kind\":\"ConfigMap\",\"namespace\":\"default\",\"name\":\"a\"},"
                        + "\"note\":\"hi\",\"type\":\"Normal\",\"deprecatedSource\":{},"
                        + "\"deprecatedFirstTimestamp\":null,\"deprecatedLastTimestamp\":null}"));
        assertThat(withoutMetadata(api.get(CORE + "/e2").expect(200)))
                .isEqualTo(tree("{\"kind\":\"Event\",\"apiVersion\":\"v1\",\"involvedObject\":{\"kind\":\"ConfigMap\","
                        + "\"namespace\":\"default\",\"name\":\"a\"},\"reason\":\"R\",\"message\":\"hi\","
                        + "\"source\":{},\"firstTimestamp\":null,\"lastTimestamp\":null,\"type\":\"Normal\","
                        + "\"eventTime\":\"2026-01-01T00:00:00.123456Z\",\"action\":\"Act\","
                        + "\"reportingComponent\":\"x.io/ctl\",\"reportingInstance\":\"i\"}"));
        for (String group : List.of(CORE, NEWER)) {
            try (Events events = api.watch(group + "?resourceVersion=" + start)) {
                JsonNode seen = events.next().object();
                assertThat(seen.path(group.equals(CORE) ? "message" : "note").asString(""))
                        .isEqualTo("hi");
            }
        }
    }

    @Test
    void event_ofTheNewerGroup_isCheckedStrictly() {
        assertThat(api.create(NEWER, "metadata: {name: e3}").expect(422).message())
                .isEqualTo("Event \"e3\" is invalid: [eventTime: Required value, type: Invalid value: \"\": has invalid"
                        + " value: ]");
        assertThat(api.create(NEWER, """
            metadata: {name: e3}
            eventTime: "2026-01-01T00:00:00.123456Z"
            type: Odd
            deprecatedCount: 3
            series: {count: 1}
            """).expect(422).message())
                .isEqualTo("Event \"e3\" is invalid: [reportingController: Required value, reportingController: Invalid"
                        + " value: \"\": name part must be non-empty, reportingController: Invalid value: \"\": name"
                        + " part must consist of alphanumeric characters, '-', '_' or '.', and must start and end with"
                        + " an alphanumeric character (e.g. 'MyName',  or 'my.name',  or '123-abc', regex used for"
                        + " validation is '([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]'), reportingInstance: Required"
                        + " value, action: Required value, reason: Required value, series.count: Invalid value: \"\":"
                        + " should be at least 2, series.lastObservedTime: Required value, type: Invalid value: \"\":"
                        + " has invalid value: Odd, count: Invalid value: \"\": needs to be unset]");
        api.create(NEWER, NEW_EVENT).expect(201);
        assertThat(api.merge(NEWER + "/e2", "{\"note\":\"changed\"}")
                        .expect(422)
                        .message())
                .isEqualTo("Event \"e2\" is invalid: message: Invalid value: \"changed\": field is immutable");
        assertThat(api.merge(NEWER + "/e2", "{\"note\":null}").expect(422).message())
                .isEqualTo("Event \"e2\" is invalid: message: Invalid value: \"\": field is immutable");
        api.merge(NEWER + "/e2", "{\"series\":{\"count\":2,\"lastObservedTime\":\"2026-01-01T00:00:01.000000Z\"}}")
                .expect(200);
        api.merge(CORE + "/e2", "{\"message\":\"changed\"}").expect(200);
    }

    @Test
    void event_ofTheCoreGroup_isCheckedLeniently() {
        api.create(CORE, "metadata: {name: e4}").expect(201);
        assertThat(api.create(CORE, "metadata: {name: e5}\ninvolvedObject: {namespace: other}")
                        .expect(422)
                        .message())
                .isEqualTo("Event \"e5\" is invalid: involvedObject.namespace: Invalid value: \"other\": does not match"
                        + " event.namespace");
        api.replace(CORE + "/e9", "metadata: {name: e9}\ninvolvedObject: {namespace: default}")
                .expect(201);
        assertThat(api.delete(CORE + "/e9?propagationPolicy=Foreground")
                        .expect(200)
                        .at("/status"))
                .isEqualTo("Success");
    }

    @Test
    void events_areSelectedByTheFieldsOfTheirGroup() {
        api.create(CORE, OLD_EVENT).expect(201);
        api.create(NEWER, NEW_EVENT).expect(201);

        assertThat(names(CORE + "?fieldSelector=involvedObject.name=a,reason=R"))
                .containsExactly("e1", "e2");
        assertThat(names(CORE + "?fieldSelector=source=me")).containsExactly("e1");
        assertThat(names(NEWER + "?fieldSelector=regarding.name=a")).containsExactly("e1", "e2");
        assertThat(names(NEWER + "?fieldSelector=reportingController=x.io/ctl")).containsExactly("e2");
        assertThat(api.get(NEWER + "?fieldSelector=involvedObject.name=a")
                        .expect(400)
                        .message())
                .isEqualTo("field label not supported: involvedObject.name");
        assertThat(api.get(NEWER + "/nope").expect(404).message()).isEqualTo("events.events.k8s.io \"nope\" not found");
        api.delete(NEWER + "?fieldSelector=reason=R").expect(200);
        assertThat(names(CORE)).isEmpty();
    }

    @Test
    void events_liveAnHourFromTheirLastWrite() {
        api.create(CORE, OLD_EVENT).expect(201);
        api.create(NEWER, NEW_EVENT).expect(201);
        fixture.clusters.sweepEvents();
        pass(Duration.ofMinutes(59));
        api.merge(CORE + "/e1", "{\"count\":2}").expect(200);
        assertThat(names(CORE)).containsExactly("e1", "e2");

        pass(Duration.ofMinutes(1));
        assertThat(names(CORE)).containsExactly("e1");
        pass(Duration.ofMinutes(59));
        assertThat(names(CORE)).containsExactly("e1");
        pass(Duration.ofMinutes(1));
        assertThat(names(CORE)).isEmpty();
    }

    @Test
    void lease_isCheckedAndCreatedByUpdate() {
        assertThat(api.create(LEASES, "metadata: {name: l2}\nspec: {leaseDurationSeconds: 0, leaseTransitions: -1}")
                        .expect(422)
                        .message())
                .isEqualTo("Lease.coordination.k8s.io \"l2\" is invalid: [spec.leaseDurationSeconds: Invalid value: 0:"
                        + " must be greater than 0, spec.leaseTransitions: Invalid value: -1: must be greater than or"
                        + " equal to 0]");
        assertThat(withoutMetadata(api.create(LEASES, """
            metadata: {name: l3}
            spec: {strategy: Odd, preferredHolder: x, holderIdentity: ""}
            """).expect(201)))
                .isEqualTo(tree("{\"kind\":\"Lease\",\"apiVersion\":\"coordination.k8s.io/v1\","
                        + "\"spec\":{\"holderIdentity\":\"\"}}"));
        assertThat(withoutMetadata(api.replace(LEASES + "/l6", "metadata: {name: l6}\nspec: {}")
                        .expect(201)))
                .isEqualTo(tree("{\"kind\":\"Lease\",\"apiVersion\":\"coordination.k8s.io/v1\",\"spec\":{}}"));
        Answer refused = api.replace(LEASES + "/l6", "metadata: {name: l6}\nspec: {holderIdentity: z}")
                .expect(422);
        assertThat(refused.message())
                .isEqualTo("leases.coordination.k8s.io \"l6\" is invalid: metadata.resourceVersion: Invalid value: 0:"
                        + " must be specified for an update");
        assertThat(refused.at("/details/kind")).isEqualTo("leases");
    }

    @Test
    void leaseThatIsCreatedByUpdate_withAText_thatIsNoRevision_isRefused_andTheTextIsShownCut() {
        String lease = "metadata: {name: l7, resourceVersion: '%s'}";

        assertThat(api.replace(LEASES + "/l7", lease.formatted("abc"))
                        .expect(400)
                        .message())
                .isEqualTo("resourceVersion: Invalid value: \"abc\"");
        assertThat(api.replace(LEASES + "/l7", lease.formatted("a".repeat(100_000)))
                        .expect(400)
                        .message())
                .hasSizeLessThan(300);
    }

    @Test
    void lease_isALock_byItsResourceVersion() {
        Answer held = api.create(LEASES, """
            metadata: {name: lock}
            spec: {holderIdentity: one, leaseDurationSeconds: 15, renewTime: "2026-01-01T00:00:00.000001Z"}
            """).expect(201);
        assertThat(held.at("/spec/renewTime")).isEqualTo("2026-01-01T00:00:00.000001Z");
        api.merge(LEASES + "/lock", "{\"spec\":{\"renewTime\":\"2026-01-01T00:00:05.000000Z\"}}")
                .expect(200);

        held.body().withObjectProperty("spec").put("holderIdentity", "two");

        api.replace(LEASES + "/lock", held.body()).expect(409);
        assertThat(api.get(LEASES + "/lock").at("/spec/holderIdentity")).isEqualTo("one");
        assertThat(api.get(LEASES + "/lock").at("/spec/renewTime")).isEqualTo("2026-01-01T00:00:05.000000Z");
    }

    private static JsonNode tree(String json) {
        return Json.read(json.getBytes(StandardCharsets.UTF_8));
    }

    /** The texts of kube-apiserver 1.36. */
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "yesterday| as \"2006-01-02T15:04:05.000000Z07:00\": cannot parse \"yesterday\" as \"2006\"",
                "2026-01-02T03:04:05Z| as \"2006-01-02T15:04:05.000000Z07:00\": cannot parse \"Z\" as \".000000\"",
                "2026-01-02T03:04:05.1234567Z| as \"2006-01-02T15:04:05.000000Z07:00\": cannot parse \"7Z\" as"
                        + " \"Z07:00\"",
                "2026-02-30T03:04:05.000000Z|: day out of range",
                "``| as \"2006-01-02T15:04:05.000000Z07:00\": cannot parse \"\" as \"2006\"",
            })
    void microTime_needsSixDigits(String time, String problem) {
        assertThat(api.create(LEASES, "metadata: {name: l5}\nspec: {renewTime: '" + time + "'}")
                        .expect(400)
                        .message())
                .isEqualTo("Lease in version \"v1\" cannot be handled as a Lease: parsing time \"" + time + "\""
                        + (problem.startsWith(":") ? "" : " ") + problem);
    }

    @Test
    void firstSecondOfTheYear1_isNoTime() {
        Answer lease = api.create(LEASES, "metadata: {name: l7}\nspec: {renewTime: '0001-01-01T00:00:00.000000Z'}")
                .expect(201);

        assertThat(lease.body().path("spec").path("renewTime").isString()).isFalse();
        assertThat(api.get(LEASES + "/l7").body().path("spec").path("renewTime").isString())
                .isFalse();
    }

    private void pass(Duration time) {
        now = now.plus(time);
        fixture.clusters.sweepEvents();
    }

    private List<String> names(String path) {
        return api.get(path)
                .expect(200)
                .body()
                .path("items")
                .valueStream()
                .map(item -> item.at("/metadata/name").asString(""))
                .toList();
    }
}
