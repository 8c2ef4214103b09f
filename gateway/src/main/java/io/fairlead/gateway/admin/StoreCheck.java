package io.fairlead.gateway.admin;

import io.fairlead.fleet.ReadinessCheck;
import io.fairlead.storage.RevisionedStore;
import java.util.Optional;

/**
 * Whether the store of the hosted clusters can do its work. A full disk does not count, since reads and deletions still work, but it is
 * told.
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

    /** Whether writes were refused for want of room when it was last looked at. */
    public boolean isDiskFull() {
        return shortage.isPresent();
    }
}
