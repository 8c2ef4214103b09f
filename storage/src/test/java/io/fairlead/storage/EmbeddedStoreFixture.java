package io.fairlead.storage;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.fairlead.storage.RevisionedStore.CommitResult;
import io.fairlead.storage.RevisionedStore.StoreException;
import io.fairlead.storage.RevisionedStore.StoreException.Reason;
import io.fairlead.storage.RevisionedStore.Write;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.Future;
import java.util.stream.Stream;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.io.TempDir;

/** A store on a disk that a test makes fail. */
abstract class EmbeddedStoreFixture {
    @TempDir
    Path temporary = Path.of("");

    Path directory = Path.of("");
    FaultyDisk disk = new FaultyDisk(Path.of(""));

    @BeforeEach
    void newDisk() {
        directory = temporary.resolve("store");
        disk = new FaultyDisk(temporary);
    }

    List<Path> logs() throws IOException {
        try (Stream<Path> files = Files.list(directory.resolve("rocksdb"))) {
            return files.filter(file -> file.toString().endsWith(".log"))
                    .sorted()
                    .toList();
        }
    }

    void copyTo(Path copy) throws IOException {
        try (Stream<Path> files = Files.walk(directory)) {
            for (Path file : files.toList()) {
                Files.copy(file, copy.resolve(directory.relativize(file)));
            }
        }
    }

    EmbeddedStore open() {
        return EmbeddedStore.open(directory, TestOptions.defaults(), disk);
    }

    static CommitResult put(EmbeddedStore store, String key, long expectedRevision) {
        return store.commit(new Write.Put(key, key.getBytes(UTF_8), expectedRevision));
    }

    static void assertRefused(ThrowingCallable write, Reason reason) {
        assertThatExceptionOfType(StoreException.class)
                .isThrownBy(write)
                .satisfies(e -> assertThat(e.reason()).isEqualTo(reason));
    }

    void flipAByteInTheMiddleOfTheLog() throws IOException {
        try (Stream<Path> files = Files.list(directory.resolve("rocksdb"))) {
            Path log = files.filter(file -> file.toString().endsWith(".log"))
                    .findFirst()
                    .orElseThrow();
            byte[] bytes = Files.readAllBytes(log);
            bytes[bytes.length / 2] ^= 0x10;
            Files.write(log, bytes);
        }
    }

    /** Waits for the one that is refused while the others still wait for the disk. */
    @SafeVarargs
    static Throwable firstFailure(Future<CommitResult>... writes) {
        while (true) {
            for (Future<CommitResult> write : writes) {
                if (write.state() == Future.State.FAILED) {
                    return write.exceptionNow();
                }
            }
            Thread.onSpinWait();
        }
    }

    static Future.State state(Future<CommitResult> write) {
        try {
            var _ = write.get();
        } catch (Exception e) {
            return write.state();
        }
        return write.state();
    }
}
