package io.fairlead.gateway.listen;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.embedded.EmbeddedChannel;
import io.netty.handler.codec.http.HttpContent;
import io.netty.handler.codec.http.HttpObject;
import io.netty.handler.codec.http.HttpRequest;
import io.netty.handler.codec.http.HttpRequestDecoder;
import io.netty.handler.codec.http.LastHttpContent;
import io.netty.handler.codec.http2.Http2DataFrame;
import io.netty.handler.codec.http2.Http2Frame;
import io.netty.handler.codec.http2.Http2FrameCodecBuilder;
import io.netty.handler.codec.http2.Http2Headers;
import io.netty.handler.codec.http2.Http2HeadersFrame;
import io.netty.util.ReferenceCountUtil;
import java.io.ByteArrayOutputStream;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** The requests of one connection that Netty's codecs read completely, a line each. */
final class NettyReader {
    private NettyReader() {}

    static List<String> http1(byte[] bytes) {
        EmbeddedChannel channel = new EmbeddedChannel(new HttpRequestDecoder());
        channel.writeInbound(Unpooled.copiedBuffer(bytes));
        List<String> read = new ArrayList<>();
        HttpRequest request = null;
        ByteArrayOutputStream body = new ByteArrayOutputStream();
        for (HttpObject part = channel.readInbound(); part != null; part = channel.readInbound()) {
            if (part.decoderResult().isFailure()) {
                ReferenceCountUtil.release(part);
                break;
            }
            if (part instanceof HttpRequest head) {
                request = head;
                body.reset();
            }
            if (part instanceof HttpContent content) {
                body.writeBytes(bytes(content.content()));
            }
            if (part instanceof LastHttpContent && request != null) {
                Reading reading = new Reading();
                request.headers().forEach(field -> reading.field(field.getKey(), field.getValue()));
                read.add(reading.request(request.method().name(), request.uri(), body.toByteArray()));
            }
            ReferenceCountUtil.release(part);
        }
        channel.finishAndReleaseAll();
        return read;
    }

    static List<String> http2(byte[] bytes) {
        EmbeddedChannel channel =
                new EmbeddedChannel(Http2FrameCodecBuilder.forServer().build(), new Deaf());
        channel.writeInbound(Unpooled.copiedBuffer(bytes));
        List<String> read = new ArrayList<>();
        Map<Integer, Http2Request> open = new HashMap<>();
        for (Object frame = channel.readInbound(); frame != null; frame = channel.readInbound()) {
            if (frame instanceof Http2Frame known) {
                read(known, open, read);
            }
            ReferenceCountUtil.release(frame);
        }
        channel.finishAndReleaseAll();
        return read;
    }

    private static void read(Http2Frame frame, Map<Integer, Http2Request> open, List<String> read) {
        Http2Request request = null;
        boolean last = false;
        if (frame instanceof Http2HeadersFrame head) {
            request = open.computeIfAbsent(head.stream().id(), _ -> new Http2Request(head.headers()));
            last = head.isEndStream();
        } else if (frame instanceof Http2DataFrame data) {
            request = open.get(data.stream().id());
            last = data.isEndStream();
            if (request != null) {
                request.body.writeBytes(bytes(data.content()));
            }
        }
        if (request != null && last) {
            read.add(request.line());
        }
    }

    private static byte[] bytes(ByteBuf buffer) {
        return buffer.toString(ISO_8859_1).getBytes(ISO_8859_1);
    }

    /** Does not hear of errors: what was read before them stands. */
    private static final class Deaf extends ChannelInboundHandlerAdapter {
        @Override
        public void exceptionCaught(ChannelHandlerContext ctx, Throwable cause) {}
    }

    /** A request whose end has not come. */
    private record Http2Request(Http2Headers headers, ByteArrayOutputStream body) {
        Http2Request(Http2Headers headers) {
            this(headers, new ByteArrayOutputStream());
        }

        String line() {
            Reading reading = new Reading();
            boolean hasAuthority = headers.authority() != null;
            headers.forEach(field -> {
                String name = field.getKey().toString();
                if (name.equals(":authority") || (name.equals("host") && !hasAuthority)) {
                    reading.field("host", field.getValue());
                } else if (!name.startsWith(":") && !name.equals("host")) {
                    reading.field(name, field.getValue());
                }
            });
            return reading.request(
                    String.valueOf(headers.method()), String.valueOf(headers.path()), body.toByteArray());
        }
    }
}
