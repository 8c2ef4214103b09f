package io.fairlead.benchmarks.proxy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;

/** Shows that every contestant hands on the very same bytes. */
final class Bodies {
    private Bodies() {}

    static void requireSame(Arena arena) throws IOException, InterruptedException {
        for (String role : List.of("direct", "fairlead h1", "floor h1", "haproxy", "haproxy, large buffers", "nginx")) {
            requireSame(arena, role, "--http1.1");
        }
        for (String role : List.of("fairlead h2", "floor h2", "haproxy h2", "haproxy h2 to h2", "go")) {
            requireSame(arena, role, "--http2");
        }
    }

    private static void requireSame(Arena arena, String role, String protocol)
            throws IOException, InterruptedException {
        Contestant contestant = arena.find(role).orElse(null);
        if (contestant == null) {
            return;
        }
        for (int size : Arena.SIZES) {
            byte[] original = Files.readAllBytes(arena.workshop().path("www" + Arena.BODIES + size));
            if (!Arrays.equals(original, body(arena, contestant, size, protocol))) {
                throw new IOException(contestant.url() + ": the body of " + size + " bytes is another one");
            }
        }
    }

    /** A body as a contestant hands it on. */
    private static byte[] body(Arena arena, Contestant contestant, int size, String protocol)
            throws IOException, InterruptedException {
        Path received = arena.workshop().path("received");
        try {
            arena.workshop()
                    .run(
                            "curl",
                            Workshop.LOAD_CPU,
                            List.of(
                                    "curl",
                                    "-sS",
                                    "--fail-with-body",
                                    protocol,
                                    "--cacert",
                                    arena.cert(),
                                    "-H",
                                    "Authorization: Bearer " + Callers.ADMINISTRATOR,
                                    "-o",
                                    received.toString(),
                                    contestant.url() + Arena.BODIES + size));
            return Files.readAllBytes(received);
        } catch (IOException e) {
            throw new IOException(contestant.name() + " answers: " + Files.readString(received), e);
        }
    }
}
