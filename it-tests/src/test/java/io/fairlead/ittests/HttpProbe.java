package io.fairlead.ittests;

import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.ConfigBuilder;
import io.fabric8.kubernetes.client.internal.SSLUtils;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import javax.net.ssl.SSLContext;

/** Plain requests to servers on loopback, as curl would send them. */
final class HttpProbe implements AutoCloseable {
    private static final Duration TIMEOUT = Duration.ofSeconds(30);

    private final HttpClient client;
    private final String base;
    private final Map<String, String> headers;

    /** Requests below a URL, each with the same headers. */
    HttpProbe(String base, Map<String, String> headers) {
        this(base, headers, HttpClient.Version.HTTP_1_1);
    }

    private HttpProbe(String base, Map<String, String> headers, HttpClient.Version version) {
        this(base, headers, version, TrustEveryone.context());
    }

    private HttpProbe(String base, Map<String, String> headers, HttpClient.Version version, SSLContext tls) {
        this.client = HttpClient.newBuilder()
                .version(version)
                .sslContext(tls)
                .connectTimeout(TIMEOUT)
                .build();
        this.base = base;
        this.headers = headers;
    }

    /** Requests with a bearer token. */
    static HttpProbe withToken(String base, String token) {
        return new HttpProbe(base, Map.of("Authorization", "Bearer " + token));
    }

    /** Requests with the certificate that a kubeconfig holds. */
    static HttpProbe withCertificate(String base, Path kubeconfig) {
        return withCertificate(base, Config.fromKubeconfig(kubeconfig.toFile()), Map.of());
    }

    /** Requests of a front proxy, which says by these headers whose they are. */
    static HttpProbe ofFrontProxy(String base, FrontProxy proxy, Map<String, String> headers) {
        Config config = new ConfigBuilder(Config.empty())
                .withTrustCerts(true)
                .withClientKeyAlgo("EC")
                .withClientCertFile(proxy.certificate().toString())
                .withClientKeyFile(proxy.key().toString())
                .build();
        return withCertificate(base, config, headers);
    }

    private static HttpProbe withCertificate(String base, Config config, Map<String, String> headers) {
        try {
            return new HttpProbe(base, headers, HttpClient.Version.HTTP_1_1, SSLUtils.sslContext(config));
        } catch (GeneralSecurityException | IOException e) {
            throw new IllegalStateException(e);
        }
    }

    /** The same over HTTP/2. */
    static HttpProbe overHttp2(String base, String token) {
        return new HttpProbe(base, Map.of("Authorization", "Bearer " + token), HttpClient.Version.HTTP_2);
    }

    Answer get(String path) throws IOException, InterruptedException {
        return get(path, Map.of());
    }

    Answer get(String path, Map<String, String> more) throws IOException, InterruptedException {
        return send(request(path, more).GET().build());
    }

    Answer send(String method, String path, String contentType, String body) throws IOException, InterruptedException {
        return send(method, path, Map.of("Content-Type", contentType), body);
    }

    /** A request with further headers, and with a body unless it is empty. */
    Answer send(String method, String path, Map<String, String> more, String body)
            throws IOException, InterruptedException {
        return send(request(path, more)
                .method(
                        method,
                        body.isEmpty()
                                ? HttpRequest.BodyPublishers.noBody()
                                : HttpRequest.BodyPublishers.ofString(body))
                .build());
    }

    Answer delete(String path) throws IOException, InterruptedException {
        return send(request(path, Map.of()).DELETE().build());
    }

    @Override
    public void close() {
        client.shutdownNow();
        client.close();
    }

    private HttpRequest.Builder request(String path, Map<String, String> more) {
        HttpRequest.Builder request =
                HttpRequest.newBuilder(URI.create(base + path)).timeout(TIMEOUT);
        headers.forEach(request::setHeader);
        more.forEach(request::setHeader);
        return request;
    }

    private Answer send(HttpRequest request) throws IOException, InterruptedException {
        HttpResponse<String> response = client.send(request, HttpResponse.BodyHandlers.ofString());
        return new Answer(response.statusCode(), response.headers().map(), response.body());
    }

    /** A whole answer. */
    record Answer(int status, Map<String, List<String>> headers, String body) {}
}
