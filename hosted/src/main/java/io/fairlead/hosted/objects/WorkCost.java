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

    /** Of which a member has a tag and a length at least, and few have no more. */
    private static final int BYTES_OF_A_MEMBER_IN_BINARY = 6;

    /** That of a text. */
    static WorkCost of(byte[] text, Work.Form form) {
        if (text.length < COUNTED_FROM_BYTES) {
            return new WorkCost(text.length, text.length / BYTES_OF_A_MEMBER);
        }
        return new WorkCost(
                text.length,
                switch (form) {
                    case JSON -> membersOfJson(text);
                    case YAML -> membersOfYaml(text);
                    case BINARY -> text.length / BYTES_OF_A_MEMBER_IN_BINARY;
                });
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
    private static long membersOfJson(byte[] json) {
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

    /** Never fewer than there are: within quotes, which plain text may have too, the same bytes count. */
    private static long membersOfYaml(byte[] yaml) {
        long members = 0;
        for (byte b : yaml) {
            if (b == ',' || b == '{' || b == '[' || b == '\n' || b == '-') {
                members++;
            }
        }
        return members;
    }
}
