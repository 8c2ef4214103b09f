package io.fairlead.gateway.guard;

import static java.nio.charset.StandardCharsets.US_ASCII;

import io.fairlead.model.ResourceVersion;
import io.netty.buffer.ByteBuf;
import org.jspecify.annotations.Nullable;

/** Events in JSON: objects, one behind the other, with white space between them. */
final class JsonEventReader implements EventReader {

    private final EventMembers members = new EventMembers();
    private final JsonScanner scanner = new JsonScanner(members);

    @Override
    public int read(byte[] bytes, int from, int to) {
        return scanner.read(bytes, from, to);
    }

    @Override
    public @Nullable ReadEvent take() {
        return members.take();
    }

    @Override
    public long begun() {
        return scanner.isBetween() ? -1 : members.from();
    }

    @Override
    public boolean isBroken() {
        return scanner.isBroken();
    }

    @Override
    public ByteBuf withVersion(ByteBuf event, ReadEvent read, ResourceVersion version) {
        byte[] digits = version.digits().getBytes(US_ASCII);
        ByteBuf rewritten = event.alloc().buffer(event.readableBytes() + digits.length);
        long copied = read.from();
        for (ReadVersion each : read.below(version)) {
            copy(event, read, copied, each.from(), rewritten);
            rewritten.writeBytes(digits);
            copied = each.to();
        }
        copy(event, read, copied, read.to(), rewritten);
        return rewritten;
    }

    private static void copy(ByteBuf event, ReadEvent read, long from, long to, ByteBuf into) {
        into.writeBytes(event, event.readerIndex() + Math.toIntExact(from - read.from()), Math.toIntExact(to - from));
    }
}
