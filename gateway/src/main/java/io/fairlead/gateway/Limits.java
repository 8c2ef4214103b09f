package io.fairlead.gateway;

import io.fairlead.clustersync.source.AnswerLimits;
import io.fairlead.clustersync.source.SyncSettings;
import io.fairlead.config.AttachedClusterSettings;
import io.fairlead.config.ByteSize;
import io.fairlead.config.Configuration;
import io.fairlead.config.HostedClusterSettings;
import io.fairlead.config.LimitSettings;
import io.fairlead.config.StoreSettings;
import io.fairlead.gateway.limits.ClientDescriptors;
import io.fairlead.hosted.HostedMemory;
import io.fairlead.hosted.HostedSettings;
import io.fairlead.index.IndexLimits;
import io.fairlead.model.ByteBudget;
import io.fairlead.net.EndpointLimits;
import io.fairlead.net.UpstreamLimits;
import io.fairlead.storage.StoreOptions;
import java.net.URI;
import java.time.Duration;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/** Converts the limits of the configuration, which has all defaults, to those of the parts below the gateway. */
final class Limits {
    /** A list that failed once is tried again soon; {@code attached.retryMax} bounds what the wait grows to. */
    private static final Duration LIST_RETRY_FIRST = Duration.ofMillis(500);

    /** Long enough for the changes of one event of a cluster, and short for those who look at it. */
    private static final Duration STATUS_DELAY = Duration.ofMillis(200);

    private Limits() {}

    private static long bytes(@Nullable ByteSize given, LongSupplier byDefault) {
        return ByteSize.bytes(given, given == null ? byDefault.getAsLong() : 0);
    }

    static UpstreamLimits ofUpstreams(Configuration configuration) {
        Configuration.Upstreams upstream = configuration.upstream();
        return new UpstreamLimits(
                upstream.connectTimeout(),
                upstream.tlsTimeout(),
                upstream.firstByteTimeout(),
                upstream.idleTimeout(),
                upstream.pingInterval(),
                upstream.shortConnectionsMax(),
                upstream.longRunningConnectionsMax(),
                upstream.streamsMax(),
                upstream.waitingMax(),
                connections(upstream.connectionsMax(), 2),
                connections(upstream.connectionsPerClusterMax(), 8),
                new EndpointLimits(
                        upstream.probeInterval(),
                        upstream.probeTimeout(),
                        upstream.probeFailures(),
                        upstream.probePasses(),
                        upstream.breakerFailures(),
                        upstream.dnsRefresh()));
    }

    /** The configured number, or a part of the descriptors, one per connection. */
    private static int connections(@Nullable Integer given, int parts) {
        return given == null ? (int) Math.min(Integer.MAX_VALUE, ClientDescriptors.max() / parts) : given;
    }

    /**
     * Those of hosted clusters.
     *
     * @param buffers the process's budget for requests in progress, which covers their lists and watches too
     * @param reached receives the key of the limit that refused a request
     */
    static HostedSettings ofHostedClusters(Configuration configuration, ByteBudget buffers, Consumer<String> reached) {
        LimitSettings limits = configuration.limits();
        HostedClusterSettings hosted = configuration.hosted();
        return new HostedSettings(
                limits.hostedBodyBytesMax().intBytes(),
                limits.watchHistoryEventsPerResourceMax(),
                limits.watchBufferEventsMax(),
                hosted.bookmarkInterval(),
                hosted.watchTimeoutMin(),
                hosted.futureRevisionWait(),
                hosted.compactionInterval(),
                hosted.eventLifetime(),
                hostedMemory(limits, buffers, reached),
                URI.create(Gateway.endpoint(configuration, configuration.securePort())));
    }

