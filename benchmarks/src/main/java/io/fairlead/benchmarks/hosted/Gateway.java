package io.fairlead.benchmarks.hosted;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.cert.CertificateFactory;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManagerFactory;

/** A gateway on a passing data directory, and an administrator of its root cluster. */
final class Gateway implements AutoCloseable {
    private static final String TOKEN = "benchmark";
    private static final Pattern HEAP_USED = Pattern.compile("total \\d+K, used (\\d+)K");

    private final Path folder;
    private final Process process;
    private final HttpClient administrator;
    private final String url;

    Gateway(Path launcher) throws IOException, GeneralSecurityException {
        folder = Files.createTempDirectory("fairlead-hosted");
        int port = freePort();
        url = "https://127.0.0.1:" + port;
        process = start(launcher, port);
        administrator = HttpClient.newBuilder()
                .version(HttpClient.Version.HTTP_1_1)
                .sslContext(trusting(folder.resolve("data/pki/ca.crt")))
                .build();
    }

    /** Sends a request and answers its status. */
    int send(String method, String path, String body) throws IOException, InterruptedException {
        HttpRequest request = HttpRequest.newBuilder(URI.create(url + path))
                .header("Authorization", "Bearer " + TOKEN)
                .header("Content-Type", "application/json")
                .method(method, body.isEmpty() ? BodyPublishers.noBody() : BodyPublishers.ofString(body))
                .build();
        return administrator.send(request, BodyHandlers.discarding()).statusCode();
    }

    /** Sends a request again and again until it is answered with a status. */
    void sendUntil(int status, String method, String path, String body) throws IOException, InterruptedException {
        long deadline = System.nanoTime() + TimeUnit.MINUTES.toNanos(2);
        int answered = send(method, path, body);
        while (answered != status) {
            if (System.nanoTime() > deadline) {
                throw new IOException(method + " " + path + " answers " + answered + " (expected " + status + ")");
            }
            answered = send(method, path, body);
        }
    }

    /** Bytes of heap in use after a collection. */
    long heapBytes() throws IOException, InterruptedException {
        String pid = Long.toString(process.pid());
        run("jcmd", pid, "GC.run");
        return HEAP_USED
                .matcher(run("jcmd", pid, "GC.heap_info"))
                .results()
                .mapToLong(found -> Long.parseLong(found.group(1)) * 1_024)
                .sum();
    }

    @Override
    public void close() {
        process.destroy();
        try {
            if (!process.waitFor(30, TimeUnit.SECONDS)) {
                process.destroyForcibly().waitFor();
            }
        } catch (InterruptedException e) {
            process.destroyForcibly();
            Thread.currentThread().interrupt();
        }
        try (Stream<Path> files = Files.walk(folder)) {
            for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
                Files.delete(file);
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private Process start(Path launcher, int port) throws IOException {
        Path tokens = Files.writeString(folder.resolve("tokens"), TOKEN + ",benchmark,1,\"system:masters\"\n");
        Process started = new ProcessBuilder(
                        launcher.toString(),
                        "serve",
                        "--data-dir",
                        folder.resolve("data").toString(),
                        "--secure-port",
                        Integer.toString(port),
                        "--metrics-address",
                        "off",
                        "--token-auth-file",
                        tokens.toString(),
                        "--shutdown-delay",
                        "0s")
                .redirectError(folder.resolve("errors").toFile())
                .start();
        String line = String.valueOf(started.inputReader(UTF_8).readLine());
        if (!line.contains("is ready")) {
            started.destroy();
            throw new IOException("the gateway does not start: " + line);
        }
        return started;
    }

    private static int freePort() throws IOException {
        try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            return socket.getLocalPort();
        }
    }

    private static SSLContext trusting(Path authority) throws IOException, GeneralSecurityException {
        KeyStore trusted = KeyStore.getInstance(KeyStore.getDefaultType());
        trusted.load(null, null);
        try (InputStream in = Files.newInputStream(authority)) {
            trusted.setCertificateEntry(
                    "authority", CertificateFactory.getInstance("X.509").generateCertificate(in));
        }
        TrustManagerFactory factory = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
        factory.init(trusted);
        SSLContext context = SSLContext.getInstance("TLS");
        context.init(null, factory.getTrustManagers(), null);
        return context;
    }

    private static String run(String tool, String... arguments) throws IOException, InterruptedException {
        List<String> command = Stream.concat(
                        Stream.of(Path.of(System.getProperty("java.home"), "bin", tool)
                                .toString()),
                        Stream.of(arguments))
                .toList();
        Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
        String output = new String(process.getInputStream().readAllBytes(), UTF_8);
        if (process.waitFor() != 0) {
            throw new IOException(String.join(" ", command) + " failed: " + output);
        }
        return output;
    }
}
