/**
 * The claims ledger: which group/versions and resources each cluster of the fleet serves, who serves them, and how old
 * that knowledge is.
 *
 * <p>Pure data structures: no network, no JSON, no thread of its own. Each cluster has one {@link
 * io.fairlead.index.ClusterLedger}, whose writers are serialised by a stripe of locks; readers ask {@link
 * io.fairlead.index.FleetIndex}, take no lock, allocate nothing for an {@link io.fairlead.index.Answer}, and see one whole
 * view or another, never a mixture. Start with {@code FleetIndex}.
 */
@NullMarked
package io.fairlead.index;

import org.jspecify.annotations.NullMarked;
