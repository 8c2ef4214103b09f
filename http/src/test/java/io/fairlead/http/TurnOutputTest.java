package io.fairlead.http;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;

import io.fairlead.http.h1.ChunkWriter;
import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.ChannelOutboundHandlerAdapter;
import io.netty.channel.ChannelPromise;
import io.netty.channel.embedded.EmbeddedChannel;
import io.netty.util.ReferenceCountUtil;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class TurnOutputTest {
    private final List<Boolean> successes = new ArrayList<>();
    private int flushes;

    private final EmbeddedChannel channel = new EmbeddedChannel(new ChannelInboundHandlerAdapter());
    private final List<EmbeddedChannel> channels = new ArrayList<>(List.of(channel));
    private final ChannelHandlerContext context = channel.pipeline().context(ChannelInboundHandlerAdapter.class);
    private final TurnOutput output =
            new TurnOutput(context, written -> successes.add(written.isSuccess()), () -> flushes++);

    @AfterEach
    void closeChannel() {
        channels.forEach(each -> {
            each.runPendingTasks();
            each.finishAndReleaseAll();
        });
    }

    @Test
    void smallPieces_areOneWriteAtTheTurnsEnd() {
        write(100, "head ");
        output.write(ascii("and "));
        output.write(ascii("body"));

        assertThat(written()).isEmpty();
        channel.runPendingTasks();
        assertThat(written()).containsExactly("head and body");
        assertThat(successes).containsExactly(true);
    }

    /** Another socket that is readable in the same turn need not be handled first. */
    @Test
    void endOfARead_flushesWhatItCaused_once() {
        write(100, "answer");
        TurnOutput.endOfRead();

        assertThat(written()).containsExactly("answer");
        channel.runPendingTasks();
        assertThat(written()).isEmpty();
        assertThat(flushes).isEqualTo(1);
    }

    /** A write that wakes its peer is dear, and of many at once only the first has to. */
    @Test
    void manyReadsOfOneTurn_flushTogether_inTheNextTurnToo() {
        Turns turns = new Turns();

        assertThat(turns.flushesByRead(6)).containsExactly(1, 2, 3, 4, 4, 4);
        assertThat(turns.end()).isEqualTo(5);
        assertThat(turns.flushesByRead(3)).containsExactly(0, 0, 0);
        assertThat(turns.end()).isEqualTo(1);
        assertThat(turns.flushesByRead(3)).containsExactly(1, 2, 3);
    }

    /** A read that caused nothing, as of half a request, is not counted. */
    @Test
    void readsWithoutOutput_areNotCounted() {
        for (int read = 1; read <= 10; read++) {
            TurnOutput.endOfRead();
        }

        assertThat(new Turns().flushesByRead(4)).containsExactly(1, 2, 3, 4);
    }

    /** A channel that counts flushes and passes nothing on: {@link EmbeddedChannel} would end the turn with each write. */
    private final class Turns extends ChannelOutboundHandlerAdapter {
        private final EmbeddedChannel counted = new EmbeddedChannel(this, new ChannelInboundHandlerAdapter());
        private final TurnOutput output =
                new TurnOutput(counted.pipeline().context(ChannelInboundHandlerAdapter.class), _ -> {});
        private int count;

        Turns() {
            channels.add(counted);
        }

        @Override
        public void write(ChannelHandlerContext ctx, Object data, ChannelPromise promise) {
            ReferenceCountUtil.release(data);
            promise.setSuccess();
        }

        @Override
        public void flush(ChannelHandlerContext ctx) {
            count++;
        }

        /** How many flushes of this turn there were after each of so many reads. */
        List<Integer> flushesByRead(int reads) {
            List<Integer> flushed = new ArrayList<>();
            for (int read = 1; read <= reads; read++) {
                output.room(100).writeByte('x');
                TurnOutput.endOfRead();
                flushed.add(count);
            }
            return flushed;
        }

        /** How many there were in the turn that ends. */
        int end() {
            counted.runPendingTasks();
            int flushes = count;
            count = 0;
            return flushes;
        }
    }

    @Test
    void manyOutputsOfOneRead_areAllFlushed() {
        for (int i = 0; i < 100; i++) {
            new TurnOutput(context, _ -> {}).room(1).writeByte('x');
        }
        TurnOutput.endOfRead();
        channel.runPendingTasks();

        assertThat(written()).hasSize(100);
    }

    @Test
    void pieceThatHasNoRoom_isAWriteOfItsOwn_inOrder() {
        write(4, "head");
        output.write(TrackedBuffers.of(new byte[5000]));
        write(8, "tail");
        channel.runPendingTasks();

        assertThat(written())
                .satisfiesExactly(
                        head -> assertThat(head).isEqualTo("head"),
                        large -> assertThat(large).hasSize(5000),
                        tail -> assertThat(tail).isEqualTo("tail"));
    }

    @Test
    void chunks_areFramed_andJoined() {
        ChunkWriter.chunk(output, ascii("abcdefghijklmnopqrstuvwxyz"));
        ChunkWriter.chunk(output, ascii(""));
        ChunkWriter.lastChunk(output);
        channel.runPendingTasks();

        assertThat(String.join("", written())).isEqualTo("1a\r\nabcdefghijklmnopqrstuvwxyz\r\n0\r\n\r\n");
    }

    @Test
    void whatWasDropped_isNotWritten() {
        write(10, "lost");
        output.drop();
        channel.runPendingTasks();

        assertThat(written()).isEmpty();
    }

    @Test
    void writeThatFails_isTold() {
        output.write(ascii("x"));
        channel.close();
        channel.runPendingTasks();
        output.room(1).writeByte('y');
        channel.runPendingTasks();

        assertThat(successes).contains(false);
    }

    private void write(int room, String text) {
        output.room(room).writeBytes(text.getBytes(US_ASCII));
    }

    private List<String> written() {
        List<String> texts = new ArrayList<>();
        for (ByteBuf out = channel.readOutbound(); out != null; out = channel.readOutbound()) {
            texts.add(out.toString(US_ASCII));
            out.release();
        }
        return texts;
    }

    private static ByteBuf ascii(String text) {
        return TrackedBuffers.of(text.getBytes(US_ASCII));
    }
}
