package io.fairlead.hosted.archive;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.fairlead.schema.json.Json;
import io.fairlead.schema.json.UnreadableDocumentException;
import io.fairlead.storage.RevisionedStore;
import io.fairlead.storage.RevisionedStore.Entry;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import tools.jackson.databind.JsonNode;

/*
 * The value of an entry is copied as it stands in the store, behind everything else of its line: quotes are escaped in the strings
 * before it, so that the first occurrence of the member's beginning is the member.
 */
/** The lines of archives, without the line feeds. */
final class ArchiveLine {
    /** How long a line may be: the longest value, the longest key with all of its characters escaped, and the rest. */
    static final int BYTES_MAX = RevisionedStore.VALUE_BYTES_MAX + 6 * RevisionedStore.KEY_BYTES_MAX + 1024;

    private static final byte[] VALUE = ",\"value\":".getBytes(UTF_8);
    private static final int CLOSING = '}';

    private ArchiveLine() {}

    static MessageDigest sha256() {
        try {
            return MessageDigest.getInstance("SHA-256");
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every JDK has SHA-256", e);
        }
    }

    /** The line of an entry under a key. */
    static byte[] of(String key, Entry entry) {
        byte[] head = Json.write(Json.object()
                .put("key", key)
                .put("revision", entry.revision())
                .put("createRevision", entry.createRevision()));
        byte[] line = new byte[head.length + VALUE.length + entry.value().length];
        System.arraycopy(head, 0, line, 0, head.length - 1);
        System.arraycopy(VALUE, 0, line, head.length - 1, VALUE.length);
        System.arraycopy(entry.value(), 0, line, head.length - 1 + VALUE.length, entry.value().length);
        line[line.length - 1] = CLOSING;
        return line;
    }

    /**
     * The entry of a line.
     *
     * @throws ArchiveException if it has none
     */
    static Entry entry(byte[] line, long number) {
        int at = indexOfValue(line);
        if (at < 0 || line[line.length - 1] != CLOSING) {
            throw new ArchiveException("line " + number + ": no entry (expected an object with key, revision,"
                    + " createRevision and value)");
        }
        byte[] head = new byte[at + 1];
        System.arraycopy(line, 0, head, 0, at);
        head[at] = CLOSING;
        JsonNode members = json(head, number);
        byte[] value = new byte[line.length - 1 - at - VALUE.length];
        System.arraycopy(line, at + VALUE.length, value, 0, value.length);
        if (!json(value, number).isObject()) {
            throw new ArchiveException("line " + number + ": the value is no object");
        }
        String key = members.path("key").asString("");
        long revision = members.path("revision").asLong(0);
        long createRevision = members.path("createRevision").asLong(0);
        if (key.isEmpty() || createRevision < 1 || revision < createRevision) {
            throw new ArchiveException("line " + number + ": key \"" + key + "\", revision " + revision
                    + ", createRevision " + createRevision + " (expected a key and positive revisions)");
        }
        return new Entry(key, value, revision, createRevision);
    }

    static JsonNode json(byte[] text, long number) {
        try {
            return Json.read(text);
        } catch (UnreadableDocumentException e) {
            throw new ArchiveException("line " + number + ": " + e.getMessage());
        }
    }

    private static int indexOfValue(byte[] line) {
        for (int at = 0; at <= line.length - VALUE.length; at++) {
            int matched = 0;
            while (matched < VALUE.length && line[at + matched] == VALUE[matched]) {
                matched++;
            }
            if (matched == VALUE.length) {
                return at;
            }
        }
        return -1;
    }
}
