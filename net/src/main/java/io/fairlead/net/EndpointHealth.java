package io.fairlead.net;

import io.fairlead.net.EndpointReport.Broken;
import io.fairlead.net.EndpointReport.Evidence;
import io.fairlead.net.EndpointReport.Ready;
import io.fairlead.net.EndpointReport.Verdict;
import java.time.Duration;
import java.util.function.LongSupplier;
import java.util.random.RandomGenerator;

/**
 * Whether requests may go to an endpoint.
 *
 * <pre>
 * UNPROVEN - a request is answered, a probe passes -> IN
 *          - as IN -> OUT
 * IN       - enough probes fail in a row, enough requests or connections are lost in a row -> OUT
 * OUT      - enough probes pass in a row, or where there are none a request is answered -> IN
 * </pre>
 *
 * <p>A probe while it is OUT is the one request that a half-open circuit breaker lets through. Beside that, each connection
 * that did not come about has it avoided for a while, also where there are no probes: others are taken first then.
 *
 * <p>Threads: any. A request reads two volatile fields; changes are rare and take the lock.
 */
final class EndpointHealth {
    private static final Duration PENALTY_FIRST = Duration.ofMillis(500);
    private static final int PENALTY_DOUBLINGS_MAX = 5;

    /** What is taken off a wait at most, so that not all come back at the same moment. */
    private static final int JITTER_PARTS = 4;

    private enum State {
        UNPROVEN,
        IN,
        OUT
    }

    /** Which requests it gets. */
    private enum Use {
        ANY,
        /** Those for which there is no other endpoint. */
        LAST,
        NONE
    }

    private final EndpointLimits limits;
    private final boolean isProbed;
    private final LongSupplier nanoTime;
    private final RandomGenerator random;
    private final Runnable changed;

    private State state = State.UNPROVEN;
    private Verdict verdict;
    private int failedDials;
    private int losses;
    private int failedProbes;
    private int passedProbes;

    private volatile Use use = Use.ANY;
    private volatile boolean isDoubted = true;
    private volatile boolean isAvoided;
    private volatile long avoidedUntilNanos;

    /**
     * @param isProbed whether probes say when it is IN again
     * @param before what was known of it under an earlier configuration
     * @param nanoTime the time of {@link System#nanoTime}
     * @param random spreads the ends of penalties; used under the lock
     * @param changed runs when the verdict is another one, under the lock
     */
    EndpointHealth(
            EndpointLimits limits,
            boolean isProbed,
            Verdict before,
            LongSupplier nanoTime,
            RandomGenerator random,
            Runnable changed) {
        this.limits = limits;
        this.isProbed = isProbed;
        this.verdict = before;
        this.nanoTime = nanoTime;
        this.random = random;
        this.changed = changed;
    }

    /** Whether it may get requests at all; always so where there are no probes. */
    boolean isUsable() {
        return use == Use.ANY;
    }

    /**
     * Whether it is OUT for lost requests alone. Those who send requests can bring that about, as with a workload that breaks its
     * answers off, so such an endpoint is better than none.
     */
    boolean isSuspected() {
        return use == Use.LAST;
    }

    /** Whether others are to be taken first for a while. */
    boolean isAvoided() {
        return isAvoided && avoidedForNanos() > 0;
    }

    long avoidedForNanos() {
        return isAvoided ? avoidedUntilNanos - nanoTime.getAsLong() : 0;
    }

    synchronized Verdict verdict() {
        return verdict;
    }

    /** A connection stands, which ends the penalty for those that did not. */
    synchronized void connected() {
        failedDials = 0;
        isAvoided = false;
    }

    /** A request is answered, in whatever way. */
    void answered() {
        if (isDoubted) {
            settle();
        }
    }

    /** A connection did not come about: it is avoided for half a second, doubled with each in a row up to 16 s, less jitter. */
    synchronized void notConnected(UpstreamFailure failure) {
        int doublings = Math.min(failedDials++, PENALTY_DOUBLINGS_MAX);
        avoidedUntilNanos = nanoTime.getAsLong() + jittered(PENALTY_FIRST.toNanos() << doublings);
        isAvoided = true;
        lost(failure);
    }

    /** A request or a connection was lost. */
    synchronized void lost(UpstreamFailure failure) {
        isDoubted = true;
        if (++losses >= limits.breakerFailures()) {
            out(new Broken(failure));
        }
        if (state == State.OUT) {
            use = whileOut();
        }
    }

    synchronized void probePassed(Evidence evidence) {
        failedProbes = 0;
        losses = 0;
        passedProbes++;
        if (state != State.OUT || passedProbes >= limits.probePasses()) {
            connected();
            in(evidence);
        }
    }

    /** @param why what it is judged by if it failed often enough */
    synchronized void probeFailed(Verdict why) {
        passedProbes = 0;
        failedProbes++;
        if (state == State.OUT || failedProbes >= limits.probeFailures()) {
            out(why);
        }
    }

    /** A time less a random part of it. */
    synchronized long jittered(long nanos) {
        return nanos - random.nextLong(nanos / JITTER_PARTS + 1);
    }

    private synchronized void settle() {
        losses = 0;
        if (state == State.UNPROVEN || (state == State.OUT && !isProbed)) {
            in(Evidence.CONNECTION);
        }
        isDoubted = state == State.OUT;
    }

    private void in(Evidence evidence) {
        state = State.IN;
        use = Use.ANY;
        isDoubted = false;
        judge(new Ready(evidence));
    }

    private void out(Verdict why) {
        if (state != State.OUT) {
            state = State.OUT;
            passedProbes = 0;
        }
        use = whileOut();
        isDoubted = true;
        judge(why);
    }

    private Use whileOut() {
        if (!isProbed) {
            return Use.ANY;
        }
        return failedDials == 0 && failedProbes == 0 ? Use.LAST : Use.NONE;
    }

    private void judge(Verdict newer) {
        if (!newer.equals(verdict)) {
            verdict = newer;
            changed.run();
        }
    }
}
