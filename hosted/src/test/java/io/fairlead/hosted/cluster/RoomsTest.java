package io.fairlead.hosted.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.fairlead.hosted.ApiRequest;
import io.fairlead.hosted.ApiResponse;
import io.fairlead.hosted.DefinitionChangedException;
import io.fairlead.hosted.DefinitionState;
import io.fairlead.hosted.HostedCluster;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The CRD runtime serves no built-in kind, the base handler no custom resource, and neither answers by a definition that is gone. */
class RoomsTest {
    private static final String CRD = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions/boats.example.com";
    private static final String BOATS = "/apis/example.com/v1/namespaces/default/boats";
    private static final String MAPS = "/api/v1/namespaces/default/configmaps";

    private final Fixture fixture = new Fixture();
    private Api api;
    private HostedCluster dev;

    @BeforeEach
    void start() {
        api = fixture.dev();
        dev = fixture.clusters.open(Fixture.DEV);
        define();
        api.createJson(BOATS, "{\"apiVersion\":\"example.com/v1\",\"kind\":\"Boat\",\"metadata\":{\"name\":\"a\"}}")
                .expect(201);
    }

    @AfterEach
    void stop() {
        fixture.close();
    }

    @ParameterizedTest
    @ValueSource(strings = {MAPS, "/api/v1/namespaces/default", CRD})
    void crdRuntime_knowsNothingButCustomResources(String path) {
        for (DefinitionState state : new DefinitionState[] {new DefinitionState.Any(), current()}) {
            assertThatThrownBy(() -> runtime("GET", path, state)).isInstanceOf(DefinitionChangedException.class);
        }
        assertThat(base("GET", path, new DefinitionState.None())).isEqualTo(200);
    }

    @Test
    void baseHandler_has404ForCustomResources_onceTheIndexWasAskedTwice() {
        assertThatThrownBy(() -> base("GET", BOATS, new DefinitionState.None()))
                .isInstanceOf(DefinitionChangedException.class);
        assertThat(base("GET", BOATS, new DefinitionState.Any())).isEqualTo(404);
        assertThat(base("GET", "/nothing/here", new DefinitionState.None())).isEqualTo(404);
        assertThat(runtime("GET", BOATS, current())).isEqualTo(200);
    }

    @ParameterizedTest
    @ValueSource(strings = {"GET", "DELETE"})
    void crdRuntime_answersByTheStateThatIsNamed_andByNoOther(String method) {
        DefinitionState before = current();
        api.merge(CRD, "{\"metadata\":{\"annotations\":{\"a\":\"b\"}}}").expect(200);

        assertThatThrownBy(() -> runtime(method, BOATS + "/a", before)).isInstanceOf(DefinitionChangedException.class);
        assertThat(runtime(method, BOATS + "/a", current())).isEqualTo(200);
    }

    @Test
    void definitionThatWentAndCame_isNotAnsweredForByTheOneBefore() {
        DefinitionState before = current();
        api.delete(CRD).expect(200);
        Fixture.eventually("it is gone", () -> api.get(CRD).code() == 404);
        assertThatThrownBy(() -> runtime("GET", BOATS, before)).isInstanceOf(DefinitionChangedException.class);
        define();

        assertThatThrownBy(() -> runtime("GET", BOATS, before)).isInstanceOf(DefinitionChangedException.class);
        assertThat(runtime("GET", BOATS, current())).isEqualTo(200);
    }

    private void define() {
        api.create("/apis/apiextensions.k8s.io/v1/customresourcedefinitions", """
            apiVersion: apiextensions.k8s.io/v1
            kind: CustomResourceDefinition
            metadata: {name: boats.example.com}
            spec:
              group: example.com
              scope: Namespaced
              names: {plural: boats, singular: boat, kind: Boat, listKind: BoatList}
              versions:
              - name: v1
                served: true
                storage: true
                schema: {openAPIV3Schema: {type: object}}
            """)
                .expect(201);
        Fixture.eventually("it is served", () -> api.get(BOATS).code() == 200);
    }

    private DefinitionState current() {
        return new DefinitionState.At(api.get(CRD).resourceVersion());
    }

    private int runtime(String method, String path, DefinitionState state) {
        return status(dev.crdRuntime(), method, path, state);
    }

    private int base(String method, String path, DefinitionState state) {
        return status(dev.baseHandler(), method, path, state);
    }

    private static int status(HostedCluster.Handler handler, String method, String path, DefinitionState state) {
        ApiRequest request = Api.request(method, path, "", "", new byte[0]);
        ApiResponse answer = handler.serve(Routing.by(state, request));
        return answer.status();
    }
}
