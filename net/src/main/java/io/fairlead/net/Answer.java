package io.fairlead.net;

import io.netty.buffer.ByteBuf;
import io.netty.handler.codec.http.HttpContent;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpHeaders;
import io.netty.handler.codec.http.HttpObject;
import io.netty.handler.codec.http.HttpResponse;
import io.netty.handler.codec.http.HttpStatusClass;
import io.netty.handler.codec.http.LastHttpContent;
import io.netty.handler.codec.http2.HttpConversionUtil;
import io.netty.util.ReferenceCountUtil;
import java.util.List;

/**
 * Reads one answer out of decoded HTTP: drops interim answers, hop-by-hop headers and trailers, and passes the rest to
 * the receiver. One per request; the same for HTTP/1.1 and HTTP/2.
 */
final class Answer {
    /** The most interim answers to skip (RFC 9110 section 15.2 sets no bound). */
    private static final int INTERIM_MAX = 8;

    private static final List<CharSequence> HOP_BY_HOP = List.of(
            HttpHeaderNames.CONNECTION,
            "keep-alive",
            "proxy-connection",
            HttpHeaderNames.TE,
            HttpHeaderNames.TRAILER,
            HttpHeaderNames.TRANSFER_ENCODING,
            HttpHeaderNames.UPGRADE,
            HttpConversionUtil.ExtensionHeaderNames.STREAM_ID.text(),
            HttpConversionUtil.ExtensionHeaderNames.SCHEME.text(),
            HttpConversionUtil.ExtensionHeaderNames.PATH.text(),
            HttpConversionUtil.ExtensionHeaderNames.STREAM_PROMISE_ID.text(),
            HttpConversionUtil.ExtensionHeaderNames.STREAM_DEPENDENCY_ID.text(),
            HttpConversionUtil.ExtensionHeaderNames.STREAM_WEIGHT.text());

    /** Receives the filtered answer. */
    interface Sink {
        void answered(int status, HttpHeaders headers);

        /** A piece of the body, which the sink owns. */
        void received(ByteBuf data);
    }

    enum Progress {
        MORE,
        COMPLETE,
        BROKEN
    }

    private final Sink sink;
    private int interimSeen;
    private boolean inInterim;
    private boolean headSeen;
    private String problem = "";

    Answer(Sink sink) {
        this.sink = sink;
    }

    /** Takes the next piece and owns it. After {@link Progress#BROKEN}, {@link #problem()} says why. */
    Progress accept(HttpObject piece) {
        if (piece.decoderResult().isFailure()) {
            ReferenceCountUtil.release(piece);
            return broken("sent what is not valid HTTP");
        }
        if (piece instanceof HttpResponse response) {
            Progress progress = head(response);
            if (progress == Progress.BROKEN) {
                ReferenceCountUtil.release(piece);
                return progress;
            }
        }
        return piece instanceof HttpContent content ? content(content) : Progress.MORE;
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

    private Progress head(HttpResponse response) {
        if (headSeen) {
            return broken("sent a second answer");
        }
        if (response.status().code() == 101) {
            return broken("switched protocols without being asked");
        }
        if (response.status().codeClass() == HttpStatusClass.INFORMATIONAL) {
            inInterim = true;
            return ++interimSeen > INTERIM_MAX
                    ? broken("sent more than " + INTERIM_MAX + " interim answers")
                    : Progress.MORE;
        }
        headSeen = true;
        removeHopByHop(response.headers());
        sink.answered(response.status().code(), response.headers());
        return Progress.MORE;
    }

    private Progress content(HttpContent content) {
        boolean last = content instanceof LastHttpContent;
        if (inInterim) {
            inInterim = !last;
            content.release();
            return Progress.MORE;
        }
        if (content.content().isReadable()) {
            sink.received(content.content());
        } else {
            content.release();
        }
        return last ? Progress.COMPLETE : Progress.MORE;
    }

    private Progress broken(String why) {
        problem = why;
        return Progress.BROKEN;
    }
}
