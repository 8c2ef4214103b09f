package io.fairlead.hosted.objects;

/** Looks into stored objects without decoding them. */
public final class Bytes {
    private Bytes() {}

    public static boolean contains(byte[] text, byte[] wanted) {
        byte first = wanted[0];
        for (int i = 0; i <= text.length - wanted.length; i++) {
            if (text[i] == first && matches(text, i, wanted)) {
                return true;
            }
        }
        return false;
    }

    private static boolean matches(byte[] text, int at, byte[] wanted) {
        for (int i = 0; i < wanted.length; i++) {
            if (text[at + i] != wanted[i]) {
                return false;
            }
        }
        return true;
    }
}
