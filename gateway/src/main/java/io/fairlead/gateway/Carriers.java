package io.fairlead.gateway;

/**
 * The threads that carry virtual threads.
 *
 * <p>A virtual thread that computes keeps its carrier until it waits for something, and by default there are as many carriers
 * as processors: two large bodies that are read and checked would keep all small requests to hosted clusters waiting. With
 * more carriers than processors the system gives each of them its slice of time.
 */
final class Carriers {
    static final String NUMBER = "jdk.virtualThreadScheduler.parallelism";

    private static final int FOR_EACH_PROCESSOR = 4;
    private static final int MIN = 16;

    private Carriers() {}

    /** Has enough of them made, unless the operator has said how many. Before the first virtual thread. */
    static void provide() {
        if (System.getProperty(NUMBER) == null) {
            int processors = Runtime.getRuntime().availableProcessors();
            System.setProperty(NUMBER, Integer.toString(Math.max(MIN, FOR_EACH_PROCESSOR * processors)));
        }
    }
}
