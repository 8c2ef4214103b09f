package io.fairlead.ittests;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.util.List;
import java.util.Set;

/** Bodies of 3 MiB from a caller without rights, to paths that take none or that the caller may not use. */
record EarlyBodies(int attackers) implements Attack {
    private static final byte[] BODY = new byte[3 << 20];
    private static final List<String> PATHS = List.of(
            "/fairlead/v1/clusters",
            "/livez",
            "/version",
            "/clusters/quiet/api/v1/namespaces/default/configmaps",
            "/clusters/prod/api/v1/namespaces/default/configmaps");

    @Override
    public void run(AttackedFairlead attacked, AttackRun run) throws Exception {
        HttpClient http2 = run.keep(HttpClient.newBuilder()
                .version(HttpClient.Version.HTTP_2)
                .sslContext(TrustEveryone.context())
                .localAddress(WireConnection.loopback(AttackRun.address(0)))
                .build());
        run.crowd(attackers, attacker -> {
            if (attacker % 2 == 0) {
                overHttp1(run, attacker);
            } else {
                overHttp2(run, http2, attacked.port(), attacker);
            }
        });
    }

    private static String path(int attacker) {
        return PATHS.get(attacker / 2 % PATHS.size());
    }

    private static void overHttp1(AttackRun run, int attacker) throws IOException {
        WireConnection connection = run.connect(attacker);
        try {
            connection.send(WireConnection.head("POST", path(attacker), AttackedFairlead.NOBODY)
                    + "Content-Type: application/json\r\nContent-Length: " + BODY.length + "\r\n\r\n");
            connection.send(BODY);
            run.count(connection.answer().status());
        } finally {
            run.drop(connection);
        }
    }

    private static void overHttp2(AttackRun run, HttpClient client, int port, int attacker) throws IOException {
        HttpRequest request = HttpRequest.newBuilder(URI.create("https://127.0.0.1:" + port + path(attacker)))
                .header("Authorization", "Bearer " + AttackedFairlead.NOBODY)
                .header("Content-Type", "application/json")
                .POST(HttpRequest.BodyPublishers.ofByteArray(BODY))
                .build();
        try {
            run.count(
                    client.send(request, HttpResponse.BodyHandlers.discarding()).statusCode());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    @Override
    public Set<Integer> refusals() {
        return Set.of(400, 403, 405, 413, 429);
    }
}
