package io.fairlead.ittests;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestMethodOrder;

/**
 * Twelve groups of three hosted clusters in two real clusters: how soon they come and go, what is left of them after kills, and that
 * clients of the targets never notice anything of it but the groups themselves.
 */
@TestMethodOrder(MethodOrderer.OrderAnnotation.class)
final class TwelveGroupsIT {
    private static final long SEED = 20261126;

    /** For all twelve to be published, or withdrawn. */
    private static final Duration PROMISED = Duration.ofSeconds(10);

    private static final Duration SOON = Duration.ofSeconds(30);

    /** For the state after a kill: an API server asks a backend that was away again within half a minute. */
    private static final Duration AGAIN = Duration.ofMinutes(1);

    /** In which a namespace controller notices, and tries again. */
    private static final Duration RETRIED = Duration.ofSeconds(90);

    private static final int ROUNDS_MAX = 3;
    private static final int PAUSE_MILLIS_MAX = 1_500;

    private static final PublishedGroup ROUTES = group("route.openshift.io");
    private static final List<PublishedGroup> OF_EACH_SOURCE =
            List.of(ROUTES, group("user.openshift.io"), group("packages.operators.coreos.com"));
    private static final Path FOLDER = Checkout.scratch("TwelveGroupsIT");

    private static TwelveGroups clusters;
    private static WantedPublications publications;

    @BeforeAll
    static void start() throws IOException {
        clusters = new TwelveGroups(FOLDER);
        publications = new WantedPublications(clusters);
    }

    @AfterAll
    static void stop() {
        clusters.close();
    }

    @AfterEach
    void discoveryWasSteady() {
        clusters.checkDiscovery();
    }

    /** A machine that does other things too gets more than one try. */
    @Test
    @Order(1)
    void allTwelve_comeAndGo_withinTenSecondsEach() {
        List<Long> published = new ArrayList<>();
        List<Long> withdrawn = new ArrayList<>();
        do {
            published.add(publishAndMeasure());
            withdrawn.add(withdrawAndMeasure());
        } while (published.size() < ROUNDS_MAX && !(isPromised(published) && isPromised(withdrawn)));

        assertThat(published).as("milliseconds to publish").anySatisfy(TwelveGroupsIT::assertPromised);
        assertThat(withdrawn).as("milliseconds to withdraw").anySatisfy(TwelveGroupsIT::assertPromised);
    }

    @Test
    @Order(2)
    void watchOfAUser_seesWhatAnotherUserAndTheAdminOfTheSourceDo() {
        publishAll();
        Kubectl anna = clusters.user(TwelveGroups.WEST, TwelveGroups.ANNA);
        Kubectl bert = clusters.user(TwelveGroups.WEST, TwelveGroups.BERT);
        Kubectl admin = clusters.source(ROUTES);
        create(bert, "first", 1);
        OwnedProcess watch = anna.start(
                "watch",
                "get",
                ROUTES.resource(),
                "--namespace=" + TwelveGroups.TEAM,
                "--watch",
                "--output-watch-events",
                "-o",
                "jsonpath={.type} {.object.metadata.name} {.object.spec.size}{\"\\n\"}");
        try (watch) {
            awaitSeen(watch, "ADDED first 1");
            create(bert, "second", 1);
            awaitSeen(watch, "ADDED second 1");
            resize(admin, "second", 2);
            awaitSeen(watch, "MODIFIED second 2");
            create(admin, "third", 1);
            awaitSeen(watch, "ADDED third 1");
            resize(bert, "third", 3);
            awaitSeen(watch, "MODIFIED third 3");
            delete(admin, "second");
            awaitSeen(watch, "DELETED second 2");
            delete(bert, "third");
            awaitSeen(watch, "DELETED third 3");

            assertThat(watch.output().lines())
                    .containsExactly(
                            "ADDED first 1",
                            "ADDED second 1",
                            "MODIFIED second 2",
                            "ADDED third 1",
                            "MODIFIED third 3",
                            "DELETED second 2",
                            "DELETED third 3");
        }
    }

