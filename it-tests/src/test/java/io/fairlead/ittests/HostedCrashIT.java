package io.fairlead.ittests;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Hosted clusters whose server ends amid mixed writes: no acknowledged write is lost, none is invented, revisions only grow, and
 * watches go on without a gap.
 */
final class HostedCrashIT {
    private static final long SEED = 20261127;
    private static final Duration COMMAND_TIMEOUT = Duration.ofSeconds(20);

    /** Each fourth kill is followed by others while the server starts. */
    private static final List<CrashEnding> KILLS =
            List.of(CrashEnding.KILL, CrashEnding.KILL, CrashEnding.KILL_ALSO_WHILE_IT_STARTS, CrashEnding.KILL);

    private static final List<CrashEnding> FAULTS = List.of(CrashEnding.TORN_WRITE);
    private static final List<CrashEnding> FULL = List.of(CrashEnding.FULL_DISK);

    @Test
    void tenKills_loseAndInventNothing() throws Exception {
        end("kills", KILLS, 10, 2_000);
    }

    @Test
    @Tag("endurance")
    void hundredKillsInTwentyThousandWrites_loseAndInventNothing() throws Exception {
        end("kills", KILLS, 100, 20_000);
    }

    @Test
    void tornWrites_loseAndInventNothing() throws Exception {
        end("torn", FAULTS, 1, 100);
    }

    @Test
    @Tag("endurance")
    void hundredTornWritesInTwentyThousand_loseAndInventNothing() throws Exception {
        end("torn", FAULTS, 100, 20_000);
    }

    @Test
    void fullDisks_loseAndInventNothing() throws Exception {
        endOnASmallDisk(1, 100);
    }

    @Test
    @Tag("endurance")
    void hundredFullDisksInTwentyThousandWrites_loseAndInventNothing() throws Exception {
        endOnASmallDisk(100, 20_000);
    }

    private static void endOnASmallDisk(int times, int writes) throws Exception {
        Path folder = Checkout.scratch("HostedCrashIT/full-" + times);
        Path disk = Files.createDirectories(folder.resolve("fairlead-data"));
        Output mounted = command("mount", "-t", "tmpfs", "-o", "size=384m", "none", disk.toString());
        assumeThat(mounted.exitCode()).as("mounting a small disk: %s", mounted).isZero();
        try {
            end(folder, FULL, times, writes);
        } finally {
            var _ = command("umount", disk.toString());
        }
    }

    private static void end(String name, List<CrashEnding> endings, int times, int writes) throws Exception {
        end(Checkout.scratch("HostedCrashIT/" + name + "-" + times), endings, times, writes);
    }

    private static void end(Path folder, List<CrashEnding> endings, int times, int writes) throws Exception {
        var random = new SplittableRandom(SEED);
        try (var rounds = new CrashRounds(folder, random.nextLong())) {
            for (int i = 0; i < times; i++) {
                CrashEnding ending = endings.get(i % endings.size());
                int left = Math.max(1, writes - rounds.acknowledged());
                int average = Math.max(1, left / (times - i));
                boolean isLast = i == times - 1;
                rounds.round(
                        ending,
                        isLast ? left : 1 + random.nextInt(2 * average),
                        "seed " + SEED + ", " + ending + " " + (i + 1));
            }
            assertThat(rounds.acknowledged()).isGreaterThanOrEqualTo(writes);
            record(
                    folder,
                    rounds.acknowledged() + " writes were acknowledged, and watches went on " + rounds.resumed()
                            + " times");
        }
    }

    private static Output command(String... command) {
        return Output.of(Checkout.module(), Map.of(), "", COMMAND_TIMEOUT, List.of(command));
    }

    /** What was measured is kept beside the logs. */
    private static void record(Path folder, String line) throws IOException {
        Files.writeString(
                folder.resolve("measured.txt"), line + "\n", StandardOpenOption.CREATE, StandardOpenOption.APPEND);
    }
}
