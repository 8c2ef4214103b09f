package io.fairlead.ittests;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.function.Function;
import java.util.function.UnaryOperator;
import java.util.regex.Pattern;

/**
 * A way in which an archive is not as it was written.
 *
 * @param what was done to it
 * @param by makes the damaged file
 * @param reason what a refusal says, a regular expression
 */
record ArchiveDamage(String what, Function<ArchiveFile, byte[]> by, String reason) {
    private static final String NONE =
            " is no archive \\(expected what 'fairlead (?:cluster export|store backup)' wrote\\)";
    private static final String CUT = "it ends in line \\d+, before its last one";
    private static final String CHANGED = "its SHA-256 is [0-9a-f]{64} \\(expected [0-9a-f]{64}, .*\\): it was changed";
    private static final String COUNT = "it has \\d+ entries \\(expected \\d+, as its last line says\\)";
    private static final String ORDER = "line \\d+: key .* does not follow .* \\(expected ascending keys\\)";
    private static final String NEWER = "line \\d+: revision \\d+ is above that of the archive";
    private static final int LONGER_THAN_ANY_LINE = 9 * 1024 * 1024;

    /** Any file, and any archive, may have these. */
    static List<ArchiveDamage> ofAny() {
        return List.of(
                new ArchiveDamage("cut in the header", file -> firstBytes(file.bytes(), 20), "it ends in line 1,"),
                new ArchiveDamage("cut in an entry", file -> middle(file.bytes()), CUT),
                new ArchiveDamage(
                        "without the sum", file -> firstLines(file, file.lines().size() - 1), CUT),
                new ArchiveDamage("a letter of a value", byLine(ArchiveDamage::withOtherValue), CHANGED),
                new ArchiveDamage(
                        "a byte of the JSON",
                        byLine(line -> line.replaceFirst("\"value\":\\{", "\"value\":{\u0001")),
                        "line \\d+: "),
                new ArchiveDamage("a line removed", file -> changed(file, lines -> removed(lines)), COUNT),
                new ArchiveDamage("a line doubled", file -> changed(file, lines -> doubled(lines)), ORDER),
                new ArchiveDamage("two lines swapped", file -> changed(file, lines -> swapped(lines)), ORDER),
                new ArchiveDamage("another sum", file -> changed(file, ArchiveDamage::withOtherSum), CHANGED),
                new ArchiveDamage(
                        "a line behind the end",
                        file -> changed(file, ArchiveDamage::withLineBehind),
                        "something follows the line with the sum"),
                new ArchiveDamage("no archive", _ -> "kind: ConfigMap\n".getBytes(UTF_8), NONE),
                new ArchiveDamage("no header", file -> changed(file, lines -> lines.subList(1, lines.size())), NONE),
                new ArchiveDamage("a long line", ArchiveDamage::withLongLine, "line 2: longer than \\d+ bytes"),
                withHeader("another version", "\"version\":1", "\"version\":2", "line 1: version 2 \\(expected 1\\)"),
                withHeader(
                        "another content",
                        "\"content\":\"[A-Za-z]+\"",
                        "\"content\":\"Fleet\"",
                        "line 1: content \"Fleet\" \\(expected Cluster or Store\\)"),
                withEntry("a value that is none", "\"value\":.*", "\"value\":[1]}", "line \\d+: the value: "),
                withEntry("a key of other characters", "configmaps", "config\\\\u00e4maps", "key .*expected"),
                withEntry("a long key", "^(.\"key\":\"[^\"]*)", "$1" + "x".repeat(3000), "key .*expected"),
                new ArchiveDamage("a key twice", file -> summed(file, entries -> doubled(entries)), ORDER));
    }

