package io.fairlead.ittests;

import java.io.IOException;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;

/** Definitions of types that are nearly as large as an object may be, and reads of what is made of them. */
record LargeDefinitions(int definitions, int bytes) implements Attack {
    private static final int ATTACKERS = 3;
    private static final Duration BETWEEN = Duration.ofMillis(100);
    private static final String PATH = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions";

    @Override
    public void run(AttackedFairlead attacked, AttackRun run) throws Exception {
        var next = new AtomicInteger();
        run.crowd(ATTACKERS, attacker -> {
            WireConnection connection = run.connect(attacker);
            try {
                while (!run.isOver()) {
                    turn(run, connection, next.getAndIncrement());
                    run.pause(BETWEEN);
                }
            } finally {
                run.drop(connection);
            }
        });
    }

    private void turn(AttackRun run, WireConnection connection, int number) throws IOException {
        String cluster = "/clusters/" + AttackedFairlead.CROWDED.get(number % AttackedFairlead.CROWDED.size());
        if (number < definitions) {
            run.count(connection
                    .exchange("POST", cluster + PATH, AttackedFairlead.TENANT, "application/json", definition(number))
                    .status());
        } else {
            String path = number % 2 == 0 ? PATH : "/openapi/v3";
            run.count(connection
                    .exchange("GET", cluster + path, AttackedFairlead.TENANT, "", "")
                    .status());
        }
    }

    private String definition(int number) {
        StringBuilder properties = new StringBuilder("\"p\":{\"type\":\"string\"}");
        for (int i = 0; properties.length() < bytes; i++) {
            properties.append(",\"field%d\":{\"type\":\"string\",\"maxLength\":%d,\"description\":\"Of %d.\"}"
                    .formatted(i, i + 1, number));
        }
        return """
            {"apiVersion":"apiextensions.k8s.io/v1","kind":"CustomResourceDefinition",
            "metadata":{"name":"larges.l%1$d.example.com"},
            "spec":{"group":"l%1$d.example.com","scope":"Namespaced","names":{"plural":"larges","kind":"Large"},
            "versions":[{"name":"v1","served":true,"storage":true,"schema":{"openAPIV3Schema":
            {"type":"object","properties":{%2$s}}}}]}}\
            """.formatted(number, properties);
    }

    @Override
    public Set<Integer> refusals() {
        return Set.of(403, 409, 413, 422, 429, 503);
    }
}
