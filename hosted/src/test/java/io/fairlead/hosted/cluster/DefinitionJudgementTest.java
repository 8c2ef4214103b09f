package io.fairlead.hosted.cluster;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.fairlead.hosted.ApiRequest;
import io.fairlead.hosted.DefinitionChangedException;
import io.fairlead.hosted.DefinitionState;
import io.fairlead.hosted.TypeEvent;
import io.fairlead.hosted.TypeEvent.ServedType;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Writes of custom resources that were judged by one state of their definition. */
class DefinitionJudgementTest {
    private static final String CRDS = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions";
    private static final String CRD = CRDS + "/boats.example.com";
    private static final String BOATS = "/apis/example.com/v1/namespaces/default/boats";

    private final Fixture fixture = new Fixture();
    private final Api api = fixture.dev();

    @BeforeEach
    void define() {
        api.create(CRDS, """
            metadata: {name: boats.example.com}
            spec:
              group: example.com
              scope: Namespaced
              names: {plural: boats, singular: boat, kind: Boat}
              versions:
              - name: v1
                served: true
                storage: true
                subresources: {status: {}}
                schema: {openAPIV3Schema: {type: object, x-kubernetes-preserve-unknown-fields: true}}
            """).expect(201);
        Fixture.eventually("established", () -> api.get(BOATS).code() == 200);
        api.create(BOATS, "{apiVersion: example.com/v1, kind: Boat, metadata: {name: a}}")
                .expect(201);
    }

    @AfterEach
    void close() {
        fixture.close();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "POST | '' | {\"apiVersion\":\"example.com/v1\",\"kind\":\"Boat\",\"metadata\":{\"name\":\"b\"}}",
                "PUT | /a |"
                    + " {\"apiVersion\":\"example.com/v1\",\"kind\":\"Boat\",\"metadata\":{\"name\":\"a\",\"resourceVersion\":\"NOW\"}}",
                "PATCH | /a | {\"n\":1}",
                "PATCH | /a/status | {\"status\":{\"n\":1}}",
                "DELETE | /a | ''",
                "DELETE | '' | ''"
            })
    void write_judgedByAnotherState_changesNothing(String method, String path, String text) {
        String body =
                text.replace("NOW", api.get(BOATS + "/a").resourceVersion()).replace("}}", "},\"n\":1}");
        String judged = api.get(CRD).resourceVersion();
        api.merge(CRD, "{\"metadata\":{\"annotations\":{\"a\":\"b\"}}}").expect(200);
        long before = fixture.store.revision();

        for (DefinitionState state : List.of(new DefinitionState.At(judged), new DefinitionState.None())) {
            assertThatThrownBy(() -> send(method, path, body, state)).isInstanceOf(DefinitionChangedException.class);
        }

        assertThat(fixture.store.revision()).isEqualTo(before);
        DefinitionState now = new DefinitionState.At(api.get(CRD).resourceVersion());
        assertThat(send(method, path, body, now)).isLessThan(300);
        assertThat(fixture.store.revision()).isGreaterThan(before);
    }

    @Test
    void builtInKind_hasNoDefinition() {
        ApiRequest request = Api.request(
                "POST",
                "/api/v1/namespaces/default/configmaps",
                "application/json",
                "",
                "{\"metadata\":{\"name\":\"a\"}}".getBytes(UTF_8));

        assertThat(fixture.clusters
                        .open(Fixture.DEV)
                        .baseHandler()
                        .serve(Routing.by(new DefinitionState.None(), request))
                        .status())
                .isEqualTo(201);
    }

    /** Whoever is told later than others may rely on it as they do. */
    @Test
    void types_areToldWithTheRevisionOfTheirDefinition() throws Exception {
        List<ServedType> told = new ArrayList<>();

        try (AutoCloseable _ = fixture.clusters.open(Fixture.DEV).observeTypes(event -> {
            if (event instanceof TypeEvent.Complete(List<ServedType> types, long _)) {
                told.addAll(types);
            }
        })) {
            assertThat(told.stream().filter(type -> !type.builtIn()))
                    .singleElement()
                    .satisfies(type -> assertThat(Long.toString(type.revision()))
                            .isEqualTo(api.get(CRD).resourceVersion()));
        }
    }

    private int send(String method, String path, String body, DefinitionState state) {
        String type = method.equals("PATCH") ? "application/merge-patch+json" : "application/json";
        ApiRequest request = Api.request(method, BOATS + path, body.isEmpty() ? "" : type, "", body.getBytes(UTF_8));
        return fixture.clusters
                .open(Fixture.DEV)
                .crdRuntime()
                .serve(Routing.by(state, request))
                .status();
    }
}
