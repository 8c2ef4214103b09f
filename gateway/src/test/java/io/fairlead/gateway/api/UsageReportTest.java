package io.fairlead.gateway.api;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.fairlead.gateway.Limited;
import io.fairlead.gateway.admin.AdminRequest;
import io.fairlead.gateway.answer.Outcome;
import io.fairlead.gateway.authn.Identity;
import io.fairlead.gateway.enter.ClusterAccess;
import io.fairlead.gateway.info.Described;
import io.fairlead.gateway.listen.TestHead;
import io.fairlead.gateway.select.Selector;
import io.fairlead.gateway.usage.Usage;
import io.fairlead.hosted.HostedCluster;
import io.fairlead.hosted.TypeEvent;
import io.fairlead.model.ClusterName;
import io.fairlead.model.RequestInfo;
import io.fairlead.model.StatusException;
import io.fairlead.model.UserInfo;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import tools.jackson.databind.JsonNode;

/** Who is told of whom, and in which order. */
class UsageReportTest {
    private static final String PATH = "/fairlead/v1/usage";
    private static final Identity ADMIN = new Identity.OfGateway(UserInfo.of("admin", List.of("fairlead:admins")));
    private static final Identity ANN = user("ann");
    private static final Identity BOB = user("bob");
    private static final Identity OF_DEV =
            new Identity.OfCluster(new ClusterName("dev"), "dev", UserInfo.of("ann", List.of("system:masters")));

    private final Root root = new Root();
    private final Usage usage = new Usage(Limited.BY_DEFAULT.limits());
    private final UsageReport report =
            new UsageReport(usage, new ClusterAccess(root), () -> Instant.parse("2026-11-28T12:00:00Z"));

    @BeforeEach
    void use() {
        for (int i = 0; i < 3; i++) {
            begin("dev", ANN, "/api/v1/pods");
        }
        begin("dev", BOB, "/api/v1/pods?watch=1");
        begin("prod", BOB, "/api/v1/pods?watch=1");
        begin("prod", BOB, "/api/v1/pods?watch=1");
        begin("dev", OF_DEV, "/api/v1/namespaces/a/pods/b/log");
    }

    @Test
    void administrators_seeAllClustersAndCallers() {
        JsonNode all = report(ADMIN, Map.of());

        assertThat(rows(all, "clusters")).containsExactly("dev", "prod");
        assertThat(rows(all, "callers")).containsExactlyInAnyOrder("dev/ann", "dev/bob", "prod/bob", "dev/ann of dev");
        assertThat(all.path("time").asString()).isEqualTo("2026-11-28T12:00:00Z");
        JsonNode dev = all.path("clusters").get(0);
        assertThat(dev.path("requests").asInt()).isEqualTo(5);
        assertThat(dev.path("shortCalls").asInt()).isEqualTo(3);
        assertThat(dev.path("watches").asInt()).isEqualTo(1);
        assertThat(dev.path("streams").asInt()).isEqualTo(1);
        assertThat(dev.path("bytes").asLong()).isPositive();
    }

    @Test
    void others_seeTheClustersThatTheyMayEnter_andOfCallersThemselves() {
        assertThat(rows(report(ANN, Map.of()), "clusters")).isEmpty();
        root.allowed.add("access clusters dev ann");

        JsonNode ofAnn = report(ANN, Map.of());

        assertThat(rows(ofAnn, "clusters")).containsExactly("dev");
        assertThat(rows(ofAnn, "callers")).containsExactly("dev/ann");
        assertThat(ofAnn.toString()).doesNotContain("prod", "bob");
        assertThat(ofAnn.path("callersTotal").asInt()).isEqualTo(1);
    }

    /** All callers may ask, and there may be thousands of clusters and callers. */
    @Test
    void rootCluster_isAskedOnceAboutEachCluster_asLongAsRightsAreTheSame() {
        report(ANN, Map.of());
        report(ANN, Map.of());
        assertThat(root.asked)
                .filteredOn(question -> question.startsWith("access "))
                .containsExactlyInAnyOrder("access clusters dev ann", "access clusters prod ann");

        root.allowed.add("access clusters prod ann");
        assertThat(rows(report(ANN, Map.of()), "clusters")).containsExactly("prod");
        assertThat(root.asked)
                .filteredOn(question -> question.startsWith("access "))
                .hasSize(4);
    }

