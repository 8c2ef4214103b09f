package io.fairlead.net;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ServerChannel;
import io.netty.handler.codec.http.DefaultHttpContent;
import io.netty.handler.codec.http.DefaultHttpResponse;
import io.netty.handler.codec.http.HttpObject;
import io.netty.handler.codec.http.HttpRequest;
import io.netty.handler.codec.http.HttpResponseStatus;
import io.netty.handler.codec.http.HttpVersion;
import io.netty.handler.codec.http2.Http2StreamChannel;
import java.util.HexFormat;
import java.util.Locale;

/**
 * A server that answers {@code /ok} and begins an answer to {@code /watch}; to {@code /fault} it sends what a text says,
 * past its codec, and then closes the connection in order ({@code <close>}), cuts it ({@code <cut>}) or leaves it.
 *
 * <p>Over HTTP/1.1 the text is the bytes, with {@code |} for CR LF. Over HTTP/2 it is frames with spaces between: type,
 * flags, stream ({@code S} for the request's) and a payload in hexadecimal or as fields with semicolons between.
 */
final class FaultScript implements FakeServer.Script {
    private final String sent;
    private final String end;

    FaultScript(String fault) {
        int endsAt = Math.max(fault.indexOf("<close>"), fault.indexOf("<cut>"));
        sent = endsAt < 0 ? fault : fault.substring(0, endsAt).strip();
        end = endsAt < 0 ? "" : fault.substring(endsAt);
    }

    @Override
    public void on(ChannelHandlerContext ctx, HttpObject piece) {
        if (!(piece instanceof HttpRequest request)) {
            return;
        }
        switch (request.uri()) {
            case "/ok" -> Rig.text(ctx, 200, "ok");
            case "/watch" -> {
                ctx.write(new DefaultHttpResponse(HttpVersion.HTTP_1_1, HttpResponseStatus.OK, Rig.chunked(ctx)));
                ctx.writeAndFlush(new DefaultHttpContent(Rig.utf8("begun")));
            }
            default -> fail(ctx.channel());
        }
    }

    private void fail(Channel channel) {
        boolean isStream = channel instanceof Http2StreamChannel;
        Channel connection = isStream && !(channel.parent() instanceof ServerChannel) ? channel.parent() : channel;
        ByteBuf bytes =
                isStream ? frames(((Http2StreamChannel) channel).stream().id()) : text();
        ChannelHandlerContext raw = FakeServer.raw(connection.pipeline().firstContext());
        raw.writeAndFlush(bytes).addListener(_ -> {
            switch (end) {
                case "<close>" -> raw.close();
                case "<cut>" -> connection.unsafe().closeForcibly();
                default -> {}
            }
        });
    }

    private ByteBuf text() {
        return Unpooled.copiedBuffer(
                sent.replace("|", "\r\n").replace("<LF>", "\n").replace("<NUL>", "\0"), ISO_8859_1);
    }

    private ByteBuf frames(int stream) {
        ByteBuf out = Unpooled.buffer();
        for (String frame : sent.isEmpty() ? new String[0] : sent.split(" ", -1)) {
            String[] parts = frame.split("\\.", 4);
            byte[] payload =
                    parts[3].contains("=") ? block(parts[3]) : HexFormat.of().parseHex(parts[3]);
            out.writeMedium(payload.length)
                    .writeByte(Integer.parseInt(parts[0]))
                    .writeByte(Integer.parseInt(parts[1], 16))
                    .writeInt(parts[2].equals("S") ? stream : Integer.parseInt(parts[2]))
                    .writeBytes(payload);
        }
        return out;
    }

    private static byte[] block(String fields) {
        ByteBuf out = Unpooled.buffer();
        for (String field : fields.split(";", -1)) {
            int equals = field.indexOf('=');
            out.writeByte(0);
            literal(out, field.substring(0, equals));
            literal(out, field.substring(equals + 1).replace("%00", "\0"));
        }
        byte[] bytes = new byte[out.readableBytes()];
        out.readBytes(bytes);
        return bytes;
    }

    private static void literal(ByteBuf out, String text) {
        byte[] bytes = text.getBytes(ISO_8859_1);
        out.writeByte(bytes.length).writeBytes(bytes);
    }

    /** What a caller gets of an answer: the status, the body as far as it came, and the failure if it is no whole one. */
    static String heard(Recorder answer) {
        Recorder.eventually(answer::isOver);
        String begun = answer.hasHead() ? answer.status() + " " + answer.soFar() : "";
        if (answer.isComplete()) {
            return begun.strip();
        }
        UpstreamFailure failure = answer.failure();
        String why = failure.kind() + (failure.requestReached() ? "" : " unreached");
        return (begun + (begun.isEmpty() ? "" : " then ") + why.toLowerCase(Locale.ROOT)).replace("  ", " ");
    }
}
