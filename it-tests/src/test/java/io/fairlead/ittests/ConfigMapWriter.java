package io.fairlead.ittests;

import io.fairlead.ittests.HttpProbe.Answer;
import java.io.IOException;
import java.time.Duration;
import java.util.Random;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.locks.LockSupport;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Creates, replaces and deletes ConfigMaps in an order that a seed determines, until it is stopped; tries again while the server is away. */
final class ConfigMapWriter implements AutoCloseable {
    private static final String CONFIG_MAPS = "/api/v1/namespaces/default/configmaps";
    private static final Pattern RESOURCE_VERSION = Pattern.compile("\"resourceVersion\":\\s*\"(\\d+)\"");
    private static final Duration PAUSE = Duration.ofMillis(30);
    private static final Duration PAUSE_AFTER_FAILURE = Duration.ofMillis(100);
    private static final Duration STOP_TIMEOUT = Duration.ofMinutes(1);
    private static final int NAMES = 30;

    private final HttpProbe probe;
    private final Random random;
    private final ExecutorService thread = Executors.newSingleThreadExecutor();
    private final Future<?> writing;
    private volatile boolean stopped;
    private volatile long newest;

    /** Starts to write to a cluster's URL. */
    ConfigMapWriter(String base, String token, long seed) {
        probe = HttpProbe.withToken(base, token);
        random = new Random(seed);
        writing = thread.submit(this::write);
    }

    /** The newest version that was acknowledged. */
    long newest() {
        return newest;
    }

    /** Finishes the write under way; no other follows. */
    void stop() throws InterruptedException, ExecutionException, TimeoutException {
        stopped = true;
        writing.get(STOP_TIMEOUT.toSeconds(), TimeUnit.SECONDS);
    }

    @Override
    public void close() {
        stopped = true;
        probe.close();
        thread.shutdownNow();
    }

    private void write() {
        for (int number = 0; !stopped; number++) {
            String name = "c" + random.nextInt(NAMES);
            int choice = random.nextInt(10);
            Duration pause = PAUSE;
            while (!isAnswered(choice, name, number) && !stopped) {
                pause = PAUSE_AFTER_FAILURE;
                LockSupport.parkNanos(pause.toNanos());
            }
            LockSupport.parkNanos(pause.toNanos());
        }
    }

    private boolean isAnswered(int choice, String name, int number) {
        try {
            Answer answer = request(choice, name, number);
            Matcher version = RESOURCE_VERSION.matcher(answer.body());
            if (answer.status() / 100 == 2 && choice < 8 && version.find()) {
                newest = Long.parseLong(version.group(1));
            }
            return switch (answer.status()) {
                case 200, 201, 404, 409 -> true;
                case 429, 500, 502, 503, 504 -> false;
                default -> throw new AssertionError("a write was refused: " + answer);
            };
        } catch (IOException e) {
            return false;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return true;
        }
    }

    /** An object that is there already, or that is not there, is as good an answer as another. */
    private Answer request(int choice, String name, int number) throws IOException, InterruptedException {
        String object =
                "{\"apiVersion\":\"v1\",\"kind\":\"ConfigMap\",\"metadata\":{\"name\":\"%s\"},\"data\":{\"n\":\"%d\"}}"
                        .formatted(name, number);
        if (choice < 3) {
            return probe.send("POST", CONFIG_MAPS, "application/json", object);
        }
        if (choice < 8) {
            return probe.send("PUT", CONFIG_MAPS + "/" + name, "application/json", object);
        }
        return probe.delete(CONFIG_MAPS + "/" + name);
    }
}
