package io.fairlead.http.hpack;

import static java.nio.charset.StandardCharsets.US_ASCII;

import io.fairlead.http.FieldName;
import java.util.List;

/** The static table of RFC 7541 appendix A. */
final class StaticTable {
    /** A field a line, from index 1 on; a value stands behind a space. */
    private static final String FIELDS = """
        :authority
        :method GET
        :method POST
        :path /
        :path /index.html
        :scheme http
        :scheme https
        :status 200
        :status 204
        :status 206
        :status 304
        :status 400
        :status 404
        :status 500
        accept-charset
        accept-encoding gzip, deflate
        accept-language
        accept-ranges
        accept
        access-control-allow-origin
        age
        allow
        authorization
        cache-control
        content-disposition
        content-encoding
        content-language
        content-length
        content-location
        content-range
        content-type
        cookie
        date
        etag
        expect
        expires
        from
        host
        if-match
        if-modified-since
        if-none-match
        if-range
        if-unmodified-since
        last-modified
        link
        location
        max-forwards
        proxy-authenticate
        proxy-authorization
        range
        referer
        refresh
        retry-after
        server
        set-cookie
        strict-transport-security
        transfer-encoding
        user-agent
        vary
        via
        www-authenticate
        """;

    private static final TableEntry[] ENTRIES =
            FIELDS.lines().map(StaticTable::entry).toArray(TableEntry[]::new);

    /** By the id of a name: the first index that has it, or 0. */
    private static final int[] NAMES = names();

    static final int SIZE = ENTRIES.length;

    /** By the first index of a name: the next one that has another. */
    private static final int[] BEYOND_NAME = beyondNames();

    private StaticTable() {}

    /** From 1 to {@link #SIZE}. */
    static TableEntry get(int index) {
        return ENTRIES[index - 1];
    }

    /** The first index with the name; 0 if there is none. */
    static int indexOf(FieldName name) {
        return NAMES[name.id()];
    }

    /** The index of the whole field, given the first one with its name; 0 if there is none. */
    static int indexOf(int first, byte[] value, int start, int length) {
        for (int index = first; index < BEYOND_NAME[first]; index++) {
            if (get(index).hasValue(value, start, length)) {
                return index;
            }
        }
        return 0;
    }

    private static TableEntry entry(String line) {
        int space = line.indexOf(' ');
        String name = space < 0 ? line : line.substring(0, space);
        String value = space < 0 ? "" : line.substring(space + 1);
        return new TableEntry((name + value).getBytes(US_ASCII), name.length());
    }

    private static int[] beyondNames() {
        int[] beyond = new int[SIZE + 1];
        for (int first = 1; first <= SIZE; first++) {
            int index = first + 1;
            while (index <= SIZE && get(index).hasNameOf(get(first))) {
                index++;
            }
            beyond[first] = index;
        }
        return beyond;
    }

    private static int[] names() {
        List<FieldName> known = FieldName.known();
        int[] indices = new int[known.size() + 1];
        for (int index = ENTRIES.length; index > 0; index--) {
            TableEntry entry = get(index);
            FieldName name = FieldName.find(entry.bytes(), 0, entry.nameLength());
            if (name != null) {
                indices[name.id()] = index;
            }
        }
        indices[0] = 0;
        return indices;
    }
}
