package io.fairlead.clustersync.fabric8;

import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import io.fabric8.kubernetes.api.model.ObjectMeta;
import io.fabric8.kubernetes.api.model.Status;
import io.fabric8.kubernetes.client.utils.KubernetesSerialization;
import io.fairlead.clustersync.source.SyncSettings;
import io.fairlead.clustersync.source.TypeReader;
import io.fairlead.clustersync.source.TypeSource;
import io.fairlead.index.Holder;
import io.fairlead.index.history.InformerDecision;
import io.fairlead.net.Upstream;
import java.util.concurrent.Executor;
import java.util.concurrent.ScheduledExecutorService;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.StreamReadConstraints;
import tools.jackson.core.TokenStreamFactory;
import tools.jackson.core.json.JsonFactory;
import tools.jackson.databind.DeserializationFeature;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.module.SimpleModule;

/** Creates the type sources of attached clusters, with their shared parts. Any thread. */
public final class KubernetesTypeSources {
    /** Go's JSON decoder, and so an API server, takes objects nested 10,000 levels deep; a list and an event add some. */
    private static final int DEPTH_MAX = 10_010;

    private final TypeReader types;
    private final UnaryOperator<Holder> shared;
    private final SyncSettings settings;
    private final ScheduledExecutorService scheduler;
    private final Executor executor;
    private final RandomGenerator random;
    private final LongSupplier nanoTime;
    private final ListLimiter turns;
    private final KeptTypes kept;
    /**
     * One for all clusters: its metadata of classes is much larger than a cluster's own needs. Created with the first.
     */
    private @Nullable KubernetesSerialization serialization;

    /**
     * @param types reads definitions
     * @param shared interns the parts of a holder across clusters
     * @param scheduler schedules retries; owned by the caller
     * @param executor runs the informers' blocking work; owned by the caller
     * @param random adds jitter
     * @param nanoTime the elapsed time, as {@link System#nanoTime}
     */
    public KubernetesTypeSources(
            TypeReader types,
            UnaryOperator<Holder> shared,
            SyncSettings settings,
            ScheduledExecutorService scheduler,
            Executor executor,
            RandomGenerator random,
            LongSupplier nanoTime) {
        this.types = types;
        this.shared = shared;
        this.settings = settings;
        this.scheduler = scheduler;
        this.executor = executor;
        this.random = random;
        this.nanoTime = nanoTime;
        this.turns = new ListLimiter(settings.listsAtOnceMax(), ListLimiter.Timer.of(scheduler), executor);
        this.kept = new KeptTypes(settings.answers());
    }

    /**
     * The source of one cluster's types.
     *
     * @param upstream the connections; owned by the caller
     * @param bearerToken read for each request; null if the connections' client certificate is the credential
     * @param travels receives each event of a watch that is behind one before it; must not block
     */
    public TypeSource of(
            Upstream upstream, Supplier<@Nullable String> bearerToken, Consumer<InformerDecision> travels) {
        return new KubernetesTypeSource(
                serialization(),
                shared,
                upstream,
                bearerToken,
                settings,
                turns,
                kept,
                scheduler,
                executor,
                random,
                nanoTime,
                travels);
    }

    private synchronized KubernetesSerialization serialization() {
        if (serialization == null) {
            serialization = serialization(types);
        }
        return serialization;
    }

    /**
     * Decodes three kinds and skips every unnamed field, and fields that only make objects large: a skipped value may
     * be as deep as an API server accepts.
     */
    private static KubernetesSerialization serialization(TypeReader types) {
        JsonFactory json = JsonFactory.builder()
                .disable(TokenStreamFactory.Feature.FAIL_ON_SYMBOL_HASH_OVERFLOW) // all objects share a table of names
                .streamReadConstraints(StreamReadConstraints.builder()
                        .maxNestingDepth(DEPTH_MAX)
                        .build())
                .build();
        JsonMapper mapper = JsonMapper.builder(json)
                .addMixIn(ObjectMeta.class, WithoutManagedFields.class)
                .disable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES)
                .disable(DeserializationFeature.FAIL_ON_NULL_FOR_PRIMITIVES)
                .addModule(new SimpleModule().addDeserializer(CrdObject.Spec.class, new SpecReader(types)))
                .build();
        KubernetesSerialization serialization = new KubernetesSerialization(mapper, false);
        serialization.registerKubernetesResource(CrdObject.class);
        serialization.registerKubernetesResource(ApiServiceObject.class);
        serialization.registerKubernetesResource(Status.class);
        return serialization;
    }

    /** Metadata without {@code managedFields}. */
    @JsonIgnoreProperties(value = "managedFields")
    private interface WithoutManagedFields {}
}
