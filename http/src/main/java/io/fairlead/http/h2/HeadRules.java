package io.fairlead.http.h2;

import io.fairlead.http.FieldName;
import io.fairlead.http.FieldNames;
import io.fairlead.http.FieldRules;
import io.fairlead.http.Fields;
import io.fairlead.http.Malformed;
import io.fairlead.http.MessageRules;

/** What makes a head malformed in HTTP/2 alone (RFC 9113 sections 8.1 to 8.3); its values are not looked at otherwise. */
final class HeadRules {
    static final long LENGTH_UNKNOWN = MessageRules.LENGTH_UNKNOWN;

    private static final int STATUS_DIGITS = 3;
    private static final int STATUS_MIN = 100;
    private static final int STATUS_MAX = 599;

    private static final FieldNames OF_ANSWERS = FieldNames.of(":status");
    private static final FieldNames OF_REQUESTS = FieldNames.of(":method", ":scheme", ":path", ":authority");
    private static final FieldNames OF_CONNECTIONS =
            FieldNames.of("connection", "keep-alive", "proxy-connection", "transfer-encoding", "upgrade");

    private HeadRules() {}

    static void requireRequest(Fields fields) throws StreamError {
        int first = pseudoFields(fields, OF_REQUESTS);
        requireOnce(fields, FieldName.PSEUDO_METHOD, first);
        requireOnce(fields, FieldName.PSEUDO_SCHEME, first);
        requireOnce(fields, FieldName.PSEUDO_PATH, first);
        requireRegular(fields, first);
    }

    /** The status of an answer. */
    static int requireAnswer(Fields fields) throws StreamError {
        int first = pseudoFields(fields, OF_ANSWERS);
        requireOnce(fields, FieldName.PSEUDO_STATUS, first);
        requireRegular(fields, first);
        requireValues(fields);
        return status(fields);
    }

    private static int status(Fields fields) throws StreamError {
        int start = fields.valueStart(0);
        int status = 0;
        for (int i = start; i < start + fields.valueLength(0); i++) {
            int digit = fields.bytes()[i] - '0';
            if (digit < 0 || digit > 9) {
                throw StreamError.protocol("status: expected three digits");
            }
            status = 10 * status + digit;
        }
        if (fields.valueLength(0) != STATUS_DIGITS || status < STATUS_MIN || status > STATUS_MAX) {
            throw StreamError.protocol("status: expected one between " + STATUS_MIN + " and " + STATUS_MAX);
        }
        return status;
    }

    /** RFC 9113 section 8.2.1. What the values of a request's head may hold is judged by its reader. */
    private static void requireValues(Fields fields) throws StreamError {
        try {
            for (int field = 0; field < fields.size(); field++) {
                MessageRules.requireValue(fields, field);
            }
        } catch (Malformed malformed) {
            throw StreamError.protocol(String.valueOf(malformed.getMessage()));
        }
    }

    static void requireTrailers(Fields fields) throws StreamError {
        requireRegular(fields, 0);
        requireValues(fields);
    }

    /** The length that an answer announces, unmistakably; several equal ones are one too many. */
    static long requireContentLength(Fields fields) throws StreamError {
        try {
            return MessageRules.contentLength(fields);
        } catch (Malformed malformed) {
            throw StreamError.protocol(String.valueOf(malformed.getMessage()));
        }
    }

    /** The announced length; unknown too where it is no number, which the reader of the head refuses. */
    static long contentLength(Fields fields) {
        String length = fields.get(FieldName.CONTENT_LENGTH);
        return length != null && MessageRules.isLength(length) ? Long.parseLong(length) : LENGTH_UNKNOWN;
    }

    /** Where those without a colon begin. */
    private static int pseudoFields(Fields fields, FieldNames allowed) throws StreamError {
        int field = 0;
        while (field < fields.size() && fields.isPseudo(field)) {
            FieldName name = fields.known(field);
            if (name == null || !allowed.contains(fields, field) || !fields.isKnownInLowerCase(field)) {
                throw StreamError.protocol("pseudo-header field that does not belong here");
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
            if (isOfConnections(fields, field)) {
                throw StreamError.protocol(fields.known(field) + " field, which is about a connection of HTTP/1.1");
            }
        }
    }

    private static void requireName(Fields fields, int field) throws StreamError {
        int length = fields.nameLength(field);
        boolean isPseudo = fields.isPseudo(field);
        if (!isPseudo && fields.isKnownInLowerCase(field)) {
            return;
        }
        if (length == 0 || isPseudo) {
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

    private static boolean isOfConnections(Fields fields, int field) {
        return OF_CONNECTIONS.contains(fields, field)
                || (fields.is(field, FieldName.TE) && !fields.value(field).equals("trailers"));
    }
}
