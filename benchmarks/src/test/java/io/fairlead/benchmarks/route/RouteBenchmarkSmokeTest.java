package io.fairlead.benchmarks.route;

import static org.assertj.core.api.Assertions.assertThat;

import io.fairlead.gateway.route.Route;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The benchmark routes what it says; how fast is not judged here. */
class RouteBenchmarkSmokeTest {
    @ParameterizedTest
    @CsvSource({
        "attached, noResource, BASE_HANDLER, NONE",
        "attached, customResource, CRD_RUNTIME, SERVED",
        "attached, builtIn, BASE_HANDLER, UNKNOWN",
        "attached, absent, BASE_HANDLER, ABSENT",
        "hosted, noResource, BASE_HANDLER, NONE",
        "hosted, customResource, CRD_RUNTIME, SERVED",
        "hosted, builtIn, BASE_HANDLER, SERVED",
        "hosted, absent, BASE_HANDLER, ABSENT",
    })
    void route_isThatOfWhatIsAskedFor(String cluster, String asked, Route.Kind kind, String answer) throws Exception {
        RouteBenchmark benchmark = new RouteBenchmark();
        benchmark.cluster = cluster;
        benchmark.asked = asked;
        benchmark.clusters = 2;
        benchmark.admit();

        Route route = benchmark.route().route();

        assertThat(route.kind()).isEqualTo(kind);
        assertThat(route.holders().isEmpty()).isEqualTo(!answer.equals("SERVED"));
        assertThat(route.view().isEmpty()).isEqualTo(answer.equals("NONE"));
    }
}
