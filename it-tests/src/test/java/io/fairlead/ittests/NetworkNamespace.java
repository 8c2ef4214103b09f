package io.fairlead.ittests;

import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * A network in which nothing else is: its loopback interface has an address that API servers take for an endpoint, which no
 * loopback address is. As root it needs nothing; other users get a user namespace of their own with it.
 */
final class NetworkNamespace implements AutoCloseable {
    /** Of TEST-NET-2 (RFC 5737), which no host has. */
    static final String ADDRESS = "198.51.100.7";

    private static final Duration TIMEOUT = Duration.ofSeconds(20);

    private final Path folder;
    private final OwnedProcess holder;
    private final boolean isRoot = System.getProperty("user.name").equals("root");

    private NetworkNamespace(Path folder) {
        String setUp =
                "ip link set lo up && ip address add " + ADDRESS + "/32 dev lo && echo up && exec sleep infinity";
        this.folder = folder;
        holder = OwnedProcess.start(
                "network", folder, Map.of(), List.of("unshare", isRoot ? "-n" : "-Urn", "sh", "-c", setUp));
    }

    /** One that is there until it is closed. */
    static NetworkNamespace open(Path folder) {
        NetworkNamespace network = new NetworkNamespace(folder);
        Await.until(
                "the network has its address; " + network.holder.tail(),
                TIMEOUT,
                () -> !network.holder.isAlive() || network.holder.output().contains("up"));
        if (!network.holder.isAlive()) {
            throw new AssertionError("no network namespace; " + network.holder.tail());
        }
        return network;
    }

    /** Gives it a further address. */
    void add(String address) {
        Output added = Output.of(
                folder, Map.of(), "", TIMEOUT, within(List.of("ip", "address", "add", address + "/32", "dev", "lo")));
        if (added.exitCode() != 0) {
            throw new AssertionError("ip address add: " + added);
        }
    }

    /** A command, so that it runs in this network. */
    List<String> within(List<String> command) {
        List<String> whole = new ArrayList<>(List.of("nsenter", "--target", String.valueOf(holder.pid()), "--net"));
        if (!isRoot) {
            whole.addAll(List.of("--user", "--preserve-credentials"));
        }
        whole.add("--");
        whole.addAll(command);
        return whole;
    }

    /** A program of these tests, with its arguments, so that it runs in this network: a small JVM of its own. */
    List<String> program(Class<?> main, List<String> arguments) {
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xmx128m",
                "-XX:+UseSerialGC",
                "-XX:TieredStopAtLevel=1",
                "-cp",
                System.getProperty("java.class.path"),
                main.getName()));
        command.addAll(arguments);
        return within(command);
    }

    @Override
    public void close() {
        holder.close();
    }
}
