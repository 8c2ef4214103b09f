package io.fairlead.clustersync;

import io.fairlead.clustersync.source.Finding;
import io.fairlead.net.Upstream;
import io.fairlead.net.UpstreamSpec;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import java.util.function.Predicate;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Checks again and again which cluster the endpoints of one registration lead to: at the start, when they change, when a
 * new connection leads to them, and at intervals. At most one check is under way; what is noticed meanwhile is checked
 * after it.
 *
 * <p>Thread-safe; never blocks.
 */
final class IdentityCheck {
    private final Upstream upstream;
    private final Supplier<UpstreamSpec> spec;
    private final Supplier<@Nullable String> bearerToken;
    private final Duration timeout;
    private final AtomicLong readings;
    private final Predicate<String> isAnother;
    private final Consumer<ObservedIdentity> found;

    private ObservedIdentity known = ObservedIdentity.NOT_READ;

    /** Stands for the check that is under way; null if none is. */
    private @Nullable Object asking;

    private boolean isDue;

    /**
     * @param timeout after which there is no answer
     * @param readings counts those of all clusters
     * @param isAnother whether a uid is that of another cluster than before
     * @param found receives each result, on an event loop; must not block
     */
    IdentityCheck(
            Upstream upstream,
            Supplier<UpstreamSpec> spec,
            Supplier<@Nullable String> bearerToken,
            Duration timeout,
            AtomicLong readings,
            Predicate<String> isAnother,
            Consumer<ObservedIdentity> found) {
        this.upstream = upstream;
        this.spec = spec;
        this.bearerToken = bearerToken;
        this.timeout = timeout;
        this.readings = readings;
        this.isAnother = isAnother;
        this.found = found;
    }

    /** Checks now, or after the check that is under way. */
    void check() {
        Object question = new Object();
        synchronized (this) {
            if (asking != null) {
                isDue = true;
                return;
            }
            asking = question;
        }
        ask(question);
    }

    /** Checks a cluster that the last check did not identify. */
    void checkUnidentified() {
        boolean isIdentified;
        synchronized (this) {
            isIdentified =
                    known.fingerprint().isPresent() && known.verified().reason().equals("Verified");
        }
        if (!isIdentified) {
            check();
        }
    }

    /** A new connection leads to the cluster: that of a check itself is no news. */
    synchronized boolean isNews() {
        return asking == null;
    }

    /** Other endpoints: an answer to a question that the old ones were asked does not count. */
    void restart() {
        Object question = new Object();
        ObservedIdentity now;
        synchronized (this) {
            known = known.again();
            now = known;
            asking = question;
            isDue = false;
        }
        found.accept(now);
        ask(question);
    }

    private void ask(Object question) {
        long order = readings.incrementAndGet();
        IdentityProbe.ask(
                        upstream,
                        spec.get(),
                        bearerToken.get(),
                        timeout,
                        early -> answeredWithoutKeys(question, order, early))
                .thenAccept(reading -> answered(question, order, reading));
    }

    /** Another cluster than before is news before its keys are known, which its server may be long in showing. */
    private void answeredWithoutKeys(Object question, long order, IdentityProbe.Reading reading) {
        ObservedIdentity now;
        synchronized (this) {
            String uid = reading.fingerprint().map(ClusterFingerprint::uid).orElse("");
            if (!question.equals(asking) || uid.isEmpty() || !isAnother.test(uid)) {
                return;
            }
            known = next(order, reading);
            now = known;
        }
        found.accept(now);
    }

    private void answered(Object question, long order, IdentityProbe.Reading reading) {
        boolean isAskedAgain;
        ObservedIdentity now;
        synchronized (this) {
            if (!question.equals(asking)) {
                return;
            }
            asking = null;
            isAskedAgain = isDue;
            isDue = false;
            known = next(order, reading);
            now = known;
        }
        found.accept(now);
        if (isAskedAgain) {
            check();
        }
    }

    private ObservedIdentity next(long order, IdentityProbe.Reading reading) {
        boolean isSelf = reading.verified().reason().equals(ObservedIdentity.SELF);
        Optional<ClusterFingerprint> last = isSelf ? Optional.empty() : known.fingerprint();
        Finding verified = reading.verified();
        boolean isPending = known.isPending() && !reading.isAnswer();
        return new ObservedIdentity(
                reading.fingerprint().or(() -> last),
                reading.fingerprint().isPresent() ? order : known.order(),
                isPending ? Finding.unknown(ObservedIdentity.PENDING, verified.message()) : verified);
    }
}
