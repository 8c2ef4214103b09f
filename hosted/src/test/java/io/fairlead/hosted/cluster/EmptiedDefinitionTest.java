package io.fairlead.hosted.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import io.fairlead.schema.json.Json;
import io.fairlead.storage.RevisionedStore.Entry;
import io.fairlead.storage.RevisionedStore.Write;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.node.ObjectNode;

/** Definitions that a fault of a former version stored, and that no longer validate. */
@Timeout(value = 60, unit = TimeUnit.SECONDS, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class EmptiedDefinitionTest {
    private static final String CRDS = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions";
    private static final String BOATS = CRDS + "/boats.example.com";
    private final Fixture fixture = new Fixture();
    private final Api api = fixture.dev();

    @AfterEach
    void close() {
        fixture.close();
    }

    @ParameterizedTest
    @ValueSource(strings = {"Namespaced", "Cluster"})
    void definitionWithAnEmptySpec_isDeletedWithItsObjects(String scope) {
        define("boats", scope);
        String boats = "/apis/example.com/v1/" + (scope.equals("Cluster") ? "" : "namespaces/default/") + "boats";
        Fixture.eventually("boats are served", () -> api.get(boats).code() == 200);
        api.create(boats, "{apiVersion: example.com/v1, kind: Boat, metadata: {name: ketch}}")
                .expect(201);
        empty("/boats.example.com");
        Fixture.eventually("boats are not served", () -> api.get(boats).code() == 404);
        assertThat(entries("/boats/")).hasSize(1);

        api.delete(BOATS).expect(200);

        Fixture.eventually("the definition is gone", () -> api.get(BOATS).code() == 404);
        assertThat(entries("/boats/")).isEmpty();
    }

    @Test
    void definitionWithAnEmptySpec_keepsNoOtherFromBeingServed() {
        define("boats", "Cluster");
        empty("/boats.example.com");

        define("ships", "Cluster");

        Fixture.eventually(
                "ships are served", () -> api.get("/apis/example.com/v1/ships").code() == 200);
        assertThat(api.get(BOATS).expect(200).body().path("spec").isEmpty()).isTrue();
    }

    private void define(String plural, String scope) {
        api.create(CRDS, """
            apiVersion: apiextensions.k8s.io/v1
            kind: CustomResourceDefinition
            metadata: {name: %s.example.com}
            spec:
              group: example.com
              scope: %s
              names: {plural: %1$s, kind: Kind-%1$s}
              versions:
              - {name: v1, served: true, storage: true, schema: {openAPIV3Schema: {type: object}}}
            """.formatted(plural, scope)
                        .replace("Kind-boats", "Boat")
                        .replace("Kind-ships", "Ship"))
                .expect(201);
    }

    private void empty(String keyEnd) {
        Entry entry = entries(keyEnd).getFirst();
        ObjectNode definition = (ObjectNode) Json.read(entry.value());
        definition.putObject("spec");
        fixture.store.commit(new Write.Put(entry.key(), Json.write(definition), entry.revision()));
    }

    private List<Entry> entries(String part) {
        return fixture.store.list("/c/", null, 0, fixture.store.revision()).stream()
                .filter(entry -> entry.key().contains(part))
                .toList();
    }
}
