package io.fairlead.ittests;

import com.google.gson.JsonParser;
import java.io.IOException;
import java.net.CookieManager;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The OpenID provider of zitadel/oidc on loopback, into which users log in with the authorization code flow, as a browser does. */
final class OpenIdProvider implements AutoCloseable {
    private static final GoModule MODULE =
            new GoModule("openid", List.of(new GoModule.Program("openid", ".", "-s -w")));
    private static final String CALLBACK = "https://app.test/callback";
    private static final Duration TIMEOUT = Duration.ofSeconds(30);
    private static final Pattern PARAMETER = Pattern.compile("[?&]([^=&]+)=([^&]*)");

    private final OwnedProcess process;
    private final HttpClient client = HttpClient.newBuilder()
            .sslContext(TrustEveryone.context())
            .cookieHandler(new CookieManager())
            .connectTimeout(TIMEOUT)
            .build();

    /**
     * Starts it.
     *
     * @param certificates a folder with {@code apiserver.crt} and {@code apiserver.key}
     */
    static OpenIdProvider start(String name, Path folder, Path certificates, String... flags) {
        List<String> command = new ArrayList<>(List.of(
                MODULE.built().resolve("openid").toString(),
                "-tls-cert-file",
                certificates.resolve("apiserver.crt").toString(),
                "-tls-private-key-file",
                certificates.resolve("apiserver.key").toString(),
                "-redirect-uri",
                CALLBACK));
        command.addAll(List.of(flags));
        OpenIdProvider provider = new OpenIdProvider(OwnedProcess.start(name, folder, Map.of(), command));
        Await.until(
                "the provider listens", TIMEOUT, () -> provider.process.output().contains("https://"));
        return provider;
    }

    private OpenIdProvider(OwnedProcess process) {
        this.process = process;
    }

    String issuer() {
        return process.output().strip();
    }

    /** The ID token of a user who logs in. */
    String login(String user) throws IOException, InterruptedException {
        URI begun = redirect(HttpRequest.newBuilder(
                URI.create(issuer() + "/auth?client_id=fairlead&response_type=code&scope=openid&state=s&redirect_uri="
                        + encoded(CALLBACK))));
        String id = parameter(begun, "authRequestID");
        URI back = redirect(form("/login/username", "username", user, "password", "verysecure", "id", id));
        URI called = redirect(HttpRequest.newBuilder(back));
        HttpRequest.Builder exchange = form(
                        "/oauth/token",
                        "grant_type",
                        "authorization_code",
                        "code",
                        parameter(called, "code"),
                        "redirect_uri",
                        CALLBACK)
                .header(
                        "Authorization",
                        "Basic "
                                + Base64.getEncoder()
                                        .encodeToString("fairlead:secret".getBytes(StandardCharsets.UTF_8)));
        HttpResponse<String> tokens = client.send(exchange.build(), HttpResponse.BodyHandlers.ofString());
        if (tokens.statusCode() != 200) {
            throw new AssertionError("no token: " + tokens.statusCode() + " " + tokens.body() + process.tail());
        }
        return JsonParser.parseString(tokens.body())
                .getAsJsonObject()
                .get("id_token")
                .getAsString();
    }

    /** Signs with another key from now on. */
    void replaceKey(boolean onlyNewIsPublished) throws IOException, InterruptedException {
        HttpRequest request = HttpRequest.newBuilder(
                        URI.create(issuer() + "/keys" + (onlyNewIsPublished ? "?only=new" : "")))
                .POST(HttpRequest.BodyPublishers.noBody())
                .build();
        int status =
                client.send(request, HttpResponse.BodyHandlers.discarding()).statusCode();
        if (status != 204) {
            throw new AssertionError("the key was not replaced: " + status);
        }
    }

    private URI redirect(HttpRequest.Builder request) throws IOException, InterruptedException {
        HttpResponse<String> answer =
                client.send(request.timeout(TIMEOUT).build(), HttpResponse.BodyHandlers.ofString());
        String location = answer.headers().firstValue("Location").orElse("");
        if (location.isEmpty()) {
            throw new AssertionError("no redirect: " + answer.statusCode() + " " + answer.body() + process.tail());
        }
        return URI.create(issuer() + "/").resolve(location);
    }

    private HttpRequest.Builder form(String path, String... fields) {
        StringBuilder body = new StringBuilder();
        for (int i = 0; i < fields.length; i += 2) {
            body.append(body.isEmpty() ? "" : "&").append(fields[i]).append('=').append(encoded(fields[i + 1]));
        }
        return HttpRequest.newBuilder(URI.create(issuer() + path))
                .timeout(TIMEOUT)
                .header("Content-Type", "application/x-www-form-urlencoded")
                .POST(HttpRequest.BodyPublishers.ofString(body.toString()));
    }

    private static String parameter(URI location, String name) {
        Matcher parameter = PARAMETER.matcher(location.toString());
        while (parameter.find()) {
            if (parameter.group(1).equals(name)) {
                return parameter.group(2);
            }
        }
        throw new AssertionError("no " + name + " in " + location);
    }

    private static String encoded(String text) {
        return URLEncoder.encode(text, StandardCharsets.UTF_8);
    }

    @Override
    public void close() {
        process.close();
        client.shutdownNow();
        client.close();
    }
}