    /** More of the kind. */
    static List<ArchiveDamage> moreOfAny() {
        return List.of(
                new ArchiveDamage("cut behind the header", file -> firstLines(file, 1), "it ends in line 2,"),
                new ArchiveDamage(
                        "cut between entries",
                        file -> firstLines(file, file.lines().size() / 2),
                        CUT),
                new ArchiveDamage(
                        "without the last line feed", file -> firstBytes(file.bytes(), file.bytes().length - 1), CUT),
                new ArchiveDamage(
                        "a letter of a key",
                        byLine(line -> line.replaceFirst("default/l", "default/m")),
                        CHANGED + "|key .* has the object"),
                new ArchiveDamage(
                        "a number", byLine(line -> line.replaceFirst("\"revision\":", "\"revision\":1")), NEWER),
                new ArchiveDamage(
                        "a byte behind the end",
                        file -> joined(file.bytes(), new byte[] {'x'}),
                        "something follows the line with the sum"),
                new ArchiveDamage(
                        "twice", file -> joined(file.bytes(), file.bytes()), "something follows the line with the sum"),
                new ArchiveDamage("no text", _ -> new byte[] {0x1f, (byte) 0x8b, 8, 0, '\n', (byte) 0xff}, NONE),
                withHeader(
                        "no revision",
                        "\"revision\":[0-9]+",
                        "\"revision\":0",
                        "line 1: revision 0 \\(expected a positive number"),
                withEntry("no value", ",\"value\":.*", "}", "line \\d+: no entry"),
                withEntry(
                        "no revision of an entry",
                        "\"revision\":[0-9]+",
                        "\"revision\":0",
                        "line \\d+: key .* \\(expected a key and positive revisions\\)"),
                withEntry("an empty key", "\"key\":\"[^\"]*\"", "\"key\":\"\"", "line \\d+: key \"\""));
    }

    /** An archive of a cluster, and one of a store for a cluster. */
    static List<ArchiveDamage> ofCluster(ArchiveFile store) {
        return List.of(
                new ArchiveDamage("empty", _ -> new byte[0], "it is empty"),
                withEntry(
                        "a key with too few parts",
                        "core/configmaps/default/",
                        "core/",
                        "key .* \\(expected GROUP/RESOURCE/NAME"),
                withEntry(
                        "a key with too many parts",
                        "^(.\"key\":\"[^\"]*)",
                        "$1/a/b",
                        "key .* \\(expected GROUP/RESOURCE/NAME"),
                new ArchiveDamage(
                        "a store",
                        _ -> store.bytes(),
                        "it is the archive of a store \\(expected that of a cluster\\)"));
    }

    /** The same the other way round. */
    static List<ArchiveDamage> ofStore(ArchiveFile cluster) {
        return List.of(
                new ArchiveDamage("empty", _ -> new byte[0], "it ends in line 1,"),
                new ArchiveDamage(
                        "a revision twice",
                        file -> summed(file, ArchiveDamage::withRevisionTwice),
                        "two entries have revision"),
                withEntry("an entry of the future", "\"revision\":[0-9]+", "\"revision\":8000000000000000000", NEWER),
                new ArchiveDamage(
                        "a cluster",
                        _ -> cluster.bytes(),
                        "it is the archive of a cluster \\(expected that of a store\\)"));
    }

    /** What is wrong with a refusal: it must be one line that names the reason. */
    String problemWith(Output refusal) {
        boolean isRight = refusal.exitCode() == 1
                && refusal.output().isEmpty()
                && Pattern.compile("error: [^\n]*(?:" + reason + ")[^\n]*\n")
                        .matcher(refusal.errors())
                        .matches();
        return isRight ? "" : "%n%s: %s%n  expected: %s".formatted(what, refusal, reason);
    }

    private static ArchiveDamage withHeader(String what, String pattern, String replacement, String reason) {
        return new ArchiveDamage(
                what,
                file -> ArchiveFile.summed(replaced(file.lines().getFirst(), pattern, replacement), file.entries()),
                reason);
    }

    /** In the last entry of a ConfigMap, with a sum that is right. */
    private static ArchiveDamage withEntry(String what, String pattern, String replacement, String reason) {
        return new ArchiveDamage(
                what,
                file -> summed(file, entries -> {
                    entries.set(chosen(entries), replaced(entries.get(chosen(entries)), pattern, replacement));
                    return entries;
                }),
                reason);
    }

