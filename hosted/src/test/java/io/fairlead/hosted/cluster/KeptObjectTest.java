package io.fairlead.hosted.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import io.fairlead.hosted.rbac.BootstrapPolicy;
import io.fairlead.schema.json.Json;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.node.ObjectNode;

class KeptObjectTest {
    private static final String STORED =
            "{\"uid\":\"2be15226-4d09-4737-8b5f-e47dcd6a6c93\",\"resourceVersion\":\"42\",\"creationTimestamp\":\"2026-11-29T03:40:00Z\"}";

    private static ObjectNode stored(ObjectNode object) {
        object.withObjectProperty("metadata").setAll((ObjectNode) Json.read(STORED));
        return object;
    }

    @Test
    void objectsOfThePolicy_areKeptByWhatTellsThemFromIt() {
        assertThat(BootstrapPolicy.objects()).hasSizeGreaterThan(15).allSatisfy(object -> {
            KeptObject kept = KeptObject.of(stored(object.deepCopy()));

            assertThat(kept).isInstanceOf(KeptObject.Unchanged.class);
            assertThat(kept.object()).isEqualTo(stored(object));
            assertThat(kept.object().get("rules"))
                    .isSameAs(KeptObject.of(stored(object.deepCopy())).object().get("rules"));
        });
    }

    @Test
    void namespacesThatEachClusterStartsWith_areKeptSo_asTheyAreStored() {
        try (Fixture fixture = new Fixture()) {
            Api api = fixture.withEveryKind();
            for (String name : List.of("default", "kube-system", "kube-public", "kube-node-lease")) {
                ObjectNode stored = api.get("/api/v1/namespaces/" + name).body();

                KeptObject kept = KeptObject.of(stored.deepCopy());

                assertThat(kept).as(name).isInstanceOf(KeptObject.Unchanged.class);
                assertThat(kept.object()).isEqualTo(stored);
            }
        }
    }

    /** What is to be set in a stored role, by pointer. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "{\"rules\":[]}",
                "{\"aggregationRule\":{}}",
                "{\"kind\":\"Role\"}",
                "{\"metadata\":{\"name\":\"mine\"}}",
                "{\"metadata\":{\"labels\":{}}}",
                "{\"metadata\":{\"finalizers\":[\"a/b\"]}}",
                "{\"metadata\":{\"deletionTimestamp\":\"2026-11-29T03:40:00Z\"}}",
                "{\"metadata\":{\"uid\":\"2BE15226-4d09-4737-8b5f-e47dcd6a6c93\"}}",
                "{\"metadata\":{\"uid\":\"mine\"}}",
                "{\"metadata\":{\"resourceVersion\":\"042\"}}",
                "{\"metadata\":{\"resourceVersion\":\"\"}}",
                "{\"metadata\":{\"creationTimestamp\":\"2026-11-29T03:40:00.5Z\"}}",
                "{\"metadata\":{\"creationTimestamp\":null}}"
            })
    void changedObject_isKeptWhole(String change) {
        ObjectNode changed = stored(BootstrapPolicy.objects().getFirst());
        ObjectNode changes = (ObjectNode) Json.read(change);
        if (changes.remove("metadata") instanceof ObjectNode metadata) {
            changed.withObjectProperty("metadata").setAll(metadata);
        }
        changed.setAll(changes);

        KeptObject kept = KeptObject.of(changed.deepCopy());

        assertThat(kept).isInstanceOf(KeptObject.Whole.class);
        assertThat(kept.object()).isEqualTo(changed);
    }
}
