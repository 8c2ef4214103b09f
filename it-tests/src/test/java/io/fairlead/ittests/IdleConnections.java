package io.fairlead.ittests;

import java.io.IOException;
import java.time.Duration;
import java.util.Set;

/** Connections on which nothing is ever said, without any credential. */
record IdleConnections(int connections) implements Attack {
    /** 500 handshakes a second. */
    private static final Duration BETWEEN = Duration.ofMillis(2);

    @Override
    public void run(AttackedFairlead attacked, AttackRun run) throws Exception {
        run.crowd(connections, BETWEEN, attacker -> wait(run, attacker));
    }

    private static void wait(AttackRun run, int attacker) throws IOException {
        WireConnection connection = run.connect(attacker);
        try {
            run.count("open");
            run.count(connection.answer().status());
        } finally {
            run.drop(connection);
        }
    }

    @Override
    public int openAtOnce() {
        return connections;
    }

    @Override
    public Set<Integer> refusals() {
        return Set.of();
    }
}
