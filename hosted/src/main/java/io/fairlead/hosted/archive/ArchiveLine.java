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
import java.util.List;
import tools.jackson.databind.JsonNode;

/*
 * The value of an entry is copied as it stands in the store, behind everything else of its line: quotes are escaped in the strings
 * before it, so that the first occurrence of the member's beginning is the member.
 */
/** The lines of archives, without the line feeds. */
final class ArchiveLine {
    /** How long a line without a value may be: the longest key with all of its characters escaped, and the rest. */
    static final int HEAD_BYTES_MAX = 6 * RevisionedStore.KEY_BYTES_MAX + 1024;

    static final int BYTES_MAX = RevisionedStore.VALUE_BYTES_MAX + HEAD_BYTES_MAX;

    private static final byte[] VALUE = ",\"value\":".getBytes(UTF_8);
    private static final byte CLOSING = '}';
    private static final byte LINE_FEED = '\n';

    private ArchiveLine() {}

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
     * The entry of a line.
     *
     * @throws ArchiveException if it has none
     */
    static Entry entry(byte[] line, long number) {
        int at = indexOfValue(line);
        if (at < 0 || at > HEAD_BYTES_MAX || line[line.length - 1] != CLOSING) {
            throw new ArchiveException("line " + number + ": no entry (expected an object with key, revision,"
                    + " createRevision and value)");
        }
        byte[] head = new byte[at + 1];
        System.arraycopy(line, 0, head, 0, at);
        head[at] = CLOSING;
        JsonNode members = json(head, number);
        byte[] value = new byte[line.length - 1 - at - VALUE.length];
        System.arraycopy(line, at + VALUE.length, value, 0, value.length);
        requireObject(value, number);
        String key = members.path("key").asString("");
        long revision = members.path("revision").asLong(0);
        long createRevision = members.path("createRevision").asLong(0);
        if (key.isEmpty() || createRevision < 1 || revision < createRevision) {
            throw new ArchiveException("line " + number + ": key \"" + ArchiveException.shown(key) + "\", revision "
                    + revision + ", createRevision " + createRevision + " (expected a key and positive revisions)");
        }
        return new Entry(key, value, revision, createRevision);
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

    private static void requireObject(byte[] value, long number) {
        try {
            ObjectName.of(value);
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
