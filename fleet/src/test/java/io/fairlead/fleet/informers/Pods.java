package io.fairlead.fleet.informers;

import io.fairlead.http.MutableFields;
import java.util.function.Consumer;

/** What an API server says of pods. */
final class Pods {
    private Pods() {}

    static Consumer<FakeServer.Answer> list(String version, String... pods) {
        return answer -> answer.of(
                200,
                "{\"kind\": \"PodList\", \"metadata\": {\"resourceVersion\": \"" + version + "\"}, \"items\": ["
                        + String.join(",", pods) + "]}");
    }

    /** A watch that goes on after its events. */
    static Consumer<FakeServer.Answer> watch(String... events) {
        return answer -> {
            answer.receiver().onHead(200, new MutableFields());
            answer.data(events);
        };
    }

    static String event(String type, String object) {
        return "{\"type\": \"" + type + "\", \"object\": " + object + "}\n";
    }

    static String pod(String version) {
        return "{\"metadata\": {\"namespace\": \"shop\", \"name\": \"web-0\", \"uid\": \"a\", \"resourceVersion\": \""
                + version + "\"}}";
    }
}
