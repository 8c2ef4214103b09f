package io.fairlead.hosted.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** A definition that bears the name of a built-in resource neither serves nor owns its objects. */
class NamesakeTest {
    private static final String CRDS = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions";
    private static final String LEASES = "/apis/coordination.k8s.io/v1/namespaces/default/leases";

    private final Fixture fixture = new Fixture();
    private Api api;

    @BeforeEach
    void start() {
        api = fixture.dev();
        api.createJson(
                        LEASES,
                        "{\"apiVersion\":\"coordination.k8s.io/v1\",\"kind\":\"Lease\",\"metadata\":{\"name\":\"a\"}}")
                .expect(201);
        define("boats", "example.com", "Boat", "Namespaced");
        Fixture.eventually(
                "boats are served",
                () -> api.get("/apis/example.com/v1/namespaces/default/boats").code() == 200);
    }

    @AfterEach
    void stop() {
        fixture.close();
    }

    @ParameterizedTest
    @CsvSource({
        "leases, coordination.k8s.io, Lease, Namespaced",
        "leases, coordination.k8s.io, Other, Namespaced",
        "clusterroles, rbac.authorization.k8s.io, ClusterRole, Cluster",
        "customresourcedefinitions, apiextensions.k8s.io, CustomResourceDefinition, Cluster",
        "events, events.k8s.io, Event, Namespaced",
    })
    void namesakeThatIsDeleted_leavesTheObjectsOfTheBuiltInResource(
            String plural, String group, String kind, String scope) {
        List<String> before = names();
        String path = CRDS + "/" + plural + "." + group;
        define(plural, group, kind, scope);
        Fixture.eventually(
                "it is looked at",
                () -> !api.get(path).at("/status/conditions/0/type").isEmpty());
        api.merge(path + "/status", "{\"status\":{\"conditions\":[{\"type\":\"Established\",\"status\":\"True\"}]}}")
                .expect(200);
        assertThat(names().subList(0, 2)).isEqualTo(before.subList(0, 2));

        api.delete(path).expect(200);

        Fixture.eventually("the namesake is gone", () -> api.get(path).code() == 404);
        assertThat(names()).isEqualTo(before);
    }

    @Test
    void watchOfTheBuiltInResource_goesOn() throws Exception {
        try (Events leases = api.watch(LEASES + "?resourceVersion=0")) {
            assertThat(leases.next().name()).isEqualTo("a");
            define("leases", "coordination.k8s.io", "Lease", "Namespaced");
            String path = CRDS + "/leases.coordination.k8s.io";
            api.delete(path).expect(200);
            Fixture.eventually("the namesake is gone", () -> api.get(path).code() == 404);

            api.merge(LEASES + "/a", "{\"metadata\":{\"labels\":{\"a\":\"b\"}}}")
                    .expect(200);

            assertThat(leases.next().type()).isEqualTo("MODIFIED");
        }
    }

    private List<String> names() {
        return List.of(items(LEASES), items("/apis/rbac.authorization.k8s.io/v1/clusterroles"), items(CRDS));
    }

    private String items(String path) {
        return api.get(path)
                .expect(200)
                .body()
                .path("items")
                .valueStream()
                .map(item -> item.path("metadata").path("name").asString(""))
                .toList()
                .toString();
    }

    private void define(String plural, String group, String kind, String scope) {
        api.createJson(CRDS, """
            {"apiVersion":"apiextensions.k8s.io/v1","kind":"CustomResourceDefinition",
             "metadata":{"name":"%1$s.%2$s","annotations":{"api-approved.kubernetes.io":"unapproved, a test"}},
             "spec":{"group":"%2$s","scope":"%4$s","names":{"plural":"%1$s","singular":"%1$s","kind":"%3$s"},
             "versions":[{"name":"v1","served":true,"storage":true,"schema":{"openAPIV3Schema":{"type":"object"}}}]}}\
            """.formatted(plural, group, kind, scope)).expect(201);
    }
}
