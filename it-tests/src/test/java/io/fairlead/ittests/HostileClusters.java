package io.fairlead.ittests;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import javax.net.ssl.SSLContext;

/** Attached clusters that answer lists, watches and requests with what never ends, is too large or too deep, and callers of them. */
final class HostileClusters implements Attack {
    private final int callers;
    private final List<HostileServer> servers = new ArrayList<>();
    private final List<String> names = new ArrayList<>();

    HostileClusters(int callers) {
        this.callers = callers;
    }

    @Override
    public void prepare(AttackedFairlead attacked) throws Exception {
        Path folder = Files.createDirectories(attacked.folder().resolve("hostile"));
        SSLContext identity = HostileServer.identity(folder);
        for (HostileServer.Kind kind : HostileServer.Kind.values()) {
            HostileServer server = new HostileServer(kind, identity);
            servers.add(server);
            String name = "hostile-" + kind.name().toLowerCase(Locale.ROOT).replace('_', '-');
            names.add(name);
            attacked.attach(name, server.url(), RecordingRelay.caFile(folder));
            attacked.letEnter("tenant", name);
        }
    }

    @Override
    public void run(AttackedFairlead attacked, AttackRun run) throws Exception {
        run.crowd(callers, attacker -> call(run, attacker));
    }

    private void call(AttackRun run, int attacker) throws IOException {
        WireConnection connection = run.connect(attacker);
        try {
            String cluster = names.get(attacker % names.size());
            connection.send(WireConnection.head(
                            "GET",
                            "/clusters/" + cluster + "/apis/apiextensions.k8s.io/v1/customresourcedefinitions",
                            AttackedFairlead.TENANT)
                    + "\r\n");
            run.count(connection.status());
            byte[] some = new byte[4096];
            if (connection.read(some) >= 0) {
                run.awaitEnd(); // What comes in is not read.
            }
        } finally {
            run.drop(connection);
        }
    }

    /** 502 and 504 are what an API server is answered for that does not behave. */
    @Override
    public Set<Integer> refusals() {
        return Set.of(429, 502, 503, 504);
    }

    @Override
    public void close() {
        servers.forEach(HostileServer::close);
    }
}
