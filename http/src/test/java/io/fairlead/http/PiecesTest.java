package io.fairlead.http;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

final class PiecesTest {
    private final Pieces pieces = new Pieces();

    @Test
    void empty_hasNone() {
        assertThat(pieces.isEmpty()).isTrue();
        assertThat(pieces.peek()).isNull();
        assertThat(pieces.poll()).isNull();
    }

    @Test
    void pieces_comeInTheirOrder_alsoAfterSomeWereTaken() {
        add(1, 2, 3);
        assertThat(next()).isEqualTo(1);
        add(4);
        assertThat(next()).isEqualTo(2);
        assertThat(next()).isEqualTo(3);
        add(5);
        assertThat(next()).isEqualTo(4);
        assertThat(next()).isEqualTo(5);
        assertThat(pieces.isEmpty()).isTrue();
        add(6);
        assertThat(next()).isEqualTo(6);
    }

    @Test
    void peek_leavesThePiece() {
        add(1, 2);

        assertThat(pieces.peek()).isSameAs(pieces.peek()).isSameAs(pieces.poll());
        assertThat(pieces.isEmpty()).isFalse();
    }

    @Test
    void drop_releasesAll() {
        List<ByteBuf> dropped = new ArrayList<>();
        for (int i = 0; i < 3; i++) {
            ByteBuf piece = Unpooled.buffer(1);
            dropped.add(piece);
            pieces.add(piece);
        }

        pieces.drop();

        assertThat(pieces.isEmpty()).isTrue();
        assertThat(dropped).allMatch(piece -> piece.refCnt() == 0);
    }

    private void add(int... bytes) {
        for (int b : bytes) {
            pieces.add(Unpooled.wrappedBuffer(new byte[] {(byte) b}));
        }
    }

    private int next() {
        ByteBuf piece = pieces.poll();
        return piece == null ? -1 : piece.getByte(0);
    }
}
