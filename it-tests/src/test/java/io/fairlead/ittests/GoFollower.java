package io.fairlead.ittests;

import static org.assertj.core.api.Assertions.assertThat;

import io.fairlead.ittests.Sighting.What;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;

/** An informer of client-go in a program of its own, which prints what it is told; with streaming lists or without. */
final class GoFollower implements Follower {
    private static final Duration END_TIMEOUT = Duration.ofSeconds(60);

    private final boolean streaming;
    private final OwnedProcess process;
    private final Sightings sightings = new Sightings();
    private final Map<String, Sightings.Version> held = new TreeMap<>();
    private final Map<String, Integer> lists = new TreeMap<>();
    private int readTo;

    private GoFollower(boolean streaming, OwnedProcess process) {
        this.streaming = streaming;
        this.process = process;
    }

    static GoFollower start(Path program, Path folder, Path kubeconfig, boolean streaming) {
        return new GoFollower(
                streaming,
                OwnedProcess.start(
                        streaming ? "client-go-streaming" : "client-go",
                        folder,
                        Map.of("KUBE_FEATURE_WatchListClient", Boolean.toString(streaming)),
                        List.of(program.toString(), "follow", kubeconfig.toString(), "default")));
    }

    @Override
    public String name() {
        return streaming ? "client-go with streaming lists" : "client-go";
    }

    @Override
    public Sightings sightings() {
        readOn();
        return sightings;
    }

    @Override
    public Map<String, Sightings.Version> finish() {
        assertThat(process.terminate(END_TIMEOUT)).as(process.tail()).isZero();
        readOn();
        assertListsEnded();
        return Collections.unmodifiableMap(held);
    }

    @Override
    public void close() {
        process.close();
    }

    /** Each streaming list ends with its bookmark, or because its connection did. */
    private void assertListsEnded() {
        int listed = lists.getOrDefault("listed", 0);
        assertThat(lists.getOrDefault("lists", 0))
                .as("begun and ended lists of %s: %s", name(), lists)
                .isEqualTo(listed + lists.getOrDefault("cut", 0));
        assertThat(listed > 0).as("%s: %s", name(), lists).isEqualTo(streaming);
        assertThat(sightings.count(What.INITIAL) > 0).isEqualTo(streaming);
    }

    private void readOn() {
        String output = process.output();
        for (int end = output.indexOf('\n', readTo); end >= 0; end = output.indexOf('\n', readTo)) {
            read(output.substring(readTo, end).split(" ", -1));
            readTo = end + 1;
        }
    }

    private void read(String[] words) {
        switch (words[0]) {
            case "lists", "listed", "cut" -> lists.merge(words[0], 1, Integer::sum);
            case "synced" -> assertThat(words[1]).isEqualTo("true");
            case "HELD" -> held.put(words[3], new Sightings.Version(words[1], words[2]));
            default ->
                sightings.add(
                        What.valueOf(words[0].replace('-', '_').toUpperCase(Locale.ROOT)),
                        words[1],
                        words[2],
                        words[3]);
        }
    }
}
