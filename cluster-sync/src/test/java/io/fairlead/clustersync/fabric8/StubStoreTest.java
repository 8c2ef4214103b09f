package io.fairlead.clustersync.fabric8;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.ObjectMeta;
import io.fabric8.kubernetes.api.model.ObjectMetaBuilder;
import io.fairlead.clustersync.TypeChange;
import io.fairlead.index.Holder;
import io.fairlead.index.HolderType;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** What acts on the objects of types is found out late, and noted for those alone that it is about by then. */
class StubStoreTest {
    private final Map<String, String> controllers = new HashMap<>();
    private final List<TypeChange> changes = new ArrayList<>();
    private final StubStore<CrdObject> store = new StubStore<>(
            Set.of(HolderType.CRD),
            crd -> Claims.of(crd, ""),
            crd -> controllers.getOrDefault(crd.getMetadata().getName(), ""),
            CrdObject::new,
            changes::add);

    @Test
    void implementation_isNotedForWhatTheRevisionControlsNow() {
        put("foos", "r1");
        put("bars", "r1");
        put("bazs", "");
        store.listed("1");
        put("foos", "r2");
        changes.clear();

        store.implemented("r1", "sha256:one");

        assertThat(changes)
                .singleElement()
                .isInstanceOfSatisfying(
                        TypeChange.Upserted.class,
                        change -> assertThat(change.holder())
                                .returns("bars", Holder::name)
                                .returns("sha256:one", Holder::implementation));
        assertThat(store.controllers()).containsExactlyInAnyOrder("r1", "r2", "");
    }

    private void put(String name, String controller) {
        controllers.put(name, controller);
        CrdObject crd = new CrdObject();
        ObjectMeta metadata =
                new ObjectMetaBuilder().withName(name).withUid("uid-" + name).build();
        crd.setMetadata(metadata);
        store.put(name, crd);
    }
}
