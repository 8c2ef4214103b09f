package io.fairlead.ittests;

import io.fairlead.ittests.WireConnection.Answer;
import java.io.IOException;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/** Many requests of a few bytes at once for one object of many members, which takes many times its size while it is worked on. */
record CrowdedObject(int attackers, int members) implements Attack {
    private static final String MAPS =
            "/clusters/" + AttackedFairlead.CROWDED.get(2) + "/api/v1/namespaces/default/configmaps";

    @Override
    public void prepare(AttackedFairlead attacked) throws Exception {
        String data =
                IntStream.range(0, members).mapToObj(i -> "\"" + i + "\":\"\"").collect(Collectors.joining(","));
        attacked.create(MAPS, "{\"metadata\":{\"name\":\"crowded\"},\"data\":{" + data + "}}");
    }

    @Override
    public void run(AttackedFairlead attacked, AttackRun run) throws Exception {
        run.crowd(attackers, attacker -> ask(run, attacker));
    }

    private static void ask(AttackRun run, int attacker) throws IOException {
        WireConnection connection = run.connect(attacker);
        try {
            Answer answer = connection.exchange(
                    switch (attacker % 3) {
                        case 0 -> "PATCH";
                        case 1 -> "GET";
                        default -> "DELETE";
                    },
                    MAPS + "/crowded?dryRun=All",
                    AttackedFairlead.TENANT,
                    "application/merge-patch+json",
                    attacker % 3 == 0 ? "{\"metadata\":{\"labels\":{\"by\":\"" + attacker + "\"}}}" : "");
            run.count(answer.status());
        } finally {
            run.drop(connection);
        }
    }

    @Override
    public Set<Integer> refusals() {
        return Set.of(429);
    }
}
