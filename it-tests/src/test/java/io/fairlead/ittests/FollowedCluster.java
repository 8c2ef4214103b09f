package io.fairlead.ittests;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/** A cluster that somebody writes to, informers of every kind that follow through Fairlead, and two who want one Lease. */
final class FollowedCluster implements AutoCloseable {
    private static final Duration TIMEOUT = Duration.ofSeconds(90);
    private static final String VERSIONS =
            "jsonpath={range .items[*]}{.metadata.name} {.metadata.uid}" + " {.metadata.resourceVersion}{\"\\n\"}{end}";

    private final String id;
    private final ConfigMapWriter writer;
    private final OwnedProcess election;
    private final List<Follower> followers = new ArrayList<>();

    /**
     * Starts them all.
     *
     * @param program the Go program
     * @param kubeconfig leads to the cluster through Fairlead
     */
    FollowedCluster(String id, Path program, Path folder, Path kubeconfig, ConfigMapWriter writer) {
        this.id = id;
        this.writer = writer;
        Path own = create(folder.resolve("followed-" + id));
        election = OwnedProcess.start(
                "election", own, Map.of(), List.of(program.toString(), "elect", kubeconfig.toString(), "default"));
        followers.add(GoFollower.start(program, own, kubeconfig, true));
        followers.add(GoFollower.start(program, own, kubeconfig, false));
        followers.add(JavaClientFollower.start(kubeconfig));
        followers.add(Fabric8Follower.start(kubeconfig, false));
        followers.add(Fabric8Follower.start(kubeconfig, true));
    }

    /** Waits until every informer has seen something that is written from now on. */
    void awaitFollowed() {
        long before = writer.newest();
        Await.until(id + " is written to", TIMEOUT, () -> writer.newest() > before);
        long written = writer.newest();
        for (Follower follower : followers) {
            Await.until(
                    follower.name() + " follows in " + id,
                    TIMEOUT,
                    () -> follower.sightings().newest() >= written);
        }
    }

    /** Ends all; what the informers hold and were told must agree with a list. */
    void finish(Kubectl kubectl) throws Exception {
        writer.stop();
        election.signal();
        Map<String, Sightings.Version> expected = list(kubectl);
        for (Follower follower : followers) {
            String whose = follower.name() + " in " + id;
            Await.until(
                    whose + " holds what is there; it misses or has " + difference(follower, expected),
                    TIMEOUT,
                    () -> follower.sightings().held().equals(expected));
            assertThat(follower.finish()).as("the cache of %s", whose).isEqualTo(expected);
            follower.sightings().assertEachOnceAndInOrder(whose);
        }
        assertOneLedAtATime();
    }

    @Override
    public void close() {
        writer.close();
        followers.forEach(Follower::close);
        election.close();
    }

    private void assertOneLedAtATime() {
        assertThat(election.awaitEnd(TIMEOUT)).as(election.tail()).isZero();
        List<String> lines = election.output().lines().toList();
        Set<String> leaders = new HashSet<>();
        assertThat(lines.size()).as("%s", lines).isGreaterThanOrEqualTo(4).isEven();
        for (int i = 0; i < lines.size(); i += 2) {
            String leader = lines.get(i).replace("leads ", "");
            assertThat(lines.get(i + 1)).as("%s", lines).isEqualTo("ends " + leader);
            leaders.add(leader);
        }
        assertThat(leaders).containsExactlyInAnyOrder("one", "two");
    }

    private static Set<Map.Entry<String, Sightings.Version>> difference(
            Follower follower, Map<String, Sightings.Version> expected) {
        Set<Map.Entry<String, Sightings.Version>> held =
                new HashSet<>(follower.sightings().held().entrySet());
        Set<Map.Entry<String, Sightings.Version>> difference = new HashSet<>(held);
        difference.addAll(expected.entrySet());
        held.retainAll(expected.entrySet());
        difference.removeAll(held);
        return difference;
    }

    private static Map<String, Sightings.Version> list(Kubectl kubectl) {
        Map<String, Sightings.Version> found = new TreeMap<>();
        kubectl.succeed("get", "configmaps", "-n", "default", "-o", VERSIONS)
                .lines()
                .map(line -> line.split(" ", -1))
                .forEach(words -> found.put(words[0], new Sightings.Version(words[1], words[2])));
        assertThat(found).hasSizeGreaterThan(1);
        return found;
    }

    private static Path create(Path folder) {
        try {
            return Files.createDirectories(folder);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
