package io.fairlead.index;

import io.fairlead.model.GroupVersion;
import java.util.Set;

/** One group/version that a holder serves, and with which resources. */
public record Contribution(GroupVersion groupVersion, Resources resources) {
    /** Which resources are served. */
    public sealed interface Resources {
        /** Exactly these plural names. */
        record Listed(Set<String> names) implements Resources {
            public Listed {
                names = Set.copyOf(names);
            }
        }

        /** Some, but it is not known which. */
        record Unlisted() implements Resources {}
    }

    /** A group/version with known resources. */
    public static Contribution of(GroupVersion groupVersion, Set<String> resources) {
        return new Contribution(groupVersion, new Resources.Listed(resources));
    }

    /** A group/version whose resources are not known. */
    public static Contribution unlisted(GroupVersion groupVersion) {
        return new Contribution(groupVersion, new Resources.Unlisted());
    }
}
