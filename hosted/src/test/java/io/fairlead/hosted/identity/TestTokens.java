package io.fairlead.hosted.identity;

import io.fairlead.hosted.objects.ClusterKeys;
import io.fairlead.storage.MemoryStore;
import java.time.InstantSource;
import java.util.List;

/** Issuers for tests. */
public final class TestTokens {
    private TestTokens() {}

    /** That of a cluster that has no objects at all. */
    public static ServiceAccountTokens issuer(InstantSource clock) {
        MemoryStore store = new MemoryStore();
        TokenObjects none = new TokenObjects(store, new ClusterKeys("uid"), List.of());
        return new ServiceAccountTokens(
                store,
                "/signing-keys/uid",
                new SigningKeyIds(store, "/signing-keys/"),
                none,
                "https://localhost:6443/clusters/dev",
                clock);
    }
}
