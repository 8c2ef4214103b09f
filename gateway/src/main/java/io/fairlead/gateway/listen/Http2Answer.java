package io.fairlead.gateway.listen;

import io.fairlead.http.FieldRules;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelHandlerContext;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpHeaders;
import io.netty.handler.codec.http2.DefaultHttp2DataFrame;
import io.netty.handler.codec.http2.DefaultHttp2Headers;
import io.netty.handler.codec.http2.DefaultHttp2HeadersFrame;
import io.netty.handler.codec.http2.Http2Headers;
import java.util.Iterator;
import java.util.Locale;
import java.util.Map;

/** An answer that goes out as frames of an HTTP/2 stream, as long as it announced to be. */
final class Http2Answer {
    /** A frame counts as waiting until all of it is written: only small frames show that a slow client reads. */
    private static final int PIECE_BYTES_MAX = 32 * 1024;

    private final boolean bodiless;
    private final long announced;
    private long written;

    private Http2Answer(boolean bodiless, long announced) {
        this.bodiless = bodiless;
        this.announced = announced;
    }

    /** @param toHead whether it answers a HEAD, so that its length is not its own */
    static Http2Answer of(int status, HttpHeaders headers, boolean toHead) {
        String length = headers.get(HttpHeaderNames.CONTENT_LENGTH);
        boolean bodiless = toHead || status == 204 || status == 304;
        return new Http2Answer(bodiless, length == null || bodiless ? Received.LENGTH_UNKNOWN : Long.parseLong(length));
    }

    /** Whether no body belongs to it, whatever is handed in as one. */
    boolean isBodiless() {
        return bodiless;
    }

    /** Whether more was announced than was written. */
    boolean isShort() {
        return announced > written;
    }

    /** Whether what was written is as long as was announced. */
    boolean isAsAnnounced() {
        return announced == Received.LENGTH_UNKNOWN || written == announced;
    }

    static ChannelFuture writeHead(ChannelHandlerContext ctx, int status, HttpHeaders headers, boolean last) {
        return ctx.write(new DefaultHttp2HeadersFrame(lowerCase(status, headers), last));
    }

    /** Writes a piece of the body; takes ownership. */
    void write(ChannelHandlerContext ctx, ByteBuf data) {
        written += data.readableBytes();
        while (data.readableBytes() > PIECE_BYTES_MAX) {
            ctx.write(new DefaultHttp2DataFrame(data.readRetainedSlice(PIECE_BYTES_MAX), false));
        }
        ctx.write(new DefaultHttp2DataFrame(data, false));
    }

    static ChannelFuture writeEnd(ChannelHandlerContext ctx) {
        return ctx.write(new DefaultHttp2DataFrame(Unpooled.EMPTY_BUFFER, true));
    }

    private static Http2Headers lowerCase(int status, HttpHeaders headers) {
        Http2Headers fields = new DefaultHttp2Headers(false, headers.size() + 1);
        fields.status(Integer.toString(status));
        Iterator<Map.Entry<CharSequence, CharSequence>> all = headers.iteratorCharSequence();
        while (all.hasNext()) {
            Map.Entry<CharSequence, CharSequence> field = all.next();
            fields.add(field.getKey().toString().toLowerCase(Locale.ROOT), printable(field.getValue()));
        }
        return fields;
    }

    /** Replaces control bytes, which are invalid in a field (RFC 9113 section 8.2.1), by spaces. */
    private static CharSequence printable(CharSequence value) {
        for (int i = 0; i < value.length(); i++) {
            if (!FieldRules.isFieldValueCharacter(value.charAt(i))) {
                return value.toString().replaceAll("[\\x00-\\x08\\x0a-\\x1f\\x7f]", " ");
            }
        }
        return value;
    }
}
