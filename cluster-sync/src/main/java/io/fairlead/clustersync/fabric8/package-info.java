/**
 * The fabric8 client's informers over Fairlead's own connections: its HTTP backend, the few fields of CRDs and
 * APIServices that the index needs, and the source of types built from them.
 *
 * <p>The backend's callbacks leave the event loop at once; informers run on virtual threads. Start with {@link
 * io.fairlead.clustersync.fabric8.KubernetesTypeSource}.
 */
@NullMarked
package io.fairlead.clustersync.fabric8;

import org.jspecify.annotations.NullMarked;
