package io.fairlead.hosted.base;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.fairlead.hosted.ApiRequest;
import io.fairlead.hosted.ApiResponse;
import io.fairlead.hosted.BuiltInKind;
import io.fairlead.hosted.CommitHook;
import io.fairlead.hosted.HostedCluster.Decision;
import io.fairlead.hosted.HostedSettings;
import io.fairlead.hosted.ResourceType;
import io.fairlead.hosted.TestMemory;
import io.fairlead.hosted.kinds.BuiltInKinds;
import io.fairlead.hosted.objects.ClusterKeys;
import io.fairlead.hosted.objects.CommitGuard;
import io.fairlead.hosted.objects.Companions;
import io.fairlead.hosted.objects.ObjectWriter;
import io.fairlead.hosted.objects.ServedResource;
import io.fairlead.hosted.objects.TypedCodec;
import io.fairlead.hosted.objects.WriteGate;
import io.fairlead.hosted.representation.Representation;
import io.fairlead.hosted.representation.Representations;
import io.fairlead.hosted.verbs.AnswerCapacity;
import io.fairlead.hosted.verbs.Evictions;
import io.fairlead.hosted.verbs.PodLogs;
import io.fairlead.hosted.verbs.ResourceEndpoint;
import io.fairlead.hosted.verbs.Watches;
import io.fairlead.hosted.view.ClusterViews;
import io.fairlead.hosted.watchcache.EventMemory;
import io.fairlead.hosted.watchcache.RevisionFeed;
import io.fairlead.model.ByteBudget;
import io.fairlead.model.ClusterName;
import io.fairlead.model.RequestInfo;
import io.fairlead.model.RequestInfoParser;
import io.fairlead.model.UserInfo;
import io.fairlead.storage.MemoryStore;
import java.net.URI;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.node.ObjectNode;

/** What becomes of an answer that is made and not given. */
class BaseHandlerTest {
    private static final String MAPS = "/api/v1/configmaps";

    private final ByteBudget budget = ByteBudget.of(16L * 1024 * 1024);
    private final HostedSettings settings = new HostedSettings(
            1024 * 1024,
            16,
            16,
            Duration.ofMillis(50),
            Duration.ofMinutes(30),
            Duration.ofMillis(200),
            Duration.ofMinutes(5),
            Duration.ofHours(1),
            TestMemory.of(budget),
            URI.create("https://localhost:6443"));

    @Test
    void watchThatIsInterruptedBeforeItIsGiven_holdsNothing() {
        try (MemoryStore store = new MemoryStore();
                RevisionFeed log = new RevisionFeed(store, new EventMemory(settings.memory()));
                Watches watches = new Watches(store, log, settings, new EventMemory(settings.memory()).share())) {
            BaseHandler handler = handler(store, watches);

            assertThatThrownBy(() -> handler.serve(watch())).isInstanceOf(InterruptedException.class);

            assertThat(budget.taken()).isZero();
        }
    }

    private BaseHandler handler(MemoryStore store, Watches watches) {
        ClusterKeys keys = new ClusterKeys("uid");
        OpenViews views = new OpenViews();
        ObjectWriter writer = new ObjectWriter(
                store,
                keys,
                InstantSource.system(),
                new WriteGate(),
                1_000_000,
                _ -> CommitHook.Pending.NONE,
                new Companions((_, _) -> Optional.empty()));
        ResourceEndpoint endpoint = new ResourceEndpoint(
                store,
                writer,
                watches,
                views::representation,
                views::authorize,
                settings,
                new AnswerCapacity(settings.memory()).share(),
                new Evictions(store, writer, null, InstantSource.system()),
                new PodLogs(store, new ClusterName("dev"), null));
        BuiltInKind maps = BuiltInKinds.all().stream()
                .filter(kind -> kind.type().plural().equals("configmaps"))
                .findFirst()
                .orElseThrow();
        ServedResource served = new ServedResource(
                maps.type(),
                keys.resource(maps.type().storedAs()),
                new TypedCodec(maps.type()),
                maps.rules(),
                List.of(),
                Map.of(),
                null,
                () -> true,
                CommitGuard.NONE,
                null);
        return new BaseHandler(views, List.of(served), endpoint, new Interrupted(), Duration.ofSeconds(3));
    }

    private static ApiRequest watch() {
        RequestInfo info = RequestInfoParser.parse("GET", MAPS, "watch=1");
        UserInfo admin = UserInfo.of("admin", List.of(UserInfo.MASTERS));
        return new ApiRequest(info, "GET", Map.of("watch", List.of("1")), Map.of(), admin, new byte[0]);
    }

    /** What the handler waits for while somebody interrupts it. */
    private static final class Interrupted implements BaseHandler.Shown {
        @Override
        public void await(ServedResource kind, Duration timeout) throws InterruptedException {
            throw new InterruptedException("of the test");
        }

        @Override
        public boolean awaitDefinitions(Duration timeout) {
            return true;
        }
    }

    private static final class OpenViews implements ClusterViews {
        private final Representations representations = new Representations(InstantSource.system());

        @Override
        public Decision authorize(UserInfo user, RequestInfo request) {
            return new Decision.Allowed();
        }

        @Override
        public @Nullable ApiResponse answer(ApiRequest request) {
            return null;
        }

        @Override
        public List<ResourceType> virtualTypes() {
            return List.of();
        }

        @Override
        public Representation representation(ApiRequest request, ResourceType type, boolean watch) {
            return representations.of(request, type, watch);
        }

        @Override
        public List<ObjectNode> bootstrapObjects() {
            return List.of();
        }
    }
}
