package io.fairlead.gateway.authn.jwt;

import io.fairlead.credentials.jwt.SignedToken;
import io.fairlead.credentials.jwt.TokenKeys;
import io.fairlead.model.Repetitions;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.spi.LoggingEventBuilder;

/**
 * The keys of one issuer as they were last read. They are read again while they are in use, so that one that the issuer has
 * withdrawn is not accepted for long; and at once for a token of a key that is not among them, so that a new key is accepted as
 * soon as the issuer signs with it, but not more often than {@link #PAUSE} allows: any client can name a key that there is not.
 *
 * <p>Any thread; {@link #verify} can block, for as long as one reading may take.
 */
final class IssuerKeys {
    /** How old they may become before they are read again; twice as old they are not used before that, if they can be read. */
    static final Duration AGE_MAX = Duration.ofMinutes(5);

    /** Between two readings for tokens of unknown keys, and after a reading that failed. */
    static final Duration PAUSE = Duration.ofSeconds(10);

    /** Longer than a reading takes. */
    private static final Duration WAIT_MAX = Duration.ofSeconds(15);

    /** Requests that wait for one reading; more are refused. */
    private static final int WAITING_MAX = 1000;

    private static final Logger LOG = LoggerFactory.getLogger(IssuerKeys.class);

    private final String issuer;
    private final KeySource source;
    private final Executor threads;
    private final LongSupplier nanoTime;
    private final AtomicInteger waiting = new AtomicInteger();
    private final Repetitions failures = new Repetitions();

    private volatile Read read;

    /** Whether the last reading failed: while an issuer is away or hangs, its users must not wait for it again and again. */
    private volatile boolean isUnreadable;

    private @Nullable CompletableFuture<Void> underWay;
    private long mayReadFromNanos;

    /**
     * What was read.
     *
     * @param number of the reading; 0 before the first
     */
    private record Read(TokenKeys keys, long atNanos, int number) {}

    /**
     * None so far.
     *
     * @param threads where they are read
     * @param nanoTime the clock
     */
    IssuerKeys(String issuer, KeySource source, Executor threads, LongSupplier nanoTime) {
        this.issuer = issuer;
        this.source = source;
        this.threads = threads;
        this.nanoTime = nanoTime;
        this.mayReadFromNanos = nanoTime.getAsLong();
        this.read = new Read(TokenKeys.NONE, mayReadFromNanos, 0);
    }

    /** Begins to read them, if none are known yet. Does not block. */
    void prepare() {
        if (!areKnown()) {
            begun();
        }
    }

    /** Whether the issuer has signed a token. */
    boolean verify(SignedToken token) throws InterruptedException {
        Read seen = read;
        boolean isVerified = seen.keys().verify(token);
        long age = nanoTime.getAsLong() - seen.atNanos();
        if (isVerified && age <= AGE_MAX.toNanos()) {
            return true;
        }
        if (isVerified && (age <= 2 * AGE_MAX.toNanos() || isUnreadable)) {
            begun();
            return true;
        }
        // They were not in use for long, or the key is not known: what is published now decides, if that can be read.
        Read newer = newerThan(seen);
        return newer.number() == seen.number() ? isVerified : newer.keys().verify(token);
    }

    /** Whether any were read. */
    boolean areKnown() {
        return read.number() > 0;
    }

    private Read newerThan(Read seen) throws InterruptedException {
        if (read.number() != seen.number()) {
            return read;
        }
        if (waiting.incrementAndGet() > WAITING_MAX) {
            waiting.decrementAndGet();
            return seen;
        }
        try {
            CompletableFuture<Void> reading = begun();
            if (reading != null) {
                reading.get(WAIT_MAX.toMillis(), TimeUnit.MILLISECONDS);
            }
        } catch (ExecutionException never) {
            throw new IllegalStateException("a reading of keys completes exceptionally", never);
        } catch (TimeoutException late) {
            // What is known stays.
        } finally {
            waiting.decrementAndGet();
        }
        return read;
    }

    /** The reading under way, or one that begins now; null if it is too soon for another one. */
    private synchronized @Nullable CompletableFuture<Void> begun() {
        if (underWay != null) {
            return underWay;
        }
        long now = nanoTime.getAsLong();
        if (now - mayReadFromNanos < 0) {
            return null;
        }
        CompletableFuture<Void> reading = new CompletableFuture<>();
        underWay = reading;
        try {
            threads.execute(() -> readInto(reading));
            return reading;
        } catch (RejectedExecutionException ending) {
            underWay = null;
            return null;
        }
    }

    private void readInto(CompletableFuture<Void> reading) {
        boolean isFirst = !areKnown();
        boolean isRead = false;
        try {
            TokenKeys keys = source.read();
            read = new Read(keys, nanoTime.getAsLong(), read.number() + 1);
            isRead = true;
        } catch (KeySource.UnreadableException unreadable) {
            tell(LOG.atWarn().addKeyValue("problem", unreadable.problem()));
        } catch (RuntimeException | Error broken) { // Requests that wait must go on, and the next reading be possible.
            tell(LOG.atError().setCause(broken));
        } catch (InterruptedException ending) {
            Thread.currentThread().interrupt();
        } finally {
            synchronized (this) {
                underWay = null;
                isUnreadable = !isRead;
                // The first reading is for no token: the next unknown key need not wait.
                mayReadFromNanos = nanoTime.getAsLong() + (isRead && isFirst ? 0 : PAUSE.toNanos());
            }
            reading.complete(null);
        }
    }

    private void tell(LoggingEventBuilder line) {
        failures.next(issuer)
                .ifPresent(leftOut -> line.addKeyValue("issuer", issuer)
                        .addKeyValue("leftOut", leftOut)
                        .log("The keys of an issuer of tokens cannot be read"));
    }
}
