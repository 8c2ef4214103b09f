package io.fairlead.benchmarks.proxy;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.fairlead.benchmarks.floor.FloorServer;
import java.io.IOException;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/**
 * How {@link FloorServer} is started: by the command line of the gateway that runs, as its launcher made it, with another
 * main class and an ahead-of-time cache of its own.
 */
final class Floor {
    static final String NAME = "floor";

    private static final String GATEWAY = "io.fairlead.cli.Main";
    private static final String CACHE = "-XX:AOTCache=";

    /** Of each protocol; the launcher's own trial run makes about as many of all kinds. */
    private static final int TRIAL_REQUESTS = 1_000;

    private static final int CACHE_MINUTES_MAX = 3;

    private final Workshop workshop;
    private final List<String> gateway;
    private final Path jar;
    private final Path cache;

    private Floor(Workshop workshop, List<String> gateway) {
        this.workshop = workshop;
        this.gateway = gateway;
        this.jar = workshop.path("floor.jar");
        this.cache = workshop.path("floor.aot");
    }

    /** Takes over the command line of a gateway. There is no cache yet. */
    static Floor of(Workshop workshop, Contestant gateway) throws IOException, InterruptedException {
        String commandLine =
                Files.readString(Path.of("/proc/" + gateway.process().pid() + "/cmdline"), UTF_8);
        Floor floor = new Floor(workshop, List.of(commandLine.split("\0", -1)));
        floor.pack();
        return floor;
    }

    /** A cache holds no classes from folders. */
    private void pack() throws IOException, InterruptedException {
        try {
            String classes = Path.of(FloorServer.class
                            .getProtectionDomain()
                            .getCodeSource()
                            .getLocation()
                            .toURI())
                    .toString();
            String folder = FloorServer.class.getPackageName().replace('.', '/');
            workshop.run(
                    "jar",
                    Workshop.LOAD_CPU,
                    List.of(Profile.tool("jar"), "--create", "--file", jar.toString(), "-C", classes, folder));
        } catch (URISyntaxException nowhere) {
            throw new IOException(nowhere);
        }
    }

    /** Makes the cache by a trial run, with requests over both protocols. The gateway has one if its launcher made it. */
    void rehearse(int port, String upstream) throws IOException, InterruptedException {
        if (gateway.stream().noneMatch(option -> option.startsWith(CACHE))) {
            return;
        }
        Path made = workshop.path("floor-trial.aot");
        List<String> command = new ArrayList<>(command(Map.of(port, upstream)));
        command.addAll(1, List.of("-XX:TieredStopAtLevel=3", "-XX:AOTCacheOutput=" + made)); // as the launcher does
        Process trial = workshop.start("floor-trial", Workshop.PROXY_CPU, command);
        workshop.awaitListening(trial, port);
        Load load = new Load(workshop, Callers.ADMINISTRATOR);
        String url = "https://127.0.0.1:" + port + Arena.BODIES + Arena.SIZES.getFirst();
        load.countedH1(url, ProxyReport.H1_CONNECTIONS, TRIAL_REQUESTS);
        load.countedH2(url, ProxyReport.H2_CONNECTIONS, ProxyReport.H2_STREAMS, TRIAL_REQUESTS);
        trial.destroy();
        if (!trial.waitFor(CACHE_MINUTES_MAX, TimeUnit.MINUTES) || !Files.exists(made)) {
            throw new IOException("the floor wrote no cache: " + workshop.errors("floor-trial"));
        }
        Files.move(made, cache);
    }

    /** The command, which listens on each of the ports for one server. */
    List<String> command(Map<Integer, String> upstreams) {
        List<String> command = new ArrayList<>();
        for (String word : gateway.subList(0, gateway.indexOf(GATEWAY))) {
            boolean isClassPath = !command.isEmpty() && command.getLast().equals("-cp");
            if (!word.startsWith(CACHE)) {
                command.add(isClassPath ? word + ":" + jar : word);
            }
        }
        if (Files.exists(cache)) {
            command.add(1, CACHE + cache);
        }
        command.add(FloorServer.class.getName());
        command.add(workshop.path("cert.pem").toString());
        command.add(workshop.path("cert.key").toString());
        command.add(Callers.ADMINISTRATOR);
        upstreams.forEach((port, upstream) -> command.addAll(List.of(Integer.toString(port), upstream)));
        return command;
    }
}
