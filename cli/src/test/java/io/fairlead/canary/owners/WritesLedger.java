package io.fairlead.canary.owners;

import io.fairlead.index.ClusterLedger;

/** Writes the ledger of a cluster that another feeds: the rule must name it. */
final class WritesLedger {
    private WritesLedger() {}

    static void write(ClusterLedger ledger) {
        ledger.nextEpoch();
    }
}
