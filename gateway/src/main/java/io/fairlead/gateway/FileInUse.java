package io.fairlead.gateway;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Duration;
import java.time.InstantSource;
import java.util.HexFormat;

/**
 * A file that may be replaced, and what it said when it was last read and could be used.
 *
 * <p>Threads: {@link #current} is for any, {@link #look} for one at a time.
 */
final class FileInUse<T> {
    /** A file changed more recently may still be being written: half a group's name is another group's. */
    private static final Duration REST = Duration.ofSeconds(2);

    private final String key;
    private final Path file;
    private final Reader<T> reader;
    private final InstantSource clock;
    private volatile Read<T> inUse;
    private volatile boolean isRefused;

    /** Reads the text of such a file. */
    @FunctionalInterface
    interface Reader<T> {
        /**
         * What the text says.
         *
         * @throws IllegalArgumentException if it cannot be used; the message has no credential
         */
        T read(String text);
    }

    /**
     * What was read.
     *
     * @param digest of the text, which is not kept itself since it may hold credentials
     */
    private record Read<T>(T meaning, String digest) {}

    private FileInUse(String key, Path file, Reader<T> reader, InstantSource clock, Read<T> inUse) {
        this.key = key;
        this.file = file;
        this.reader = reader;
        this.clock = clock;
        this.inUse = inUse;
    }

    /**
     * Reads the file for the first time.
     *
     * @param key of the configuration that names it
     */
    static <T> FileInUse<T> open(String key, Path file, Reader<T> reader, InstantSource clock) throws StartFailure {
        String text = ServingIdentity.read(key, file);
        try {
            return new FileInUse<>(key, file, reader, clock, new Read<>(reader.read(text), digestOf(text)));
        } catch (IllegalArgumentException invalid) {
            throw new StartFailure(problem(key, file, invalid), "");
        }
    }

    /** What it says. */
    T current() {
        return inUse.meaning();
    }

    /** Whether the file has changed, and what it has become cannot be used. */
    boolean isRefused() {
        return isRefused;
    }

    /**
     * Applies the file's current content.
     *
     * @param isWhole whether it is known to be complete despite a recent change
     */
    Look look(boolean isWhole) {
        Look look = looked(isWhole);
        isRefused = look instanceof Look.Refused;
        return look;
    }

    private Look looked(boolean isWhole) {
        try {
            FileTime before = Files.getLastModifiedTime(file);
            String text = ServingIdentity.read(key, file);
            if (digestOf(text).equals(inUse.digest()) || !(isWhole || hasRested(before))) {
                return new Look.Same();
            }
            inUse = new Read<>(reader.read(text), digestOf(text));
            return new Look.Used();
        } catch (StartFailure unreadable) {
            return new Look.Refused(String.valueOf(unreadable.getMessage()));
        } catch (IOException unreadable) {
            return new Look.Refused(ServingIdentity.unreadable(key, file, unreadable));
        } catch (IllegalArgumentException invalid) {
            return new Look.Refused(problem(key, file, invalid));
        }
    }

    /** Whether nothing was written for a while before the text was read, nor since. */
    private boolean hasRested(FileTime before) throws IOException {
        return Files.getLastModifiedTime(file).equals(before)
                && Duration.between(before.toInstant(), clock.instant()).abs().compareTo(REST) >= 0;
    }

    private static String problem(String key, Path file, IllegalArgumentException invalid) {
        return key + ": " + file + ": " + invalid.getMessage();
    }

    private static String digestOf(String text) {
        try {
            return HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(text.getBytes(UTF_8)));
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException(e);
        }
    }
}