    /** In the last entry of a ConfigMap, with the sum as it was. */
    private static Function<ArchiveFile, byte[]> byLine(UnaryOperator<String> change) {
        return file -> changed(file, lines -> {
            lines.set(chosen(lines), different(lines.get(chosen(lines)), change));
            return lines;
        });
    }

    private static byte[] changed(ArchiveFile file, UnaryOperator<List<String>> change) {
        return ArchiveFile.bytes(change.apply(new ArrayList<>(file.lines())));
    }

    private static byte[] summed(ArchiveFile file, UnaryOperator<List<String>> change) {
        return ArchiveFile.summed(file.lines().getFirst(), change.apply(new ArrayList<>(file.entries())));
    }

    private static String replaced(String line, String pattern, String replacement) {
        return different(line, text -> text.replaceFirst(pattern, replacement));
    }

    private static String different(String line, UnaryOperator<String> change) {
        String changed = change.apply(line);
        if (changed.equals(line)) {
            throw new AssertionError("this changes nothing: " + line);
        }
        return changed;
    }

    /** The last ConfigMap that is one of a test. */
    private static int chosen(List<String> lines) {
        for (int i = lines.size() - 1; i >= 0; i--) {
            if (lines.get(i).contains("core/configmaps/default/")
                    && !lines.get(i).contains("kube-root-ca.crt")) {
                return i;
            }
        }
        throw new AssertionError("no ConfigMap");
    }

    private static String withOtherValue(String line) {
        return line.replaceFirst("\"kind\":\"ConfigMap\"", "\"kind\":\"ConfigMop\"");
    }

    private static List<String> removed(List<String> lines) {
        lines.remove(chosen(lines));
        return lines;
    }

    private static List<String> doubled(List<String> lines) {
        lines.add(chosen(lines), lines.get(chosen(lines)));
        return lines;
    }

    private static List<String> swapped(List<String> lines) {
        Collections.swap(lines, chosen(lines), chosen(lines) - 1);
        return lines;
    }

    private static List<String> withOtherSum(List<String> lines) {
        String sum = lines.getLast();
        char last = sum.charAt(sum.length() - 3);
        lines.set(lines.size() - 1, sum.substring(0, sum.length() - 3) + (last == '0' ? '1' : '0') + "\"}");
        return lines;
    }

    private static List<String> withLineBehind(List<String> lines) {
        lines.add(lines.get(chosen(lines)));
        return lines;
    }

    /** The ConfigMap was written when its neighbour was. */
    private static List<String> withRevisionTwice(List<String> entries) {
        int chosen = chosen(entries);
        String revision = entries.get(chosen - 1).replaceFirst(".*?\"revision\":([0-9]+).*", "$1");
        entries.set(
                chosen,
                entries.get(chosen)
                        .replaceFirst("\"revision\":[0-9]+", "\"revision\":" + revision)
                        .replaceFirst("\"createRevision\":[0-9]+", "\"createRevision\":1"));
        return entries;
    }

    private static byte[] withLongLine(ArchiveFile file) {
        byte[] header = (file.lines().getFirst() + "\n").getBytes(UTF_8);
        byte[] line = new byte[LONGER_THAN_ANY_LINE];
        Arrays.fill(line, (byte) ' ');
        return joined(header, line);
    }

    private static byte[] firstLines(ArchiveFile file, int count) {
        return ArchiveFile.bytes(file.lines().subList(0, count));
    }

    private static byte[] middle(byte[] bytes) {
        int middle = bytes.length / 2;
        return firstBytes(bytes, bytes[middle - 1] == '\n' ? middle - 1 : middle);
    }

    private static byte[] firstBytes(byte[] bytes, int count) {
        return Arrays.copyOf(bytes, count);
    }

    private static byte[] joined(byte[] one, byte[] other) {
        byte[] both = Arrays.copyOf(one, one.length + other.length);
        System.arraycopy(other, 0, both, one.length, other.length);
        return both;
    }
}
