package io.fairlead.ittests;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.stream.Stream;

/** The ways in which a server ends amid writes; whichever it was, it can be started again afterwards. */
enum CrashEnding {
    KILL {
        @Override
        void end(FairleadProcess fairlead, SplittableRandom random, Runnable writersEnd) {
            fairlead.kill();
        }
    },
    /** It is killed, and once or twice again before it is ready. */
    KILL_ALSO_WHILE_IT_STARTS {
        @Override
        void end(FairleadProcess fairlead, SplittableRandom random, Runnable writersEnd) {
            fairlead.kill();
            killWhileItStarts(fairlead, random);
        }
    },
    /**
     * A write to the store's log is cut off at a random byte and fails, as do all after it: what the file may grow by is limited
     * (setrlimit, RLIMIT_FSIZE). Then it is killed, in half of all cases while it starts again too.
     */
    TORN_WRITE {
        @Override
        void end(FairleadProcess fairlead, SplittableRandom random, Runnable writersEnd) {
            long bytes = logBytes(fairlead) + 1 + random.nextInt(TORN_BYTES_MAX);
            run("prlimit", "--pid", "" + fairlead.pid(), "--fsize=" + bytes + ":" + bytes);
            writersEnd.run();
            fairlead.kill();
            if (random.nextBoolean()) {
                killWhileItStarts(fairlead, random);
            }
        }
    },
    /** The disk fills up: it takes deletions alone, in half of all cases until it has no room for these either. Then it is killed. */
    FULL_DISK {
        @Override
        void end(FairleadProcess fairlead, SplittableRandom random, Runnable writersEnd) {
            long left = random.nextBoolean() ? LEFT_FOR_DELETIONS : random.nextInt(TORN_BYTES_MAX);
            Path filler = fairlead.dataDir().resolve("filler");
            try {
                long bytes = Files.getFileStore(fairlead.dataDir()).getUsableSpace() - left;
                run("fallocate", "--length", "" + bytes, filler.toString());
                writersEnd.run();
                Files.delete(filler);
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
            fairlead.kill();
        }
    };

    private static final Duration COMMAND_TIMEOUT = Duration.ofSeconds(10);
    private static final int START_MILLIS_MIN = 100;
    private static final int START_MILLIS = 1_400;
    private static final int TORN_BYTES_MAX = 6_000;
    private static final long LEFT_FOR_DELETIONS = 8L << 20;

    /**
     * Ends it.
     *
     * @param writersEnd waits until those that write to it have given up
     */
    abstract void end(FairleadProcess fairlead, SplittableRandom random, Runnable writersEnd);

    /** Whether writes are refused before its end. */
    boolean refuses() {
        return this == TORN_WRITE || this == FULL_DISK;
    }

    private static void killWhileItStarts(FairleadProcess fairlead, SplittableRandom random) {
        for (int starts = 1 + random.nextInt(2); starts > 0; starts--) {
            fairlead.startAndKillAfter(Duration.ofMillis(START_MILLIS_MIN + random.nextInt(START_MILLIS)));
        }
    }

    /** How long the log is that the store writes to. */
    private static long logBytes(FairleadProcess fairlead) {
        Path database = fairlead.dataDir().resolve("store").resolve("rocksdb");
        try (Stream<Path> files = Files.list(database)) {
            Path newest = files.filter(file -> file.toString().endsWith(".log"))
                    .max(Path::compareTo)
                    .orElseThrow();
            return Files.size(newest);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static void run(String... command) {
        Output output = Output.of(Checkout.module(), Map.of(), "", COMMAND_TIMEOUT, List.of(command));
        assertThat(output.exitCode()).as("%s: %s", List.of(command), output).isZero();
    }
}
