package io.fairlead.ittests;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Set;

/**
 * Bodies of a tenant to a hosted cluster that come to their last byte, or byte by byte from the beginning.
 *
 * @param bytesAtOnce what is sent at first, of 1 MiB
 */
record UnfinishedBodies(int bodies, int bytesAtOnce) implements Attack {
    private static final int BODY_BYTES = 1 << 20;
    private static final Duration PAUSE = Duration.ofMillis(300);
    private static final Duration RETRY_AFTER = Duration.ofSeconds(1);

    @Override
    public void run(AttackedFairlead attacked, AttackRun run) throws Exception {
        byte[] beginning = "x".repeat(bytesAtOnce).getBytes(StandardCharsets.US_ASCII);
        run.crowd(bodies, attacker -> upload(run, attacker, beginning));
    }

    private static void upload(AttackRun run, int attacker, byte[] beginning) throws IOException {
        WireConnection connection = run.connect(attacker);
        try {
            connection.send(WireConnection.head(
                            "POST",
                            "/clusters/" + AttackedFairlead.CROWDED.getFirst()
                                    + "/api/v1/namespaces/default/configmaps",
                            AttackedFairlead.TENANT)
                    + "Content-Type: application/json\r\nContent-Length: " + BODY_BYTES + "\r\n\r\n");
            connection.send(beginning);
            while (!run.isOver()) {
                if (connection.hasAnswer(PAUSE)) {
                    run.count(connection.answer().status());
                    run.pause(RETRY_AFTER);
                    return;
                }
                connection.send("x");
            }
        } finally {
            run.drop(connection);
        }
    }

    @Override
    public int openAtOnce() {
        return bodies;
    }

    @Override
    public Set<Integer> refusals() {
        return Set.of(408, 429);
    }

    @Override
    public String name() {
        return bytesAtOnce > BODY_BYTES / 2 ? "UnfinishedBodies" : "SlowBodies";
    }
}
