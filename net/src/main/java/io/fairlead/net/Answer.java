package io.fairlead.net;

import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpHeaders;
import io.netty.handler.codec.http.HttpResponseStatus;
import io.netty.handler.codec.http.HttpStatusClass;
import java.util.List;

/**
 * What of an answer's head reaches the receiver: interim answers and hop-by-hop headers are dropped. One per request; the
 * same for HTTP/1.1 and HTTP/2.
 */
final class Answer {
    static final int HEAD_BYTES_MAX = 64 * 1024;
    static final int FIELDS_MAX = 1000;

    /** The most interim answers to skip (RFC 9110 section 15.2 sets no bound). */
    private static final int INTERIM_MAX = 8;

    private static final List<CharSequence> HOP_BY_HOP = List.of(
            HttpHeaderNames.CONNECTION,
            "keep-alive",
            "proxy-connection",
            HttpHeaderNames.TE,
            HttpHeaderNames.TRAILER,
            HttpHeaderNames.TRANSFER_ENCODING,
            HttpHeaderNames.UPGRADE);

    /** Receives what is left. */
    interface Sink {
        void answered(int status, HttpHeaders headers);
    }

    private final Sink sink;
    private int interimSeen;
    private String problem = "";

    Answer(Sink sink) {
        this.sink = sink;
    }

    /** Takes the next head, that of an interim answer too. Returns false if it is none; {@link #problem()} says why. */
    boolean head(int status, HttpHeaders headers) {
        if (status == HttpResponseStatus.SWITCHING_PROTOCOLS.code()) {
            return broken("switched protocols without being asked");
        }
        if (HttpStatusClass.INFORMATIONAL.contains(status)) {
            interimSeen++;
            return interimSeen <= INTERIM_MAX || broken("sent more than " + INTERIM_MAX + " interim answers");
        }
        removeHopByHop(headers);
        sink.answered(status, headers);
        return true;
    }

    String problem() {
        return problem;
    }

    /** Removes hop-by-hop headers (RFC 9110 section 7.6.1), and all that {@code Connection} names. */
    static void removeHopByHop(HttpHeaders headers) {
        for (String nominated : headers.getAll(HttpHeaderNames.CONNECTION)) {
            for (String name : nominated.split(",", -1)) {
                headers.remove(name.strip());
            }
        }
        for (CharSequence name : HOP_BY_HOP) {
            headers.remove(name);
        }
    }

    private boolean broken(String why) {
        problem = why;
        return false;
    }
}
