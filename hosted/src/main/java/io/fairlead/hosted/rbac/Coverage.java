package io.fairlead.hosted.rbac;

import java.util.ArrayList;
import java.util.List;

/*
 * Problem: a rule stands for the product of its lists, so that one of a few kilobytes stands for more combinations than fit
 * into memory. kube-apiserver makes them all (component-helpers BreakdownRule).
 *
 * Invariant: no more than STEPS_MAX values are compared, and few combinations that are missing are kept.
 */

/** Compares rules that are to be granted with those that their writer holds, at a bounded cost. For one comparison. */
final class Coverage {
    /** How many combinations that are missing are told, and how many characters they may have. */
    private static final int MISSING_MAX = 5_000;

    private static final int MISSING_CHARS_MAX = 1 << 19;

    /** How many values of rules may be gone over, a fifth of a second of work: others wait meanwhile. */
    private static final long STEPS_MAX = 20_000_000;

    private final List<PolicyRule> held;
    private final List<PolicyRule> missing = new ArrayList<>();
    private final long heldValues;
    private long steps;
    private long missingChars;
    private boolean isCut;

    private Coverage(List<PolicyRule> held) {
        this.held = held;
        this.heldValues = held.stream().mapToLong(rule -> 1L + rule.values()).sum();
    }

    /**
     * The combinations of one verb, group, resource and name, or path, that are granted and not held, or the first of many.
     *
     * @throws TooManyException if there are too many to compare
     */
    static Missing missing(List<PolicyRule> held, List<PolicyRule> granted) throws TooManyException {
        Coverage coverage = new Coverage(held);
        for (PolicyRule rule : granted) {
            if (!coverage.isCut && !coverage.isHeldWhole(rule)) {
                coverage.compare(rule);
            }
        }
        return new Missing(coverage.missing, coverage.isCut);
    }

    /** Whether one of the rules that are held covers all combinations; not asked where that alone is too much. */
    private boolean isHeldWhole(PolicyRule rule) {
        if (held.stream().anyMatch(PolicyRule::isEverything)
                && rule.nonResourceUrls().isEmpty()) {
            return true;
        }
        long cost = (1 + rule.values()) * heldValues;
        if (steps + cost > STEPS_MAX) {
            return false;
        }
        steps += cost;
        return held.stream().anyMatch(owned -> owned.covers(rule));
    }

    private void compare(PolicyRule rule) throws TooManyException {
        boolean isCompared = rule.eachSingle(single -> {
            steps += 1 + heldValues;
            if (steps <= STEPS_MAX && held.stream().noneMatch(owned -> owned.covers(single))) {
                miss(single);
            }
            return steps <= STEPS_MAX && !isCut;
        });
        if (!isCompared && !isCut) {
            throw new TooManyException();
        }
    }

    private void miss(PolicyRule single) {
        missing.add(single);
        missingChars += single.describe().length();
        isCut = missing.size() >= MISSING_MAX || missingChars >= MISSING_CHARS_MAX;
    }

    /**
     * What is not held.
     *
     * @param rules with one value in each field
     * @param isCut whether there are others
     */
    record Missing(List<PolicyRule> rules, boolean isCut) {}

    /** There are more combinations than are compared. */
    static final class TooManyException extends Exception {
        private static final long serialVersionUID = 1L;

        TooManyException() {
            super("too many combinations", null, false, false);
        }
    }
}
