package io.fairlead.gateway.guard;

import io.fairlead.model.ResourceVersion;
import io.netty.buffer.ByteBuf;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Events that are objects with named members, in JSON or CBOR. */
final class ObjectEventReader implements EventReader {
    private final EventMembers members = new EventMembers();
    private final ValueScanner scanner;
    private final VersionWriter writer;

    /** Writes a resourceVersion in place of another. */
    interface VersionWriter {
        /**
         * Writes it.
         *
         * @param first the first byte of what it replaces
         */
        void write(ResourceVersion version, byte first, ByteBuf into);
    }

    ObjectEventReader(Function<ValueSink, ValueScanner> scanner, VersionWriter writer) {
        this.scanner = scanner.apply(members);
        this.writer = writer;
    }

    @Override
    public int read(byte[] bytes, int from, int to) {
        return scanner.read(bytes, from, to);
    }

    @Override
    public @Nullable ReadEvent take() {
        return members.take();
    }

    @Override
    public long position() {
        return scanner.position();
    }

    @Override
    public long begun() {
        return scanner.begun();
    }

    @Override
    public boolean isBroken() {
        return scanner.isBroken();
    }

    @Override
    public ByteBuf withVersion(ByteBuf event, ReadEvent read, ResourceVersion version) {
        ByteBuf rewritten =
                event.alloc().buffer(event.readableBytes() + version.digits().length());
        long copied = read.from();
        for (ReadVersion each : read.below(version)) {
            copy(event, read, copied, each.from(), rewritten);
            writer.write(version, event.getByte(index(event, read, each.from())), rewritten);
            copied = each.to();
        }
        copy(event, read, copied, read.to(), rewritten);
        return rewritten;
    }

    private static void copy(ByteBuf event, ReadEvent read, long from, long to, ByteBuf into) {
        into.writeBytes(event, index(event, read, from), Math.toIntExact(to - from));
    }

    private static int index(ByteBuf event, ReadEvent read, long position) {
        return event.readerIndex() + Math.toIntExact(position - read.from());
    }
}
