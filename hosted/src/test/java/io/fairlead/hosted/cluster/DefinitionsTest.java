package io.fairlead.hosted.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.fairlead.hosted.ConversionWebhooks;
import io.fairlead.hosted.HostedSettings;
import io.fairlead.hosted.TypeEvent;
import io.fairlead.hosted.crd.Converters;
import io.fairlead.hosted.crd.CustomResources;
import io.fairlead.hosted.crd.DefinitionGate;
import io.fairlead.hosted.kinds.BuiltInKinds;
import io.fairlead.hosted.objects.ClusterBudget;
import io.fairlead.hosted.objects.ClusterKeys;
import io.fairlead.hosted.objects.CommitGuard;
import io.fairlead.hosted.objects.ServedResource;
import io.fairlead.hosted.objects.StructuralCodec;
import io.fairlead.hosted.verbs.StaleResourceException;
import io.fairlead.hosted.verbs.Watches;
import io.fairlead.hosted.watchcache.EventMemory;
import io.fairlead.hosted.watchcache.RevisionFeed;
import io.fairlead.model.GroupVersionResource;
import io.fairlead.schema.json.Json;
import io.fairlead.storage.MemoryStore;
import io.fairlead.storage.RevisionedStore;
import io.fairlead.storage.RevisionedStore.Entry;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class DefinitionsTest {
    private static final GroupVersionResource BOATS = new GroupVersionResource("example.com", "v1", "boats");

    private final ScheduledExecutorService scheduler = Executors.newSingleThreadScheduledExecutor();
    private final RevisionedStore store = new MemoryStore();
    private final HostedSettings settings = Fixture.settings(64, 64);
    private final EventMemory memory = new EventMemory(settings.memory());
    private final RevisionFeed log = new RevisionFeed(store, memory);
    private final ClusterKeys keys = new ClusterKeys("u");
    private final DefinitionGate gate =
            new DefinitionGate(ClusterBudget.ofDefinitions(settings.memory().definitions(), key -> {})
                    .ofCluster());
    private final TypeRegistry types = new TypeRegistry(List.of());
    private final Definitions definitions = new Definitions(
            new Follower(Fixture.DEV, store, log, scheduler, Thread.ofVirtual().factory()),
            definitions(),
            new CustomResources(
                    keys,
                    gate,
                    List.of(),
                    Set.of(),
                    new Converters(Fixture.DEV, Converters.Shared.of(ConversionWebhooks.NONE, settings), settings)),
            gate,
            types,
            new Watches(store, log, settings, memory.share()));

    @AfterEach
    void close() {
        log.close();
        scheduler.shutdownNow();
        store.close();
    }

    @Test
    void definition_thatWentAndCameSinceTheLastLook_isServedAnew() {
        List<String> told = new ArrayList<>();
        types.observe(event -> told.add(
                switch (event) {
                    case TypeEvent.Complete _ -> "complete";
                    case TypeEvent.Upserted(var type, long revision) -> "upserted " + type.uid() + "@" + revision;
                    case TypeEvent.Removed(var type, long revision) -> "removed " + type.uid() + "@" + revision;
                }));
        definitions.put(entry("one", 10));
        ServedResource before = Objects.requireNonNull(types.find(BOATS)).resource();
        before.guard().enter().close();

        definitions.put(entry("two", 20));

        ServedResource now = Objects.requireNonNull(types.find(BOATS)).resource();
        now.guard().enter().close();
        assertThat(now).isNotSameAs(before);
        assertThatThrownBy(() -> before.guard().enter()).isInstanceOf(StaleResourceException.class);
        assertThat(told).containsExactly("complete", "upserted one@10", "removed one@20", "upserted two@20");
    }

    private ServedResource definitions() {
        return BuiltInKinds.all().stream()
                .filter(kind -> kind.type().plural().equals("customresourcedefinitions"))
                .map(kind -> new ServedResource(
                        kind.type(),
                        keys.resource(kind.type().storedAs()),
                        StructuralCodec.of(kind.type(), Json.object().put("type", "object")),
                        kind.rules(),
                        List.of(),
                        Map.of(),
                        null,
                        () -> true,
                        CommitGuard.NONE,
                        null))
                .findFirst()
                .orElseThrow();
    }

    private static Entry entry(String uid, long revision) {
        String definition = """
            {"apiVersion":"apiextensions.k8s.io/v1","kind":"CustomResourceDefinition",
             "metadata":{"name":"boats.example.com","uid":"UID"},
             "spec":{"group":"example.com","scope":"Namespaced",
              "names":{"plural":"boats","singular":"boat","kind":"Boat","listKind":"BoatList"},
              "versions":[{"name":"v1","served":true,"storage":true,
               "schema":{"openAPIV3Schema":{"type":"object"}}}]},
             "status":{"acceptedNames":{"plural":"boats","singular":"boat","kind":"Boat","listKind":"BoatList"},
              "conditions":[{"type":"Established","status":"True"}]}}\
            """.replace("UID", uid);
        return new Entry("/c/u/boats", definition.getBytes(StandardCharsets.UTF_8), revision, revision);
    }
}
