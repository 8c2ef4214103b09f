package io.fairlead.ittests;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * What a running Fairlead holds, seen from outside (Linux).
 *
 * @param heapBytes live objects after a full collection
 * @param threads of the operating system
 * @param connections open sockets of any kind
 * @param series samples in its metrics
 */
record Footprint(long heapBytes, long threads, long connections, long series) {
    private static final Duration TIMEOUT = Duration.ofMinutes(1);
    private static final Path JCMD = Path.of(System.getProperty("java.home"), "bin", "jcmd");
    private static final Pattern TOTAL = Pattern.compile("(?m)^Total +\\d+ +(\\d+)$");
    private static final Pattern THREADS = Pattern.compile("(?m)^Threads:\\s+(\\d+)$");

    static Footprint of(FairleadProcess fairlead, HttpProbe metrics) throws Exception {
        long pid = fairlead.pid();
        Path proc = Path.of("/proc", "" + pid);
        return new Footprint(
                heap(pid), number(THREADS, Files.readString(proc.resolve("status"))), sockets(proc), series(metrics));
    }

    /** Whether nothing is more than another's by more than some part of it. */
    boolean isWithin(double part, Footprint other) {
        return isWithin(part, heapBytes, other.heapBytes)
                && isWithin(part, threads, other.threads)
                && isWithin(part, connections, other.connections)
                && isWithin(part, series, other.series);
    }

    Footprint withMoreHeap(long bytes) {
        return new Footprint(heapBytes + bytes, threads, connections, series);
    }

    private static boolean isWithin(double part, long value, long other) {
        return value <= Math.ceil(other * (1 + part));
    }

    /** The histogram is of live objects: it is taken after a full collection. */
    private static long heap(long pid) {
        Output histogram = Output.of(
                Checkout.module(), Map.of(), "", TIMEOUT, List.of(JCMD.toString(), "" + pid, "GC.class_histogram"));
        return number(TOTAL, histogram.output());
    }

    private static long sockets(Path proc) throws IOException {
        try (Stream<Path> open = Files.list(proc.resolve("fd"))) {
            return open.filter(Footprint::isSocket).count();
        }
    }

    private static boolean isSocket(Path descriptor) {
        try {
            return Files.readSymbolicLink(descriptor).toString().startsWith("socket:");
        } catch (IOException closedMeanwhile) {
            return false;
        }
    }

    private static long series(HttpProbe metrics) throws Exception {
        return metrics.get("/metrics")
                .body()
                .lines()
                .filter(line -> !line.startsWith("#"))
                .count();
    }

    private static long number(Pattern pattern, String text) {
        Matcher matcher = pattern.matcher(text);
        if (!matcher.find()) {
            throw new AssertionError("no " + pattern + " in " + text);
        }
        return Long.parseLong(matcher.group(1));
    }
}
