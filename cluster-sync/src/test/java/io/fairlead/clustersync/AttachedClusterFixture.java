package io.fairlead.clustersync;

import static io.fairlead.clustersync.Crds.crd;
import static io.fairlead.clustersync.FakeApiServer.CRDS;
import static io.fairlead.clustersync.FollowedCluster.PROD;
import static io.fairlead.clustersync.FollowedCluster.eventually;
import static org.assertj.core.api.Assertions.assertThat;

import io.fairlead.index.Answer;
import io.fairlead.index.DefinedType;
import io.fairlead.index.Holder;
import io.fairlead.index.HolderType;
import io.fairlead.index.Sync;
import io.fairlead.model.TypeDigest;
import java.time.Duration;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import tools.jackson.databind.node.ObjectNode;

/** An attached cluster that is followed over the real client. */
abstract class AttachedClusterFixture {
    final FollowedCluster prod = new FollowedCluster();

    @AfterEach
    void close() {
        prod.close();
    }

    static void connect(CrdRuntimeScope runtime) {
        assertThat(VersionProbe.ask(runtime.upstream(), null, Duration.ofSeconds(20))
                        .join()
                        .version())
                .isEqualTo("v1.36.3");
    }

    AttachedScope followed(FakeApiServer server) {
        AttachedScope scope = prod.attach(server, null);
        eventually(() -> server.watcherCount() == 2 && prod.sync() == Sync.SYNCED);
        return scope;
    }

    /** Events come in order: what was told before is known once something told later is. */
    void awaitAnother(FakeApiServer server) {
        server.put(CRDS, "others.example.com", crd("others", "example.com", "v9"));
        eventually(() -> prod.lookup("example.com", "v9", "others") == Answer.SERVED);
    }

    void assertNoMismatch(AttachedScope scope) {
        prod.index.assertConsistent();
        assertThat(scope.verify())
                .hasValueSatisfying(
                        audit -> assertThat(audit.isClean()).as("%s", audit).isTrue());
    }

    static ObjectNode notEstablished() {
        ObjectNode crd = crd("new", "example.com", "v1");
        crd.remove("status");
        return crd;
    }

    @Nullable
    DefinedType defined(String crd) {
        return prod.index
                .view(PROD)
                .flatMap(view -> view.holder(HolderType.CRD, crd))
                .map(Holder::defines)
                .orElse(null);
    }

    @Nullable
    TypeDigest api(String crd) {
        DefinedType type = defined(crd);
        return type == null ? null : type.api();
    }
}
