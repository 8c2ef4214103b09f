package io.fairlead.ittests;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.locks.LockSupport;

/**
 * {@link SteadyRequests} to an API server in another network, until they are closed. A process of its own, which writes how it
 * goes once a second.
 */
final class SteadyProgram implements AutoCloseable {
    private static final String ANSWERED = "answered ";
    private static final String FAILED = "failed ";

    private final OwnedProcess program;

    private SteadyProgram(OwnedProcess program) {
        this.program = program;
    }

    /**
     * Begins.
     *
     * @param collection the path of the objects that are asked for
     * @param object JSON of one of them
     */
    static SteadyProgram start(
            NetworkNamespace network,
            Path folder,
            KubeCluster server,
            String collection,
            String object,
            int perSecond) {
        return new SteadyProgram(OwnedProcess.start(
                "requests",
                folder,
                Map.of(),
                network.program(
                        SteadyProgram.class,
                        List.of(
                                server.url(),
                                KubeCluster.ADMIN_TOKEN,
                                collection,
                                object,
                                String.valueOf(perSecond)))));
    }

    /** Takes a server, a token, a collection, an object and how many requests to send a second. */
    public static void main(String[] arguments) {
        try (SteadyRequests requests = SteadyRequests.start(
                arguments[0], arguments[1], arguments[2], arguments[3], Integer.parseInt(arguments[4]))) {
            int told = 0;
            while (true) {
                LockSupport.parkNanos(Duration.ofSeconds(1).toNanos());
                List<String> failures = requests.failures();
                failures.subList(told, failures.size())
                        .forEach(failure -> System.out.println(FAILED + failure.replaceAll("\\s+", " ")));
                told = failures.size();
                System.out.println(ANSWERED + requests.answered());
            }
        }
    }

    /** How many were answered as they should be. */
    int answered() {
        if (!program.isAlive()) {
            throw new AssertionError("requests are sent no more; " + program.tail());
        }
        return program.output()
                .lines()
                .filter(line -> line.startsWith(ANSWERED))
                .mapToInt(line -> Integer.parseInt(line.substring(ANSWERED.length())))
                .max()
                .orElse(0);
    }

    /** What was answered otherwise. */
    List<String> failures() {
        return program.output().lines().filter(line -> line.startsWith(FAILED)).toList();
    }

    @Override
    public void close() {
        program.close();
    }
}
