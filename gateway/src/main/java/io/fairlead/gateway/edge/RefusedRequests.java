package io.fairlead.gateway.edge;

import io.fairlead.gateway.answer.Outcome;
import io.fairlead.gateway.answer.Reply;
import io.fairlead.gateway.listen.Peer;
import io.fairlead.gateway.listen.Received;
import io.fairlead.gateway.select.Target;
import io.fairlead.model.Status;
import java.util.OptionalLong;
import java.util.Set;
import java.util.function.LongSupplier;
import java.util.function.UnaryOperator;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.spi.LoggingEventBuilder;

/**
 * Logs refused requests with their callers, whether the gateway or a cluster refused: a limited number per second, and
 * how many were omitted before the next one. Off by default, since callers decide how many there are.
 *
 * <p>Threads: any.
 */
final class RefusedRequests {
    private static final Logger LOG = LoggerFactory.getLogger(RefusedRequests.class);
    private static final Set<Integer> CODES = Set.of(401, 403, 412, 429);
    private static final long SECOND_NANOS = 1_000_000_000;

    /** The most characters of a value that a caller chooses. */
    private static final int TEXT_LENGTH_MAX = 256;

    private final int perSecondMax;
    private final LongSupplier nanoTime;

    private long secondBeganNanos;
    private int loggedInSecond;
    private long leftOut;

    /**
     * A log without entries.
     *
     * @param perSecondMax the most entries per second; 0 for none
     * @param nanoTime the clock
     */
    RefusedRequests(int perSecondMax, LongSupplier nanoTime) {
        this.perSecondMax = perSecondMax;
        this.nanoTime = nanoTime;
        this.secondBeganNanos = nanoTime.getAsLong();
    }

    /** One request, whose fields become known one after the other. */
    interface Request extends Outcome {
        /** Ignores all calls. */
        Request UNHEARD = new Request() {};

        /** Sets its target. */
        default void to(Target target) {}

        /** Its caller is unknown, for this reason. */
        default void unknown(String why) {}

        /** Its caller is known. */
        default void by(String user) {}
    }

    /** Observes how a request is answered. */
    Request of(Received received, Reply reply) {
        if (perSecondMax == 0) {
            return Request.UNHEARD;
        }
        Heard heard = new Heard(received, reply.auditId());
        reply.accompany(heard);
        return heard;
    }

    /** Input was refused before it was a request. */
    void refused(Peer peer, Status status) {
        if (perSecondMax > 0 && CODES.contains(status.code())) {
            log(line -> line.addKeyValue("code", status.code()).addKeyValue("address", peer.host()));
        }
    }

    private void log(UnaryOperator<LoggingEventBuilder> request) {
        OptionalLong before = next();
        if (before.isPresent()) {
            request.apply(LOG.atInfo())
                    .addKeyValue("leftOut", before.getAsLong())
                    .log("Refused a request");
        }
    }

    /** The number omitted before, if this one is logged. */
    private synchronized OptionalLong next() {
        long nowNanos = nanoTime.getAsLong();
        if (nowNanos - secondBeganNanos >= SECOND_NANOS) {
            secondBeganNanos = nowNanos;
            loggedInSecond = 0;
        }
        if (loggedInSecond == perSecondMax) {
            leftOut++;
            return OptionalLong.empty();
        }
        loggedInSecond++;
        long before = leftOut;
        leftOut = 0;
        return OptionalLong.of(before);
    }

    private final class Heard implements Request {
        private final Received received;
        private final String auditId;
        private volatile String cluster = "";
        private volatile String user = "";
        private volatile String whyUnknown = "";

        Heard(Received received, String auditId) {
            this.received = received;
            this.auditId = auditId;
        }

        @Override
        public void to(Target target) {
            cluster =
                    target instanceof Target.Cluster selected ? selected.name().value() : "";
        }

        @Override
        public void unknown(String why) {
            whyUnknown = why;
        }

        @Override
        public void by(String caller) {
            user = caller;
            whyUnknown = "";
        }

        @Override
        public void answered(int code) {
            if (CODES.contains(code)) {
                log(line -> coded(line, code)
                        .addKeyValue("method", received.method().name())
                        .addKeyValue("path", path())
                        .addKeyValue("cluster", cluster)
                        .addKeyValue("user", cut(user))
                        .addKeyValue("address", received.peer().host())
                        .addKeyValue("auditId", auditId));
            }
        }

        private LoggingEventBuilder coded(LoggingEventBuilder line, int code) {
            String why = whyUnknown;
            LoggingEventBuilder coded = line.addKeyValue("code", code);
            return why.isEmpty() ? coded : coded.addKeyValue("reason", why);
        }

        /** Without the query, which may contain a credential. */
        private String path() {
            String target = received.target();
            int query = target.indexOf('?');
            return cut(query < 0 ? target : target.substring(0, query));
        }

        private static String cut(String text) {
            return text.length() <= TEXT_LENGTH_MAX ? text : text.substring(0, TEXT_LENGTH_MAX) + "…";
        }
    }
}