    @Test
    @Order(3)
    void namespaceThatIsDeletedWhileFairleadIsAway_waitsForIt_andTakesItsObjectsAlong() {
        publishAll();
        Kubectl east = clusters.target(TwelveGroups.EAST);
        east.succeed("create", "namespace", "doomed");
        for (PublishedGroup group : OF_EACH_SOURCE) {
            east.succeedWith(group.object("doomed", "last", 1), "create", "-f", "-");
        }
        clusters.kill();
        east.succeed("delete", "namespace", "doomed", "--wait=false");
        Await.untilNothing("it says what fails", RETRIED, () -> {
            String failure = east.succeed(
                    "get",
                    "namespace",
                    "doomed",
                    "-o",
                    "jsonpath={.status.phase} {.status.conditions[?(@.type==\"NamespaceDeletionDiscoveryFailure\")]}");
            boolean isTold = failure.startsWith("Terminating")
                    && failure.contains("\"status\":\"True\"")
                    && OF_EACH_SOURCE.stream().allMatch(group -> failure.contains(group.apiVersion()));
            return isTold ? "" : failure;
        });
        for (PublishedGroup group : OF_EACH_SOURCE) {
            assertThat(east.run("get", "--raw", "/apis/" + group.apiVersion()).errors())
                    .contains("ServiceUnavailable");
        }

        long begun = System.currentTimeMillis();
        clusters.start();
        east.succeed("wait", "--for=delete", "namespace/doomed", "--timeout=" + RETRIED.toSeconds() + "s");
        record("milliseconds from the start of Fairlead to the end of the namespace: "
                + (System.currentTimeMillis() - begun));

        for (PublishedGroup group : OF_EACH_SOURCE) {
            assertThat(clusters.source(group).succeed("get", group.resource(), "-n", "doomed", "-o", "name"))
                    .isEmpty();
        }
        assertThat(names(clusters.source(ROUTES))).isEqualTo("first");
        publications.await("all are published as before", SOON);
    }

    @Test
    @Order(4)
    void stateIsTheSameAgain_afterTenKillsAtAnyMoment() {
        kill(10, 5);
    }

    @Test
    @Order(4)
    @Tag("endurance")
    void stateIsTheSameAgain_afterFiveHundredKillsAtAnyMoment() {
        kill(500, 1);
    }

    @Test
    @Order(5)
    void withdrawal_leavesTheTargetsAsTheyWere_andTheObjectsOfTheSources() {
        publishAll();
        create(clusters.target(TwelveGroups.EAST), "kept", 1);

        var _ = withdrawAndMeasure();

        assertThat(names(clusters.source(ROUTES))).contains("kept");
        for (String target : TwelveGroups.TARGETS) {
            assertThat(clusters.target(target)
                            .run("get", ROUTES.resource(), "-A")
                            .errors())
                    .contains("the server doesn't have a resource type");
        }
    }

    /** Milliseconds until the last publication said that it is available, and all is as it should be. */
    private static long publishAndMeasure() {
        long begun = System.currentTimeMillis();
        publications.publish(PublishedGroup.ALL);
        Map<String, Long> took = new TreeMap<>();
        Await.untilNothing("all are available", SOON, () -> {
            TwelveGroups.available(clusters.publications())
                    .forEach(name -> took.putIfAbsent(name, System.currentTimeMillis() - begun));
            return took.size() == PublishedGroup.ALL.size() ? "" : "only " + took;
        });
        publications.await("all are published", SOON);
        clusters.disturbances().change(PublishedGroup.ALL, begun, System.currentTimeMillis());
        record("milliseconds from creation to Available: " + took);
        return Collections.max(took.values());
    }

    /** Milliseconds until the last publication was gone, and all that it had in the targets. */
    private static long withdrawAndMeasure() {
        long begun = System.currentTimeMillis();
        publications.withdraw(PublishedGroup.ALL);
        publications.await("all are withdrawn", SOON);
        long took = System.currentTimeMillis() - begun;
        clusters.disturbances().change(PublishedGroup.ALL, begun, begun + took);
        record("milliseconds from deletion to the end of all: " + took);
        return took;
    }

    private static boolean isPromised(List<Long> took) {
        return took.stream().anyMatch(millis -> millis <= PROMISED.toMillis());
    }

    private static void assertPromised(long millis) {
        assertThat(millis).isLessThanOrEqualTo(PROMISED.toMillis());
    }

