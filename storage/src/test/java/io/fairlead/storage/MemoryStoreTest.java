package io.fairlead.storage;

final class MemoryStoreTest extends RevisionedStoreContract {
    @Override
    protected RevisionedStore newStore() {
        return new MemoryStore();
    }
}
