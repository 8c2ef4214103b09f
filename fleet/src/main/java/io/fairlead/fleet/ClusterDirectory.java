package io.fairlead.fleet;

import io.fairlead.model.ClusterName;

/**
 * The registered clusters.
 *
 * <p>Threads: any, event loops included. A look-up never blocks and answers from one immutable snapshot; a request
 * looks up once and keeps the entry until it ends, even if the registration changes.
 */
@FunctionalInterface
public interface ClusterDirectory {
    ClusterEntry lookup(ClusterName name);
}
