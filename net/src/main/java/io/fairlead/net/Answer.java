package io.fairlead.net;

import io.fairlead.http.FieldName;
import io.fairlead.http.Fields;
import io.fairlead.http.MutableFields;
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

    private static final List<FieldName> HOP_BY_HOP = List.of(
            FieldName.CONNECTION,
            FieldName.KEEP_ALIVE,
            FieldName.PROXY_CONNECTION,
            FieldName.TE,
            FieldName.TRAILER,
            FieldName.TRANSFER_ENCODING,
            FieldName.UPGRADE,
            FieldName.PSEUDO_STATUS);

    /** Receives what is left. */
    interface Sink {
        void answered(int status, MutableFields headers);
    }

    private final Sink sink;
    private int interimSeen;
    private String problem = "";

    Answer(Sink sink) {
        this.sink = sink;
    }

    /** Takes the next head, that of an interim answer too. Returns false if it is none; {@link #problem()} says why. */
    boolean head(int status, Fields fields) {
        if (status == HttpResponseStatus.SWITCHING_PROTOCOLS.code()) {
            return broken("switched protocols without being asked");
        }
        if (HttpStatusClass.INFORMATIONAL.contains(status)) {
            interimSeen++;
            return interimSeen <= INTERIM_MAX || broken("sent more than " + INTERIM_MAX + " interim answers");
        }
        MutableFields kept = fields.toMutable();
        removeHopByHop(kept);
        sink.answered(status, kept);
        return true;
    }

    String problem() {
        return problem;
    }

    /** Removes hop-by-hop fields (RFC 9110 section 7.6.1), all that {@code Connection} names, and pseudo-header fields. */
    static void removeHopByHop(MutableFields fields) {
        for (String nominated : fields.all(FieldName.CONNECTION)) {
            for (String name : nominated.split(",", -1)) {
                fields.remove(FieldName.of(name.strip()));
            }
        }
        for (FieldName name : HOP_BY_HOP) {
            fields.remove(name);
        }
    }

    private boolean broken(String why) {
        problem = why;
        return false;
    }
}
