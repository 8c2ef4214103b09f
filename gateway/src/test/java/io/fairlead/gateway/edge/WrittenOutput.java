package io.fairlead.gateway.edge;

import java.util.Queue;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentLinkedQueue;

/** Everything that a gateway wrote, each text with what kind it is and where it stood; of any thread. */
final class WrittenOutput {
    private final Queue<Text> texts = new ConcurrentLinkedQueue<>();

    private record Text(String where, String text) {}

    /** @param where begins with the kind: {@code log}, {@code answer GET /api} */
    void add(String where, String text) {
        texts.add(new Text(where, text));
    }

    /** How much there is of a kind. */
    long bytes(String kind) {
        return texts.stream()
                .filter(text -> text.where().startsWith(kind))
                .mapToLong(text -> text.text().length())
                .sum();
    }

    /** Each credential that stands in one of the texts, with the place. */
    Set<String> findings(MarkedSecrets secrets) {
        Set<String> findings = new TreeSet<>();
        for (Text text : texts) {
            secrets.in(text.text()).forEach(found -> findings.add(text.where() + ": " + found));
        }
        return findings;
    }
}
