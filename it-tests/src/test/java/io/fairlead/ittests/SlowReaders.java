package io.fairlead.ittests;

import java.io.IOException;
import java.time.Duration;
import java.util.Set;

/** Lists of which readers take a little at a time. */
record SlowReaders(int readers, int objects, int bytes) implements Attack {
    private static final Duration PAUSE = Duration.ofMillis(300);
    private static final int BYTES_AT_ONCE = 64;

    @Override
    public void prepare(AttackedFairlead attacked) throws Exception {
        LargeObjects.store(attacked, objects, bytes);
    }

    @Override
    public void run(AttackedFairlead attacked, AttackRun run) throws Exception {
        run.crowd(readers, attacker -> read(run, attacker));
    }

    private static void read(AttackRun run, int attacker) throws IOException {
        WireConnection connection = run.connectNarrow(attacker);
        try {
            String cluster = AttackedFairlead.CROWDED.get(attacker % AttackedFairlead.CROWDED.size());
            connection.send(
                    WireConnection.head("GET", "/clusters/" + cluster + "/api/v1/configmaps", AttackedFairlead.TENANT)
                            + "\r\n");
            run.count(connection.status());
            byte[] some = new byte[BYTES_AT_ONCE];
            while (!run.isOver() && connection.read(some) >= 0) {
                run.pause(PAUSE);
            }
        } finally {
            run.drop(connection);
        }
    }

    @Override
    public int openAtOnce() {
        return readers;
    }

    @Override
    public Set<Integer> refusals() {
        return Set.of(429);
    }
}
