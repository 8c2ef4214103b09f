package io.fairlead.hosted.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import io.fairlead.hosted.cluster.Api.Answer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What is refused of limits, quotas and drivers. Expected texts are those of a kube-apiserver 1.36. */
class LimitsTest extends EveryKindFixture {
    private static final String CORE = "/api/v1/namespaces/default/";

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "`type: Container, max: {cpu: 2}, defaultRequest: {cpu: 3}, default: {cpu: 4}` |"
                    + " [spec.limits[0].defaultRequest[cpu]: Invalid value: \"3\": default request value 3 is greater"
                    + " than max value 2, spec.limits[0].default[cpu]: Invalid value: \"2\": default value 4 is"
                    + " greater than max value 2]",
                "`type: Container, max: {cpu: 2}, maxLimitRequestRatio: {cpu: 500m}` |"
                    + " spec.limits[0].maxLimitRequestRatio[cpu]: Invalid value: \"500m\": ratio 500m is less than 1",
                "`type: Pod, max: {storage: 1}` | spec.limits[0].max[storage]: Invalid value: \"storage\": must"
                        + " be a standard resource for containers",
                "`type: PersistentVolumeClaim, max: {storage: 1, x: 1}` | spec.limits[0].max[x]: Invalid value: \"x\":"
                        + " must be a standard resource type or fully qualified",
                "`type: Pod, max: {cpu: 2}, min: {cpu: 1}, maxLimitRequestRatio: {cpu: 3}` |"
                        + " spec.limits[0].maxLimitRequestRatio[cpu]: Invalid value: \"3\": ratio 3 is greater than"
                        + " max/min = 2.000000",
                "`type: Container, default: {a/b: 2}, defaultRequest: {a/b: 1}` | spec.limits[0].defaultRequest[a/b]:"
                        + " Invalid value: \"1\": default value 2 must equal to defaultRequest value 1 in a/b",
                "type: PersistentVolumeClaim | spec.limits[0].limits: Required value: either minimum or maximum storage"
                        + " value is required, but neither was provided",
            })
    void limits_thatContradictEachOther_areRefused(String item, String problem) {
        Answer refused = api.create(
                CORE + "limitranges",
                "{apiVersion: v1, kind: LimitRange, metadata: {name: l}, spec: {limits: [{%s}]}}".formatted(item));

        assertThat(refused.expect(422).message()).isEqualTo("LimitRange \"l\" is invalid: " + problem);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "scopes: [X] | scopes: Invalid value: [\"X\"]: unsupported scope",
                "`scopes: [Terminating, NotTerminating]` | scopes: Invalid value: [\"Terminating\",\"NotTerminating\"]:"
                        + " conflicting scopes",
                "`scopes: [BestEffort], hard: {cpu: 1}` | scopes: Invalid value: [\"BestEffort\"]: unsupported scope"
                        + " applied to resource",
                "`scopeSelector: {matchExpressions: [{scopeName: PriorityClass, operator: In}]}` |"
                        + " scopeSelector.matchExpressions.values: Required value: must be at least one value when"
                        + " `operator` is 'In' or 'NotIn' for scope selector",
            })
    void scopes_thatCountNothing_areRefused(String fields, String problem) {
        Answer refused = quota(fields);

        assertThat(refused.expect(422).message()).isEqualTo("ResourceQuota \"q\" is invalid: spec." + problem);
    }

    @Test
    void scopes_stayTheSame_andWhatIsUsedIsNotNegative() {
        quota("hard: {pods: 3}").expect(201);

        assertThat(api.merge(CORE + "resourcequotas/q", "{\"spec\":{\"scopes\":[\"Terminating\"]}}")
                        .expect(422)
                        .message())
                .isEqualTo("ResourceQuota \"q\" is invalid: spec.scopes: Invalid value: [\"Terminating\"]: field is"
                        + " immutable");
        assertThat(api.merge(CORE + "resourcequotas/q/status", "{\"status\":{\"used\":{\"pods\":\"-1\"}}}")
                        .expect(422)
                        .message())
                .isEqualTo("ResourceQuota \"q\" is invalid: status.used[pods]: Invalid value: \"-1\": must be greater"
                        + " than or equal to 0");
    }

    private Answer quota(String fields) {
        return api.create(
                CORE + "resourcequotas",
                "{apiVersion: v1, kind: ResourceQuota, metadata: {name: q}, spec: {%s}}".formatted(fields));
    }

    @Test
    void driver_countsItsChanges_andStaysAttached() {
        String drivers = "/apis/storage.k8s.io/v1/csidrivers";
        api.create(drivers, "{apiVersion: storage.k8s.io/v1, kind: CSIDriver, metadata: {name: d}, spec: {}}")
                .expect(201);

        Answer changed = api.merge(drivers + "/d", "{\"spec\":{\"podInfoOnMount\":true}}");
        assertThat(changed.expect(200).body().at("/metadata/generation").asInt(0))
                .isEqualTo(1);
        assertThat(api.merge(drivers + "/d", "{\"spec\":{\"attachRequired\":false}}")
                        .expect(422)
                        .message())
                .isEqualTo("CSIDriver.storage.k8s.io \"d\" is invalid: spec.attachedRequired: Invalid value: false:"
                        + " field is immutable");
    }

    @Test
    void priorityClass_isOfOneGeneration() {
        String classes = "/apis/scheduling.k8s.io/v1/priorityclasses";
        api.create(classes, "{apiVersion: scheduling.k8s.io/v1, kind: PriorityClass, metadata: {name: p}, value: 5}")
                .expect(201);

        assertThat(api.merge(classes + "/p", "{\"description\":\"x\"}")
                        .expect(200)
                        .body()
                        .at("/metadata/generation")
                        .asInt(0))
                .isEqualTo(1);
    }
}
