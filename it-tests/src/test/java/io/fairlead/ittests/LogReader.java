package io.fairlead.ittests;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.URI;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import javax.net.ssl.SSLSocket;

/** Somebody who follows the log of pod {@code web} from its last line on, and reads only when told to. */
final class LogReader implements AutoCloseable {
    private static final Duration TIMEOUT = Duration.ofMinutes(2);
    private static final int RECEIVE_BUFFER = 64 * 1024;

    private final String name;
    private final BufferedReader lines;
    private final Runnable end;
    private final ExecutorService thread = Executors.newVirtualThreadPerTaskExecutor();

    private LogReader(String name, BufferedReader lines, Runnable end) {
        this.name = name;
        this.lines = lines;
        this.end = end;
    }

    /** Over HTTP/1, where the connection is this log's alone. */
    static LogReader overHttp1(URI server, String token) throws IOException {
        var socket =
                (SSLSocket) TrustEveryone.context().getSocketFactory().createSocket(server.getHost(), server.getPort());
        socket.setReceiveBufferSize(RECEIVE_BUFFER);
        socket.getOutputStream()
                .write(("GET " + server.getPath() + "/api/v1/namespaces/default/pods/web/log?follow=true&tailLines=1"
                                + " HTTP/1.0\r\nHost: " + server.getAuthority() + "\r\nAuthorization: Bearer " + token
                                + "\r\n\r\n")
                        .getBytes(UTF_8));
        var lines = new BufferedReader(new InputStreamReader(socket.getInputStream(), UTF_8));
        var reader = new LogReader("a reader over HTTP/1", lines, () -> close(socket));
        String status = reader.line();
        if (!status.contains(" 200 ")) {
            throw new AssertionError(status);
        }
        while (!reader.line().isEmpty()) {
            // Header fields.
        }
        return reader;
    }

    /** With kubectl, which speaks HTTP/2, and whose output goes to a pipe that holds some KiB. */
    static LogReader withKubectl(String name, Kubectl kubectl) {
        Process process = kubectl.startPiped("logs", "-f", "--tail=1", "web");
        return new LogReader(name, process.inputReader(UTF_8), process::destroyForcibly);
    }

    /** Waits for some more lines; fails if the log ends before. */
    List<String> next(int count) throws Exception {
        return thread.submit(() -> {
                    var all = new ArrayList<String>();
                    while (all.size() < count) {
                        all.add(line());
                    }
                    return all;
                })
                .get(TIMEOUT.toSeconds(), TimeUnit.SECONDS);
    }

    @Override
    public void close() {
        end.run();
        thread.close();
    }

    private String line() throws IOException {
        String line = lines.readLine();
        if (line == null) {
            throw new AssertionError("the log ended for " + name);
        }
        return line;
    }

    private static void close(SSLSocket socket) {
        try {
            socket.close();
        } catch (IOException e) {
            // It is only being dropped.
        }
    }
}
