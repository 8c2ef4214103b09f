package io.fairlead.http;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import io.netty.buffer.Unpooled;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Random;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.Test;

final class PiecesTest {
    private static final int SEED = 5;

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

    /** Frames of one byte each are a peer's choice; a buffer object for each takes more than forty times that. */
    @Test
    void smallPiecesThatWait_takeFewBuffers() {
        int count = 100_000;
        ByteBuf read = Unpooled.buffer(count);
        for (int i = 0; i < count; i++) {
            read.writeByte(i % 128);
        }
        for (int i = 0; i < count; i++) {
            pieces.add(read.readRetainedSlice(1));
        }

        int buffers = 0;
        int bytes = 0;
        for (ByteBuf piece = pieces.poll(); piece != null; piece = pieces.poll()) {
            buffers++;
            while (piece.isReadable()) {
                assertThat(piece.readByte()).isEqualTo((byte) (bytes++ % 128));
            }
            piece.release();
        }
        assertThat(bytes).isEqualTo(count);
        assertThat(buffers).isLessThan(30);
        assertThat(read.refCnt()).isEqualTo(1);
        read.release();
    }

    @Test
    void smallPartsOfLargeBuffers_doNotKeepThem() {
        List<ByteBuf> reads = new ArrayList<>();
        for (int i = 0; i < 10; i++) {
            ByteBuf read = Unpooled.buffer(64 * 1024).writeZero(64 * 1024);
            reads.add(read);
            pieces.add(read.readRetainedSlice(4 * 1024));
            read.release();
        }

        assertThat(reads.getFirst().refCnt()).isEqualTo(1);
        assertThat(reads.subList(1, 10)).allMatch(read -> read.refCnt() == 0);
        assertThat(bytesOf(pieces)).isEqualTo(40 * 1024);
    }

    @Test
    void largePieces_areNotCopied_andKeepTheirPlaceAmongSmallOnes() {
        ByteBuf large = Unpooled.buffer(16 * 1024).writeZero(16 * 1024);
        add(1, 2);
        pieces.add(large);
        add(3, 4);

        assertThat(next()).isEqualTo(1);
        assertThat(next()).isEqualTo(2);
        assertThat(pieces.poll()).isSameAs(large);
        large.release();
        assertThat(next()).isEqualTo(3);
        assertThat(next()).isEqualTo(4);
        assertThat(pieces.isEmpty()).isTrue();
    }

    /** A reader may have taken a part of it, and holds a slice. */
    @Test
    void pieceThatIsBeingRead_mayStillGrow() {
        add(1, 2, 3);
        assertThat(next()).isEqualTo(1);
        ByteBuf reading = pieces.peek();
        assertThat(reading).isNotNull();
        ByteBuf slice = reading.readRetainedSlice(1);
        add(4);

        assertThat(slice.readByte()).isEqualTo((byte) 2);
        slice.release();
        assertThat(bytesOf(pieces)).isEqualTo(2);
    }

    @Test
    void peek_leavesThePiece() {
        add(1, 2);

        assertThat(pieces.peek()).isSameAs(pieces.peek()).isSameAs(pieces.poll());
        assertThat(pieces.isEmpty()).isFalse();
        pieces.drop();
    }

    /** A buffer of copies is the last piece and may be the first too, when that is copied once more. */
    @Test
    void copies_thatWereReplacedByOtherCopies_takeNoMore() {
        ByteBuf large = Unpooled.buffer(1024).writeZero(1024);
        pieces.add(large);
        add(1, 2);
        assertThat(pieces.poll()).isSameAs(large);
        ByteBuf replaced = pieces.peek();
        pieces.settle();
        add(3);

        assertThat(replaced).isNotNull().matches(buffer -> buffer.refCnt() == 0, "released");
        assertThat(bytesOf(pieces)).isEqualTo(3);
        large.release();
    }

    /** Against a buffer that has them all. */
    @Test
    void bytes_areThoseThatWereAdded_whateverIsDoneMeanwhile() {
        RandomGenerator random = new Random(SEED);
        ByteBuf expected = Unpooled.buffer();
        for (int i = 0; i < 20_000; i++) {
            switch (random.nextInt(5)) {
                case 0 -> pieces.settle();
                case 1, 2 -> {
                    ByteBuf piece = pieces.poll();
                    if (piece != null) {
                        assertThat(piece).isEqualTo(expected.readSlice(piece.readableBytes()));
                        piece.release();
                    }
                }
                default -> {
                    byte[] bytes = new byte[1 + random.nextInt(random.nextBoolean() ? 20 : 3000)];
                    random.nextBytes(bytes);
                    expected.discardSomeReadBytes().writeBytes(bytes);
                    int before = random.nextInt(8) * 1024;
                    ByteBuf read =
                            ByteBufAllocator.DEFAULT.buffer().writeZero(before).writeBytes(bytes);
                    pieces.add(read.skipBytes(before).readRetainedSlice(bytes.length));
                    read.release();
                }
            }
        }
        assertThat(bytesOf(pieces)).isEqualTo(expected.readableBytes());
    }

    @Test
    void drop_releasesAll() {
        List<ByteBuf> dropped = new ArrayList<>();
        for (int i = 0; i < 3; i++) {
            ByteBuf piece = Unpooled.buffer(1024).writeZero(1024);
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

    /** The next byte, in whatever piece it is. */
    private int next() {
        ByteBuf piece = pieces.peek();
        if (piece == null) {
            return -1;
        }
        int read = piece.readByte();
        if (!piece.isReadable()) {
            pieces.poll();
            piece.release();
        }
        return read;
    }

    private static int bytesOf(Pieces pieces) {
        int bytes = 0;
        for (ByteBuf piece = pieces.poll(); piece != null; piece = pieces.poll()) {
            bytes += piece.readableBytes();
            piece.release();
        }
        return bytes;
    }

    @Test
    void firstPieceThatWaitsForLong_keepsNoLargeBuffer() {
        ByteBuf record = Unpooled.buffer(16 * 1024).writeZero(16 * 1024);
        pieces.add(record.readRetainedSlice(1));
        record.release();
        assertThat(record.refCnt()).isEqualTo(1);

        pieces.settle();
        assertThat(record.refCnt()).isZero();
        ByteBuf kept = Objects.requireNonNull(pieces.poll());
        assertThat(kept.readableBytes()).isEqualTo(1);
        kept.release();
    }
}
