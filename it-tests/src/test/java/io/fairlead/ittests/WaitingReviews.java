package io.fairlead.ittests;

import java.io.IOException;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;

/** One caller who asks to be another one with each request, so that the attached cluster is asked each time whether they may. */
record WaitingReviews(int attackers) implements Attack {
    private static final Duration BETWEEN = Duration.ofMillis(20);
    private static final AtomicInteger NUMBER = new AtomicInteger();

    @Override
    public void run(AttackedFairlead attacked, AttackRun run) throws Exception {
        run.crowd(attackers, attacker -> {
            WireConnection connection = run.connect(attacker);
            try {
                while (!run.isOver()) {
                    ask(run, connection);
                    run.pause(BETWEEN);
                }
            } finally {
                run.drop(connection);
            }
        });
    }

    private static void ask(AttackRun run, WireConnection connection) throws IOException {
        connection.send(WireConnection.head(
                        "GET", "/clusters/prod/api/v1/namespaces/default/configmaps", AttackedFairlead.PRETENDER)
                + "Impersonate-User: somebody-" + NUMBER.incrementAndGet() + "\r\n\r\n");
        run.count(connection.answer().status());
    }

    @Override
    public Set<Integer> refusals() {
        return Set.of(403, 429);
    }
}
