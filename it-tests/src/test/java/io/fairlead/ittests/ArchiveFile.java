package io.fairlead.ittests;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * An archive of a cluster or of a store: a header, an entry a line, and a line with the sum.
 *
 * @param lines without the line feeds
 */
record ArchiveFile(List<String> lines) {
    static ArchiveFile read(Path file) throws IOException {
        String text = Files.readString(file);
        assertThat(text).endsWith("\n");
        return new ArchiveFile(List.of(text.split("\n")));
    }

    JsonObject header() {
        return json(lines.getFirst());
    }

    /** At which the entries were read. */
    long revision() {
        return header().get("revision").getAsLong();
    }

    List<String> entries() {
        return lines.subList(1, lines.size() - 1);
    }

    /** The revisions at which the entries were written, by key. */
    Map<String, Long> revisions() {
        var revisions = new TreeMap<String, Long>();
        for (String entry : entries()) {
            JsonObject members = json(entry);
            String key = members.get("key").getAsString();
            assertThat(revisions.put(key, members.get("revision").getAsLong()))
                    .as(key)
                    .isNull();
        }
        return revisions;
    }

    byte[] bytes() {
        return bytes(lines);
    }

    /** Another header and other entries, and a last line that is right for them. */
    static byte[] summed(String header, List<String> entries) {
        var all = new ArrayList<>(List.of(header));
        all.addAll(entries);
        String sum = HexFormat.of().formatHex(sha256().digest(bytes(all)));
        all.add("{\"entries\":%d,\"sha256\":\"%s\"}".formatted(entries.size(), sum));
        return bytes(all);
    }

    static byte[] bytes(List<String> lines) {
        return (String.join("\n", lines) + "\n").getBytes(UTF_8);
    }

    private static JsonObject json(String line) {
        return JsonParser.parseString(line).getAsJsonObject();
    }

    private static MessageDigest sha256() {
        try {
            return MessageDigest.getInstance("SHA-256");
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every JDK has SHA-256", e);
        }
    }
}
