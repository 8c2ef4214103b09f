package io.fairlead.ittests;

import io.fairlead.ittests.WireConnection.Answer;
import java.io.IOException;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;

/** One large object that is changed again and again under watches, some of which are read slowly and some not at all. */
record LargeUpdates(int updates, int watches, int bytes) implements Attack {
    private static final String MAPS =
            "/clusters/" + AttackedFairlead.CROWDED.get(1) + "/api/v1/namespaces/default/configmaps";
    private static final Duration SLOWLY = Duration.ofMillis(20);

    @Override
    public void prepare(AttackedFairlead attacked) throws Exception {
        attacked.create(MAPS, LargeObjects.object("changing", bytes));
    }

    @Override
    public void run(AttackedFairlead attacked, AttackRun run) throws Exception {
        var left = new AtomicInteger(updates);
        run.crowd(watches + 1, attacker -> {
            if (attacker == 0) {
                update(run, left);
            } else {
                watch(run, attacker);
            }
        });
        run.count("updates left " + Math.max(0, left.get()));
    }

    private static void update(AttackRun run, AtomicInteger left) throws IOException {
        WireConnection connection = run.connect(0);
        try {
            while (!run.isOver() && left.getAndDecrement() > 0) {
                Answer answer = connection.exchange(
                        "PATCH",
                        MAPS + "/changing",
                        AttackedFairlead.TENANT,
                        "application/merge-patch+json",
                        "{\"data\":{\"n\":\"" + left.get() + "\"}}");
                run.count(answer.status());
            }
            run.awaitEnd();
        } finally {
            run.drop(connection);
        }
    }

    private static void watch(AttackRun run, int attacker) throws IOException {
        WireConnection connection = run.connectNarrow(attacker);
        try {
            connection.send(WireConnection.head("GET", MAPS + "?watch=1", AttackedFairlead.TENANT) + "\r\n");
            run.count(connection.status());
            if (attacker % 2 == 0) {
                run.awaitEnd();
            }
            byte[] some = new byte[16 * 1024];
            while (!run.isOver() && connection.read(some) >= 0) {
                run.pause(SLOWLY);
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