    /**
     * Those of informers on attached clusters.
     *
     * @param reached receives the key of the limit that a cluster's answer exceeded
     */
    static SyncSettings ofAttachedClusters(Configuration configuration, Consumer<String> reached) {
        AttachedClusterSettings attached = configuration.attached();
        Integer given = attached.listsAtOnceMax();
        int listsAtOnce =
                given == null ? SyncSettings.listsAtOnceMax(Runtime.getRuntime().maxMemory()) : given;
        return new SyncSettings(
                configuration.index().auditInterval(),
                attached.probeInterval(),
                attached.probeTimeout(),
                attached.identityInterval(),
                attached.lostAfter(),
                attached.listTimeout(),
                attached.pageTimeout(),
                LIST_RETRY_FIRST,
                attached.retryMax(),
                attached.pageObjectsMax(),
                listsAtOnce,
                STATUS_DELAY,
                answers(configuration.limits(), listsAtOnce, reached),
                ofIndex(configuration));
    }

    private static AnswerLimits answers(LimitSettings limits, int listsAtOnce, Consumer<String> reached) {
        long heap = Runtime.getRuntime().maxMemory();
        return new AnswerLimits(
                bytes(limits.definitionPageBytesMax(), () -> AnswerLimits.pageBytesMaxByDefault(heap, listsAtOnce)),
                bytes(limits.definitionListBytesMax(), () -> AnswerLimits.listBytesMaxByDefault(heap)),
                limits.definitionEventBytesMax().intBytes(),
                kept(limits, AnswerLimits.Kept.byDefault(heap)),
                reached);
    }

    private static AnswerLimits.Kept kept(LimitSettings limits, AnswerLimits.Kept ofHeap) {
        var ofAll = AnswerLimits.Kept.ofAll(bytes(limits.attachedKeptBytesMax(), ofHeap::bytesMax));
        return new AnswerLimits.Kept(
                ofAll.bytesMax(), bytes(limits.attachedKeptBytesPerClusterMax(), ofAll::bytesPerClusterMax));
    }

    /** Those of the index. */
    static IndexLimits ofIndex(Configuration configuration) {
        Configuration.Index index = configuration.index();
        return new IndexLimits(
                index.versionsPerDefinitionMax(),
                index.resourcesPerDefinitionMax(),
                index.definitionsPerClusterMax(),
                index.unknownWaitersPerClusterMax());
    }

    /** Those of the store. */
    static StoreOptions ofStore(Configuration configuration) {
        StoreSettings store = configuration.store();
        return new StoreOptions(
                store.commitQueueBytesMax().bytes(),
                store.commitWait(),
                store.recentChangesMax(),
                store.recentBytesMax().bytes(),
                store.blockCacheBytes().bytes(),
                store.diskReserveBytes().bytes());
    }

    /** What is not set is by the heap; of that of one cluster, by that of all. */
    private static HostedMemory.Bounds bounds(
            @Nullable ByteSize ofAll, @Nullable ByteSize ofCluster, HostedMemory.Bounds ofHeap) {
        HostedMemory.Bounds byDefault = HostedMemory.Bounds.of(bytes(ofAll, ofHeap::bytesMax));
        return new HostedMemory.Bounds(byDefault.bytesMax(), bytes(ofCluster, byDefault::clusterBytesMax));
    }

    /** By default three eighths are reserved for request bodies, apart from lists and watches. */
    private static HostedMemory hostedMemory(LimitSettings limits, ByteBudget buffers, Consumer<String> reached) {
        ByteSize all = limits.hostedBytesMax();
        HostedMemory shares = HostedMemory.of(
                buffers.part(all == null ? buffers.bytesMax() / 8 * 5 : all.bytes()),
                bytes(limits.hostedWorkBytesMax(), HostedMemory::ofWork),
                limits.hostedPagesPerClusterMax(),
                limits.watchHistoryBytesPerResourceMax().bytes(),
                limits.watchBufferBytesMax().bytes(),
                bounds(
                        limits.hostedDefinitionBytesMax(),
                        limits.hostedDefinitionBytesPerClusterMax(),
                        HostedMemory.Bounds.ofDefinitions()),
                bounds(
                        limits.hostedKeptBytesMax(),
                        limits.hostedKeptBytesPerClusterMax(),
                        HostedMemory.Bounds.ofKept()),
                reached);
        return shares.withAnswers(
                bytes(limits.hostedBytesPerClusterMax(), shares::clusterBytesMax),
                bytes(limits.hostedBytesPerCallerMax(), shares::callerBytesMax));
    }
}
