package io.fairlead.schema.managed;

import io.fairlead.schema.field.GoText;
import java.util.Comparator;

/**
 * Who manages fields. A manager that applies is the same in every version; one that updates is another one in each.
 *
 * @param name the name that the client gave itself
 * @param applies whether by applying a configuration, else by any other write
 * @param apiVersion the version that it wrote; empty if it applies
 * @param subresource the subresource that it wrote; empty for the object itself
 */
public record Manager(String name, boolean applies, String apiVersion, String subresource)
        implements Comparable<Manager> {
    private static final Comparator<Manager> ORDER = Comparator.comparing(Manager::name)
            .thenComparing(Manager::applies, Comparator.reverseOrder())
            .thenComparing(Manager::apiVersion)
            .thenComparing(Manager::subresource);

    /** One that applies. */
    public static Manager applying(String name, String subresource) {
        return new Manager(name, true, "", subresource);
    }

    /** One that updates. */
    public static Manager updating(String name, String apiVersion, String subresource) {
        return new Manager(name, false, apiVersion, subresource);
    }

    @Override
    public int compareTo(Manager other) {
        return ORDER.compare(this, other);
    }

    /** As in messages ({@code "kubectl" using v1}). */
    @Override
    public String toString() {
        return GoText.quote(name)
                + (subresource.isEmpty() ? "" : " with subresource " + GoText.quote(subresource))
                + (applies ? "" : " using " + apiVersion);
    }
}
