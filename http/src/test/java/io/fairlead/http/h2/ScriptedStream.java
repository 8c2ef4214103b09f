package io.fairlead.http.h2;

import io.fairlead.http.Fields;
import io.fairlead.http.hpack.HpackDecoder;
import io.netty.buffer.ByteBuf;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A stream that writes down what it hears, and consumes nothing until it is told to. */
final class ScriptedStream extends StreamEnd {
    private final List<String> events;
    private final int number;

    int dataBytes;
    String head = "";
    String reset = "";
    String broken = "";

    /** Thrown where it hears of the loss of its connection. */
    @Nullable
    RuntimeException failure;

    ScriptedStream(List<String> events, int number) {
        this.events = events;
        this.number = number;
    }

    private void heard(String what) {
        events.add("< " + what + " " + number);
    }

    @Override
    protected void onHead(Fields fields, boolean last) {
        heard(last ? "request" : "head");
        head = fields.toString();
    }

    @Override
    protected void onHeadTooLarge(HpackDecoder.Excess excess) {
        heard("too many " + excess);
    }

    @Override
    protected void onData(ByteBuf data) {
        heard("data " + data.readableBytes());
        dataBytes += data.readableBytes();
        data.release();
    }

    @Override
    protected void onEnd() {
        heard("body");
    }

    @Override
    protected void onSent() {
        heard("sent");
    }

    @Override
    protected void onWritable() {
        heard("writable");
    }

    @Override
    protected void onReset(int code) {
        heard("reset");
        reset = ErrorCode.text(code);
    }

    @Override
    protected void onBroken(String why) {
        heard("broken");
        broken = why;
    }

    @Override
    protected void onLost() {
        heard("lost");
        if (failure != null) {
            throw failure;
        }
    }
}
