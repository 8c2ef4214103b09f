package io.fairlead.hosted.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import io.fairlead.hosted.cluster.Api.Answer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What a creation is refused for, and what it is not. Expected texts are those of a kube-apiserver 1.36. */
class CreationRefusalsTest extends EveryKindFixture {
    private static final String MAPS = "/api/v1/namespaces/default/configmaps";
    private static final String BUDGETS = "/apis/policy/v1/namespaces/default/poddisruptionbudgets";
    private static final String EVENTS = "/api/v1/namespaces/default/events";

    @Test
    void takenName_besideAPrefixOfNames_isToldAsOneThatWasGenerated() {
        api.create(MAPS, "{metadata: {name: m}}").expect(201);

        Answer refused = api.create(MAPS, "{metadata: {name: m, generateName: m-}}");

        assertThat(refused.expect(409).message())
                .isEqualTo("configmaps \"m\" already exists, the server was not able to generate a unique name for the"
                        + " object");
        assertThat(refused.reason()).isEqualTo("AlreadyExists");
    }

    @Test
    void resourceVersion_isRefusedOnlyOnceTheObjectIsValid() {
        api.create(MAPS, "{metadata: {name: m, resourceVersion: '7'}, data: {'a b': c}}")
                .expect(422);

        Answer refused = api.create(MAPS, "{metadata: {name: m, resourceVersion: '7'}}");

        assertThat(refused.expect(500).message())
                .isEqualTo("resourceVersion should not be set on objects to be created");
    }

    @ParameterizedTest
    @ValueSource(strings = {"0", "abc"})
    void resourceVersion_thatIsNone_isDropped(String version) {
        Answer created = api.create(MAPS, "{metadata: {name: m, resourceVersion: '" + version + "'}}")
                .expect(201);

        assertThat(created.resourceVersion()).matches("[1-9]\\d*");
    }

    @Test
    void budget_isJudgedByItsFieldsBeforeItsMetadata() {
        String budget = "{metadata: {name: ''}, spec: {maxUnavailable: 1, selector: {matchLabels: {a: %s}}}}";

        Answer fields = api.create(BUDGETS, budget.formatted("b/c")).expect(422);
        Answer metadata = api.create(BUDGETS, budget.formatted("b")).expect(422);

        assertThat(fields.message()).contains("spec.selector.matchLabels").doesNotContain("metadata.name");
        assertThat(metadata.at("/details/causes/0/field")).isEqualTo("metadata.name");
    }

    @Test
    void event_mayHaveAnyNameThatAPathCanHold() {
        String event = "{metadata: {name: '%s'}, involvedObject: {namespace: %s}}";

        api.create(EVENTS, event.formatted("Any_" + "a".repeat(260), "default")).expect(201);
        Answer slash = api.create(EVENTS, event.formatted("a/b", "default")).expect(422);
        Answer other = api.create(EVENTS, event.formatted("a/b", "other")).expect(422);

        assertThat(slash.message())
                .isEqualTo("Event \"a/b\" is invalid: metadata.name: Invalid value: \"a/b\": may not" + " contain '/'");
        assertThat(other.message())
                .isEqualTo("Event \"a/b\" is invalid: involvedObject.namespace: Invalid value: \"other\": does not"
                        + " match event.namespace");
    }

    @Test
    void limitRange_withoutAName_getsOne() {
        Answer created = api.create("/api/v1/namespaces/default/limitranges", "{spec: {limits: []}}")
                .expect(201);

        assertThat(created.at("/metadata/name")).matches("[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}");
    }

    @Test
    void null_asABody_isAnObjectWithoutMembers() {
        Answer json = api.createJson(MAPS, "null").expect(422);
        Answer yaml = api.create(MAPS, "").expect(422);

        assertThat(json.message())
                .isEqualTo("ConfigMap \"\" is invalid: metadata.name: Required value: name or"
                        + " generateName is required");
        assertThat(yaml.message()).isEqualTo(json.message());
    }

    @Test
    void serviceWithoutAName_getsNoAddress() {
        Answer refused = api.create("/api/v1/namespaces/default/services", "{spec: {ports: [{port: 80}]}}")
                .expect(422);

        assertThat(refused.message())
                .matches("Service \"\" is invalid: spec\\.clusterIPs: Invalid value: \\[\"\"]: failed to allocate IP:"
                        + " IPAddress\\.networking\\.k8s\\.io \"10\\.[0-9.]+\" is invalid: spec\\.parentRef\\.name:"
                        + " Required value");
    }

    @Test
    void ipAddress_isNamedByAnAddress() {
        String address = "{metadata: {name: '%s'}, spec: {parentRef: {resource: services, namespace: a, name: s}}}";
        String addresses = "/apis/networking.k8s.io/v1/ipaddresses";

        api.create(addresses, address.formatted("2001:db8::1")).expect(201);
        Answer refused = api.create(addresses, address.formatted("a.b")).expect(422);

        assertThat(refused.message())
                .isEqualTo("IPAddress.networking.k8s.io \"a.b\" is invalid: metadata.name: Invalid value: \"a.b\":"
                        + " must be a valid IP address, (e.g. 10.9.8.7 or 2001:db8::ffff)");
    }
}
