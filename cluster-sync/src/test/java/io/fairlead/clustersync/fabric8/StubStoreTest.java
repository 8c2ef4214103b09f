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

    @Test
    void copyOfAnEarlierChange_isNotRecounted() {
        CrdObject first = crd("foos", "uid-1", "5");
        put(first);
        store.listed("6");
        put(crd("foos", "uid-1", "7"));
        store.remove(store.getKey(first));
        put(crd("foos", "uid-2", "9"));
        changes.clear();

        put(first);
        put(crd("foos", "uid-1", "7"));
        store.remove(store.getKey(first));

        assertThat(changes).isEmpty();
        assertThat(store.recount())
                .hasValueSatisfying(
                        holders -> assertThat(holders).singleElement().returns("uid-2", Holder::uid));
    }

    @Test
    void listOfAnEarlierHistory_replacesWhatWasHeard() {
        put(crd("foos", "uid-1", "50"));
        store.listed("60");

        store.listing();
        put(crd("foos", "uid-1", "5"));
        store.listed("6");
        put(crd("bars", "uid-2", "7"));

        assertThat(store.recount())
                .hasValueSatisfying(holders ->
                        assertThat(holders).extracting(Holder::resourceVersion).containsExactlyInAnyOrder("5", "7"));
    }

    private void put(String name, String controller) {
        controllers.put(name, controller);
        put(crd(name, "uid-" + name, ""));
    }

    private void put(CrdObject crd) {
        store.put(store.getKey(crd), crd);
    }

    private static CrdObject crd(String name, String uid, String resourceVersion) {
        CrdObject crd = new CrdObject();
        ObjectMeta metadata = new ObjectMetaBuilder()
                .withName(name)
                .withUid(uid)
                .withResourceVersion(resourceVersion)
                .build();
        crd.setMetadata(metadata);
        return crd;
    }
}