    @Test
    void thoseWhoMayGetThePath_seeOtherCallers_ofTheClustersThatTheyMayEnter() {
        root.allowed.add("access clusters dev ann");
        root.allowed.add("get " + PATH + " ann");

        JsonNode ofAnn = report(ANN, Map.of());

        assertThat(rows(ofAnn, "callers")).containsExactlyInAnyOrder("dev/ann", "dev/bob", "dev/ann of dev");
        assertThat(ofAnn.toString()).doesNotContain("prod");
    }

    /** Its name and groups are those of its cluster, and mean nothing elsewhere. */
    @Test
    void callerForWhomAClusterVouches_seesThatClusterAndItself() {
        root.allowed.add("get " + PATH + " ann");

        JsonNode ofCluster = report(OF_DEV, Map.of());

        assertThat(rows(ofCluster, "clusters")).containsExactly("dev");
        assertThat(rows(ofCluster, "callers")).containsExactly("dev/ann of dev");
    }

    @Test
    void rows_areThoseWithTheMost_andTheOthersAreCounted() {
        JsonNode byWatches = report(ADMIN, Map.of("sort", List.of("watches"), "top", List.of("1")));

        assertThat(rows(byWatches, "clusters")).containsExactly("prod");
        assertThat(rows(byWatches, "callers")).containsExactly("prod/bob");
        assertThat(byWatches.path("clustersTotal").asInt()).isEqualTo(2);
        assertThat(byWatches.path("callersTotal").asInt()).isEqualTo(4);
        assertThat(rows(report(ADMIN, Map.of("sort", List.of("shortCalls"))), "callers"))
                .first()
                .isEqualTo("dev/ann");
        assertThat(rows(report(ADMIN, Map.of("cluster", List.of("prod"))), "callers"))
                .containsExactly("prod/bob");
    }

    @ParameterizedTest
    @CsvSource({"sort,cpu", "sort,''", "top,0", "top,1001", "top,many"})
    void parameterThatThereIsNot_isRefused(String name, String value) {
        assertThatThrownBy(() -> report(ADMIN, Map.of(name, List.of(value))))
                .isInstanceOf(StatusException.class)
                .hasMessageContaining("query parameter \"" + name + "\": \"" + value + "\" (expected ");
    }

    private JsonNode report(Identity caller, Map<String, List<String>> query) {
        return report.of(new AdminRequest(caller, "GET", PATH, query, Map.of()));
    }

    private static List<String> rows(JsonNode report, String list) {
        return report.path(list)
                .valueStream()
                .map(row -> row.path("cluster").asString()
                        + (row.has("caller") ? "/" + row.path("caller").asString() : "")
                        + (row.has("realm") ? " of " + row.path("realm").asString() : ""))
                .toList();
    }

    private void begin(String cluster, Identity caller, String path) {
        Described described = Described.of(new Selector(ClusterName.ROOT, List.of(), null)
                .select(TestHead.get("/clusters/" + cluster + path, "token")));
        usage.begin(new ClusterName(cluster), caller.caller(), described, Outcome.IGNORED);
    }

    private static Identity user(String name) {
        return new Identity.OfGateway(UserInfo.of(name, List.of()));
    }

    /** A root cluster of which only the rights count. */
    private static final class Root implements HostedCluster {
        private final Set<String> allowed = new HashSet<>();
        private final List<String> asked = new ArrayList<>();

        @Override
        public ClusterName name() {
            return ClusterName.ROOT;
        }

        @Override
        public Decision authorize(UserInfo user, RequestInfo request) {
            String what = request.resourceRequest() ? request.resource() + " " + request.name() : request.path();
            String question = request.verb() + " " + what + " " + user.name();
            asked.add(question);
            return allowed.contains(question) ? new Decision.Allowed() : new Decision.Denied("");
        }

        @Override
        public Object rightsState() {
            return Set.copyOf(allowed);
        }

        @Override
        public Handler crdRuntime() {
            throw new UnsupportedOperationException();
        }

        @Override
        public Handler baseHandler() {
            throw new UnsupportedOperationException();
        }

        @Override
        public AutoCloseable observeTypes(Consumer<TypeEvent> observer) {
            return () -> {};
        }
    }
}
