package io.fairlead.ittests;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;

/** What a command that has ended left: exit code, standard output, standard error. */
record Output(int exitCode, String output, String errors) {
    private static final Pattern KLOG_LINE = Pattern.compile("(?m)^[EWI]\\d{4} .*\\n");

    /** Runs a command to its end. */
    static Output of(
            Path folder, Map<String, String> environment, String input, Duration timeout, List<String> command) {
        try {
            Path out = Files.createTempFile(folder, "command", ".out");
            Path err = Files.createTempFile(folder, "command", ".err");
            Path in = Files.writeString(Files.createTempFile(folder, "command", ".in"), input);
            var builder = new ProcessBuilder(command)
                    .directory(folder.toFile())
                    .redirectInput(in.toFile())
                    .redirectOutput(out.toFile())
                    .redirectError(err.toFile());
            builder.environment().putAll(environment);
            int exitCode = end(builder.start(), timeout, command);
            var output = new Output(exitCode, text(out), text(err));
            Files.delete(out);
            Files.delete(err);
            Files.delete(in);
            return output;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Standard error without the lines that kubectl logs with a time (klog), which say nothing more. */
    String told() {
        return KLOG_LINE.matcher(errors).replaceAll("");
    }

    private static int end(Process process, Duration timeout, List<String> command) {
        try {
            if (!process.waitFor(timeout.toMillis(), TimeUnit.MILLISECONDS)) {
                process.destroyForcibly();
                throw new AssertionError("not done within " + timeout + ": " + command);
            }
            return process.exitValue();
        } catch (InterruptedException e) {
            process.destroyForcibly();
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted: " + command, e);
        }
    }

    private static String text(Path file) throws IOException {
        return new String(Files.readAllBytes(file), StandardCharsets.UTF_8);
    }
}
