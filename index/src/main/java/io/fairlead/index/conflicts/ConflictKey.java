package io.fairlead.index.conflicts;

import java.util.Comparator;
import java.util.List;

/**
 * What at most one holder may have ({@code cluster-identity/0f6c…}).
 *
 * @param kind of which it is one ({@code cluster-identity})
 * @param parts what distinguishes it from others of its kind
 */
public record ConflictKey(String kind, List<String> parts) implements Comparable<ConflictKey> {
    private static final Comparator<ConflictKey> ORDER =
            Comparator.comparing(ConflictKey::kind).thenComparing(ConflictKey::toString);

    public ConflictKey {
        parts = List.copyOf(parts);
    }

    @Override
    public int compareTo(ConflictKey other) {
        return ORDER.compare(this, other);
    }

    @Override
    public String toString() {
        return kind + "/" + String.join("/", parts);
    }
}
