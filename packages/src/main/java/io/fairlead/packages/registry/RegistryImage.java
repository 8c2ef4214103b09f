package io.fairlead.packages.registry;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.fairlead.packages.oci.Descriptor;
import io.fairlead.packages.oci.ImageSource;
import io.fairlead.schema.json.Json;
import io.fairlead.schema.json.UnreadableDocumentException;
import java.io.IOException;
import java.io.InputStream;
import java.net.ConnectException;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpTimeoutException;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLException;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/**
 * An image in a registry.
 *
 * <p>Redirects are followed to HTTPS, or from a registry on this machine to this machine; nothing but the registry itself gets
 * credentials, except that its token service - wherever the registry says that it is - gets those for the registry, as
 * the token protocol wants it.
 */
public final class RegistryImage implements ImageSource {
    private static final String MANIFESTS = "application/vnd.oci.image.index.v1+json, "
            + "application/vnd.oci.image.manifest.v1+json, "
            + "application/vnd.docker.distribution.manifest.list.v2+json, "
            + "application/vnd.docker.distribution.manifest.v2+json";
    private static final Set<Integer> REDIRECTS = Set.of(301, 302, 303, 307, 308);
    private static final int REDIRECTS_MAX = 5;
    private static final int CAUSES_MAX = 10;
    private static final int TOKEN_BYTES_MAX = 256 * 1024;

    private final RegistryReference reference;
    private final RegistryCredentials credentials;
    private final URI origin;
    private final RegistryClock clock;
    private final HttpClient http;
    private @Nullable String authorization;

    private RegistryImage(
            RegistryReference reference,
            RegistryCredentials credentials,
            RegistryTimes times,
            @Nullable SSLContext trust) {
        this.reference = reference;
        this.credentials = credentials;
        this.origin = reference.origin();
        this.clock = new RegistryClock(times);
        HttpClient.Builder builder = HttpClient.newBuilder()
                .version(HttpClient.Version.HTTP_1_1)
                .connectTimeout(times.connectTimeout())
                .followRedirects(HttpClient.Redirect.NEVER);
        this.http = (trust == null ? builder : builder.sslContext(trust)).build();
    }

    /**
     * Opens an image; nothing is asked for yet. Closing it ends its connections.
     *
     * @param trust what servers are trusted by, null for what the JDK trusts
     */
    public static RegistryImage open(
            RegistryReference reference,
            RegistryCredentials credentials,
            RegistryTimes times,
            @Nullable SSLContext trust) {
        return new RegistryImage(reference, credentials, times, trust);
    }

    @Override
    public Descriptor root() {
        return Descriptor.of(reference.digest());
    }

    @Override
    public InputStream manifest(Descriptor manifest) throws IOException {
        return get("manifests/" + manifest.digest(), MANIFESTS);
    }

    @Override
    public InputStream blob(Descriptor blob) throws IOException {
        return get("blobs/" + blob.digest(), "*/*");
    }

    @Override
    public void close() {
        http.shutdownNow();
        clock.close();
    }

    private InputStream get(String what, String accept) throws IOException {
        URI first = URI.create(origin + "/v2/" + reference.repository() + "/" + what);
        HttpResponse<InputStream> response = send(first, accept, authorization);
        if (response.statusCode() == 401) {
            response.body().close();
            authorization = answer(challenge(response));
            response = send(first, accept, authorization);
        }
        URI at = first;
        for (int redirects = 0; REDIRECTS.contains(response.statusCode()); redirects++) {
            response.body().close();
            if (redirects == REDIRECTS_MAX) {
                throw new RegistryException(origin + " redirects more than " + REDIRECTS_MAX + " times");
            }
            at = target(at, response);
            response = send(at, accept, isOrigin(at) ? authorization : null);
        }
        if (response.statusCode() != 200) {
            response.body().close();
            throw new RegistryException(serverOf(at) + " answered " + response.statusCode() + " for " + what + " of "
                    + reference.repository() + advice(response.statusCode()));
        }
        return new TimedStream(response.body(), clock, serverOf(at));
    }

    private HttpResponse<InputStream> send(URI uri, String accept, @Nullable String authorized) throws IOException {
        String server = serverOf(uri);
        HttpRequest.Builder request = HttpRequest.newBuilder(uri)
                .timeout(clock.answerTimeout(server))
                .header("Accept", accept)
                .header("User-Agent", "fairlead");
        if (authorized != null) {
            request.header("Authorization", authorized);
        }
        try {
            return http.send(request.build(), HttpResponse.BodyHandlers.ofInputStream());
        } catch (HttpTimeoutException late) {
            throw new RegistryException(server + " did not answer in time (" + late.getMessage() + ")");
        } catch (ConnectException refused) {
            throw new RegistryException(server + " cannot be connected to");
        } catch (SSLException untrusted) {
            throw new RegistryException(server + " cannot be trusted (" + rootCause(untrusted) + ")");
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            throw new RegistryException("interrupted");
        } catch (IOException broken) {
            throw new RegistryException(server + " did not answer (" + broken.getMessage() + ")");
        }
    }

