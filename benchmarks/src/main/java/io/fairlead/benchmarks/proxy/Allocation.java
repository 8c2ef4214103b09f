package io.fairlead.benchmarks.proxy;

import java.io.IOException;
import java.util.List;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** What the gateway's event loops allocate on the heap, by the flight recorder's counts of each thread. */
final class Allocation {
    private static final String EVENT = "jdk.ThreadAllocationStatistics";
    private static final String EVENT_LOOPS = "io-";
    private static final JsonMapper JSON = new JsonMapper();

    private Allocation() {}

    /** Bytes for each request of a load. */
    static double bytesPerRequest(Arena arena, Contestant fairlead, int seconds, Profile.Requests requests)
            throws IOException, InterruptedException {
        long before = bytes(arena, fairlead);
        long answered = requests.answered(seconds);
        return (double) (bytes(arena, fairlead) - before) / answered;
    }

    /** Since the threads began. */
    private static long bytes(Arena arena, Contestant fairlead) throws IOException, InterruptedException {
        Workshop workshop = arena.workshop();
        String pid = Long.toString(fairlead.process().pid());
        String recording = workshop.path("allocation.jfr").toString();
        // No settings know the event, so that it is added.
        run(
                workshop,
                Profile.jcmd(),
                pid,
                "JFR.start",
                "name=allocation",
                "settings=none",
                "+" + EVENT + "#enabled=true",
                "+" + EVENT + "#period=everyChunk");
        run(workshop, Profile.jcmd(), pid, "JFR.stop", "name=allocation", "filename=" + recording);
        JsonNode events = JSON.readTree(
                        run(workshop, Profile.tool("jfr"), "print", "--json", "--events", EVENT, recording))
                .path("recording")
                .path("events");
        long all = 0;
        for (String thread : threads(events)) {
            all += allocated(events, thread);
        }
        if (all == 0) {
            throw new IOException("the flight recorder counts nothing that event loops allocated");
        }
        return all;
    }

    private static List<String> threads(JsonNode events) {
        return events.valueStream()
                .map(Allocation::thread)
                .filter(name -> name.startsWith(EVENT_LOOPS))
                .distinct()
                .toList();
    }

    /** The last count: there is one for the beginning and one for the end of a recording. */
    private static long allocated(JsonNode events, String thread) {
        return events.valueStream()
                .filter(event -> thread(event).equals(thread))
                .mapToLong(event -> event.path("values").path("allocated").asLong())
                .max()
                .orElse(0);
    }

    private static String thread(JsonNode event) {
        return event.path("values").path("thread").path("javaName").asString("");
    }

    private static String run(Workshop workshop, String... command) throws IOException, InterruptedException {
        return workshop.run("allocation", Workshop.LOAD_CPU, List.of(command));
    }
}
