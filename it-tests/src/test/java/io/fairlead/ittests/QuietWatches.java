package io.fairlead.ittests;

import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Set;

/** Watches of two callers in which little happens, each on a connection of its own. */
record QuietWatches(int watches) implements Attack {
    private static final Duration BETWEEN = Duration.ofMillis(4);
    private static final List<String> CALLERS = List.of(AttackedFairlead.TENANT, AttackedFairlead.IMPATIENT);

    @Override
    public void prepare(AttackedFairlead attacked) throws Exception {
        for (String cluster : AttackedFairlead.CROWDED) {
            attacked.letRule("impatient", cluster);
        }
    }

    @Override
    public void run(AttackedFairlead attacked, AttackRun run) throws Exception {
        run.crowd(watches, BETWEEN, attacker -> watch(run, attacker));
    }

    private static void watch(AttackRun run, int attacker) throws IOException {
        WireConnection connection = run.connect(attacker);
        try {
            String cluster = AttackedFairlead.CROWDED.get(attacker % AttackedFairlead.CROWDED.size());
            connection.send(WireConnection.head(
                            "GET",
                            "/clusters/" + cluster + "/api/v1/namespaces?watch=1&resourceVersion=0",
                            CALLERS.get(attacker % CALLERS.size()))
                    + "\r\n");
            run.count(connection.status());
            byte[] some = new byte[1024];
            while (!run.isOver() && connection.read(some) >= 0) {
                // Whatever happens is read.
            }
        } finally {
            run.drop(connection);
        }
    }

    @Override
    public int openAtOnce() {
        return watches;
    }

    @Override
    public Set<Integer> refusals() {
        return Set.of();
    }
}
