package io.fairlead.benchmarks.proxy;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.BufferedReader;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.PrintWriter;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;

/** The least that a JVM can do to answer by TLS, with nothing but the JDK: the yardstick of a start. */
final class BareServer {
    static final String PASSWORD = "benchmark";

    private static final int BACKLOG = 50;

    private BareServer() {}

    /** Takes a PKCS #12 file and a port, and serves until it is ended. */
    public static void main(String[] arguments) throws IOException, GeneralSecurityException {
        SSLContext tls = SSLContext.getInstance("TLS");
        tls.init(keys(Path.of(arguments[0])).getKeyManagers(), null, null);
        try (ServerSocket listener = tls.getServerSocketFactory()
                .createServerSocket(Integer.parseInt(arguments[1]), BACKLOG, InetAddress.getLoopbackAddress())) {
            PrintWriter out = new PrintWriter(new FileOutputStream(FileDescriptor.out), true, UTF_8);
            out.println("It is ready");
            while (true) {
                answer(listener);
            }
        }
    }

    private static KeyManagerFactory keys(Path file) throws IOException, GeneralSecurityException {
        KeyStore store = KeyStore.getInstance("PKCS12");
        try (InputStream in = Files.newInputStream(file)) {
            store.load(in, PASSWORD.toCharArray());
        }
        KeyManagerFactory keys = KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
        keys.init(store, PASSWORD.toCharArray());
        return keys;
    }

    private static void answer(ServerSocket listener) {
        try (Socket connection = listener.accept();
                BufferedReader head =
                        new BufferedReader(new InputStreamReader(connection.getInputStream(), US_ASCII))) {
            String line = head.readLine();
            while (line != null && !line.isEmpty()) {
                line = head.readLine();
            }
            connection.getOutputStream().write("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok".getBytes(US_ASCII));
        } catch (IOException gone) {
            return;
        }
    }
}
