package io.fairlead.benchmarks.route;

import io.fairlead.fleet.ClusterEntry;
import io.fairlead.gateway.authz.Authorized;
import io.fairlead.gateway.authz.Targets;
import io.fairlead.gateway.flow.Admitted;
import io.fairlead.gateway.impersonate.AccessReviews;
import io.fairlead.gateway.route.Routed;
import io.fairlead.gateway.route.Router;
import io.fairlead.model.ClusterName;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;

/**
 * The route stage for one request: by a look-up in the serves index, or for a non-resource path, for which the stage
 * needs none and does everything else.
 */
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Fork(3)
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 5, time = 700, timeUnit = TimeUnit.MILLISECONDS)
@State(Scope.Thread)
public class RouteBenchmark {
    /** An attached cluster's base leaves open what it serves itself, and its {@code crdRuntime} takes the rest. */
    @Param({"attached", "hosted"})
    public String cluster = "";

    @Param({"noResource", "customResource", "builtIn", "absent"})
    public String asked = "";

    @Param("1000")
    public int clusters;

    private Request[] requests = {};
    private Router router = new RoutedFleet(0, true).router();
    private int next;

    /** One request with what the stage before handed on. */
    private record Request(Admitted admitted, Authorized authorized, ClusterEntry.Attached attached) {}

    @Setup
    public void admit() throws Exception {
        RoutedFleet fleet = new RoutedFleet(clusters, cluster.equals("hosted"));
        Random random = new Random(3);
        requests = new Request[clusters];
        Targets targets = new Targets(
                ClusterEntry.NotRegistered::new,
                (target, source, namespace) -> {},
                new AccessReviews(DefaultLimits.FRONT_END, _ -> {}));
        try (HeardRequests heard = new HeardRequests()) {
            for (int i = 0; i < requests.length; i++) {
                ClusterName name = fleet.clusters().get(random.nextInt(clusters));
                Admitted admitted = fleet.admitted(heard, "/clusters/" + name + path(random));
                Authorized authorized = Authorized.by(fleet.hosted(name), admitted, targets);
                requests[i] = new Request(admitted, authorized, fleet.attached(name));
            }
        }
        router = fleet.router();
    }

    @Benchmark
    public Routed route() {
        next = next + 1 == requests.length ? 0 : next + 1;
        Request request = requests[next];
        return cluster.equals("hosted")
                ? router.toHosted(request.authorized())
                : router.toAttachedAtOnce(request.admitted(), request.attached())
                        .orElseThrow();
    }

    private String path(Random random) {
        String plural = RoutedFleet.plural(random.nextInt(RoutedFleet.DEFINITIONS));
        return switch (asked) {
            case "customResource" -> "/apis/example.com/v1/namespaces/default/" + plural;
            case "builtIn" -> "/api/v1/namespaces/default/pods";
            case "absent" -> "/apis/example.com/v2/namespaces/default/" + plural;
            default -> "/apis/example.com/v1";
        };
    }
}
