package io.fairlead.net;

import io.fairlead.http.FieldName;
import io.fairlead.http.FieldNames;
import io.fairlead.http.Fields;
import io.fairlead.http.HttpStatus;
import io.fairlead.http.MutableFields;

/**
 * What of an answer's head reaches the receiver: interim answers and hop-by-hop headers are dropped. One per request; the
 * same for HTTP/1.1 and HTTP/2.
 */
final class Answer {
    static final int HEAD_BYTES_MAX = 64 * 1024;
    static final int FIELDS_MAX = 1000;

    /** The most interim answers to skip (RFC 9110 section 15.2 sets no bound). */
    private static final int INTERIM_MAX = 8;

    /** Hop-by-hop fields (RFC 9110 section 7.6.1), and the pseudo-header field of answers. */
    static final FieldNames HOP_BY_HOP = FieldNames.of(
            "connection", "keep-alive", "proxy-connection", "te", "trailer", "transfer-encoding", "upgrade", ":status");

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
        if (status == HttpStatus.SWITCHING_PROTOCOLS) {
            return broken("switched protocols without being asked");
        }
        if (HttpStatus.isInterim(status)) {
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

    /** Removes hop-by-hop fields, all that {@code Connection} names, and pseudo-header fields. */
    static void removeHopByHop(MutableFields fields) {
        removeNominated(fields);
        fields.removeAll(HOP_BY_HOP);
    }

    /** Removes what {@code Connection} names. */
    static void removeNominated(MutableFields fields) {
        if (!fields.contains(FieldName.CONNECTION)) {
            return;
        }
        for (String nominated : fields.all(FieldName.CONNECTION)) {
            for (String name : nominated.split(",", -1)) {
                fields.remove(FieldName.of(name.strip()));
            }
        }
    }

    private boolean broken(String why) {
        problem = why;
        return false;
    }
}
