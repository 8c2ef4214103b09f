package io.fairlead.ittests;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Pattern;

/**
 * Whom a backend takes the caller of a request for that a cluster sent it.
 *
 * @param headers all that say who that is, by their names in lower case
 * @param user as a real backend understands them
 */
record PresentedCaller(Map<String, List<String>> headers, JsonElement user) {
    private static final Duration SOON = Duration.ofSeconds(20);
    private static final Pattern TELLING = Pattern.compile("x-remote-.*|impersonate-.*|authorization");

    /**
     * What a request of a user becomes.
     *
     * @param agent by which the backends know it
     * @param sent what it says of who the user is
     */
    static PresentedCaller of(
            AggregatedClusters clusters,
            AggregatingCluster cluster,
            KubeCluster.User user,
            String agent,
            Map<String, String> sent)
            throws IOException {
        Map<String, String> all = new TreeMap<>(sent);
        all.put("User-Agent", agent);
        NetworkProbe.Answer echo = cluster.ask(user, "GET", "/apis/half.example.com/v1/echoes", all, "");
        assertThat(echo.status()).as("%s", echo).isEqualTo(200);
        OddBackends.Seen seen = clusters.odd().seen(OddBackends.Kind.HALF).stream()
                .filter(each -> each.header("user-agent").stream().anyMatch(value -> value.startsWith(agent)))
                .findFirst()
                .orElseThrow();
        assertThat(seen.client())
                .as("the certificate that the front proxy shows")
                .isNotEmpty();
        Map<String, List<String>> headers = new TreeMap<>(seen.headers());
        headers.keySet().removeIf(name -> !TELLING.matcher(name).matches());

        var _ = cluster.ask(user, "GET", AggregatedWidgets.WIDGETS, all, "");
        Await.until(
                "the backend noted " + agent,
                SOON,
                () -> !clusters.audited(agent).isEmpty());
        JsonObject event =
                JsonParser.parseString(clusters.audited(agent).getFirst()).getAsJsonObject();
        assertThat(event.has("impersonatedUser")).isFalse();
        return new PresentedCaller(headers, event.get("user"));
    }
}
