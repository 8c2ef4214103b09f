package io.fairlead.index;

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** Decides which holders may claim, and words the refusals of the others. */
record Admission(IndexLimits limits) {
    /** Holders of a list, split into admitted and refused ones. */
    record Admitted(List<Holder> holders, List<String> problems) {}

    /** Judges a complete list. */
    Admitted list(Set<HolderType> types, Collection<Holder> holders) {
        List<Holder> admitted = new ArrayList<>(holders.size());
        List<String> problems = new ArrayList<>();
        for (Holder holder : holders) {
            requireType(types, holder);
            Optional<String> problem = problem(holder, admitted.size());
            problem.ifPresentOrElse(problems::add, () -> admitted.add(holder));
        }
        return new Admitted(admitted, problems);
    }

    /** Why a holder may not claim in addition to this many others, if so. */
    Optional<String> problem(Holder holder, int others) {
        if (holder.name().isEmpty() || holder.uid().isEmpty()) {
            return refuse(holder, "expected a name and a uid");
        }
        if (holder.contributions().size() > limits.versionsPerHolderMax()) {
            return refuse(
                    holder,
                    "serves " + holder.contributions().size() + " versions, expected at most "
                            + limits.versionsPerHolderMax());
        }
        if (resourceCount(holder) > limits.resourcesPerHolderMax()) {
            return refuse(
                    holder,
                    "serves " + resourceCount(holder) + " resources, expected at most "
                            + limits.resourcesPerHolderMax());
        }
        if (holder.type() != HolderType.BUILT_IN && claimsCoreGroup(holder)) {
            return refuse(holder, "serves a version without a group, expected a group");
        }
        return others < limits.holdersPerClusterMax()
                ? Optional.empty()
                : refuse(holder, "expected at most " + limits.holdersPerClusterMax() + " holders in a cluster");
    }

    private static long resourceCount(Holder holder) {
        long count = 0;
        for (Contribution contribution : holder.contributions()) {
            count += switch (contribution.resources()) {
                case Contribution.Resources.Listed listed -> listed.names().size();
                case Contribution.Resources.Unlisted unlisted -> 0;
            };
        }
        return count;
    }

    private static boolean claimsCoreGroup(Holder holder) {
        for (Contribution contribution : holder.contributions()) {
            if (contribution.groupVersion().group().isEmpty()) {
                return true;
            }
        }
        return false;
    }

    private static void requireType(Set<HolderType> types, Holder holder) {
        if (!types.contains(holder.type())) {
            throw new IllegalArgumentException("holder: " + holder + " (expected one of the types " + types + ")");
        }
    }

    private static Optional<String> refuse(Holder holder, String problem) {
        return Optional.of(holder + ": " + problem);
    }
}
