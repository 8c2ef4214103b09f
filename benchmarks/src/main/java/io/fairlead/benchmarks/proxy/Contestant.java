package io.fairlead.benchmarks.proxy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/**
 * A proxy under test.
 *
 * @param name as the tables call it
 * @param process the process whose time counts, with its children
 * @param url where it is asked, without a trailing slash
 */
record Contestant(String name, ProcessHandle process, String url) {
    private static final double MICROS_PER_TICK = 10_000;
    private static final int USER_TICKS = 11;
    private static final int RSS_PAGES = 21;
    private static final double KIB_PER_PAGE = 4;

    /** The same once its process was started anew. */
    Contestant at(ProcessHandle restarted) {
        return new Contestant(name, restarted, url);
    }

    /** Whether it is the gateway without its stages. */
    boolean isFloor() {
        return name.equals(Floor.NAME);
    }

    /** CPU time since it began, in microseconds, by the kernel's accounting in ticks of 10 ms. */
    double cpuMicros() throws IOException {
        double ticks = 0;
        for (List<String> fields : statistics()) {
            ticks += Long.parseLong(fields.get(USER_TICKS)) + Long.parseLong(fields.get(USER_TICKS + 1));
        }
        return ticks * MICROS_PER_TICK;
    }

    /** The part of it that was not spent in the kernel. */
    double userMicros() throws IOException {
        double ticks = 0;
        for (List<String> fields : statistics()) {
            ticks += Long.parseLong(fields.get(USER_TICKS));
        }
        return ticks * MICROS_PER_TICK;
    }

    /** Resident memory in KiB. */
    double residentKib() throws IOException {
        double pages = 0;
        for (List<String> fields : statistics()) {
            pages += Long.parseLong(fields.get(RSS_PAGES));
        }
        return pages * KIB_PER_PAGE;
    }

    /** The fields of proc(5) stat behind the name, which may have blanks, for each process. */
    private List<List<String>> statistics() throws IOException {
        List<ProcessHandle> all =
                Stream.concat(Stream.of(process), process.descendants()).toList();
        List<List<String>> statistics = new ArrayList<>();
        for (ProcessHandle one : all) {
            String line = Files.readString(Path.of("/proc/" + one.pid() + "/stat"));
            statistics.add(List.of(line.substring(line.lastIndexOf(')') + 2).split(" ", -1)));
        }
        return statistics;
    }
}
