package io.fairlead.gateway.own;

import io.fairlead.storage.RevisionedStore;
import java.util.Optional;

/** Whether the store of the hosted clusters can do its work. A full disk does not count: reads and deletions still work. */
public final class StoreCheck implements ReadinessCheck {
    private final RevisionedStore store;
    private volatile Optional<String> defect = Optional.empty();

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
    }

    @Override
    public Optional<String> failure() {
        return store.isSound() ? defect : Optional.of("the store is closed, or its disk failed");
    }
}
