package io.fairlead.ittests;

import io.fairlead.ittests.WireConnection.Answer;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;

/** Definitions of a tenant whose patterns or schemas are small to write and large to work with, and objects for them. */
record HostilePatterns(int attackers) implements Attack {
    private static final String DEFINITIONS = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions";
    private static final Duration BETWEEN = Duration.ofMillis(100);
    private static final AtomicInteger NUMBER = new AtomicInteger();

    /** The first is refused, the second taken: it is long, but runs in proportion to the text. */
    private static final List<String> SCHEMAS = List.of(
            pattern("((((a{100}){100}){100}){100})"),
            pattern(alternation(2_000)),
            pattern(alternation(60_000)),
            pattern("(" + "(".repeat(5_000) + "a" + ")".repeat(5_000) + ")*"),
            pattern("(a{1000}){1000}"),
            pattern("(x+x+)+y"),
            nested(400),
            nested(5_000));

    @Override
    public void run(AttackedFairlead attacked, AttackRun run) throws Exception {
        run.crowd(attackers, attacker -> {
            WireConnection connection = run.connect(attacker);
            try {
                while (!run.isOver()) {
                    define(run, connection, attacker);
                    run.pause(BETWEEN);
                }
            } finally {
                run.drop(connection);
            }
        });
    }

    private static void define(AttackRun run, WireConnection connection, int attacker) throws IOException {
        int number = NUMBER.incrementAndGet();
        String cluster = "/clusters/" + AttackedFairlead.CROWDED.get(attacker % AttackedFairlead.CROWDED.size());
        String definition = definition(number, SCHEMAS.get(number % SCHEMAS.size()));
        Answer defined = connection.exchange(
                "POST", cluster + DEFINITIONS, AttackedFairlead.TENANT, "application/json", definition);
        run.count(defined.status());
        if (defined.status() == 201) {
            String object = """
                {"apiVersion":"h%1$d.example.com/v1","kind":"Thing","metadata":{"name":"t"},"text":"%2$s"}\
                """.formatted(number, "x".repeat(100_000));
            Answer made = connection.exchange(
                    "POST",
                    cluster + "/apis/h" + number + ".example.com/v1/namespaces/default/things",
                    AttackedFairlead.TENANT,
                    "application/json",
                    object);
            run.count(made.status());
        }
    }

    private static String definition(int number, String schema) {
        return """
            {"apiVersion":"apiextensions.k8s.io/v1","kind":"CustomResourceDefinition",
            "metadata":{"name":"things.h%1$d.example.com"},
            "spec":{"group":"h%1$d.example.com","scope":"Namespaced","names":{"plural":"things","kind":"Thing"},
            "versions":[{"name":"v1","served":true,"storage":true,"schema":{"openAPIV3Schema":
            {"type":"object","properties":{"text":%2$s}}}}]}}\
            """.formatted(number, schema);
    }

    private static String pattern(String pattern) {
        return "{\"type\":\"string\",\"pattern\":\"" + pattern + "\"}";
    }

    private static String alternation(int words) {
        StringBuilder text = new StringBuilder("word");
        for (int i = 0; i < words; i++) {
            text.append("|word").append(i);
        }
        return text.toString();
    }

    private static String nested(int depth) {
        return "{\"type\":\"object\",\"properties\":{\"a\":".repeat(depth) + "{\"type\":\"string\"}"
                + "}}".repeat(depth);
    }

    /** What was just defined may not be served yet: 404, or 503 where that is not known. */
    @Override
    public Set<Integer> refusals() {
        return Set.of(400, 403, 404, 413, 422, 429, 503);
    }
}
