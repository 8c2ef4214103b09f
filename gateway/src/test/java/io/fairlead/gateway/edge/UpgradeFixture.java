package io.fairlead.gateway.edge;

import io.fairlead.gateway.edge.RawClient.RawAnswer;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.Socket;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;

/** A gateway before a server that a test makes switch protocols. */
abstract class UpgradeFixture {
    static final String EXEC = "/clusters/prod/api/v1/namespaces/a/pods/b/exec?command=sh";
    static final String SWITCH = "HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: SPDY/3.1\r\n\r\n";
    static final int TIMEOUT_SECONDS = 20;

    TestEdge edge;
    RawUpstream prod;

    @BeforeEach
    void start() throws Exception {
        edge = new TestEdge();
        prod = edge.attach("prod");
    }

    @AfterEach
    void stop() throws Exception {
        edge.close();
    }

    static String longRunning(String count) {
        return "apiserver_longrunning_requests\\{.*subresource=\"exec\".*\\} " + count;
    }

    static String head(String target, String protocol, String... lines) {
        return "POST " + target + " HTTP/1.1\r\nHost: localhost\r\n" + TestEdge.JANE
                + "\r\nConnection: Upgrade\r\nUpgrade: " + protocol + "\r\nContent-Length: 0\r\n"
                + String.join("", Stream.of(lines).map(line -> line + "\r\n").toList()) + "\r\n";
    }

    static RawAnswer upgrade(RawClient client, String target, String protocol, String... lines) throws IOException {
        client.send(head(target, protocol, lines));
        return client.head();
    }

    static RawAnswer attempt(TestEdge edge) {
        try (RawClient client = edge.client()) {
            return upgrade(client, EXEC, "SPDY/3.1");
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    static void write(Socket connection, String text) throws IOException {
        RawUpstream.write(connection.getOutputStream(), text);
    }

    static void sendQuietly(RawClient client, String text) {
        try {
            client.send(text);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Whether nothing more comes, with a clean end or without. */
    static boolean ends(RawClient client) {
        return saysAndEnds(client, "");
    }

    /** Whether the connection is closed, before or after the client has said something more. */
    static boolean saysAndEnds(RawClient client, String late) {
        try {
            client.send(late);
            return client.isClosed();
        } catch (IOException e) {
            return true;
        }
    }
}
