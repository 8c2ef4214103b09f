package io.fairlead.testkit;

/** How long tests of many rounds go on: in a build for a moment, in the long form (see docs/endurance.md) many times as long. */
public final class Effort {
    private static final int FACTOR = Integer.getInteger("fairlead.effort", 1);

    private Effort() {}

    /** So many rounds, where a build has the given ones. */
    public static int rounds(int inABuild) {
        return inABuild * FACTOR;
    }
}
