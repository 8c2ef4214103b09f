package io.fairlead.benchmarks.proxy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The load generators. Each run is one number of answers, all of them good. */
final class Load {
    private static final Pattern WRK_REQUESTS = Pattern.compile("(\\d+) requests in");
    private static final Pattern WRK_ERRORS = Pattern.compile("Non-2xx|Socket errors");
    private static final Pattern H2LOAD_DONE = Pattern.compile("(\\d+) succeeded, (\\d+) failed, (\\d+) errored");

    /** A machine with much else to do may not answer a single request in a short run. */
    private static final int ATTEMPTS = 20;

    private final Workshop workshop;
    private final String token;

    Load(Workshop workshop, String token) {
        this.workshop = workshop;
        this.token = token;
    }

    /** HTTP/1.1 as fast as it goes. */
    long h1(String url, int connections, int seconds) throws IOException, InterruptedException {
        String output = workshop.run(
                "wrk",
                Workshop.LOAD_CPU,
                List.of(
                        "wrk",
                        "-t1",
                        "-c" + connections,
                        "-d" + seconds + "s",
                        "--timeout=60s",
                        "-H",
                        "Authorization: Bearer " + token,
                        url));
        if (WRK_ERRORS.matcher(output).find()) {
            throw new IOException(url + ": " + output);
        }
        return number(WRK_REQUESTS, output);
    }

    /** HTTP/2 as fast as it goes, many streams on few connections. */
    long h2(String url, int connections, int streams, int seconds) throws IOException, InterruptedException {
        return h2load(url, "-c" + connections, "-m" + streams, "-D" + seconds);
    }

    /** This many requests over HTTP/1.1. */
    void countedH1(String url, int connections, int count) throws IOException, InterruptedException {
        h2load(url, "--h1", "-c" + connections, "-n" + count);
    }

    /** This many requests over HTTP/2. */
    void countedH2(String url, int connections, int streams, int count) throws IOException, InterruptedException {
        h2load(url, "-c" + connections, "-m" + streams, "-n" + count);
    }

    /** One request on each of many new connections. */
    long handshakes(String url, int connections) throws IOException, InterruptedException {
        return h2load(url, "--h1", "-c" + connections, "-n" + connections);
    }

    /** HTTP/1.1; microseconds of each request, in order of size. A rate of 0 is as fast as it goes. */
    List<Long> latencies(String url, int connections, int ratePerConnection, int seconds)
            throws IOException, InterruptedException {
        Path log = workshop.path("latencies");
        List<String> options =
                new ArrayList<>(List.of("--h1", "-c" + connections, "-D" + seconds, "--log-file=" + log));
        if (ratePerConnection > 0) {
            options.add("--rps=" + ratePerConnection);
        }
        Files.deleteIfExists(log);
        h2load(url, options.toArray(String[]::new));
        List<Long> micros = new ArrayList<>();
        for (String line : Files.readAllLines(log)) {
            micros.add(Long.parseLong(line.split("\t", -1)[2]));
        }
        return micros.stream().sorted().toList();
    }

    /** HTTP/1.1 as fast as it goes, by a caller with a certificate and no token; Go is needed. */
    long mutual(String url, int connections, int seconds, boolean areKept) throws IOException, InterruptedException {
        String output = workshop.run(
                "requests",
                Workshop.LOAD_CPU,
                List.of(
                        workshop.path("yardstick").toString(),
                        "requests",
                        url,
                        Integer.toString(connections),
                        Integer.toString(seconds),
                        Boolean.toString(areKept),
                        workshop.path("cert.pem").toString(),
                        workshop.path("caller.pem").toString(),
                        workshop.path("caller.key").toString()));
        return Long.parseLong(output.strip());
    }

    private long h2load(String url, String... options) throws IOException, InterruptedException {
        List<String> command = new ArrayList<>(List.of("h2load", "-t1", "-H", "authorization: Bearer " + token));
        command.addAll(List.of(options));
        command.add(url);
        for (int i = 0; i < ATTEMPTS; i++) {
            String output = workshop.run("h2load", Workshop.LOAD_CPU, command);
            Matcher done = H2LOAD_DONE.matcher(output);
            if (!done.find() || !done.group(2).equals("0") || !done.group(3).equals("0")) {
                throw new IOException(url + ": " + output);
            }
            long succeeded = Long.parseLong(done.group(1));
            if (succeeded > 0 && output.contains(" 0 2xx")) {
                throw new IOException(url + ": " + output);
            }
            if (succeeded > 0) {
                return succeeded;
            }
        }
        throw new IOException(url + ": nothing is answered in time");
    }

    private static long number(Pattern pattern, String output) throws IOException {
        Matcher found = pattern.matcher(output);
        if (!found.find()) {
            throw new IOException("unexpected: " + output);
        }
        return Long.parseLong(found.group(1));
    }
}
