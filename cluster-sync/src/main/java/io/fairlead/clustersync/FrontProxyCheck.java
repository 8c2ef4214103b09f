package io.fairlead.clustersync;

import io.fairlead.clustersync.source.Finding;
import io.fairlead.net.Upstream;
import io.fairlead.net.UpstreamSpec;
import java.time.Duration;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Checks again and again whether the API servers of one registration take Fairlead for a front proxy, where its callers are presented
 * so: before the first of them, with each other configuration, when a new connection leads to them, and at intervals. At most one check
 * is under way. Without an answer the last one stands.
 *
 * <p>Thread-safe; never blocks.
 */
final class FrontProxyCheck {
    /** Where callers are presented in another way. */
    static final Finding NOT_NEEDED = Finding.yes("NotNeeded", "callers are not presented by a front proxy");

    private static final Finding PENDING = Finding.unknown(
            "Pending", "the API servers were not asked yet whether they take Fairlead for a front proxy");

    private final Upstream upstream;
    private final Supplier<UpstreamSpec> spec;
    private final Duration timeout;
    private final Consumer<Finding> found;

    private Finding known;

    /** Stands for the check that is under way; null if none is. */
    private @Nullable Object asking;

    /**
     * @param spec the current one of the upstream
     * @param timeout after which there is no answer
     * @param found receives each result, on any thread; must not block
     */
    FrontProxyCheck(Upstream upstream, Supplier<UpstreamSpec> spec, Duration timeout, Consumer<Finding> found) {
        this.upstream = upstream;
        this.spec = spec;
        this.timeout = timeout;
        this.found = found;
        this.known = initial(spec.get());
        found.accept(known);
    }

    /** Checks now, unless a check is under way. */
    void check() {
        Object question = new Object();
        synchronized (this) {
            if (asking != null || spec.get().ownUser() == null) {
                return;
            }
            asking = question;
        }
        ask(question);
    }

    /** Checks servers that are not known to take Fairlead for a front proxy. */
    void checkUnproven() {
        boolean isProven;
        synchronized (this) {
            isProven = known.status() == Finding.Status.TRUE;
        }
        if (!isProven) {
            check();
        }
    }

    /** A new connection leads to the servers: that of a check itself is no news. */
    synchronized boolean isNews() {
        return asking == null;
    }

    /** Another configuration: an answer to a question before it does not count. */
    void restart() {
        Finding now;
        synchronized (this) {
            known = initial(spec.get());
            now = known;
            asking = null;
        }
        found.accept(now);
        check();
    }

    private static Finding initial(UpstreamSpec spec) {
        return spec.ownUser() == null ? NOT_NEEDED : PENDING;
    }

    private void ask(Object question) {
        UpstreamSpec tried = spec.get();
        FrontProxyTrial.ask(upstream, tried, timeout).thenAccept(answer -> answered(question, tried, answer));
    }

    private void answered(Object question, UpstreamSpec tried, Finding answer) {
        boolean isAnswer = answer.status() != Finding.Status.UNKNOWN;
        Finding now;
        synchronized (this) {
            if (!question.equals(asking)) {
                return;
            }
            asking = null;
            if (isAnswer) {
                upstream.triedAsFrontProxy(tried, answer.status() == Finding.Status.TRUE);
            }
            known = isAnswer || known.status() == Finding.Status.UNKNOWN ? answer : known;
            now = known;
        }
        found.accept(now);
    }
}
