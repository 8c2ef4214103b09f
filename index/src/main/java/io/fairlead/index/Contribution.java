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

    /** A group/version with known resources. */
    public static Contribution of(GroupVersion groupVersion, Set<String> resources) {
        return new Contribution(groupVersion, new Resources.Listed(resources));
    }

    /** A group/version with unknown resources. */
    public static Contribution unlisted(GroupVersion groupVersion) {
        return new Contribution(groupVersion, new Resources.Unlisted());
    }
}
