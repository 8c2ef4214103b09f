package io.fairlead.gateway;

/**
 * The threads that carry virtual threads.
 *
 * <p>A virtual thread that computes keeps its carrier until it waits for something, and by default there are as many
 * carriers as processors: validating two large bodies would delay all small requests to hosted clusters. With more
 * carriers than processors, the system's scheduler shares the processors among them.
 */
final class Carriers {
    static final String NUMBER = "jdk.virtualThreadScheduler.parallelism";

    private static final int FOR_EACH_PROCESSOR = 4;
    private static final int MIN = 16;

    private Carriers() {}

    /** Configures their number, unless the operator has set it. Call before the first virtual thread. */
    static void provide() {
        if (System.getProperty(NUMBER) == null) {
            int processors = Runtime.getRuntime().availableProcessors();
            System.setProperty(NUMBER, Integer.toString(Math.max(MIN, FOR_EACH_PROCESSOR * processors)));
        }
    }
}
