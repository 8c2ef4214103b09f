package io.fairlead.index;

import java.util.ArrayList;
import java.util.List;

/** One claim of a holder: a key in words. */
record Claim(String group, String version, String resource) implements Comparable<Claim> {
    /** Receives claims before they are stored. */
    @FunctionalInterface
    interface Sink {
        void claim(String group, String version, String resource);
    }

    /** Every claim that a holder makes. */
    static List<Claim> of(Holder holder) {
        List<Claim> claims = new ArrayList<>();
        tell(holder, (group, version, resource) -> claims.add(new Claim(group, version, resource)));
        return claims;
    }

    /** Passes on every claim of a holder. */
    static void tell(Holder holder, Sink sink) {
        List<Contribution> contributions = holder.contributions();
        for (int i = 0; i < contributions.size(); i++) { // every change of a cluster comes here: no iterators
            Contribution contribution = contributions.get(i);
            String group = contribution.groupVersion().group();
            String version = contribution.groupVersion().version();
            sink.claim(group, version, Key.GROUP_VERSION);
            if (holder.type().routes()) {
                sink.claim(group, version, Key.ROUTED);
            }
            switch (contribution.resources()) {
                case Contribution.Resources.Listed listed -> {
                    for (String name : listed.names()) {
                        sink.claim(group, version, name);
                    }
                }
                case Contribution.Resources.Unlisted unlisted -> {
                    if (!holder.type().routes()) {
                        sink.claim(group, version, Key.UNLISTED);
                    }
                }
            }
        }
    }

    /** Whether a holder makes this claim, as {@link #of} would return, without allocating. */
    boolean isMadeBy(Holder holder) {
        for (Contribution contribution : holder.contributions()) {
            if (contribution.groupVersion().version().equals(version)
                    && contribution.groupVersion().group().equals(group)
                    && isMadeBy(holder.type(), contribution.resources())) {
                return true;
            }
        }
        return false;
    }

    private boolean isMadeBy(HolderType type, Contribution.Resources resources) {
        return switch (resource) {
            case Key.GROUP_VERSION -> true;
            case Key.ROUTED -> type.routes();
            case Key.UNLISTED -> !type.routes() && resources instanceof Contribution.Resources.Unlisted;
            default -> resources instanceof Contribution.Resources.Listed(var names) && names.contains(resource);
        };
    }

    @Override
    public int compareTo(Claim other) {
        int byGroup = group.compareTo(other.group);
        int byVersion = byGroup != 0 ? byGroup : version.compareTo(other.version);
        return byVersion != 0 ? byVersion : resource.compareTo(other.resource);
    }

    @Override
    public String toString() {
        return group + "/" + version + (resource.isEmpty() ? "" : "/" + resource);
    }
}
