package io.fairlead.cli.warm;

import java.io.BufferedReader;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Whether this JVM runs from the ahead-of-time cache that the launcher named, and why if it does not. */
public final class StartCache {
    /** Set by the launcher: the file, whether it is there or not. */
    private static final String FILE = "fairlead.startCache";

    /** Set by the launcher: why it did not give it to the JVM; empty if it did. */
    private static final String REFUSAL = "fairlead.startCacheRefusal";

    private static final Logger LOG = LoggerFactory.getLogger(StartCache.class);
    private static final String ADVICE = "'fairlead warm' makes one for this JDK; everything works without";
    private static final int PROBE_SECONDS = 20;

    /** What the JVM says beside the reason, or instead of one. */
    private static final List<String> NO_REASON = List.of(
            "An error has occurred while processing the AOT cache",
            "Loading static archive failed",
            "Unable to map shared spaces",
            "Unable to use AOT cache",
            "shared class paths mismatch");

    /** Options of a JVM that a second one must not have. */
    private static final List<String> NOT_PROBED = List.of(
            "-Xlog",
            "-agentlib",
            "-agentpath",
            "-javaagent",
            "-Xrun",
            "-XX:StartFlightRecording",
            "-XX:AOTCacheOutput");

    private StartCache() {}

    /** Logs it where debug lines are wanted. Blocks while a second JVM is asked for the reason. */
    public static void tell() {
        String file = System.getProperty(FILE);
        if (file == null || !LOG.isDebugEnabled()) {
            return;
        }
        if (isUsed(file)) {
            LOG.atDebug().addKeyValue("file", file).log("Started from the cache");
        } else {
            LOG.atDebug()
                    .addKeyValue("file", file)
                    .addKeyValue("reason", reason())
                    .addKeyValue("advice", ADVICE)
                    .log("Started without the cache");
        }
    }

    /** A JVM that refuses the cache it was given uses none at all, not even its own. */
    private static boolean isUsed(String file) {
        return options().anyMatch(option(file)::equals)
                && System.getProperty("java.vm.info", "").contains("sharing");
    }

    private static String reason() {
        String refusal = System.getProperty(REFUSAL, "");
        if (!refusal.isEmpty()) {
            return refusal;
        }
        try {
            return said(probe());
        } catch (IOException unknown) {
            return "the JVM does not say";
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            return "the JVM was not asked";
        }
    }

    private static String option(String file) {
        return "-XX:AOTCache=" + file;
    }

    private static Stream<String> options() {
        return ManagementFactory.getRuntimeMXBean().getInputArguments().stream();
    }

    /** What a JVM with the options of this one says of its cache; it ends by itself. */
    private static List<String> probe() throws IOException, InterruptedException {
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        options()
                .filter(option -> NOT_PROBED.stream().noneMatch(option::startsWith))
                .forEach(command::add);
        command.addAll(List.of(
                "-Xlog:disable",
                "-Xlog:aot*=warning,cds*=warning:stdout:none",
                "-cp",
                System.getProperty("java.class.path"),
                "-version"));
        Process jvm = new ProcessBuilder(command)
                .redirectError(ProcessBuilder.Redirect.DISCARD)
                .start();
        try (BufferedReader lines = jvm.inputReader(StandardCharsets.UTF_8)) {
            List<String> said = lines.readAllLines();
            if (!jvm.waitFor(PROBE_SECONDS, TimeUnit.SECONDS)) {
                jvm.destroyForcibly();
            }
            return said;
        }
    }

    /** The first line of the JVM that is a reason. */
    static String said(List<String> lines) {
        return lines.stream()
                .map(String::strip)
                .filter(line -> !line.isEmpty() && NO_REASON.stream().noneMatch(line::startsWith))
                .findFirst()
                .orElse("the JVM does not say");
    }
}
