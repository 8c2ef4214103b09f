package io.fairlead.clustersync;

import static io.fairlead.clustersync.Crds.crd;
import static io.fairlead.clustersync.FakeApiServer.CRDS;
import static io.fairlead.clustersync.FollowedCluster.eventually;
import static org.assertj.core.api.Assertions.assertThat;

import io.fairlead.index.Answer;
import io.fairlead.index.Holder;
import io.fairlead.index.HolderType;
import io.fairlead.index.Sync;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import tools.jackson.databind.node.ObjectNode;

/** Two CRDs serve one group/version; of one of them a watch tells what no watch should. */
@Timeout(value = 120, unit = TimeUnit.SECONDS, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
final class SeedCaseTest {
    private static final int ROUNDS = 12;
    private static final int READERS = 2;
    private static final int LOOKUPS_MIN = 1000;
    private static final long PAUSE_NANOS = 20_000;
    private static final String FOOS = "foos.example.com";
    private static final String BARS = "bars.example.com";

    private final FollowedCluster prod = new FollowedCluster();
    private final AtomicBoolean over = new AtomicBoolean();

    @AfterEach
    void close() {
        over.set(true);
        prod.close();
    }

    /** Deletions of earlier incarnations, additions of what is gone, and changes that were told before, through new lists too. */
    @Test
    void whateverIsRepeatedOfEarlierIncarnations_theOtherCrdIsServedAtEachLookup() throws Exception {
        FakeApiServer server = prod.server("h2");
        AttachedScope scope = prod.attach(server, null);
        awaitWatched(server);
        List<ObjectNode> earlierBars = new ArrayList<>();
        for (int i = 0; i < 3; i++) {
            server.put(CRDS, BARS, crd("bars", "example.com", "v1"));
            earlierBars.add(server.get(CRDS, BARS));
            server.delete(CRDS, BARS);
        }
        server.put(CRDS, BARS, crd("bars", "example.com", "v1"));
        ObjectNode bars = server.get(CRDS, BARS);
        eventually(() -> bars.at("/metadata/uid").asString().equals(uid(BARS)));

        try (ExecutorService readers = Executors.newFixedThreadPool(READERS)) {
            CountDownLatch looked = new CountDownLatch(READERS);
            List<Future<Answer>> looks = new ArrayList<>();
            for (int i = 0; i < READERS; i++) {
                looks.add(readers.submit(() -> look(looked)));
            }
            List<ObjectNode> earlierFoos = new ArrayList<>();
            for (int round = 0; round < ROUNDS; round++) {
                server.put(CRDS, FOOS, crd("foos", "example.com", "v1"));
                ObjectNode foos = server.get(CRDS, FOOS);
                server.repeat(CRDS, "DELETED", earlierBars.get(round % earlierBars.size()));
                earlierFoos.forEach(earlier -> server.repeat(CRDS, "DELETED", earlier));
                server.repeat(CRDS, "ADDED", bars);
                if (round % 4 == 3) {
                    server.gap(() -> server.delete(CRDS, FOOS));
                    awaitWatched(server);
                } else {
                    server.delete(CRDS, FOOS);
                }
                server.repeat(CRDS, "ADDED", foos);
                server.repeat(CRDS, "ADDED", earlierBars.get(round % earlierBars.size()));
                server.repeat(CRDS, "MODIFIED", bars);
                earlierFoos.add(foos);
            }
            server.put(CRDS, "others.example.com", crd("others", "example.com", "v9"));
            eventually(() -> prod.lookup("example.com", "v9", "others") == Answer.SERVED);
            looked.await();
            over.set(true);

            for (Future<Answer> each : looks) {
                assertThat(each.get())
                        .as("the first answer that is another one, or the last")
                        .isEqualTo(Answer.SERVED);
            }
        }
        assertThat(prod.lookup("example.com", "v1", "foos")).isEqualTo(Answer.ABSENT);
        assertThat(prod.lookup("example.com", "v1", "bars")).isEqualTo(Answer.SERVED);
        prod.index.assertConsistent();
        assertThat(scope.verify())
                .hasValueSatisfying(
                        audit -> assertThat(audit.isClean()).as("%s", audit).isTrue());
    }

    private Answer look(CountDownLatch looked) {
        for (int i = 0; ; i++) {
            Answer answer = prod.lookup("example.com", "v1", "bars");
            if (i == LOOKUPS_MIN) {
                looked.countDown();
            }
            if (answer != Answer.SERVED || over.get()) {
                looked.countDown();
                return answer;
            }
            LockSupport.parkNanos(PAUSE_NANOS);
        }
    }

    /** Of the incarnation that the index knows; empty if it knows none. */
    private String uid(String crd) {
        return prod.index
                .view(FollowedCluster.PROD)
                .flatMap(view -> view.holder(HolderType.CRD, crd))
                .map(Holder::uid)
                .orElse("");
    }

    private void awaitWatched(FakeApiServer server) {
        eventually(() -> server.watcherCount() == 2 && prod.sync() == Sync.SYNCED);
    }
}
