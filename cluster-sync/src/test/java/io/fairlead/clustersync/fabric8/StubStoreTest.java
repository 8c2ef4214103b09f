package io.fairlead.clustersync.fabric8;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.fabric8.kubernetes.api.model.ObjectMeta;
import io.fabric8.kubernetes.api.model.ObjectMetaBuilder;
import io.fairlead.clustersync.source.TestSettings;
import io.fairlead.clustersync.source.TypeChange;
import io.fairlead.index.Holder;
import io.fairlead.index.HolderType;
import io.fairlead.index.history.InformerDecision;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CancellationException;
import org.junit.jupiter.api.Test;

/** What acts on the objects of types is found out late, and noted for those alone that it is about by then. */
class StubStoreTest {
    private static final int OBJECTS_MAX = 1_000;

    private final Map<String, String> controllers = new HashMap<>();
    private final List<TypeChange> changes = new ArrayList<>();
    private final List<InformerDecision> travels = new ArrayList<>();
    private final StubStore<CrdObject> store = new StubStore<>(
            Set.of(HolderType.CRD),
            OBJECTS_MAX,
            new KeptTypes(TestSettings.patient().answers()).ofStore(),
            crd -> Claims.of(crd, 256, ""),
            crd -> controllers.getOrDefault(crd.getMetadata().getName(), ""),
            CrdObject::new,
            travels::add,
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
        store.remove("foos/uid-1/8");
        put(crd("foos", "uid-2", "9"));
        changes.clear();

        put(first);
        put(crd("foos", "uid-1", "7"));
        store.remove(store.getKey(first));

        assertThat(changes).isEmpty();
        assertThat(travels)
                .containsExactly(InformerDecision.REWIND, InformerDecision.REWIND, InformerDecision.OTHER_INCARNATION);
        assertThat(store.recount())
                .hasValueSatisfying(
                        holders -> assertThat(holders).singleElement().returns("uid-2", Holder::uid));
    }

    @Test
    void changeThatIsOnItsWay_asTheInformerIsStopped_isDroppedWithoutAWord() {
        put(crd("foos", "uid-1", "5"));
        store.listed("6");
        changes.clear();
        store.leave();

        put(crd("bars", "uid-2", "7"));

        assertThat(changes).isEmpty();
        assertThat(store.recount())
                .hasValueSatisfying(
                        holders -> assertThat(holders).singleElement().returns("uid-1", Holder::uid));
    }

