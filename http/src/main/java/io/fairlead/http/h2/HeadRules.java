package io.fairlead.http.h2;

import io.fairlead.http.FieldName;
import io.fairlead.http.FieldRules;
import io.fairlead.http.Fields;
import java.util.Set;

/** What makes a head malformed in HTTP/2 alone (RFC 9113 sections 8.1 to 8.3); its values are not looked at otherwise. */
final class HeadRules {
    static final long LENGTH_UNKNOWN = -1;

    private static final int LENGTH_DIGITS_MAX = 18;

    private static final Set<FieldName> OF_REQUESTS =
            Set.of(FieldName.PSEUDO_METHOD, FieldName.PSEUDO_SCHEME, FieldName.PSEUDO_PATH, FieldName.PSEUDO_AUTHORITY);

    private HeadRules() {}

    static void requireRequest(Fields fields) throws StreamError {
        int first = pseudoFields(fields);
        requireOnce(fields, FieldName.PSEUDO_METHOD, first);
        requireOnce(fields, FieldName.PSEUDO_SCHEME, first);
        requireOnce(fields, FieldName.PSEUDO_PATH, first);
        requireRegular(fields, first);
    }

    static void requireTrailers(Fields fields) throws StreamError {
        requireRegular(fields, 0);
    }

    /** The announced length; unknown too where it is no number, which the reader of the head refuses. */
    static long contentLength(Fields fields) {
        String length = fields.get(FieldName.CONTENT_LENGTH);
        boolean isNumber = length != null
                && !length.isEmpty()
                && length.length() <= LENGTH_DIGITS_MAX
                && length.chars().allMatch(c -> c >= '0' && c <= '9');
        return isNumber ? Long.parseLong(length) : LENGTH_UNKNOWN;
    }

    /** Where those without a colon begin. */
    private static int pseudoFields(Fields fields) throws StreamError {
        int field = 0;
        while (field < fields.size() && isPseudo(fields, field)) {
            FieldName name = fields.known(field);
            if (name == null || !OF_REQUESTS.contains(name) || !isLowerCase(fields, field)) {
                throw StreamError.protocol("pseudo-header field that no request has");
            }
            if (fields.next(name, 0) < field) {
                throw StreamError.protocol("two fields " + name);
            }
            field++;
        }
        return field;
    }

    private static boolean isLowerCase(Fields fields, int field) {
        int start = fields.nameStart(field);
        for (int i = start; i < start + fields.nameLength(field); i++) {
            if (fields.bytes()[i] >= 'A' && fields.bytes()[i] <= 'Z') {
                return false;
            }
        }
        return true;
    }

    private static void requireOnce(Fields fields, FieldName name, int end) throws StreamError {
        int field = fields.next(name, 0);
        if (field < 0 || field >= end || fields.valueLength(field) == 0) {
            throw StreamError.protocol("no " + name);
        }
    }

    private static void requireRegular(Fields fields, int first) throws StreamError {
        for (int field = first; field < fields.size(); field++) {
            requireName(fields, field);
            FieldName name = fields.known(field);
            if (name != null && isOfConnections(fields, field, name)) {
                throw StreamError.protocol(name + " field, which is about a connection of HTTP/1.1");
            }
        }
    }

    private static void requireName(Fields fields, int field) throws StreamError {
        int length = fields.nameLength(field);
        if (length == 0 || isPseudo(fields, field)) {
            throw StreamError.protocol("expected the name of a field");
        }
        if (!isLowerCase(fields, field)) {
            throw StreamError.protocol("name of a field: expected lower case");
        }
        int start = fields.nameStart(field);
        for (int i = start; i < start + length; i++) {
            byte b = fields.bytes()[i];
            if (!FieldRules.isTokenCharacter(b)) {
                throw StreamError.protocol("name of a field: expected token characters");
            }
        }
    }

    private static boolean isOfConnections(Fields fields, int field, FieldName name) {
        return name.equals(FieldName.CONNECTION)
                || name.equals(FieldName.KEEP_ALIVE)
                || name.equals(FieldName.PROXY_CONNECTION)
                || name.equals(FieldName.TRANSFER_ENCODING)
                || name.equals(FieldName.UPGRADE)
                || (name.equals(FieldName.TE) && !fields.value(field).equals("trailers"));
    }

    private static boolean isPseudo(Fields fields, int field) {
        return fields.nameLength(field) > 0 && fields.bytes()[fields.nameStart(field)] == ':';
    }
}
