package io.fairlead.cli;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.fairlead.cli.server.ExitCodes;
import io.fairlead.gateway.logging.Logging;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.PrintWriter;
import java.util.List;
import java.util.Optional;

/** The program's entry point. */
public final class Main {
    /** When the JVM was up, as of {@link System#nanoTime}. */
    static final long BEGAN_NANOS = System.nanoTime();

    private Main() {}

    public static void main(String[] arguments) {
        Logging.quiet();
        PrintWriter out = writer(FileDescriptor.out);
        PrintWriter err = writer(FileDescriptor.err);
        int exitCode = run(List.of(arguments), out, err);
        out.flush();
        err.flush();
        // Threads of libraries must not keep a finished command running.
        Runtime.getRuntime().halt(exitCode);
    }

    private static int run(List<String> arguments, PrintWriter out, PrintWriter err) {
        Optional<PlainServe> serve = PlainServe.of(arguments);
        if (serve.isEmpty()) {
            return FairleadCommand.execute(arguments, out, err);
        }
        try {
            return serve.get().run(out, err);
        } catch (RuntimeException unexpected) {
            unexpected.printStackTrace(err);
            return ExitCodes.ERROR;
        }
    }

    private static PrintWriter writer(FileDescriptor descriptor) {
        return new PrintWriter(new FileOutputStream(descriptor), true, UTF_8);
    }
}
