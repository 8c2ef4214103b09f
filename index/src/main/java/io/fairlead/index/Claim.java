package io.fairlead.index;

import java.util.ArrayList;
import java.util.List;

/** What one holder says is served: a key in words. */
record Claim(String group, String version, String resource) implements Comparable<Claim> {
    /** Every claim that a holder makes. */
    static List<Claim> of(Holder holder) {
        List<Claim> claims = new ArrayList<>();
        for (Contribution contribution : holder.contributions()) {
            String group = contribution.groupVersion().group();
            String version = contribution.groupVersion().version();
            claims.add(new Claim(group, version, Key.GROUP_VERSION));
            if (holder.type().routes()) {
                claims.add(new Claim(group, version, Key.ROUTED));
            }
            switch (contribution.resources()) {
                case Contribution.Resources.Listed listed ->
                    listed.names().forEach(name -> claims.add(new Claim(group, version, name)));
                case Contribution.Resources.Unlisted unlisted -> {
                    if (!holder.type().routes()) {
                        claims.add(new Claim(group, version, Key.UNLISTED));
                    }
                }
            }
        }
        return claims;
    }

    /** Whether a holder makes this claim; as {@link #of} would say, without writing anything down. */
    boolean isMadeBy(Holder holder) {
        List<Contribution> contributions = holder.contributions();
        for (int i = 0; i < contributions.size(); i++) { // a change asks every holder of a cluster: no iterators
            Contribution contribution = contributions.get(i);
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
