package io.fairlead.gateway.guard;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import tools.jackson.databind.JsonNode;

/** Writes what the guard puts into streams of CBOR (RFC 8949): maps, lists, texts and whole numbers that are not negative. */
final class CborWriter {
    /** The bits of a head's first byte that say what follows. */
    static final int MAJOR = 0xe0;

    private static final int NUMBER = 0;
    private static final int TEXT = 0x60;
    private static final int ARRAY = 0x80;
    private static final int MAP = 0xa0;
    private static final int IN_ONE_BYTE = 24;
    private static final int IN_TWO_BYTES = 25;
    private static final int IN_FOUR_BYTES = 26;

    private CborWriter() {}

    static ByteBuf write(JsonNode value) {
        ByteBuf into = Unpooled.buffer();
        write(value, into);
        return into;
    }

    /** A string of a kind: a text, or bytes that are one. */
    static void string(String text, int major, ByteBuf into) {
        byte[] bytes = text.getBytes(UTF_8);
        head(major, bytes.length, into);
        into.writeBytes(bytes);
    }

    private static void write(JsonNode value, ByteBuf into) {
        switch (value.getNodeType()) {
            case OBJECT -> {
                head(MAP, value.size(), into);
                value.forEachEntry((name, member) -> {
                    string(name, TEXT, into);
                    write(member, into);
                });
            }
            case ARRAY -> {
                head(ARRAY, value.size(), into);
                value.values().forEach(element -> write(element, into));
            }
            case STRING -> string(value.stringValue(), TEXT, into);
            case NUMBER -> head(NUMBER, value.intValue(), into);
            case BINARY, BOOLEAN, MISSING, NULL, POJO ->
                throw new IllegalArgumentException("a status has no " + value.getNodeType());
        }
    }

    private static void head(int major, int argument, ByteBuf into) {
        if (argument < IN_ONE_BYTE) {
            into.writeByte(major | argument);
        } else if (argument <= 0xff) {
            into.writeByte(major | IN_ONE_BYTE).writeByte(argument);
        } else if (argument <= 0xffff) {
            into.writeByte(major | IN_TWO_BYTES).writeShort(argument);
        } else {
            into.writeByte(major | IN_FOUR_BYTES).writeInt(argument);
        }
    }
}
