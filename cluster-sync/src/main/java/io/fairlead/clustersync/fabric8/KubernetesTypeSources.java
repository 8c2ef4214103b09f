package io.fairlead.clustersync.fabric8;

import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import io.fabric8.kubernetes.api.model.ObjectMeta;
import io.fabric8.kubernetes.api.model.Status;
import io.fabric8.kubernetes.client.utils.KubernetesSerialization;
import io.fairlead.clustersync.source.SyncSettings;
import io.fairlead.clustersync.source.TypeReader;
import io.fairlead.clustersync.source.TypeSource;
import io.fairlead.index.Holder;
import io.fairlead.net.Upstream;
import java.util.concurrent.Executor;
import java.util.concurrent.ScheduledExecutorService;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.StreamReadConstraints;
import tools.jackson.core.json.JsonFactory;
import tools.jackson.databind.DeserializationFeature;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.module.SimpleModule;

/** Makes the type sources of attached clusters, with what they share. Safe for any thread. */
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
    /** One for all clusters: what it learns of classes is much larger than what a cluster needs. Not made before the first. */
    private @Nullable KubernetesSerialization serialization;

    /**
     * @param types reads definitions
     * @param shared makes of a holder an equal one that shares its parts with those of other clusters
     * @param scheduler waits between attempts; belongs to the caller
     * @param executor runs what informers do, which blocks; belongs to the caller
     * @param random spreads attempts
     * @param nanoTime the time that goes by, as {@link System#nanoTime}
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
    }

    /**
     * The source of one cluster's types.
     *
     * @param upstream the connections; belongs to the caller
     * @param bearerToken asked for each request; null if the connections' client certificate is the credential
     */
    public TypeSource of(Upstream upstream, Supplier<@Nullable String> bearerToken) {
        return new KubernetesTypeSource(
                serialization(), shared, upstream, bearerToken, settings, turns, scheduler, executor, random, nanoTime);
    }

    private synchronized KubernetesSerialization serialization() {
        if (serialization == null) {
            serialization = serialization(types);
        }
        return serialization;
    }

    /**
     * Knows three kinds and skips every field that they do not name, and fields that only make objects large: what is skipped may be
     * as deep as an API server takes it.
     */
    private static KubernetesSerialization serialization(TypeReader types) {
        JsonFactory json = JsonFactory.builder()
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

    /** Metadata without the record of who set which field. */
    @JsonIgnoreProperties(value = "managedFields")
    private interface WithoutManagedFields {}
}
