package io.fairlead.gateway.admin;

import io.fairlead.fleet.ReadinessCheck;
import io.fairlead.storage.RevisionedStore;
import java.util.Optional;

/**
 * Whether the store of the hosted clusters works. A full disk does not fail the check, since reads and deletions still
 * work, but is reported in its text.
 */
public final class StoreCheck implements ReadinessCheck {
    private final RevisionedStore store;
    private volatile Optional<String> defect = Optional.empty();
    private volatile Optional<String> shortage = Optional.empty();

    public StoreCheck(RevisionedStore store) {
        this.store = store;
    }

    @Override
    public String name() {
        return "store";
    }

    @Override
    public void refresh() {
        defect = store.defect();
        shortage = store.shortage();
    }

    @Override
    public Optional<String> failure() {
        return store.isSound() ? defect : Optional.of("the store is closed, or its disk failed");
    }

    @Override
    public Optional<String> detail() {
        return shortage.map(why -> why + "; writes are refused until there is room, reads and deletions are not");
    }

    /** Whether writes had been refused for lack of space at the last check. */
    public boolean isDiskFull() {
        return shortage.isPresent();
    }
}
