package io.fairlead.ittests;

import io.fairlead.ittests.HttpProbe.Answer;
import java.io.IOException;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.IntSupplier;

/** Creates some CRDs one after the other and deletes them again, over and over, each time after so many requests of others. */
final class PassingDefinitions implements AutoCloseable {
    private static final String DEFINITIONS = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions";
    private static final Duration PATIENCE = Duration.ofMinutes(2);

    private final HttpProbe apiserver;
    private final List<String> plurals;
    private final IntSupplier requests;
    private final int pace;
    private final Set<String> present = new HashSet<>();
    private final AtomicInteger created = new AtomicInteger();
    private final AtomicInteger deleted = new AtomicInteger();
    private final Thread thread;
    private volatile boolean stopped;

    /**
     * Begins.
     *
     * @param apiserver the cluster's own: what is done here is not among the requests that are counted
     * @param plurals the resources of {@link MixedRequests#GROUP}
     * @param requests how many requests of others there were so far
     * @param pace after how many more of them the next CRD is created or deleted
     */
    PassingDefinitions(HttpProbe apiserver, List<String> plurals, IntSupplier requests, int pace) {
        this.apiserver = apiserver;
        this.plurals = plurals;
        this.requests = requests;
        this.pace = pace;
        this.thread = Thread.ofVirtual().name("passing-definitions").start(this::work);
    }

    /** How often a CRD was created. */
    int created() {
        return created.get();
    }

    /** How often one was deleted. */
    int deleted() {
        return deleted.get();
    }

    /** Returns when nothing is created or deleted any more. */
    @Override
    public void close() {
        stopped = true;
        try {
            thread.join(PATIENCE);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private void work() {
        for (int turn = 0; !stopped; turn++) {
            turn(plurals.get(turn % plurals.size()));
            int next = requests.getAsInt() + pace;
            Await.until(pace + " more requests", PATIENCE, () -> stopped || requests.getAsInt() >= next);
        }
    }

    private void turn(String plural) {
        try {
            if (present.contains(plural)) {
                Answer answer = apiserver.delete(DEFINITIONS + "/" + plural + "." + MixedRequests.GROUP);
                if (answer.status() == 200) {
                    present.remove(plural);
                    deleted.incrementAndGet();
                }
            } else {
                Answer answer =
                        apiserver.send("POST", DEFINITIONS, "application/json", MixedRequests.definition(plural));
                if (answer.status() == 201) {
                    present.add(plural);
                    created.incrementAndGet();
                }
            }
        } catch (IOException e) {
            throw new AssertionError(plural, e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            stopped = true;
        }
    }
}
