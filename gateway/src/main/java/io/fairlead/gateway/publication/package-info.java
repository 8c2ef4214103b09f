/**
 * Fairlead as the backend of other clusters' aggregation layers: whether a connection comes from the front proxy of a
 * cluster into which a hosted one is published, and which users that names.
 *
 * <p>Never blocks; any thread, and event loops for each request. Start with {@link
 * io.fairlead.gateway.publication.Publications}.
 */
@NullMarked
package io.fairlead.gateway.publication;

import org.jspecify.annotations.NullMarked;
