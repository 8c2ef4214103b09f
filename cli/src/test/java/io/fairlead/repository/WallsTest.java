package io.fairlead.repository;

import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAPackage;
import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.JavaAccess;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import java.util.Collection;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Predicate;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * What is left to a few places. Each rule names the classes that break it still, or for a reason: another one fails here, and so does
 * one that is named and breaks it no more, so that the lists can only shrink.
 */
class WallsTest {
    private static final JavaClasses PRODUCTION = new ClassFileImporter()
            .withImportOption(ImportOption.Predefined.DO_NOT_INCLUDE_TESTS)
            .importPackages("io.fairlead")
            .that(com.tngtech.archunit.base.DescribedPredicate.not(resideInAPackage("io.fairlead.testkit..")));

    private static final JavaClasses CANARY = new ClassFileImporter().importPackages("io.fairlead.canary.walls");

    @SuppressWarnings("ImmutableEnumChecker") // the sets are
    enum Wall {
        /**
         * A test drives what waits by a clock that it hands over; so no class asks the system for the time, or for chance, but where
         * clocks are handed out and where a test has no use for one.
         */
        TIME_AND_CHANCE(
                WallsTest::readsTimeOrChance,
                "ReadsTheClock",
                Set.of(
                        // They hand the system's clock, or chance, to the others.
                        "cli.ConfigCommand",
                        "cli.Serving",
                        "cli.store.StoreRestoreCommand",
                        "clustersync.ClusterSync",
                        "fleet.Fleet",
                        "fleet.aggregation.AggregatedApis",
                        "gateway.Gateway",
                        "gateway.edge.EdgeServer",
                        "gateway.listen.Http1Stream",
                        "gateway.listen.Http2Stream",
                        "gateway.listen.Listener",
                        "hosted.kinds.BuiltInKinds",
                        "http.DateField",
                        "index.FleetIndex",
                        "model.Repetitions",
                        // A command runs once, and shows ages to the person who waits for it.
                        "cli.cluster.CredentialReplacement",
                        "cli.cluster.Readiness",
                        "cli.doctor.ClusterExamination",
                        "cli.doctor.DoctorCommand",
                        "cli.doctor.ServerExamination",
                        "cli.print.Age",
                        "cli.server.FairleadClient",
                        "cli.warm.Callers",
                        "cli.warm.Rehearsal",
                        // How long a start took.
                        "cli.Main",
                        "gateway.StartPhases",
                        // Hashes that no client can foresee.
                        "schema.json.RandomHash",
                        // Keys, serial numbers, uids and generated names.
                        "cli.server.ClientTls",
                        "credentials.pki.CertificateAuthority",
                        "clustersync.FrontProxyTrial",
                        "fleet.ReviewingClusters",
                        "fleet.exclusive.KeySecret",
                        "gateway.answer.AuditId",
                        "gateway.authn.RandomToken",
                        "gateway.authn.TokenDigests",
                        "hosted.cluster.ClusterRecords",
                        "hosted.crd.WebhookConversion",
                        "hosted.identity.ServiceAccountTokens",
                        "hosted.objects.ObjectWriter",
                        "hosted.objects.SystemMetadata",
                        "hosted.verbs.WatchOptions",
                        // Times of an event loop, whose timers ask the system themselves.
                        "clustersync.fabric8.BodyReader",
                        "gateway.edge.FlowStage",
                        "gateway.edge.Stages",
                        "gateway.impersonate.AccessReviews",
                        "gateway.inprocess.EventPace",
                        "gateway.listen.FirstFlight",
                        "gateway.listen.Http2Connection",
                        "gateway.listen.IdleTimer",
                        "gateway.listen.Turns",
                        "gateway.metrics.RequestMeters",
                        "gateway.proxy.Forwarding",
                        "net.Call",
                        "net.EndpointPool",
                        "net.FirstByteWait",
                        "net.Generation",
                        "net.Http1Connection",
                        "net.Http2Connection",
                        // A thread waits in a lock or a queue for at most a duration that a test sets.
                        "clustersync.fabric8.Censuses",
                        "clustersync.fabric8.ListLimiter",
                        "fleet.informers.AttachedCalls",
                        "fleet.pins.judge.Judge",
                        "hosted.cluster.Follower",
                        "hosted.cluster.HostedClusters",
                        "hosted.objects.WorkMemory",
                        "hosted.verbs.AnswerShare",
                        "hosted.verbs.ObjectLists",
                        "hosted.verbs.WatchStream",
                        "hosted.watchcache.EventMemory",
                        "hosted.watchcache.RevisionFeed",
                        "model.Supervised",
                        "packages.registry.RegistryClock")),

        /** Work that pauses does so by {@link io.fairlead.model.Supervised#pause}, which its end cuts short. */
        NO_SLEEP(
                WallsTest::sleeps,
                "Sleeps",
                Set.of(
                        // A command polls the server that it asked.
                        "cli.TopCommand", "cli.cluster.Readiness", "cli.warm.Rehearsal")),

