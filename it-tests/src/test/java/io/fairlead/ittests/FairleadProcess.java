package io.fairlead.ittests;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/** Fairlead as a user gets it: the launcher at the repository's root with a data directory of its own and a free port. */
final class FairleadProcess implements AutoCloseable {
    /** At which it is the backend of aggregation layers. */
    static final int BACKEND_PORT = 8443;

    private static final Duration READY_TIMEOUT = Duration.ofMinutes(1);
    static final Duration COMMAND_TIMEOUT = Duration.ofSeconds(90);
    private static final Duration DRAIN_TIMEOUT = Duration.ofMinutes(1);

    /**
     * Most servers of tests live for seconds, of which the optimising compiler takes a third. Those that a test starts by a command of
     * its own are as shipped, or as the command says.
     */
    private static final Map<String, String> SHORT_LIVED = Map.of("FAIRLEAD_JAVA_OPTS", "-XX:TieredStopAtLevel=1");

    private final List<String> launcher;
    private final Map<String, String> variables;
    private final Path folder;
    private final List<String> flags;
    private final @Nullable NetworkNamespace network;
    private @Nullable OwnedProcess process;
    private int starts;

    /** Starts {@code ./fairlead serve} with further flags and returns when it says that it is ready. */
    static FairleadProcess start(Path folder, String... flags) {
        var fairlead = notStarted(folder, flags);
        fairlead.start();
        return fairlead;
    }

    /** The same by another launcher, or by a command that becomes one. */
    static FairleadProcess startBy(List<String> launcher, Path folder, String... flags) {
        var fairlead = new FairleadProcess(launcher, Map.of(), folder, List.of(flags), null);
        fairlead.start();
        return fairlead;
    }

    /** The same in a network of its own, as all its commands. */
    static FairleadProcess startIn(NetworkNamespace network, Path folder, String... flags) {
        List<String> launcher = network.within(List.of(Checkout.launcher().toString()));
        var fairlead = new FairleadProcess(launcher, SHORT_LIVED, folder, List.of(flags), network);
        fairlead.start();
        return fairlead;
    }

    /** The same, where the aggregation layers of clusters in the network reach it. */
    static FairleadProcess startAsBackend(NetworkNamespace network, Path folder) {
        return startIn(
                network,
                folder,
                "--bind-address=0.0.0.0",
                "--upstream-allow-loopback=true",
                "--secure-port",
                String.valueOf(BACKEND_PORT));
    }

    /** One that {@link #start} has not been called for. */
    static FairleadProcess notStarted(Path folder, String... flags) {
        return new FairleadProcess(List.of(Checkout.launcher().toString()), SHORT_LIVED, folder, List.of(flags), null);
    }

    private FairleadProcess(
            List<String> launcher,
            Map<String, String> variables,
            Path folder,
            List<String> flags,
            @Nullable NetworkNamespace network) {
        this.network = network;
        this.launcher = launcher;
        this.variables = variables;
        this.folder = folder;
        this.flags = flags;
    }

    Path dataDir() {
        return folder.resolve("fairlead-data");
    }

    Path adminKubeconfig() {
        return dataDir().resolve("admin.kubeconfig");
    }

