package io.fairlead.ittests;

import java.io.IOException;
import java.util.List;
import java.util.Set;

/** Many watches at once that begin with the whole state of clusters with large objects; half of their readers stop after the head. */
record WatchCrowd(int watches, int objects, int bytes) implements Attack {
    private static final List<String> BEGINNINGS = List.of(
            "&resourceVersion=0", "&sendInitialEvents=true&resourceVersionMatch=NotOlderThan&allowWatchBookmarks=true");

    @Override
    public void prepare(AttackedFairlead attacked) throws Exception {
        LargeObjects.store(attacked, objects, bytes);
    }

    @Override
    public void run(AttackedFairlead attacked, AttackRun run) throws Exception {
        run.crowd(watches, attacker -> watch(run, attacker));
    }

    private static void watch(AttackRun run, int attacker) throws IOException {
        boolean isSilent = attacker % 2 == 0;
        WireConnection connection = isSilent ? run.connectNarrow(attacker) : run.connect(attacker);
        try {
            String cluster = AttackedFairlead.CROWDED.get(attacker % AttackedFairlead.CROWDED.size());
            connection.send(WireConnection.head(
                            "GET",
                            "/clusters/" + cluster + "/api/v1/configmaps?watch=1"
                                    + BEGINNINGS.get(attacker / 2 % BEGINNINGS.size()),
                            AttackedFairlead.TENANT)
                    + "\r\n");
            int status = connection.status();
            run.count(status);
            if (status == 200 && !isSilent) {
                byte[] some = new byte[16 * 1024];
                while (connection.read(some) >= 0 && !run.isOver()) {
                    // Read as fast as it comes.
                }
            } else {
                run.awaitEnd();
            }
        } finally {
            run.drop(connection);
        }
    }

    @Override
    public Set<Integer> refusals() {
        return Set.of(429);
    }
}