    /**
     * Each time something is being published or withdrawn, or is deleted by other hands, or nothing is going on.
     *
     * @param wholeEach after how many kills it is awaited that the targets serve all again too, which takes them the longest
     */
    private static void kill(int times, int wholeEach) {
        publishAll();
        var random = new SplittableRandom(SEED);
        List<Long> took = new ArrayList<>();
        for (int i = 1; i <= times; i++) {
            long begun = System.currentTimeMillis();
            String what = disturb(random);
            LockSupport.parkNanos(
                    Duration.ofMillis(random.nextInt(PAUSE_MILLIS_MAX)).toNanos());
            clusters.kill();
            clusters.start();
            long ready = System.currentTimeMillis();
            String when = "seed " + SEED + ", kill " + i + " after " + what;
            if (i % wholeEach == 0) {
                publications.await(when, AGAIN);
            } else {
                publications.awaitObjects(when, AGAIN);
            }
            took.add(System.currentTimeMillis() - ready);
            clusters.disturbances().change(PublishedGroup.ALL, begun, System.currentTimeMillis());
        }
        record("milliseconds from the start to the state as before, after each of " + times + " kills: "
                + took.stream().sorted().toList() + "; APIServices that stayed the same: "
                + publications.keptCount());
    }

    private static String disturb(SplittableRandom random) {
        return switch (publications.wanted().isEmpty() ? 1 : random.nextInt(4)) {
            case 0 -> withdraw(some(random, publications.wanted()));
            case 1 -> publish(some(random, publications.unwanted()));
            case 2 -> deleteByHand(random);
            default -> "nothing";
        };
    }

    private static String withdraw(List<PublishedGroup> groups) {
        publications.withdraw(groups);
        return "the withdrawal of " + groups;
    }

    private static String publish(List<PublishedGroup> groups) {
        publications.publish(groups);
        return "the publication of " + groups;
    }

    private static String deleteByHand(SplittableRandom random) {
        List<PublishedGroup> wanted = publications.wanted();
        PublishedGroup group = wanted.get(random.nextInt(wanted.size()));
        String target = TwelveGroups.TARGETS.get(random.nextInt(TwelveGroups.TARGETS.size()));
        String object = switch (random.nextInt(3)) {
            case 0 -> PublishedObjects.apiService(group);
            case 1 -> PublishedObjects.service(group.source());
            default -> PublishedObjects.slice(group.source());
        };
        publications.forget(object);
        clusters.target(target).succeed("delete", object, "-n", PublishedGroup.NAMESPACE, "--wait=false");
        return "the deletion of " + object + " in " + target;
    }

    /** One or two, or as many as there are. */
    private static List<PublishedGroup> some(SplittableRandom random, List<PublishedGroup> all) {
        List<PublishedGroup> left = new ArrayList<>(all);
        List<PublishedGroup> some = new ArrayList<>();
        for (int count = 1 + random.nextInt(2); count > 0 && !left.isEmpty(); count--) {
            some.add(left.remove(random.nextInt(left.size())));
        }
        return some;
    }

    private static void publishAll() {
        long begun = System.currentTimeMillis();
        Collection<PublishedGroup> missing = publications.unwanted();
        publications.publish(missing);
        publications.await("all are published", SOON);
        clusters.disturbances().change(missing, begun, System.currentTimeMillis());
    }

    private static void create(Kubectl kubectl, String name, int size) {
        kubectl.succeedWith(ROUTES.object(TwelveGroups.TEAM, name, size), "create", "-f", "-");
    }

    private static void resize(Kubectl kubectl, String name, int size) {
        kubectl.succeed(
                "patch",
                ROUTES.resource(),
                name,
                "--namespace=" + TwelveGroups.TEAM,
                "--type=merge",
                "-p",
                "{\"spec\":{\"size\":" + size + "}}");
    }

    private static void delete(Kubectl kubectl, String name) {
        kubectl.succeed("delete", ROUTES.resource(), name, "--namespace=" + TwelveGroups.TEAM);
    }

    private static String names(Kubectl kubectl) {
        return kubectl.succeed("get", ROUTES.resource(), "-A", "-o", "jsonpath={.items[*].metadata.name}");
    }

    private static void awaitSeen(OwnedProcess watch, String line) {
        Await.until(line, SOON, () -> watch.output().lines().anyMatch(line::equals));
    }

    private static PublishedGroup group(String name) {
        return PublishedGroup.ALL.stream()
                .filter(group -> group.group().equals(name))
                .findFirst()
                .orElseThrow();
    }

    /** What was measured is kept beside the logs. */
    private static void record(String line) {
        try {
            Files.writeString(
                    FOLDER.resolve("measured.txt"), line + "\n", StandardOpenOption.CREATE, StandardOpenOption.APPEND);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
