package io.fairlead.hosted.archive;

import io.fairlead.hosted.BuiltIns;
import io.fairlead.model.ClusterName;
import io.fairlead.model.FairleadVersion;
import io.fairlead.schema.json.Json;
import io.fairlead.schema.json.UnreadableDocumentException;
import java.time.Instant;
import java.time.format.DateTimeParseException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * The first line of an archive.
 *
 * @param content what it has
 * @param cluster the name of the cluster, empty for a store
 * @param builtIns the kinds that the cluster serves
 * @param revision at which the entries were read
 * @param time of that, by the clock of the server that wrote it
 */
public record ArchiveHeader(Content content, String cluster, BuiltIns builtIns, long revision, Instant time) {
    private static final String FORMAT = "fairlead-archive";
    private static final int VERSION = 1;

    /** So far below the largest number that revisions can go on for ever. */
    private static final long REVISION_MAX = Long.MAX_VALUE / 2;

    /** Of a hosted cluster. */
    public static ArchiveHeader ofCluster(String cluster, BuiltIns builtIns, long revision, Instant time) {
        return new ArchiveHeader(Content.CLUSTER, cluster, builtIns, revision, time);
    }

    /** Of all that a store has. */
    public static ArchiveHeader ofStore(long revision, Instant time) {
        return new ArchiveHeader(Content.STORE, "", BuiltIns.CORE, revision, time);
    }

    /** What an archive has. */
    public enum Content {
        /** The objects of one hosted cluster; keys are below that of the cluster. */
        CLUSTER("Cluster"),
        /** Everything; keys are those of the store. */
        STORE("Store");

        private final String text;

        Content(String text) {
            this.text = text;
        }

        @Override
        public String toString() {
            return text;
        }
    }

    ObjectNode json() {
        ObjectNode header = Json.object()
                .put("format", FORMAT)
                .put("version", VERSION)
                .put("writer", FairleadVersion.NUMBER)
                .put("content", content.toString());
        if (content == Content.CLUSTER) {
            header.put("cluster", cluster).put("builtIns", builtIns.toString());
        }
        return header.put("revision", revision).put("time", time.toString());
    }

    /** Whether a first line is a header, of whatever version. */
    public static boolean isOne(byte[] line) {
        try {
            return line.length <= ArchiveLine.HEAD_BYTES_MAX
                    && Json.read(line).path("format").asString("").equals(FORMAT);
        } catch (UnreadableDocumentException notJson) {
            return false;
        }
    }

    /** @throws ArchiveException if it is none, or of a version that is not known */
    static ArchiveHeader of(byte[] line) {
        if (line.length <= ArchiveLine.HEAD_BYTES_MAX && !isOne(line)) {
            throw new ArchiveException("line 1: no header of an archive (expected \"format\":\"" + FORMAT + "\")");
        }
        return of(ArchiveLine.json(line, 1));
    }

    private static ArchiveHeader of(JsonNode header) {
        int version = header.path("version").asInt(0);
        if (version != VERSION) {
            throw new ArchiveException("line 1: version " + version + " (expected " + VERSION + ")");
        }
        String content = header.path("content").asString("");
        long revision = header.path("revision").asLong(0);
        if (revision < 1 || revision > REVISION_MAX) {
            throw new ArchiveException("line 1: revision "
                    + ArchiveException.shown(header.path("revision").toString())
                    + " (expected a positive number, at most " + REVISION_MAX + ")");
        }
        Instant time = time(header.path("time").asString(""));
        for (Content known : Content.values()) {
            if (known.toString().equals(content)) {
                return known == Content.STORE
                        ? ofStore(revision, time)
                        : ofCluster(cluster(header), builtIns(header), revision, time);
            }
        }
        throw new ArchiveException("line 1: content \"" + ArchiveException.shown(content) + "\" (expected "
                + Content.CLUSTER + " or " + Content.STORE + ")");
    }

    private static String cluster(JsonNode header) {
        String cluster = header.path("cluster").asString("");
        if (!ClusterName.isValid(cluster)) {
            throw new ArchiveException(
                    "line 1: cluster \"" + ArchiveException.shown(cluster) + "\" (expected the name of a cluster)");
        }
        return cluster;
    }

    private static BuiltIns builtIns(JsonNode header) {
        String text = header.path("builtIns").asString("");
        BuiltIns builtIns = BuiltIns.of(text);
        if (!builtIns.toString().equals(text)) {
            throw new ArchiveException("line 1: builtIns \"" + ArchiveException.shown(text) + "\" (expected "
                    + BuiltIns.CORE + " or " + BuiltIns.ALL + ")");
        }
        return builtIns;
    }

    private static Instant time(String text) {
        try {
            return Instant.parse(text);
        } catch (DateTimeParseException e) {
            throw new ArchiveException(
                    "line 1: time \"" + ArchiveException.shown(text) + "\" (expected one as 2026-01-02T03:04:05Z)");
        }
    }
}
