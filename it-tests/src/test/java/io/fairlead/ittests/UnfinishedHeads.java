package io.fairlead.ittests;

import java.io.IOException;
import java.util.Set;

/** Heads of requests that are almost as large as they may be and never end, without any credential. */
record UnfinishedHeads(int connections) implements Attack {
    private static final int PADDING_BYTES = 62_000;
    private static final String HEAD =
            "GET /livez HTTP/1.1\r\nHost: localhost\r\nX-Padding: " + "x".repeat(PADDING_BYTES);

    @Override
    public void run(AttackedFairlead attacked, AttackRun run) throws Exception {
        run.crowd(connections, attacker -> send(run, attacker));
    }

    private static void send(AttackRun run, int attacker) throws IOException {
        WireConnection connection = run.connect(attacker);
        try {
            connection.send(HEAD);
            run.count(connection.answer().status());
        } finally {
            run.drop(connection);
        }
    }

    @Override
    public Set<Integer> refusals() {
        return Set.of(408);
    }
}
