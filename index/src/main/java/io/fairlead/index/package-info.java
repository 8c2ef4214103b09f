/**
 * The claims ledger: which group/versions and resources each cluster of the fleet serves, their holders, and the age of
 * that knowledge.
 *
 * <p>Pure data structures: no network, no JSON, no threads. Each cluster has one
 * {@link io.fairlead.index.ClusterLedger}, whose writers are serialised by a stripe of locks; readers call
 * {@link io.fairlead.index.FleetIndex}, take no lock, allocate nothing for an {@link io.fairlead.index.Answer}, and see
 * one whole view or another, never a mixture. Start with {@code FleetIndex}.
 */
@NullMarked
package io.fairlead.index;

import org.jspecify.annotations.NullMarked;
