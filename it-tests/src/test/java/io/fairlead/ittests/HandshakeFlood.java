package io.fairlead.ittests;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.util.Set;
import javax.net.ssl.SSLEngine;

/** Handshakes that cost their sender nothing: each connection sends the same hello, waits for the server's, and goes. */
record HandshakeFlood(int attackers) implements Attack {
    private static final int OF_A_TURN = 20;
    private static final int TIMEOUT_MILLIS = 10_000;

    @Override
    public void run(AttackedFairlead attacked, AttackRun run) throws Exception {
        byte[] hello = hello();
        run.crowd(attackers, attacker -> {
            for (int i = 0; i < OF_A_TURN && !run.isOver(); i++) {
                greet(attacked.port(), run, attacker, hello);
            }
        });
    }

    private static void greet(int port, AttackRun run, int attacker, byte[] hello) throws IOException {
        Socket plain = run.keep(new Socket());
        try {
            plain.setSoTimeout(TIMEOUT_MILLIS);
            plain.bind(new InetSocketAddress(WireConnection.loopback(AttackRun.address(attacker)), 0));
            plain.connect(new InetSocketAddress(WireConnection.loopback(1), port), TIMEOUT_MILLIS);
            plain.getOutputStream().write(hello);
            run.count(plain.getInputStream().read() >= 0 ? "greeted" : "closed");
        } finally {
            run.drop(plain);
        }
    }

    /** The first bytes of a client. */
    private static byte[] hello() throws IOException {
        SSLEngine client = TrustEveryone.context().createSSLEngine("localhost", 1);
        client.setUseClientMode(true);
        client.beginHandshake();
        ByteBuffer hello = ByteBuffer.allocate(client.getSession().getPacketBufferSize());
        var _ = client.wrap(ByteBuffer.allocate(0), hello);
        byte[] bytes = new byte[hello.flip().remaining()];
        hello.get(bytes);
        return bytes;
    }

    @Override
    public Set<Integer> refusals() {
        return Set.of();
    }
}
