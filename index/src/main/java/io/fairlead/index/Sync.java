package io.fairlead.index;

/**
 * How complete a cluster's view is.
 *
 * <pre>
 * UNSYNCED --every feed delivered a complete list--> SYNCED
 * SYNCED   --a feed is interrupted--> LOST --it is current again--> SYNCED
 * any      --the history was replaced--> UNSYNCED
 * </pre>
 */
public enum Sync {
    /** Some feed has not delivered a complete list in this epoch: everything is unknown. */
    UNSYNCED,
    /** Every feed has delivered a complete list and follows changes: what is not claimed is absent. */
    SYNCED,
    /** Was synced, some feed is interrupted: earlier claims count as served, everything else is unknown. */
    LOST
}
