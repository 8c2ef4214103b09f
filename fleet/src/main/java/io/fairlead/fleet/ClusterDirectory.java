package io.fairlead.fleet;

import io.fairlead.model.ClusterName;
import java.util.function.Consumer;

/**
 * The registered clusters.
 *
 * <p>Threads: any, event loops included. A look-up never blocks; a request
 * looks up once and keeps the entry until it ends, even if the registration changes.
 */
@FunctionalInterface
public interface ClusterDirectory {
    ClusterEntry lookup(ClusterName name);

    /** Whether a cluster is not available yet for APIServices that it requires. */
    default boolean isWaiting(ClusterName name) {
        return false;
    }

    /** For whom a cluster vouches. */
    default Vouching vouching(ClusterName name) {
        return new Vouching(true, false, false);
    }

    /**
     * Sets the listener that is called when a cluster that was served is withheld, so that what goes on in it is ended. It is
     * looked up as such by then; its connections are closed after the call.
     */
    default void whenWithheld(Consumer<ClusterName> listener) {}
}
