package io.fairlead.cli.server;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.fairlead.credentials.kubeconfig.Target;
import io.fairlead.model.FairleadVersion;
import io.fairlead.schema.json.Json;
import io.fairlead.schema.json.UnreadableDocumentException;
import java.io.IOException;
import java.io.InputStream;
import java.net.ConnectException;
import java.net.InetSocketAddress;
import java.net.ProxySelector;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpConnectTimeoutException;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpTimeoutException;
import java.nio.channels.UnresolvedAddressException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javax.net.ssl.SSLException;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/** Requests to one server, which has proven to be a Fairlead. Blocks. */
public final class FairleadClient implements AutoCloseable {
    private static final int HTTP_PORT = 80;
    private static final int REFUSAL_BYTES_MAX = 64 * 1024;
    private static final Duration CONNECT_TIMEOUT = Duration.ofSeconds(5);
    private static final Duration CALL_TIMEOUT = Duration.ofSeconds(60);

    /** Code 299, the agent and a quoted string (RFC 9111 section 5.5), as Kubernetes' servers write it. */
    private static final Pattern WARNING = Pattern.compile("299 \\S+ \"(.*)\"");

    private final HttpClient http;
    private final URI origin;
    private final Path file;
    private final @Nullable String token;
    private final Set<String> warnings = new LinkedHashSet<>();

    private FairleadClient(HttpClient http, URI origin, Path file, @Nullable String token) {
        this.http = http;
        this.origin = origin;
        this.file = file;
        this.token = token;
    }

    /** Connects to the server of a kubeconfig, whichever cluster its URL selects. */
    public static FairleadClient connect(Target target, Path file) throws CommandFailure {
        URI server = target.server();
        URI origin = URI.create("https://" + server.getRawAuthority());
        try {
            HttpClient.Builder http = HttpClient.newBuilder()
                    .sslContext(ClientTls.context(target))
                    .connectTimeout(CONNECT_TIMEOUT)
                    .followRedirects(HttpClient.Redirect.NEVER);
            if (target.proxy() != null) {
                http.proxy(ProxySelector.of(address(target.proxy(), file)));
            }
            FairleadClient client = new FairleadClient(http.build(), origin, file, target.token());
            client.requireFairlead(target);
            return client;
        } catch (ClientTls.UnusableException unusable) {
            throw CommandFailure.of(file + ": " + unusable.getMessage());
        }
    }

    /** The JDK's client connects to proxies only without TLS. */
    private static InetSocketAddress address(URI proxy, Path file) throws CommandFailure {
        if (!"http".equals(proxy.getScheme())) {
            throw CommandFailure.of(
                    file + ": cluster field \"proxy-url\": \"" + proxy + "\" (expected http://host[:port])");
        }
        return new InetSocketAddress(proxy.getHost(), proxy.getPort() < 0 ? HTTP_PORT : proxy.getPort());
    }

    /** The server's URL, without a path. */
    public URI origin() {
        return origin;
    }

    public JsonNode get(String path) throws CommandFailure, StatusFailure {
        return call("GET", path, null, "");
    }

    public JsonNode post(String path, JsonNode body) throws CommandFailure, StatusFailure {
        return call("POST", path, body, "application/json");
    }

    public JsonNode patch(String path, JsonNode body) throws CommandFailure, StatusFailure {
        return call("PATCH", path, body, "application/merge-patch+json");
    }

    public JsonNode delete(String path) throws CommandFailure, StatusFailure {
        return call("DELETE", path, null, "");
    }

    /** The server's warnings (header {@code Warning}), each text once. */
    List<String> warnings() {
        return List.copyOf(warnings);
    }

    /** The answer to a GET, with any status. */
    public HttpResponse<byte[]> fetch(String path) throws CommandFailure {
        return send("GET", path, null, "");
    }

    /** The answer to a GET, with any status; empty if none comes in time, as of a cluster that hangs. */
    public Optional<HttpResponse<byte[]>> fetch(String path, Duration timeout) throws CommandFailure {
        HttpRequest request = request(path).timeout(timeout).build();
        try {
            return Optional.of(sent(request, HttpResponse.BodyHandlers.ofByteArray()));
        } catch (HttpTimeoutException late) {
            return Optional.empty();
        }
    }

    /** The body of a successful answer to a GET, as it comes; to be closed. It may break off. */
    public InputStream download(String path) throws CommandFailure, StatusFailure {
        HttpResponse<InputStream> response = send("GET", path, null, "", HttpResponse.BodyHandlers.ofInputStream());
        if (response.statusCode() < 300) {
            return response.body();
        }
        try (InputStream refusal = response.body()) {
            throw new StatusFailure(response.statusCode(), json(refusal.readNBytes(REFUSAL_BYTES_MAX)));
        } catch (IOException broken) {
            throw CommandFailure.of(origin + " did not answer (" + broken.getMessage() + ")");
        }
    }

    @Override
    public void close() {
        http.shutdownNow();
    }

