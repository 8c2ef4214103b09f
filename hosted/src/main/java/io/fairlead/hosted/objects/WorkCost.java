package io.fairlead.hosted.objects;

/**
 * About what an object takes in the heap while a request works on it, by its text: what is allocated for its bytes, and for each of
 * its members, as measured with objects from 2 KB to 4 MB.
 *
 * @param bytes of the text
 * @param members of all its objects and lists together
 */
record WorkCost(long bytes, long members) {
    /** Below, members are not counted but assumed to be as short as they are in small objects. */
    private static final int COUNTED_FROM_BYTES = 4 * 1024;

    private static final int BYTES_OF_A_MEMBER = 12;

    /** That of a text in JSON. */
    static WorkCost ofJson(byte[] text) {
        return text.length < COUNTED_FROM_BYTES ? ofOther(text) : new WorkCost(text.length, members(text));
    }

    /** That of a text of any form. */
    static WorkCost ofOther(byte[] text) {
        return new WorkCost(text.length, text.length / BYTES_OF_A_MEMBER);
    }

    /** To decode it, and to encode it or to delete it. */
    long toRead() {
        return 8 * bytes + 100 * members;
    }

    /** To change it, with its managed fields. */
    long toChange() {
        return 20 * bytes + 700 * members;
    }

    /** To make an object of it, which has managed fields then. */
    long toCreate() {
        return 12 * bytes + 1_100 * members;
    }

    /** Each begins after a comma, or what it is the first of begins. */
    private static long members(byte[] json) {
        long members = 0;
        boolean isInString = false;
        for (int i = 0; i < json.length; i++) {
            byte b = json[i];
            if (isInString) {
                if (b == '\\') {
                    i++;
                } else if (b == '"') {
                    isInString = false;
                }
            } else if (b == '"') {
                isInString = true;
            } else if (b == ',' || b == '{' || b == '[') {
                members++;
            }
        }
        return members;
    }
}
