package io.fairlead.clustersync.fabric8;

import io.fabric8.kubernetes.client.KubernetesClient;
import io.fairlead.clustersync.source.SyncSettings;
import io.fairlead.index.history.InformerDecision;
import java.util.concurrent.Executor;
import java.util.concurrent.ScheduledExecutorService;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import java.util.function.UnaryOperator;

/**
 * What the feeds of one cluster share.
 *
 * @param client makes the informers
 * @param turns limits the lists of all clusters together
 * @param kept bounds what is kept of all clusters together
 * @param scheduler schedules retries
 * @param executor runs what may block
 * @param nanoTime the elapsed time, as {@link System#nanoTime}
 * @param withoutCredential hides Fairlead's own credential in what the cluster's servers say
 * @param travels receives each event of a watch that is behind one before it; must not block
 */
record FeedContext(
        KubernetesClient client,
        SyncSettings settings,
        ListLimiter turns,
        KeptTypes kept,
        Censuses censuses,
        ScheduledExecutorService scheduler,
        Executor executor,
        LongSupplier nanoTime,
        UnaryOperator<String> withoutCredential,
        Consumer<InformerDecision> travels) {}
