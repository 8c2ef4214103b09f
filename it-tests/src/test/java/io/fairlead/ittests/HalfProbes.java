package io.fairlead.ittests;

import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.Set;

/** Requests to the metrics listener that never end. */
record HalfProbes(int connections) implements Attack {
    @Override
    public void run(AttackedFairlead attacked, AttackRun run) throws Exception {
        run.crowd(connections, attacker -> {
            Socket socket = run.keep(new Socket());
            try {
                socket.bind(new InetSocketAddress(WireConnection.loopback(AttackRun.address(attacker)), 0));
                socket.connect(new InetSocketAddress(WireConnection.loopback(1), attacked.metricsPort()), 60_000);
                socket.getOutputStream().write("GET /livez HTTP/1.1\r\nHost: l".getBytes(StandardCharsets.US_ASCII));
                run.count("open");
                int _ = socket.getInputStream().read();
            } finally {
                run.drop(socket);
            }
        });
    }

    @Override
    public Set<Integer> refusals() {
        return Set.of();
    }
}