    /** The outer messages name classes of the JDK. */
    private static String rootCause(SSLException failure) {
        Throwable cause = failure;
        for (int depth = 0; cause.getCause() != null && depth < CAUSES_MAX; depth++) {
            cause = cause.getCause();
        }
        return String.valueOf(cause.getMessage());
    }

    private URI target(URI from, HttpResponse<?> response) throws RegistryException {
        String location = response.headers().firstValue("Location").orElse("");
        try {
            URI to = from.resolve(location);
            if (!location.isEmpty() && isAllowed(to)) {
                return to;
            }
        } catch (IllegalArgumentException malformed) {
            // Refused below, like any other that leads nowhere.
        }
        throw new RegistryException(serverOf(from) + " redirects to \"" + location + "\" (expected an https URL)");
    }

    /** HTTPS, or, for a registry on this machine, its own plain HTTP. */
    private boolean isAllowed(URI to) {
        boolean isLocal = origin.getScheme().equals("http")
                && Set.of("localhost", "127.0.0.1", "[::1]").contains(String.valueOf(to.getHost()));
        return to.getHost() != null && ("https".equals(to.getScheme()) || ("http".equals(to.getScheme()) && isLocal));
    }

    private boolean isOrigin(URI uri) {
        return serverOf(uri).equals(serverOf(origin)) && uri.getScheme().equals(origin.getScheme());
    }

    private static Challenge challenge(HttpResponse<?> response) throws RegistryException {
        Optional<Challenge> challenge = Challenge.of(response.headers().allValues("WWW-Authenticate"));
        return challenge.orElseThrow(() -> new RegistryException(serverOf(response.uri())
                + " answered 401 and asks for neither a token nor a password (expected Bearer or Basic)"));
    }

    private String answer(Challenge challenge) throws IOException {
        Optional<String> basic = credentials.basic(reference.host());
        if (challenge.isBearer()) {
            return "Bearer " + token(challenge, basic.orElse(null));
        }
        return basic.orElseThrow(() -> new RegistryException(
                serverOf(origin) + " asks for a password, and docker's config.json has none for " + reference.host()));
    }

    /** Docker Registry v2 authentication via a token service ({@code distribution/docs/content/spec/auth/token.md}). */
    private String token(Challenge challenge, @Nullable String basic) throws IOException {
        URI service = service(challenge);
        HttpResponse<InputStream> response = send(service, "application/json", basic);
        try (InputStream body = new TimedStream(response.body(), clock, serverOf(service))) {
            byte[] answer = body.readNBytes(TOKEN_BYTES_MAX);
            if (response.statusCode() != 200) {
                throw new RegistryException("the token service " + serverOf(service) + " answered "
                        + response.statusCode() + advice(response.statusCode()));
            }
            JsonNode tree = Json.read(answer);
            String token = tree.path("token").asString(tree.path("access_token").asString(""));
            if (!token.matches("[\\x21-\\x7E]+")) {
                throw new RegistryException("the token service " + serverOf(service) + " gave no token");
            }
            return token;
        } catch (UnreadableDocumentException notJson) {
            throw new RegistryException("the token service " + serverOf(service) + " answered no JSON");
        }
    }

    private URI service(Challenge challenge) throws RegistryException {
        String realm = challenge.parameter("realm", "");
        String scope = challenge.parameter("scope", "repository:" + reference.repository() + ":pull");
        String query = "scope=" + URLEncoder.encode(scope, UTF_8) + "&service="
                + URLEncoder.encode(challenge.parameter("service", ""), UTF_8);
        try {
            URI service = URI.create(realm + (realm.contains("?") ? "&" : "?") + query);
            if (isAllowed(service)) {
                return service;
            }
        } catch (IllegalArgumentException malformed) {
            // Refused below, like any other that leads nowhere.
        }
        throw new RegistryException(
                serverOf(origin) + " names the token service \"" + realm + "\" (expected an https URL)");
    }

    private String advice(int status) {
        return switch (status) {
            case 401, 403 ->
                credentials.basic(reference.host()).isPresent()
                        ? " (the credentials of docker's config.json are not accepted)"
                        : " (docker's config.json has no credentials for " + reference.host() + ")";
            case 404 -> " (it is not there, or credentials are needed to see it)";
            default -> "";
        };
    }

    private static String serverOf(URI uri) {
        return String.valueOf(uri.getRawAuthority()).toLowerCase(Locale.ROOT);
    }
}
