package io.fairlead.ittests;

import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Isolated;

/**
 * Attacks, alone and two at a time, on a Fairlead of 512 MiB whose limits are the defaults: it lives, others are served
 * meanwhile, what is refused is refused as documented, and nothing is left behind; nor after a restart with what they stored.
 */
@Isolated("it measures how soon healthy clients are answered")
final class SurvivalIT {
    private static final long SEED = 20_261_122;

    /** So few that idle connections could take those of the store. */
    private static final int FEW_DESCRIPTORS = 1_024;

    private static final long TYPES_OF_FEW_BYTES_MAX = 32L << 20;

    /** What is made of as many definitions as there may be. */
    private static final long TYPES_BYTES_MAX = (512L << 20) / 3;

    /** So few requests are made during one short attack that their 99th percentile is the slowest of them: judged together. */
    @Test
    void someAttacks_leaveOthersServed_andNothingBehind() throws Exception {
        Duration time = Duration.ofMillis(2_500);
        List<Attack> few = Attacks.few();
        try (var survival = new Survival(
                AttackedFairlead.start(Checkout.scratch("SurvivalIT/some")), few, TYPES_OF_FEW_BYTES_MAX)) {
            survival.begin();
            for (Attack attack : few) {
                survival.endure(time, attack);
            }
            for (List<Attack> pair : Attacks.pairs(few, SEED).subList(0, 4)) {
                survival.endure(time, pair.getFirst(), pair.getLast());
            }
            survival.assertServed();
            survival.assertBack();

            survival.restart(FEW_DESCRIPTORS);
            for (List<Attack> pair : Attacks.pairs(few, SEED + 1).subList(0, 3)) {
                survival.endure(time, pair.getFirst(), pair.getLast());
            }
            survival.assertServed();
        }
    }

    @Test
    @Tag("endurance")
    void everyAttackAndEveryPair_leaveOthersServed_andNothingBehind() throws Exception {
        List<Attack> many = Attacks.many();
        try (var survival =
                new Survival(AttackedFairlead.start(Checkout.scratch("SurvivalIT/every")), many, TYPES_BYTES_MAX)) {
            survival.begin();
            attackWith(many, survival, Duration.ofSeconds(12), Duration.ofSeconds(5));
            survival.restart(FEW_DESCRIPTORS);
            attackWith(many, survival, Duration.ofSeconds(5), Duration.ofSeconds(3));
            survival.assertServed();
        }
    }

    @Test
    @Tag("endurance")
    void overloads_oneAtATime_leaveOthersServed_andNothingBehind() throws Exception {
        List<Attack> overloads = Attacks.overloads();
        try (var survival = new Survival(
                AttackedFairlead.start(Checkout.scratch("SurvivalIT/overloads")), overloads, TYPES_OF_FEW_BYTES_MAX)) {
            survival.begin();
            for (Attack overload : overloads) {
                survival.endureInFull(Duration.ofSeconds(45), overload);
            }
            survival.assertServed();
            survival.assertBack();
        }
    }

    private static void attackWith(List<Attack> attacks, Survival survival, Duration alone, Duration inPairs)
            throws Exception {
        for (Attack attack : attacks) {
            survival.endure(alone, attack);
            survival.judge();
        }
        for (List<Attack> pair : Attacks.pairs(attacks, SEED)) {
            survival.endure(inPairs, pair.getFirst(), pair.getLast());
            survival.judge();
        }
        survival.assertBack();
    }
}
