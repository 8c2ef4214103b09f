package io.fairlead.ittests;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.BindException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ThreadLocalRandom;

/**
 * Ports of the loopback address that were free a moment ago; who takes one must be ready to find it taken.
 *
 * <p>They are below those that systems give to clients, so that no connection takes the port of a server that is about
 * to come back.
 */
final class FreePorts {
    private static final int FIRST = 15_000;
    private static final int BEYOND = 32_000;

    private FreePorts() {}

    static List<Integer> take(int count) {
        var held = new ArrayList<ServerSocket>();
        try {
            for (int i = 0; i < count; i++) {
                held.add(anyFree());
            }
            return held.stream().map(ServerSocket::getLocalPort).toList();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } finally {
            held.forEach(FreePorts::release);
        }
    }

    private static ServerSocket anyFree() throws IOException {
        while (true) {
            int port = ThreadLocalRandom.current().nextInt(FIRST, BEYOND);
            try {
                return new ServerSocket(port, 1, InetAddress.getLoopbackAddress());
            } catch (BindException e) {
                // Somebody has it; there are thousands of others.
            }
        }
    }

    private static void release(ServerSocket socket) {
        try {
            socket.close();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
