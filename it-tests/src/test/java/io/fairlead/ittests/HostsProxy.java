package io.fairlead.ittests;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ProxySelector;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/** An HTTP proxy that leads every {@code CONNECT NAME:PORT} to that port of loopback: names that no DNS knows. */
final class HostsProxy implements AutoCloseable {
    private final ServerSocket listener;
    private final ExecutorService pumps = Executors.newVirtualThreadPerTaskExecutor();
    private final Set<Socket> open = ConcurrentHashMap.newKeySet();
    private final List<String> asked = new CopyOnWriteArrayList<>();

    private HostsProxy() throws IOException {
        listener = new ServerSocket(0, 100, InetAddress.getLoopbackAddress());
    }

    static HostsProxy start() {
        try {
            var proxy = new HostsProxy();
            proxy.pumps.execute(proxy::accept);
            return proxy;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    String url() {
        return "http://127.0.0.1:" + listener.getLocalPort();
    }

    /** For clients of the JDK. */
    ProxySelector selector() {
        return ProxySelector.of(new InetSocketAddress(listener.getInetAddress(), listener.getLocalPort()));
    }

    /** The names and ports that were asked for. */
    List<String> asked() {
        return asked;
    }

    @Override
    public void close() {
        closeQuietly(listener);
        open.forEach(HostsProxy::closeQuietly);
        pumps.close();
    }

    private void accept() {
        while (!listener.isClosed()) {
            try {
                Socket client = listener.accept();
                open.add(client);
                client.setTcpNoDelay(true);
                pumps.execute(() -> connect(client));
            } catch (IOException e) {
                // The proxy's end.
            }
        }
    }

    private void connect(Socket client) {
        try {
            String target = target(client);
            asked.add(target);
            int port = Integer.parseInt(target.substring(target.lastIndexOf(':') + 1));
            Socket server = new Socket(InetAddress.getLoopbackAddress(), port);
            open.add(server);
            server.setTcpNoDelay(true);
            client.getOutputStream().write("HTTP/1.1 200 Connected\r\n\r\n".getBytes(StandardCharsets.US_ASCII));
            pumps.execute(() -> pump(server, client));
            pump(client, server);
        } catch (IOException e) {
            closeQuietly(client);
        }
    }

    /** What stands behind CONNECT; the client says nothing more before it is answered. */
    private static String target(Socket client) throws IOException {
        var head = new BufferedReader(new InputStreamReader(client.getInputStream(), StandardCharsets.US_ASCII), 1);
        String line = head.readLine();
        if (line == null || !line.startsWith("CONNECT ")) {
            throw new IOException("expected CONNECT: " + line);
        }
        for (String field = head.readLine(); field != null && !field.isEmpty(); ) {
            field = head.readLine();
        }
        return line.split(" ", -1)[1];
    }

    private void pump(Socket from, Socket to) {
        try (from;
                to;
                InputStream in = from.getInputStream()) {
            in.transferTo(to.getOutputStream());
        } catch (IOException e) {
            // Either side has gone: the try ends the other.
        } finally {
            open.remove(from);
            open.remove(to);
        }
    }

    private static void closeQuietly(AutoCloseable resource) {
        try {
            resource.close();
        } catch (Exception e) {
            // It is only being dropped.
        }
    }
}
