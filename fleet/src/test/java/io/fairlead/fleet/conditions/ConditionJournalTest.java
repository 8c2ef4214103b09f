package io.fairlead.fleet.conditions;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.fairlead.index.conditions.ConditionClaim;
import io.fairlead.index.conditions.ConditionStore;
import io.fairlead.index.conditions.ConditionStore.Added;
import io.fairlead.index.conditions.ObjectKey;
import io.fairlead.model.ClusterName;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Rows in a file: the same after a restart, in a file that does not grow for ever. */
final class ConditionJournalTest {
    private static final Instant NOON = Instant.parse("2026-01-02T12:00:00Z");
    private static final ObjectKey WEB = new ObjectKey(new ClusterName("prod"), "shop", "web-0");

    @TempDir
    private Path temporary;

    private Path folder;
    private Instant now = NOON;
    private final ConditionStore store = store();

    @BeforeEach
    void nameFolder() {
        folder = temporary.resolve("conditions");
    }

    @Test
    void rows_areReadAsTheyWereWritten() throws Exception {
        try (ConditionJournal journal = new ConditionJournal(folder, "r.log", () -> now)) {
            journal.open(store);
            journal.append(see("True", 1, "kubelet\t\n\u001b"), store);
            journal.append(see("False", 2, ""), store);
        }

        List<Added> read = read();
        assertThat(read).hasSize(2);
        assertThat(read.get(0).row().claim().manager()).isEqualTo("kubelet???");
        assertThat(read.get(1)).isEqualTo(store.all().get(1));
    }

    @Test
    void brokenLines_arePassedOver() throws Exception {
        try (ConditionJournal journal = new ConditionJournal(folder, "r.log", () -> now)) {
            journal.open(store);
            journal.append(see("True", 1, ""), store);
        }
        String line = Files.readString(folder.resolve("r.log"));
        Files.writeString(
                folder.resolve("r.log"),
                "nothing\n" + line.replace("FIRST_SIGHT", "NEVER") + line.replace("2026", "never")
                        + line.substring(0, line.length() / 2),
                StandardOpenOption.APPEND);

        assertThat(read()).isEqualTo(store.all());
    }

    /** It would be taken for a shorter manager. */
    @Test
    void lineThatIsCutInItsLastField_isPassedOver() throws Exception {
        try (ConditionJournal journal = new ConditionJournal(folder, "r.log", () -> now)) {
            journal.open(store);
            journal.append(see("True", 1, "kubelet"), store);
            journal.append(see("False", 2, "kubelet"), store);
        }
        Path file = folder.resolve("r.log");
        byte[] whole = Files.readAllBytes(file);
        for (int cut = 1; cut < 8; cut++) {
            Files.write(file, Arrays.copyOf(whole, whole.length - cut));

            assertThat(read()).as("%s bytes less", cut).isEqualTo(store.all().subList(0, 1));
        }
    }

    @Test
    void file_doesNotGrowForEver() throws Exception {
        try (ConditionJournal journal = new ConditionJournal(folder, "r.log", () -> now)) {
            journal.open(store);
            for (int i = 0; i < 20_000; i++) {
                journal.append(see(i % 2 == 0 ? "True" : "False", i, "kubelet"), store);
            }
        }

        assertThat(Files.size(folder.resolve("r.log"))).isLessThan(1_100_000);
        assertThat(read()).isEqualTo(store.all());
    }

    /** As for want of descriptors; here since it leads to a folder. */
    @Test
    void fileThatCannotBeRead_isNotOverwritten() throws Exception {
        Files.createDirectories(folder);
        Path file = Files.createSymbolicLink(folder.resolve("r.log"), temporary);
        try (ConditionJournal journal = new ConditionJournal(folder, "r.log", () -> now)) {
            assertThatThrownBy(() -> journal.open(store)).isInstanceOf(IOException.class);
            assertThatThrownBy(() -> journal.rewrite(store)).hasMessageContaining("r.log could not be read");
            assertThatThrownBy(() -> journal.append(see("True", 1, ""), store)).isInstanceOf(IOException.class);
        }

        assertThat(file).isSymbolicLink();
    }

    @Test
    void fileThatCannotBeWritten_isNotTriedForEachRow_andHasAllOnceItCan() throws Exception {
        Path folderInItsPlace = Files.createDirectories(folder.resolve("r.log.new"));
        Path blocking = Files.createDirectory(folderInItsPlace.resolve("blocking"));
        try (ConditionJournal journal = new ConditionJournal(folder, "r.log", () -> now)) {
            assertThatThrownBy(() -> journal.open(store)).isInstanceOf(IOException.class);
            Files.delete(blocking);
            Files.delete(folderInItsPlace);
            now = now.plusSeconds(9);
            journal.append(see("True", 1, ""), store);
            assertThat(folder.resolve("r.log")).doesNotExist();

            now = now.plusSeconds(1);
            journal.append(see("False", 2, ""), store);
        }

        assertThat(read()).hasSize(2).isEqualTo(store.all());
    }

    @Test
    void rowsThatTheStoreHasForgotten_areNotWritten() throws Exception {
        try (ConditionJournal journal = new ConditionJournal(folder, "r.log", () -> now)) {
            journal.open(store);
            List<Added> rows = see("True", 1, "");
            store.forget(WEB.cluster());

            journal.append(rows, store);
        }

        assertThat(read()).isEmpty();
    }

    @Test
    void closedJournal_writesNothing() throws Exception {
        ConditionJournal journal = new ConditionJournal(folder, "r.log", () -> now);
        journal.open(store);
        journal.append(see("True", 1, ""), store);
        journal.close();
        String before = Files.readString(folder.resolve("r.log"));

        journal.append(see("False", 2, ""), store);
        journal.rewrite(store);

        assertThat(Files.readString(folder.resolve("r.log"))).isEqualTo(before);
    }

    private List<Added> see(String status, int second, String manager) {
        Instant time = NOON.plusSeconds(second);
        return store.seen(
                WEB,
                "u",
                Map.of("Ready", new ConditionClaim(status, time.toString(), "" + second, manager)),
                "1",
                time);
    }

    private List<Added> read() throws Exception {
        ConditionStore read = store();
        try (ConditionJournal journal = new ConditionJournal(folder, "r.log", () -> now)) {
            journal.open(read);
        }
        return read.all();
    }

    private static ConditionStore store() {
        return new ConditionStore(List.of("Ready"), 1_000_000);
    }
}
