package io.fairlead.ittests;

import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import io.fairlead.ittests.SeenObject.Event;
import io.fairlead.ittests.SeenObject.EventType;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/** The events that a new watch begins with if it asks for what followed a revision of the past. */
final class WatchedPast {
    private static final int TIMEOUT_SECONDS = 20;

    private WatchedPast() {}

    /** So many of them, or fewer if no more come. */
    static List<Event> read(StoredKind kind, String url, String token, long revision, int count)
            throws IOException, InterruptedException {
        List<Event> events = new ArrayList<>();
        URI uri = URI.create(url + "?watch=1&timeoutSeconds=" + TIMEOUT_SECONDS + "&resourceVersion=" + revision);
        HttpRequest request = HttpRequest.newBuilder(uri)
                .header("Authorization", "Bearer " + token)
                .build();
        try (HttpClient client =
                HttpClient.newBuilder().sslContext(TrustEveryone.context()).build()) {
            var response = client.send(request, HttpResponse.BodyHandlers.ofInputStream());
            try (var lines = new BufferedReader(new InputStreamReader(response.body(), StandardCharsets.UTF_8))) {
                while (events.size() < count) {
                    String line = lines.readLine();
                    if (line == null) {
                        break;
                    }
                    JsonObject frame = JsonParser.parseString(line).getAsJsonObject();
                    events.add(new Event(
                            EventType.valueOf(frame.get("type").getAsString()),
                            SeenObject.of(kind, frame.getAsJsonObject("object"))));
                }
            }
            client.shutdownNow();
        }
        return events;
    }
}