    private void requireFairlead(Target target) throws CommandFailure {
        try {
            if (get(Paths.VERSION).path("product").asString("").equals(FairleadVersion.PRODUCT)) {
                return;
            }
        } catch (StatusFailure refused) {
            if (refused.code() == 401) {
                throw notAccepted(target);
            }
        }
        throw CommandFailure.of(
                origin + " is not a Fairlead server (it does not answer /fairlead/v1)",
                "name the kubeconfig of one with --kubeconfig or FAIRLEAD_KUBECONFIG; " + file + " was used");
    }

    private CommandFailure notAccepted(Target target) {
        Optional<Instant> end = ClientTls.end(target);
        return end.isPresent() && !Instant.now().isBefore(end.get())
                ? CommandFailure.of(
                        origin + " does not accept the client certificate of " + file + ", which expired at "
                                + end.get(),
                        "restart the server if that is the admin.kubeconfig of its data directory, which a start"
                                + " renews; else get a new certificate")
                : CommandFailure.of(
                        origin + " does not accept the credential of " + file,
                        "name the kubeconfig of this server with --kubeconfig; one from before its data directory was"
                                + " replaced works no more");
    }

    private JsonNode call(String method, String path, @Nullable JsonNode body, String contentType)
            throws CommandFailure, StatusFailure {
        HttpResponse<byte[]> response = send(method, path, body, contentType);
        JsonNode answer = json(response.body());
        if (response.statusCode() >= 300) {
            throw path.startsWith(Paths.ROOT)
                    ? StatusFailure.inRoot(response.statusCode(), answer)
                    : new StatusFailure(response.statusCode(), answer);
        }
        for (String field : response.headers().allValues("Warning")) {
            Matcher quoted = WARNING.matcher(field);
            if (quoted.matches()) {
                warnings.add(quoted.group(1).replaceAll("\\\\(.)", "$1"));
            }
        }
        return answer;
    }

    private HttpResponse<byte[]> send(String method, String path, @Nullable JsonNode body, String contentType)
            throws CommandFailure {
        return send(method, path, body, contentType, HttpResponse.BodyHandlers.ofByteArray());
    }

    private <T> HttpResponse<T> send(
            String method,
            String path,
            @Nullable JsonNode body,
            String contentType,
            HttpResponse.BodyHandler<T> reading)
            throws CommandFailure {
        HttpRequest.Builder request = request(path).timeout(CALL_TIMEOUT);
        if (body == null) {
            request.method(method, HttpRequest.BodyPublishers.noBody());
        } else {
            request.header("Content-Type", contentType)
                    .method(method, HttpRequest.BodyPublishers.ofByteArray(Json.write(body)));
        }
        try {
            return sent(request.build(), reading);
        } catch (HttpTimeoutException late) {
            throw CommandFailure.of(origin + " did not answer (" + late.getMessage() + ")");
        }
    }

    private HttpRequest.Builder request(String path) {
        HttpRequest.Builder request = HttpRequest.newBuilder(URI.create(origin + path))
                .header("Accept", "application/json")
                .header("User-Agent", "fairlead/" + FairleadVersion.NUMBER);
        if (token != null) {
            request.header("Authorization", "Bearer " + token);
        }
        return request;
    }

    private <T> HttpResponse<T> sent(HttpRequest request, HttpResponse.BodyHandler<T> reading)
            throws CommandFailure, HttpTimeoutException {
        try {
            return http.send(request, reading);
        } catch (HttpConnectTimeoutException notConnected) {
            throw CommandFailure.of(origin + " cannot be connected to (" + notConnected.getMessage() + ")");
        } catch (HttpTimeoutException late) {
            throw late;
        } catch (IllegalArgumentException unusable) {
            throw CommandFailure.of(
                    file + ": server " + origin + " (expected the name of a host: " + unusable.getMessage() + ")");
        } catch (ConnectException refused) {
            boolean isUnknown = isOfUnknownHost(refused);
            throw CommandFailure.of(
                    origin + " cannot be connected to" + (isUnknown ? " (the host is not known)" : ""),
                    isUnknown
                            ? file + " names it; --kubeconfig names another file"
                            : "is it running? 'fairlead serve' starts a server; " + file + " names this one");
        } catch (SSLException untrusted) {
            throw CommandFailure.of(
                    origin + " cannot be trusted (" + TlsFault.of(untrusted) + ")",
                    "is " + file + " of this server? --kubeconfig or --data-dir names another; where the server was"
                            + " given another certificate (--tls-cert-file), the kubeconfig needs its CA");
        } catch (IOException broken) {
            String why = broken.getMessage() == null ? "the connection was closed" : broken.getMessage();
            throw CommandFailure.of(origin + " did not answer (" + why + ")");
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            throw CommandFailure.of("interrupted");
        }
    }

    private static boolean isOfUnknownHost(Throwable failure) {
        Throwable cause = failure.getCause();
        return failure instanceof UnresolvedAddressException || (cause != null && isOfUnknownHost(cause));
    }

    private static JsonNode json(byte[] body) {
        try {
            return Json.read(body);
        } catch (UnreadableDocumentException notJson) {
            // Not an API server: only the status code and the text are known.
            String text = new String(body, UTF_8);
            return Json.object().put("message", text.substring(0, Math.min(text.length(), 200)));
        }
    }
}
