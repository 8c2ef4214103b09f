package io.fairlead.ittests;

import java.io.IOException;
import java.util.List;
import java.util.Set;

/**
 * Lists of everything in clusters of large objects, all at once and in every form. Every fourth reader stops after the head.
 *
 * @param objects how many large objects each of the clusters has
 */
record UnlimitedLists(int readers, int objects, int bytes) implements Attack {
    private static final List<String> FORMS = List.of(
            "application/json", "application/vnd.kubernetes.protobuf", "application/json;as=Table;v=v1;g=meta.k8s.io");
    private static final List<String> PATHS =
            List.of("/api/v1/configmaps", "/api/v1/secrets", "/api/v1/namespaces/default/configmaps?limit=500");

    @Override
    public void prepare(AttackedFairlead attacked) throws Exception {
        LargeObjects.store(attacked, objects, bytes);
    }

    @Override
    public void run(AttackedFairlead attacked, AttackRun run) throws Exception {
        run.crowd(readers, attacker -> list(run, attacker));
    }

    private static void list(AttackRun run, int attacker) throws IOException {
        boolean isSilent = attacker % 4 == 3;
        WireConnection connection = isSilent ? run.connectNarrow(attacker) : run.connect(attacker);
        try {
            String cluster = AttackedFairlead.CROWDED.get(attacker % AttackedFairlead.CROWDED.size());
            connection.send(WireConnection.head(
                            "GET",
                            "/clusters/" + cluster + PATHS.get(attacker / 3 % PATHS.size()),
                            AttackedFairlead.TENANT)
                    + "Accept: " + FORMS.get(attacker / 9 % FORMS.size()) + "\r\n\r\n");
            if (isSilent) {
                run.count(connection.status());
                run.awaitEnd();
            } else {
                run.count(connection.answer().status());
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
