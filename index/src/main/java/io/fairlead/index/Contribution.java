package io.fairlead.index;

import io.fairlead.model.GroupVersion;
import java.util.Set;

/** One group/version that a holder serves, and its resources. */
public record Contribution(GroupVersion groupVersion, Resources resources) {
    /** The served resources. */
    public sealed interface Resources {
        /** Exactly these plural names. */
        record Listed(Set<String> names) implements Resources {
            public Listed {
                names = Set.copyOf(names);
            }
        }

        /** Some, but which ones is unknown. */
        record Unlisted() implements Resources {}
    }

    /** As {@link Holder#heapBytes}, for this. */
    long heapBytes() {
        long bytes = 300
                + 4L * (groupVersion.group().length() + groupVersion.version().length());
        if (resources instanceof Resources.Listed(Set<String> names)) {
            for (String name : names) {
                bytes += 100 + 4L * name.length();
            }
        }
        return bytes;
    }

    /** A group/version with known resources. */
    public static Contribution of(GroupVersion groupVersion, Set<String> resources) {
        return new Contribution(groupVersion, new Resources.Listed(resources));
    }

    /** A group/version with unknown resources. */
    public static Contribution unlisted(GroupVersion groupVersion) {
        return new Contribution(groupVersion, new Resources.Unlisted());
    }
}
