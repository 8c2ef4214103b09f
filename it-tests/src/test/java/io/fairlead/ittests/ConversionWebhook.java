package io.fairlead.ittests;

import com.google.gson.Gson;
import com.google.gson.GsonBuilder;
import com.google.gson.JsonArray;
import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpsConfigurator;
import com.sun.net.httpserver.HttpsServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.function.UnaryOperator;

/** A webhook on loopback for crates, whose {@code spec.size} of v1 is the text {@code spec.amount} in v2. It can be made to lie. */
final class ConversionWebhook implements AutoCloseable {
    private static final Gson GSON = new GsonBuilder().serializeNulls().create();

    private final BackendIdentity identity;
    private final HttpsServer server;
    private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
    private volatile UnaryOperator<JsonObject> lie = UnaryOperator.identity();

    ConversionWebhook(Path folder) throws IOException, GeneralSecurityException {
        identity = BackendIdentity.make(folder, "default", List.of("convert"));
        server = HttpsServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.setHttpsConfigurator(new HttpsConfigurator(identity.context()));
        server.setExecutor(threads);
        server.createContext("/convert", exchange -> {
            try (exchange) {
                answer(exchange);
            }
        });
        server.start();
    }

    /** Where it is, as a definition says it. */
    String clientConfig() throws IOException {
        return "{\"url\": \"https://127.0.0.1:" + server.getAddress().getPort() + "/convert\", \"caBundle\": \""
                + identity.caBundle() + "\"}";
    }

    /** Has all answers changed. */
    void lie(UnaryOperator<JsonObject> how) {
        lie = how;
    }

    private void answer(HttpExchange exchange) throws IOException {
        String text = new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8);
        JsonObject review = JsonParser.parseString(text).getAsJsonObject();
        JsonObject request = review.getAsJsonObject("request");
        String version = request.get("desiredAPIVersion").getAsString();
        JsonArray converted = new JsonArray();
        request.getAsJsonArray("objects")
                .forEach(object -> converted.add(converted(object.getAsJsonObject(), version)));
        JsonObject result = new JsonObject();
        result.addProperty("status", "Success");
        JsonObject response = new JsonObject();
        response.add("uid", request.get("uid"));
        response.add("convertedObjects", converted);
        response.add("result", result);
        JsonObject answer = new JsonObject();
        answer.add("apiVersion", review.get("apiVersion"));
        answer.add("kind", review.get("kind"));
        answer.add("response", response);
        byte[] body = GSON.toJson(lie.apply(answer)).getBytes(StandardCharsets.UTF_8);
        exchange.getResponseHeaders().set("Content-Type", "application/json");
        exchange.sendResponseHeaders(200, body.length);
        exchange.getResponseBody().write(body);
    }

    private static JsonObject converted(JsonObject object, String version) {
        object.addProperty("apiVersion", version);
        if (object.get("spec") instanceof JsonObject spec && version.endsWith("/v2") && spec.has("size")) {
            spec.addProperty("amount", spec.remove("size").getAsString() + " pieces");
        } else if (object.get("spec") instanceof JsonObject spec && version.endsWith("/v1")) {
            spec.remove("colour");
            if (spec.has("amount")) {
                String[] words = spec.remove("amount").getAsString().split(" ", -1);
                spec.addProperty("size", Integer.parseInt(words[0]));
            }
        }
        return object;
    }

    @Override
    public void close() {
        server.stop(0);
        threads.shutdownNow();
    }
}