    @Test
    void listThatIsUnderWay_asTheInformerIsStopped_isBrokenOff() {
        put(crd("foos", "uid-1", "5"));
        store.leave();

        assertThatThrownBy(() -> put(crd("bars", "uid-2", "5"))).isInstanceOf(CancellationException.class);
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

    @Test
    void deletionWithAnOldVersion_isTold_andWhatWasHeardStays() {
        put(crd("as", "a", "5"));
        put(crd("cs", "c", "7"));
        store.listed("7");
        changes.clear();

        store.remove("as/a/5");

        assertThat(changes).containsExactly(new TypeChange.Deleted(HolderType.CRD, "as", "a", "5"));
        assertThat(travels).containsExactly(InformerDecision.STALE_DELETE);
        assertThat(store.heardOf()).isEqualTo("7");
        assertThat(store.resume("5")).isEqualTo("7");
        assertThat(store.resume("8")).isEqualTo("8");
    }

    @Test
    void deletion_isToldAtItsOwnVersion() {
        put(crd("as", "a", "5"));
        store.listed("7");
        changes.clear();

        store.remove("as/a/9");

        assertThat(changes).containsExactly(new TypeChange.Deleted(HolderType.CRD, "as", "a", "9"));
        assertThat(travels).isEmpty();
        assertThat(store.heardOf()).isEqualTo("9");
    }

    @Test
    void replayedDeletion_andStateFromThePast_changeNothing() {
        put(crd("as", "a", "12"));
        store.listed("12");
        changes.clear();

        assertThat(store.remove("as/a/9")).isNull();
        put(crd("as", "a", "9"));

        assertThat(changes).isEmpty();
        assertThat(travels).containsExactly(InformerDecision.REPLAYED_DELETE, InformerDecision.REWIND);
        assertThat(store.recount())
                .hasValueSatisfying(
                        holders -> assertThat(holders).singleElement().returns("12", Holder::resourceVersion));
        assertThat(store.heardOf()).isEqualTo("12");
    }

    @Test
    void bookmark_isToldOnce_howeverOftenItIsLookedFor() {
        String[] synced = {"7"};
        store.fedBy(() -> synced[0], _ -> {});
        store.listed("7");
        changes.clear();
        store.look();
        put(crd("as", "a", "8"));
        store.look();
        synced[0] = "8";
        store.look();
        assertThat(changes)
                .as("no bookmark, but the versions of the list and of a change")
                .hasSize(1);
        changes.clear();

        synced[0] = "20";
        assertThat(store.heardOf()).isEqualTo("20");
        store.look();

        assertThat(changes).containsExactly(new TypeChange.Bookmark(Set.of(HolderType.CRD), "20"));
        synced[0] = "15";
        store.look();
        put(crd("as", "a", "19"));
        assertThat(changes).hasSize(1);
        assertThat(travels).containsExactly(InformerDecision.STALE_BOOKMARK, InformerDecision.REWIND);
        assertThat(store.heardOf()).isEqualTo("20");
    }

    @Test
    void storeThatIsLeft_hearsNoBookmark() {
        store.fedBy(() -> "20", _ -> {});
        store.listed("7");
        store.leave();

        assertThat(store.heardOf()).isEqualTo("7");
    }

    @Test
    void listUnderWay_tellsNothing_andItsEndEverything() {
        put(crd("foos", "uid-1", "5"));
        assertThat(changes).isEmpty();
        assertThat(store.recount()).isEmpty();
        assertThat(store.isCompleted()).isFalse();

        store.listed("6");
        assertThat(changes).singleElement().isInstanceOfSatisfying(TypeChange.Complete.class, complete -> {
            assertThat(complete.types()).containsExactly(HolderType.CRD);
            assertThat(complete.resourceVersion()).isEqualTo("6");
            assertThat(complete.holders()).extracting(Holder::name).containsExactly("foos");
        });
        assertThat(store.isCompleted()).isTrue();
        assertThat(store.heardOf()).isEqualTo("6");
        store.listing();
        assertThat(store.recount()).as("it is under way again").isEmpty();
        assertThat(store.heardOf()).isEmpty();
    }

    @Test
    void singleChanges_areToldOnce() {
        store.listed("1");
        changes.clear();

        put(crd("foos", "uid-1", "5"));
        put(crd("foos", "uid-1", "6"));
        CrdObject gone = store.remove("foos/uid-1/6");

        assertThat(changes).hasSize(3);
        assertThat(changes.get(2)).isEqualTo(new TypeChange.Deleted(HolderType.CRD, "foos", "uid-1", "6"));
        assertThat(gone).isNotNull();
        assertThat(gone.getMetadata().getName()).isEqualTo("foos");
        assertThat(gone.getMetadata().getUid()).isEqualTo("uid-1");
        assertThat(gone.getMetadata().getResourceVersion()).isEqualTo("6");
        assertThat(store.remove("foos/uid-1/6")).as("it is gone").isNull();
        assertThat(changes).hasSize(3);
    }

    @Test
    void deletionOfAnotherIncarnation_changesNothing() {
        store.listed("1");
        put(crd("foos", "uid-2", "5"));
        changes.clear();

        assertThat(store.remove("foos/uid-1/6")).isNull();
        assertThat(store.remove("bars/uid-2/6")).isNull();
        assertThat(store.remove("foos")).isNull();

        assertThat(changes).isEmpty();
        assertThat(store.size()).isEqualTo(1);
    }

    @Test
    void laterIncarnation_takesThePlaceOfTheEarlier_inTheStoreAndInWhatIsTold() {
        store.listed("1");
        put(crd("foos", "uid-1", "5"));

        CrdObject old = store.put("foos/uid-2/6", crd("foos", "uid-2", "6"));

        assertThat(old).isNotNull();
        assertThat(old.getMetadata().getUid()).isEqualTo("uid-1");
        assertThat(store.keySet()).containsExactly("foos/uid-2/6");
        assertThat(store.values()).extracting(crd -> crd.getMetadata().getUid()).containsExactly("uid-2");
        assertThat(store.get("foos/uid-1/5")).isNull();
        assertThat(store.get("foos/uid-2/6")).isNotNull();
        assertThat(store.size()).isEqualTo(1);
        assertThat(store.isFullState()).isFalse();
        assertThat(store.getKey(null)).isEmpty();
    }

    @Test
    void storeThatIsLeft_takesNothing_andOneThatIsMuted_tellsNothing() {
        store.listed("1");
        changes.clear();
        store.mute();
        put(crd("foos", "uid-1", "5"));
        assertThat(changes).isEmpty();
        assertThat(store.size()).isEqualTo(1);

        store.leave();

        put(crd("bars", "uid-2", "6"));
        assertThat(store.size()).isEqualTo(1);
        store.listing();
        assertThatThrownBy(() -> put(crd("bars", "uid-2", "6"))).isInstanceOf(CancellationException.class);
    }

    @Test
    void objectThatClaimsNothing_isKept_andWhatItClaimedBefore_isToldToBeGone() {
        List<Optional<Holder>> claims = new ArrayList<>();
        StubStore<CrdObject> changing = new StubStore<>(
                Set.of(HolderType.CRD),
                OBJECTS_MAX,
                new KeptTypes(TestSettings.patient().answers()).ofStore(),
                _ -> claims.getLast(),
                _ -> "",
                CrdObject::new,
                travels::add,
                changes::add);
        Holder claimed = new Holder(HolderType.CRD, "foos", "uid-1", "5", List.of());
        claims.add(Optional.of(claimed));
        changing.put("foos/uid-1", crd("foos", "uid-1", "5"));
        changing.listed("5");
        changes.clear();

        claims.add(Optional.empty());
        changing.put("foos/uid-1", crd("foos", "uid-1", "6"));
        assertThat(changes).containsExactly(new TypeChange.Deleted(HolderType.CRD, "foos", "uid-1", "5"));
        assertThat(changing.size()).isEqualTo(1);
        assertThat(changing.recount())
                .hasValueSatisfying(holders -> assertThat(holders).isEmpty());

        Holder other = new Holder(HolderType.API_SERVICE, "foos", "uid-1", "7", List.of());
        claims.add(Optional.of(new Holder(HolderType.CRD, "foos", "uid-1", "6", List.of())));
        changing.put("foos/uid-1", crd("foos", "uid-1", "7"));
        changes.clear();
        claims.add(Optional.of(other));
        changing.put("foos/uid-1", crd("foos", "uid-1", "8"));
        assertThat(changes)
                .as("of another type by now")
                .containsExactly(
                        new TypeChange.Deleted(HolderType.CRD, "foos", "uid-1", "6"), new TypeChange.Upserted(other));
    }

    @Test
    void census_isOfTheSameHistory_ifItHasWhatWasHeard() {
        put(crd("foos", "u1", "5"));
        put(crd("bars", "u2", "7"));
        store.listed("8");

        assertThat(compare("8", Map.of("foos/u1", "5", "bars/u2", "7"))).isEqualTo(Census.Verdict.SAME);
        assertThat(compare("9", Map.of("foos/u1", "5", "bars/u2", "7"))).isEqualTo(Census.Verdict.SAME);
        assertThat(compare("6", Map.of("foos/u1", "5"))).as("from before bars").isEqualTo(Census.Verdict.SAME);
        assertThat(compare("9", Map.of("foos/u1", "9", "bars/u2", "7"))).isEqualTo(Census.Verdict.BEHIND);
        assertThat(compare("9", Map.of("foos/u1", "5"))).as("bars may be gone").isEqualTo(Census.Verdict.BEHIND);
        assertThat(compare("9", Map.of("foos/u1", "5", "bars/u2", "7", "bazs/u3", "9")))
                .isEqualTo(Census.Verdict.BEHIND);
        assertThat(compare("9", Map.of("foos/other", "9", "bars/u2", "7"))).isEqualTo(Census.Verdict.BEHIND);
        assertThat(compare("8", Map.of("foos/u1", "5", "bars/u2", "7", "bazs/u3", "6")))
                .as("bazs was deleted by then")
                .isEqualTo(Census.Verdict.SAME);
    }

    @Test
    void census_isOfAnotherHistory_ifNoOrderOfChangesLeadsToIt() {
        put(crd("foos", "u1", "5"));
        put(crd("bars", "u2", "7"));
        store.listed("8");

        assertThat(compare("9", Map.of("foos/u1", "4", "bars/u2", "7"))).isEqualTo(Census.Verdict.OTHER_HISTORY);
        assertThat(compare("8", Map.of("foos/u1", "5"))).isEqualTo(Census.Verdict.OTHER_HISTORY);
        assertThat(compare("8", Map.of("foos/other", "5", "bars/u2", "7"))).isEqualTo(Census.Verdict.OTHER_HISTORY);
        assertThat(compare("5", Map.of())).isEqualTo(Census.Verdict.OTHER_HISTORY);
    }

    @Test
    void censusOfAStoreThatHeardNothing_isBehind() {
        assertThat(compare("8", Map.of("foos/u1", "5"))).isEqualTo(Census.Verdict.BEHIND);
        assertThat(compare("8", Map.of())).isEqualTo(Census.Verdict.SAME);
    }

    private Census.Verdict compare(String resourceVersion, Map<String, String> versions) {
        return store.compare(new Census(resourceVersion, versions));
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
