package io.fairlead.hosted.archive;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.fairlead.schema.json.Json;
import io.fairlead.schema.json.ObjectName;
import io.fairlead.schema.json.UnreadableDocumentException;
import io.fairlead.storage.RevisionedStore;
import io.fairlead.storage.RevisionedStore.Entry;
import java.nio.ByteBuffer;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Arrays;
import java.util.List;
import tools.jackson.databind.JsonNode;

/*
 * The value of an entry is copied as it stands in the store, behind everything else of its line: quotes are escaped in the strings
 * before it, so that the first occurrence of the member's beginning is the member.
 */
/**
 * The line of an entry, and what the other lines of an archive have.
 *
 * @param object the name of the object that is the entry's value
 */
record ArchiveLine(Entry entry, ObjectName object) {
    /** Members of the last line, in this order. */
    static final String ENTRIES = "entries";

    static final String SUM = "sha256";

    /** How long a line without a value may be: the longest key with all of its characters escaped, and the rest. */
    static final int HEAD_BYTES_MAX = 6 * RevisionedStore.KEY_BYTES_MAX + 1024;

    static final int BYTES_MAX = RevisionedStore.VALUE_BYTES_MAX + HEAD_BYTES_MAX;

    private static final byte[] VALUE = ",\"value\":".getBytes(UTF_8);
    private static final byte CLOSING = '}';
    private static final byte LINE_FEED = '\n';

    /** Entries begin with their keys. */
    private static final byte[] LAST_LINE = ("{\"" + ENTRIES + "\":").getBytes(UTF_8);

    static boolean isLast(byte[] line) {
        return line.length > LAST_LINE.length
                && Arrays.equals(line, 0, LAST_LINE.length, LAST_LINE, 0, LAST_LINE.length);
    }

    static MessageDigest sha256() {
        try {
            return MessageDigest.getInstance("SHA-256");
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every JDK has SHA-256", e);
        }
    }

    /** The lines of entries, with their line feeds. */
    static byte[] of(List<Entry> entries, int prefixLength) {
        List<byte[]> heads = entries.stream()
                .map(entry -> Json.write(Json.object()
                        .put("key", entry.key().substring(prefixLength))
                        .put("revision", entry.revision())
                        .put("createRevision", entry.createRevision())))
                .toList();
        int bytes = 0;
        for (int i = 0; i < heads.size(); i++) {
            bytes += heads.get(i).length + VALUE.length + entries.get(i).value().length + 1;
        }
        ByteBuffer lines = ByteBuffer.allocate(bytes);
        for (int i = 0; i < heads.size(); i++) {
            byte[] head = heads.get(i);
            lines.put(head, 0, head.length - 1).put(VALUE).put(entries.get(i).value());
            lines.put(CLOSING).put(LINE_FEED);
        }
        return lines.array();
    }

    /**
     * Reads the line of an entry, without its line feed.
     *
     * @throws ArchiveException if it is none
     */
    static ArchiveLine read(byte[] line, long number) {
        int at = indexOfValue(line);
        if (at < 0 || at > HEAD_BYTES_MAX || line[line.length - 1] != CLOSING) {
            throw new ArchiveException("line " + number + ": no entry (expected an object with key, revision,"
                    + " createRevision and value)");
        }
        byte[] head = Arrays.copyOf(line, at + 1);
        head[at] = CLOSING;
        JsonNode members = json(head, number);
        byte[] value = Arrays.copyOfRange(line, at + VALUE.length, line.length - 1);
        ObjectName object = object(value, number);
        String key = members.path("key").asString("");
        long revision = members.path("revision").asLong(0);
        long createRevision = members.path("createRevision").asLong(0);
        if (key.isEmpty() || createRevision < 1 || revision < createRevision) {
            throw new ArchiveException("line " + number + ": key \"" + ArchiveException.shown(key) + "\", revision "
                    + revision + ", createRevision " + createRevision + " (expected a key and positive revisions)");
        }
        return new ArchiveLine(new Entry(key, value, revision, createRevision), object);
    }

    /** The members of a line that has no value. */
    static JsonNode json(byte[] text, long number) {
        if (text.length > HEAD_BYTES_MAX) {
            throw new ArchiveException("line " + number + ": " + text.length + " bytes (expected at most "
                    + HEAD_BYTES_MAX + " beside a value)");
        }
        try {
            return Json.read(text);
        } catch (UnreadableDocumentException e) {
            throw new ArchiveException("line " + number + ": " + e.getMessage());
        }
    }

    private static ObjectName object(byte[] value, long number) {
        try {
            return ObjectName.of(value);
        } catch (UnreadableDocumentException e) {
            throw new ArchiveException("line " + number + ": the value: " + e.getMessage());
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
