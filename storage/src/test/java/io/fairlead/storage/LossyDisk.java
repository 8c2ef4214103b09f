package io.fairlead.storage;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import org.rocksdb.RocksDB;
import org.rocksdb.RocksDBException;
import org.rocksdb.WriteBatch;
import org.rocksdb.WriteOptions;

/**
 * A disk of which a loss of power leaves what was synced: of a folder the entries that it had then, of a file what it held.
 * What the database's folder holds beside its logs counts as synced, as the database does that itself.
 *
 * <p>Threads: one at a time.
 */
final class LossyDisk implements Disk {
    private final Path root;
    private final boolean isSyncing;

    /** By folder. */
    private final Map<Path, Set<String>> entries = new HashMap<>();

    /** By what stays of a file when it is renamed. */
    private final Map<Object, byte[]> contents = new HashMap<>();

    /** Of the logs, by path. */
    private final Map<Path, Long> lengths = new HashMap<>();

    /**
     * A disk below a folder.
     *
     * @param isSyncing whether it does as it is told, or only says so
     */
    LossyDisk(Path root, boolean isSyncing) {
        this.root = root;
        this.isSyncing = isSyncing;
    }

    @Override
    public synchronized void write(RocksDB database, WriteOptions options, WriteBatch batch) throws RocksDBException {
        try (var unsynced = new WriteOptions().setDisableWAL(options.disableWAL())) {
            database.write(unsynced, batch);
        }
        if (isSyncing && options.sync()) {
            syncLogs(Path.of(database.getName()));
        }
    }

    @Override
    public synchronized void writeFile(Path file, byte[] content) throws IOException {
        Files.write(file, content);
        if (isSyncing) {
            contents.put(identity(file), content.clone());
        }
    }

    @Override
    public synchronized void syncFolder(Path folder) throws IOException {
        entries.put(folder.toAbsolutePath(), names(folder));
    }

    @Override
    public long usableBytes() {
        return Long.MAX_VALUE;
    }

    /** What a loss of power would leave now, in a folder beside this disk. */
    synchronized void copyTo(Path copy) throws IOException {
        Files.createDirectory(copy);
        copy(root, copy);
    }

    private void copy(Path folder, Path copy) throws IOException {
        boolean isDatabase = folder.endsWith("rocksdb");
        for (String name : isDatabase ? names(folder) : entries.getOrDefault(folder, Set.of())) {
            Path file = folder.resolve(name);
            if (Files.isDirectory(file)) {
                copy(file, Files.createDirectory(copy.resolve(name)));
            } else if (isDatabase) {
                Files.write(copy.resolve(name), ofDatabase(file));
            } else {
                Files.write(copy.resolve(name), contents.getOrDefault(identity(file), new byte[0]));
            }
        }
    }

    private byte[] ofDatabase(Path file) throws IOException {
        byte[] written = Files.readAllBytes(file);
        return isLog(file) ? Arrays.copyOf(written, Math.toIntExact(lengths.getOrDefault(file, 0L))) : written;
    }

    private void syncLogs(Path database) {
        try (Stream<Path> files = Files.list(database)) {
            for (Path log : files.filter(LossyDisk::isLog).toList()) {
                lengths.put(log, Files.size(log));
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static boolean isLog(Path file) {
        return file.toString().endsWith(".log");
    }

    private static Set<String> names(Path folder) throws IOException {
        try (Stream<Path> files = Files.list(folder)) {
            Set<String> names = new HashSet<>();
            files.forEach(file -> names.add(file.getFileName().toString()));
            return names;
        }
    }

    private static Object identity(Path file) throws IOException {
        return Files.getAttribute(file, "unix:ino");
    }
}
