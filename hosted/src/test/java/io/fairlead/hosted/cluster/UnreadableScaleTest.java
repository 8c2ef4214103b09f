package io.fairlead.hosted.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import io.fairlead.hosted.cluster.Api.Answer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Scales of objects that have no number where their definition says so. Expected answers are those of a kube-apiserver 1.36. */
class UnreadableScaleTest {
    private static final String DEFINITIONS = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions";
    private static final String BOATS = "/apis/example.com/v1/namespaces/default/boats";
    private static final String SCALE = """
        [{"op": "add", "path": "/spec/versions/0/subresources/scale", "value": {"specReplicasPath": ".spec.a.replicas",
          "statusReplicasPath": ".status.replicas", "labelSelectorPath": ".spec.selector"}}]\
        """;
    private static final String DEFINITION = """
        {apiVersion: apiextensions.k8s.io/v1, kind: CustomResourceDefinition, metadata: {name: boats.example.com},
         spec: {group: example.com, scope: Namespaced, names: {plural: boats, kind: Boat}, versions: [{name: v1, served: true,
          storage: true, subresources: {status: {}}, schema: {openAPIV3Schema: {type: object, properties: {
           spec: {type: object, x-kubernetes-preserve-unknown-fields: true},
           status: {type: object, x-kubernetes-preserve-unknown-fields: true}}}}}]}}\
        """;

    private final Fixture fixture = new Fixture();
    private final Api api = fixture.dev();

    @BeforeEach
    void createDefinition() {
        api.create(DEFINITIONS, DEFINITION).expect(201);
        Fixture.eventually("boats are served", () -> api.get(BOATS).code() == 200);
        create("before", "a: {replicas: x}").expect(201);
        create("right", "a: {replicas: 1}").expect(201);
        api.patch(DEFINITIONS + "/boats.example.com", SCALE).expect(200);
        Fixture.eventually(
                "scales are served", () -> api.get(BOATS + "/right/scale").code() == 200);
    }

    @AfterEach
    void close() {
        fixture.close();
    }

    private Answer create(String name, String spec) {
        return api.create(
                BOATS,
                "{apiVersion: example.com/v1, kind: Boat, metadata: {name: %s}, spec: {%s}}".formatted(name, spec));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "a: {replicas: x} | .spec.a.replicas: Invalid value: 0: .spec.a.replicas accessor error: x is of the"
                        + " type string, expected int64",
                "a: {replicas: 1.5} | .spec.a.replicas: Invalid value: 0: .spec.a.replicas accessor error: 1.5 is of"
                        + " the type float64, expected int64",
                "a: {replicas: null} | .spec.a.replicas: Invalid value: 0: .spec.a.replicas accessor error: <nil> is"
                        + " of the type <nil>, expected int64",
                "a: [1, b] | .spec.a.replicas: Invalid value: 0: .spec.a.replicas accessor error: [1 b] is of the type"
                        + " []interface {}, expected map[string]interface{}",
                "selector: {k: v} | .spec.selector: Invalid value: ``: .spec.selector accessor error: map[k:v] is of"
                        + " the type map[string]interface {}, expected string",
            })
    void value_thatIsNoNumber_isRefused(String spec, String problem) {
        assertThat(create("x", spec).expect(422).message())
                .isEqualTo("Boat.example.com \"x\" is invalid: " + problem.replace('`', '"'));
    }

    @ParameterizedTest
    @CsvSource({"a:", "''"})
    void nothing_isZero(String spec) {
        create("x", spec).expect(201);
    }

    @Test
    void scale_ofAnObjectThatWasThereBefore_isAFault() {
        String problem = ".spec.a.replicas accessor error: x is of the type string, expected int64";

        assertThat(api.get(BOATS + "/before/scale").expect(500).message()).isEqualTo(problem);
        assertThat(api.merge(BOATS + "/before/scale", "{\"spec\":{\"replicas\":3}}")
                        .expect(500)
                        .message())
                .isEqualTo(problem);
    }

    @ParameterizedTest
    @ValueSource(strings = {"{}", "{\"spec\":{\"replicas\":-2147483648}}"})
    void number_thatIsNotSet_mustBe(String patch) {
        create("bare", "").expect(201);

        assertThat(api.merge(BOATS + "/bare/scale", patch).expect(400).message())
                .isEqualTo("the spec replicas field \".spec.a.replicas\" cannot be empty");
        api.merge(BOATS + "/bare/scale", "{\"spec\":{\"replicas\":3}}").expect(200);
    }
}