    /** The URL in use, as scripts read it. */
    String endpoint() {
        try {
            return Files.readString(dataDir().resolve("endpoint")).strip();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Starts it, again after {@link #kill} or {@link #stop}; the port may be another one unless a flag names it. */
    void start() {
        startBy(launcher);
    }

    /** Starts it, and kills it after some time, be it ready by then or not. */
    void startAndKillAfter(Duration time) {
        var _ = launch(launcher);
        LockSupport.parkNanos(time.toNanos());
        kill();
    }

    /** The same by another launcher, or by a command that becomes one. */
    void startBy(List<String> command) {
        OwnedProcess started = launch(command);
        Await.until("fairlead is ready", READY_TIMEOUT, () -> !started.isAlive() || saysReady(started));
        if (!started.isAlive()) {
            throw new AssertionError("fairlead ended early; " + started.tail());
        }
    }

    private OwnedProcess launch(List<String> command) {
        var whole = new ArrayList<>(command);
        whole.addAll(List.of("serve", "--data-dir", dataDir().toString()));
        whole.addAll(flags);
        if (!flags.contains("--secure-port")) {
            whole.addAll(List.of("--secure-port", "0"));
        }
        if (!flags.contains("--metrics-address")) {
            whole.addAll(List.of("--metrics-address", "off"));
        }
        starts++;
        OwnedProcess started = OwnedProcess.start("fairlead-" + starts, folder, variables, whole);
        process = started;
        return started;
    }

    long pid() {
        return running().pid();
    }

    ProcessHandle handle() {
        return ProcessHandle.of(pid()).orElseThrow();
    }

    /** SIGTERM; returns the exit code. */
    int stop() {
        return running().terminate(DRAIN_TIMEOUT);
    }

    /** SIGTERM, without waiting for what it does. */
    void signal() {
        running().signal();
    }

    /** SIGHUP. */
    void hangUp() {
        Output sent = Output.of(folder, Map.of(), "", COMMAND_TIMEOUT, List.of("kill", "-HUP", "" + pid()));
        if (sent.exitCode() != 0) {
            throw new AssertionError("kill: " + sent);
        }
    }

    /** Waits for its end by itself; returns the exit code. */
    int awaitEnd(Duration timeout) {
        return running().awaitEnd(timeout);
    }

    /** SIGKILL. */
    void kill() {
        running().kill();
    }

    /** Tries to serve the same data directory a second time, which must end by itself. */
    Output serveAgain(String... more) {
        return serveAgainWith(Map.of(), more);
    }

    /** The same with variables of the environment. */
    Output serveAgainWith(Map<String, String> variables, String... more) {
        var command = new ArrayList<>(List.of(Checkout.launcher().toString(), "serve"));
        command.addAll(List.of("--data-dir", dataDir().toString(), "--metrics-address", "off"));
        command.addAll(List.of(more));
        return Output.of(folder, variables, "", COMMAND_TIMEOUT, command);
    }

    /** What it wrote to standard output since the last start. */
    String output() {
        return running().output();
    }

    /** What it wrote to standard error since the last start. */
    String log() {
        return running().errors();
    }

    /** Runs another command of the launcher against this server. */
    Output command(String... arguments) {
        var command = new ArrayList<>(List.of(Checkout.launcher().toString()));
        command.addAll(List.of(arguments));
        var environment = Map.of("FAIRLEAD_KUBECONFIG", adminKubeconfig().toString());
        NetworkNamespace own = network;
        return Output.of(folder, environment, "", COMMAND_TIMEOUT, own == null ? command : own.within(command));
    }

    /** Attaches a cluster and waits until it is Ready. */
    void attach(String id, Path kubeconfig, String... options) {
        var arguments = new ArrayList<>(List.of("cluster", "attach", id, "--from-kubeconfig", kubeconfig.toString()));
        arguments.addAll(List.of(options));
        Output attached = command(arguments.toArray(String[]::new));
        if (attached.exitCode() != 0) {
            throw new AssertionError(
                    "cluster attach: " + attached + "\n" + running().tail());
        }
    }

    /** A kubeconfig for the administrator and one cluster, by path. */
    Path kubeconfigOf(String id) {
        return kubeconfigOf(id, "path");
    }

    /** A kubeconfig for the administrator and one cluster, by path or by host. */
    Path kubeconfigOf(String id, String form) {
        Output printed = command("kubeconfig", id, "--form", form);
        if (printed.exitCode() != 0) {
            throw new AssertionError("kubeconfig: " + printed);
        }
        try {
            return Files.writeString(folder.resolve(id + "-" + form + ".kubeconfig"), printed.output());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Override
    public void close() {
        if (process != null) {
            process.close();
        }
    }

    private boolean saysReady(OwnedProcess started) {
        return Files.exists(dataDir().resolve("endpoint")) && started.output().contains(endpoint());
    }

    private OwnedProcess running() {
        OwnedProcess started = process;
        if (started == null) {
            throw new IllegalStateException("not started");
        }
        return started;
    }
}
