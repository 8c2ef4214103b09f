package io.fairlead.fleet.exclusive;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.fairlead.fleet.exclusive.KeyExpression.NotRenderedException;
import io.fairlead.schema.cel.value.ListValue;
import io.fairlead.schema.cel.value.Null;
import io.fairlead.schema.cel.value.Uint;
import io.fairlead.schema.cel.value.Values;
import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;

/*
 * A list that is written out, [a, b], is one key of two parts: it is how a rule names what is exclusive together. A list that is
 * made, as object.spec.rules.map(r, r.host), or read has one key for each element, since each of them is exclusive. An element
 * may be a list again, of the parts of one key.
 */
/** The keys in the value of an expression, as bytes: two are equal if and only if the keys are. */
final class KeyText {
    private static final int KEYS_MAX = 256;
    private static final int KEY_BYTES_MAX = 4096;

    private KeyText() {}

    /**
     * The keys of a value.
     *
     * @param isLiteral whether a list is one key of several parts
     */
    static List<byte[]> of(Object value, boolean isLiteral) throws NotRenderedException {
        if (value instanceof Null) {
            return List.of();
        }
        if (!(value instanceof ListValue list)) {
            return List.of(key(value));
        }
        if (isLiteral && list.size() > 0 && !hasLists(list)) {
            return List.of(key(list));
        }
        if (list.size() > KEYS_MAX) {
            throw new NotRenderedException("it claims " + list.size() + " keys (expected at most " + KEYS_MAX + ")");
        }
        List<byte[]> keys = new ArrayList<>(list.size());
        for (int i = 0; i < list.size(); i++) {
            if (!(list.get(i) instanceof Null)) {
                keys.add(key(list.get(i)));
            }
        }
        return keys;
    }

    private static boolean hasLists(ListValue list) {
        for (int i = 0; i < Math.min(list.size(), KEYS_MAX); i++) {
            if (list.get(i) instanceof ListValue) {
                return true;
            }
        }
        return false;
    }

    private static byte[] key(Object value) throws NotRenderedException {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        if (value instanceof ListValue list) {
            for (int i = 0; i < list.size(); i++) {
                part(list.get(i), bytes);
            }
        } else {
            part(value, bytes);
        }
        return bytes.toByteArray();
    }

    /** A letter for the type, and for a text its length, so that no two keys have the same bytes. */
    private static void part(Object value, ByteArrayOutputStream bytes) throws NotRenderedException {
        switch (value) {
            case String text -> text(text, bytes);
            case Boolean yes -> bytes.write(yes ? 't' : 'f');
            case Long number -> number(number, bytes);
            case Uint number when number.bits() >= 0 -> number(number.bits(), bytes);
            case Double number
            when number == Math.rint(number) && Math.abs(number) < 0x1p63 -> number(number.longValue(), bytes);
            case Double number -> {
                bytes.write('d');
                bytes.writeBytes(
                        ByteBuffer.allocate(Double.BYTES).putDouble(number).array());
            }
            case Null _ -> bytes.write('n');
            default ->
                throw new NotRenderedException("a key has a part of type " + Values.typeName(value)
                        + " (expected a string, a number, a boolean or a list of these)");
        }
        if (bytes.size() > KEY_BYTES_MAX) {
            throw tooLong();
        }
    }

    private static void text(String text, ByteArrayOutputStream bytes) throws NotRenderedException {
        if (text.length() > KEY_BYTES_MAX) {
            throw tooLong();
        }
        byte[] utf8 = text.getBytes(UTF_8);
        bytes.write('s');
        bytes.writeBytes(ByteBuffer.allocate(Integer.BYTES).putInt(utf8.length).array());
        bytes.writeBytes(utf8);
    }

    private static void number(long number, ByteArrayOutputStream bytes) {
        bytes.write('i');
        bytes.writeBytes(ByteBuffer.allocate(Long.BYTES).putLong(number).array());
    }

    private static NotRenderedException tooLong() {
        return new NotRenderedException("a key has more than " + KEY_BYTES_MAX + " bytes");
    }
}
