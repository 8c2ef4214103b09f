package io.fairlead.ittests;

import java.util.Set;

/** One way to do harm to a gateway, in some dose. */
interface Attack extends AutoCloseable {
    /** Makes what the attack needs to find there: objects, definitions, clusters. Called once before any run. */
    default void prepare(AttackedFairlead attacked) throws Exception {}

    /** Attacks until the run is over. Connections are opened by the run, which closes them. */
    void run(AttackedFairlead attacked, AttackRun run) throws Exception;

    /** The statuses by which requests of this attack may be refused; others, but 2xx, are a failure. */
    Set<Integer> refusals();

    /** How many of its connections are open at once when it attacks in full; 0 if that is not its way. */
    default int openAtOnce() {
        return 0;
    }

    /** Ends what was made for it outside the gateway. */
    @Override
    default void close() {}

    /** What messages call it. */
    default String name() {
        return getClass().getSimpleName();
    }
}
