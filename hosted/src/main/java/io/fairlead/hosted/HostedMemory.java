package io.fairlead.hosted;

import io.fairlead.model.ByteBudget;
import java.time.Duration;
import java.util.function.Consumer;

/**
 * How many bytes hosted clusters may hold for their clients, apart from their own data.
 *
 * @param budget the budget of the whole process, from which all bytes are taken
 * @param clusterBytesMax how much of it one cluster's answers may take
 * @param callerBytesMax how much one caller's answers may take, in all clusters together
 * @param workBytesMax how much the objects may take that requests read and change, as estimated; not of the budget
 * @param patience how long an answer waits for bytes or for its turn before it is refused with 429
 * @param pagesAtOnceMax how many pages of lists one cluster encodes at once
 * @param history the changes that are kept for watches
 * @param definitions the CustomResourceDefinitions, as stored; the objects built from them take about twelve times as much
 * @param kept what is kept of namespaces, RBAC objects and owner references, as estimated
 * @param reached receives the key of the limit that refused a request; called on any thread
 */
public record HostedMemory(
        ByteBudget budget,
        long clusterBytesMax,
        long callerBytesMax,
        long workBytesMax,
        Duration patience,
        int pagesAtOnceMax,
        History history,
        Bounds definitions,
        Bounds kept,
        Consumer<String> reached) {
    /** Eighths of the heap for objects under work, and the most for each processor, whose time it takes, too. */
    private static final int EIGHTHS_OF_WORK = 3;

    private static final long WORK_BYTES_OF_A_PROCESSOR = 512L * 1024 * 1024;

    /** How long an answer waits for bytes, or for its turn; no key of the configuration. */
    private static final Duration PATIENCE = Duration.ofSeconds(5);

    /**
     * The changes that are kept for watches: in memory, and queued for watchers. Older ones are read from the store.
     *
     * @param bytesMax in the whole process, of the budget
     * @param clusterBytesMax of one cluster
     * @param resourceBytesMax of one resource of a cluster
     * @param watcherBytesMax how far one watcher may fall behind before its stream ends
     */
    public record History(long bytesMax, long clusterBytesMax, long resourceBytesMax, long watcherBytesMax) {}

    /**
     * Of what stays in memory as long as a cluster is open.
     *
     * @param bytesMax of all open clusters
     * @param clusterBytesMax of one cluster
     */
    public record Bounds(long bytesMax, long clusterBytesMax) {
        /** Fraction of the heap for definitions: what is built from them then takes a third of the heap. */
        private static final int PARTS_OF_DEFINITIONS = 40;

        private static final int PARTS_KEPT = 8;

        /** Those of definitions, by the heap of this process; one cluster gets half. */
        public static Bounds ofDefinitions() {
            return of(Runtime.getRuntime().maxMemory() / PARTS_OF_DEFINITIONS);
        }

        /** Those of what is kept of other objects, by the heap of this process; one cluster gets half. */
        public static Bounds ofKept() {
            return of(Runtime.getRuntime().maxMemory() / PARTS_KEPT);
        }

        /** One cluster gets half. */
        public static Bounds of(long bytesMax) {
            return new Bounds(bytesMax, bytesMax / 2);
        }
    }

    /** What objects under work may take, by the heap and the processors of this process. */
    public static long ofWork() {
        Runtime process = Runtime.getRuntime();
        return Math.min(
                process.maxMemory() / 8 * EIGHTHS_OF_WORK, WORK_BYTES_OF_A_PROCESSOR * process.availableProcessors());
    }

    /**
     * The shares of a budget: lists of one cluster get a quarter of it, those of one caller half of that, and changes
     * for watches of one cluster a sixth. Bodies have their own part (`limits.bufferedBytesPerClusterMax`).
     *
     * @param resourceBytesMax of the changes of one resource of a cluster
     * @param watcherBytesMax how far one watcher may fall behind
     */
    public static HostedMemory of(
            ByteBudget budget,
            long workBytesMax,
            int pagesAtOnceMax,
            long resourceBytesMax,
            long watcherBytesMax,
            Bounds definitions,
            Bounds kept,
            Consumer<String> reached) {
        long all = budget.bytesMax();
        return new HostedMemory(
                budget,
                Math.max(1, all / 4),
                Math.max(1, all / 8),
                workBytesMax,
                PATIENCE,
                pagesAtOnceMax,
                new History(Math.max(1, all / 3), Math.max(1, all / 6), resourceBytesMax, watcherBytesMax),
                definitions,
                kept,
                reached);
    }

    /** With other parts of the budget for the answers of one cluster, and for those of one caller. */
    public HostedMemory withAnswers(long ofCluster, long ofCaller) {
        return new HostedMemory(
                budget,
                ofCluster,
                ofCaller,
                workBytesMax,
                patience,
                pagesAtOnceMax,
                history,
                definitions,
                kept,
                reached);
    }
}
