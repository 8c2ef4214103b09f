package io.fairlead.benchmarks.proxy;

import io.fairlead.benchmarks.Report;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import one.profiler.AsyncProfilerLoader;

/**
 * Where the gateway's CPU time goes while it proxies small requests, by layer: samples of native and Java frames by
 * async-profiler, taken after the measurements.
 */
final class Profile {
    private static final double ALL = 100;

    private final String load;
    private final Map<Layer, Long> samples = new EnumMap<>(Layer.class);
    private long total;

    /** Whose code was running. */
    enum Layer {
        KERNEL("kernel"),
        TLS("TLS (BoringSSL and its binding)"),
        HTTP("`http/`, and its callers in `listen` and `net`"),
        NETTY("Netty"),
        STAGES("Fairlead's stages"),
        JIT("JIT compilers"),
        COLLECTOR("garbage collector"),
        OTHER("the rest of the JVM, libraries");

        private final String words;

        Layer(String words) {
            this.words = words;
        }

        /** The layer of a stack: its thread first, innermost frame last, joined by semicolons. */
        static Layer of(String stack) {
            if (stack.startsWith("[C1 Comp") || stack.startsWith("[C2 Comp")) {
                return JIT;
            }
            if (stack.startsWith("[GC ") || stack.startsWith("[VM Thread")) {
                return COLLECTOR;
            }
            List<String> frames = List.of(stack.split(";", -1));
            if (frames.getLast().endsWith("_[k]")) {
                return KERNEL;
            }
            for (String frame : frames.reversed()) {
                Layer layer = ofFrame(frame);
                if (layer != OTHER) {
                    return layer;
                }
            }
            return OTHER;
        }

        /** Frames of the JDK count for their callers. */
        private static Layer ofFrame(String frame) {
            if (frame.startsWith("io/netty/internal/tcnative/") || frame.startsWith("io/netty/handler/ssl/")) {
                return TLS;
            }
            if (frame.startsWith("io/netty/")) {
                return NETTY;
            }
            if (frame.startsWith("io/fairlead/http/")
                    || frame.startsWith("io/fairlead/net/")
                    || frame.startsWith("io/fairlead/gateway/listen/")) {
                return HTTP;
            }
            return frame.startsWith("io/fairlead/") ? STAGES : OTHER;
        }
    }

    /** Makes a load for some seconds; answers how many requests were answered. */
    @FunctionalInterface
    interface Requests {
        long answered(int seconds) throws IOException, InterruptedException;
    }

    private Profile(String load) {
        this.load = load;
    }

    static Profile take(Arena arena, String what, Contestant fairlead, int seconds, Requests requests)
            throws IOException, InterruptedException {
        Path stacks = arena.workshop().path("stacks");
        CompletableFuture<Void> profiler = CompletableFuture.runAsync(() -> profile(fairlead, seconds, stacks));
        requests.answered(seconds + 1);
        profiler.join();
        Profile profile = new Profile(what);
        for (String line : Files.readAllLines(stacks)) {
            int space = line.lastIndexOf(' ');
            profile.count(Layer.of(line.substring(0, space)), Long.parseLong(line.substring(space + 1)));
        }
        return profile;
    }

    private static void profile(Contestant fairlead, int seconds, Path stacks) {
        try {
            AsyncProfilerLoader.executeProfiler(
                    "-e",
                    "cpu",
                    "-d",
                    Integer.toString(seconds),
                    "-t",
                    "-o",
                    "collapsed",
                    "-f",
                    stacks.toString(),
                    Long.toString(fairlead.process().pid()));
        } catch (IOException e) {
            throw new CompletionException(e);
        }
    }

    private void count(Layer layer, long more) {
        samples.merge(layer, more, Long::sum);
        total += more;
    }

    void write(Report report) {
        report.line("");
        report.line("### Where the CPU time of " + load + " goes");
        report.line("");
        report.line("By async-profiler, " + total + " samples; what the JDK does counts for its caller:");
        report.line("");
        report.line("| layer | part |");
        report.line("| --- | ---: |");
        for (Layer layer : Layer.values()) {
            long count = samples.getOrDefault(layer, 0L);
            report.line("| " + layer.words + " | " + Math.round(ALL * count / Math.max(1, total)) + " % |");
        }
    }

    static String jcmd() {
        return tool("jcmd");
    }

    static String tool(String name) {
        return Path.of(System.getProperty("java.home"), "bin", name).toString();
    }
}
