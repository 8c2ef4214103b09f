package io.fairlead.hosted;

import java.net.URI;
import java.time.Duration;

/**
 * The limits of hosted clusters; each is a key of the configuration, whose defaults are kube-apiserver's values.
 *
 * @param bodyBytesMax the largest request body
 * @param watchHistoryEventsMax how many events each resource keeps in memory for resuming watches; older ones are read
 *     from the store
 * @param watchBufferEventsMax how far a watcher may fall behind before its stream ends
 * @param bookmarkInterval how often an idle watch that allows bookmarks gets one
 * @param watchTimeoutMin a watch without {@code timeoutSeconds} ends between this and twice this
 * @param futureRevisionWait how long a read waits for a resourceVersion that is not there yet
 * @param compactionInterval how often the store forgets what is older than one interval
 * @param eventLifetime how long an Event lives
 * @param memory how many bytes are held for clients
 * @param endpoint where clients reach the clusters
 */
public record HostedSettings(
        int bodyBytesMax,
        int watchHistoryEventsMax,
        int watchBufferEventsMax,
        Duration bookmarkInterval,
        Duration watchTimeoutMin,
        Duration futureRevisionWait,
        Duration compactionInterval,
        Duration eventLifetime,
        HostedMemory memory,
        URI endpoint) {
    /** How large an object may become as stored: patches and field managers add to it beyond what one body can hold. */
    public int objectBytesMax() {
        return (int) Math.min(2L * bodyBytesMax, Integer.MAX_VALUE);
    }
}