        /** Netty is the transport of connections, and no other part needs it. */
        NETTY(
                WallsTest::usesNettyOutsideItsRooms,
                "UsesNetty",
                Set.of(
                        // They read or make bodies, for which Netty's buffers stand.
                        "fleet.informers.AttachedAnswer",
                        "gateway.admin.AdminHandler",
                        "gateway.inprocess.CollectedBody",
                        "gateway.inprocess.FrameWriter",
                        "gateway.inprocess.HostedHandler",
                        // A listener of its own, over plain HTTP.
                        "gateway.metrics.CrowdedOut",
                        "gateway.metrics.MetricsRequests",
                        "gateway.metrics.MetricsServer",
                        // It makes the event loops, and asks for the bytes outside the heap.
                        "gateway.Gateway",
                        "gateway.limits.DirectMemory")),

        /** HTTP is read and written by {@code http} alone: where a second codec is, it may read a message differently. */
        HTTP_OF_NETTY(WallsTest::usesHttpOfNetty, "UsesHttpOfNetty", Set.of());

        private final Predicate<JavaClass> isBreach;
        private final String canary;
        private final Set<String> known;

        Wall(Predicate<JavaClass> isBreach, String canary, Set<String> known) {
            this.isBreach = isBreach;
            this.canary = canary;
            this.known = known;
        }

        Set<String> breaches(Collection<JavaClass> classes) {
            return classes.stream()
                    .filter(isBreach)
                    .map(WallsTest::topLevel)
                    .collect(TreeSet::new, Set::add, Set::addAll);
        }
    }

    private static final Set<String> CLOCKS = Set.of(
            "java.lang.System.nanoTime",
            "java.lang.System.currentTimeMillis",
            "java.time.Instant.now",
            "java.time.LocalDateTime.now",
            "java.time.OffsetDateTime.now",
            "java.time.ZonedDateTime.now",
            "java.time.InstantSource.system",
            "java.time.Clock.systemUTC",
            "java.time.Clock.systemDefaultZone",
            "java.lang.Math.random",
            "java.util.UUID.randomUUID",
            "java.util.concurrent.ThreadLocalRandom.current",
            "java.util.Random.<init>",
            "java.security.SecureRandom.<init>",
            "java.security.SecureRandom.getInstanceStrong");

    private static final Set<String> SLEEPS = Set.of(
            "java.lang.Thread.sleep",
            "java.util.concurrent.TimeUnit.sleep",
            "java.util.concurrent.locks.LockSupport.parkNanos",
            "java.util.concurrent.locks.LockSupport.parkUntil");

    /** With those of HTTP/2 and WebSockets. */
    private static final String HTTP_OF_NETTY = "io.netty.handler.codec.http";

    private static final String[] ROOMS_OF_NETTY = {
        "io.fairlead.http..",
        "io.fairlead.net..",
        "io.fairlead.clustersync.fabric8..",
        "io.fairlead.gateway.listen..",
        "io.fairlead.gateway.answer..",
        "io.fairlead.gateway.guard..",
        "io.fairlead.gateway.proxy..",
        "io.fairlead.gateway.edge..",
    };

    @ParameterizedTest
    @EnumSource
    void wall_isBrokenWhereItIsSaid_andNowhereElse(Wall wall) {
        assertThat(wall.breaches(List.copyOf(PRODUCTION))).containsExactlyInAnyOrderElementsOf(wall.known);
    }

    @ParameterizedTest
    @EnumSource
    void breach_isCaught(Wall wall) {
        assertThat(wall.breaches(List.copyOf(CANARY))).contains("canary.walls." + wall.canary);
    }

    @Test
    void canaries_breakOneWallEach() {
        for (Wall wall : Wall.values()) {
            assertThat(wall.breaches(List.copyOf(CANARY))).hasSize(1);
        }
    }

    private static boolean readsTimeOrChance(JavaClass judged) {
        return uses(judged, CLOCKS);
    }

    private static boolean sleeps(JavaClass judged) {
        return uses(judged, SLEEPS);
    }

    private static boolean usesNettyOutsideItsRooms(JavaClass judged) {
        return Stream.of(ROOMS_OF_NETTY)
                        .noneMatch(room -> resideInAPackage(room).test(judged))
                && namesOfDependencies(judged)
                        .anyMatch(name -> name.startsWith("io.netty.") && !name.startsWith(HTTP_OF_NETTY));
    }

    private static boolean usesHttpOfNetty(JavaClass judged) {
        return namesOfDependencies(judged).anyMatch(name -> name.startsWith(HTTP_OF_NETTY));
    }

    private static Stream<String> namesOfDependencies(JavaClass judged) {
        return judged.getDirectDependenciesFromSelf().stream()
                .map(dependency -> dependency.getTargetClass().getFullName());
    }

    /** Calls and method references alike. */
    private static boolean uses(JavaClass judged, Set<String> methods) {
        return judged.getAccessesFromSelf().stream()
                .map(JavaAccess::getTarget)
                .anyMatch(target -> methods.contains(target.getOwner().getFullName() + "." + target.getName()));
    }

    private static String topLevel(JavaClass judged) {
        return judged.getFullName().replaceFirst("^io\\.fairlead\\.", "").replaceFirst("\\$.*", "");
    }
}
