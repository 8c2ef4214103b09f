package io.fairlead.testkit;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.locks.LockSupport;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * The threads and sockets of this process, to find those that a piece of work leaves behind. Sockets are known on Linux
 * only ({@code proc(5)}); elsewhere there are none.
 */
final class Leftovers {
    /** Between two looks; a close takes a round trip, the end of a thread a little more. */
    private static final Duration PAUSE = Duration.ofMillis(10);

    /** Threads that the JVM or a library starts once, for all, or ends by itself when their user was collected. */
    private static final Pattern SHARED =
            Pattern.compile("Common-Cleaner|Cleaner-\\d+|Attach Listener|Signal Dispatcher"
                    + "|process reaper.*|ForkJoinPool.*|VirtualThread-un.*|.*Poller.*|CompletableFutureDelayScheduler"
                    + "|HttpClient-.*|Keep-Alive-Timer|JFR .*|JNA Cleaner|globalEventExecutor-.*|ObjectCleanerThread.*"
                    + "|CachedSingleThreadScheduler-.*|junit-jupiter-timeout-watcher|surefire-.*");

    private static final Pattern OF_THE_JDK = Pattern.compile("java\\.|jdk\\.|sun\\.");

    private static final Path DESCRIPTORS = Path.of("/proc/self/fd");

    /** Without those of the machine's own: the JVM keeps some for itself. */
    private static final List<String> SOCKET_TABLES = List.of("tcp", "tcp6", "udp", "udp6");

    private static final String SOCKET = "socket:[";

    private final Set<Thread> threads;
    private final Set<String> sockets;

    private Leftovers(Set<Thread> threads, Set<String> sockets) {
        this.threads = threads;
        this.sockets = sockets;
    }

    /** What there is now, and will not be taken for left over. */
    static Leftovers since() {
        return new Leftovers(threads(), sockets());
    }

    /** Waits until nothing new is left, for at most the patience; then names what is. */
    List<String> after(Duration patience) {
        long end = System.nanoTime() + patience.toNanos();
        while (true) {
            List<String> left = left();
            if (left.isEmpty() || System.nanoTime() > end) {
                return left;
            }
            LockSupport.parkNanos(PAUSE.toNanos());
        }
    }

    private List<String> left() {
        List<String> left = new ArrayList<>();
        for (Thread thread : threads()) {
            if (!threads.contains(thread)) {
                left.add("thread " + thread.getName() + " at " + top(thread));
            }
        }
        for (String socket : sockets()) {
            if (!sockets.contains(socket)) {
                described(socket).forEach(left::add);
            }
        }
        return left;
    }

    private static Set<Thread> threads() {
        Set<Thread> threads = new HashSet<>(Thread.getAllStackTraces().keySet());
        threads.removeIf(thread -> SHARED.matcher(thread.getName()).matches());
        return threads;
    }

    private static String top(Thread thread) {
        StackTraceElement[] stack = thread.getStackTrace();
        return Stream.of(stack)
                .filter(frame -> !OF_THE_JDK.matcher(frame.getClassName()).lookingAt())
                .findFirst()
                .map(StackTraceElement::toString)
                .orElse(stack.length == 0 ? "its end" : stack[0].toString());
    }

    /** Inodes of the open ones. */
    private static Set<String> sockets() {
        Set<String> inodes = new HashSet<>();
        if (!Files.isDirectory(DESCRIPTORS)) {
            return inodes;
        }
        try (DirectoryStream<Path> descriptors = Files.newDirectoryStream(DESCRIPTORS)) {
            for (Path descriptor : descriptors) {
                String target = target(descriptor);
                if (target.startsWith(SOCKET)) {
                    inodes.add(target.substring(SOCKET.length(), target.length() - 1));
                }
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return inodes;
    }

    private static String target(Path descriptor) {
        try {
            return Files.readSymbolicLink(descriptor).toString();
        } catch (IOException e) {
            return ""; // Closed since it was listed.
        }
    }

    /** Its line in the kernel's tables: addresses and state; nothing if it was closed meanwhile. */
    private static Stream<String> described(String inode) {
        return SOCKET_TABLES.stream()
                .flatMap(table -> lines(Path.of("/proc/self/net", table))
                        .map(String::strip)
                        .filter(line -> List.of(line.split("\\s+", -1)).contains(inode))
                        .map(line -> "socket in " + table + ": " + line));
    }

    private static Stream<String> lines(Path table) {
        try {
            return Files.readAllLines(table).stream();
        } catch (IOException e) {
            return Stream.empty(); // A kernel without this protocol.
        }
    }
}
