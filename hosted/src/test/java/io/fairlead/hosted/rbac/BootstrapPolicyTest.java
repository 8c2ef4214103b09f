package io.fairlead.hosted.rbac;

import static org.assertj.core.api.Assertions.assertThat;

import io.fairlead.model.RequestInfo;
import io.fairlead.model.UserInfo;
import java.util.List;
import java.util.Locale;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import tools.jackson.databind.node.ObjectNode;

class BootstrapPolicyTest {
    private final RbacObjects objects = new RbacObjects();
    private final PolicyCache cache = new PolicyCache(objects);

    BootstrapPolicyTest() {
        for (ObjectNode object : BootstrapPolicy.objects()) {
            objects.put(object.path("kind").asString().toLowerCase(Locale.ROOT) + "s", object.toString());
        }
    }

    @ParameterizedTest
    @CsvSource({
        "view, get, '', configmaps, true",
        "view, get, '', secrets, false",
        "edit, get, '', secrets, true",
        "edit, create, '', configmaps, true",
        "edit, create, rbac.authorization.k8s.io, roles, false",
        "admin, create, rbac.authorization.k8s.io, roles, true",
        "admin, get, '', secrets, true",
        "admin, get, example.com, widgets, false",
        "cluster-admin, get, example.com, widgets, true",
    })
    void userFacingRoles_grantWhatTheyGrantEverywhere(
            String role, String verb, String group, String resource, boolean allowed) {
        objects.bind("ns", "rb", "ClusterRole " + role, "User jane");

        Verdict verdict = cache.policy()
                .decide(UserInfo.of("jane", List.of()), PolicyTest.resource(verb, group, "ns", resource, "", ""));

        assertThat(verdict instanceof Verdict.Allowed).isEqualTo(allowed);
    }

    @ParameterizedTest
    @CsvSource({
        "/version, true, true",
        "/healthz, true, true",
        "/apis/apps, true, false",
        "/openapi/v3, true, false",
        "/healthz/etcd, false, false",
        "/metrics, false, false",
    })
    void everybody_mayDiscover(String path, boolean authenticated, boolean anonymous) {
        RequestInfo request = RequestInfo.nonResource(path, "get");

        assertThat(
                        cache.policy().decide(UserInfo.of("u", List.of(UserInfo.AUTHENTICATED)), request)
                                instanceof Verdict.Allowed)
                .isEqualTo(authenticated);
        assertThat(
                        cache.policy()
                                        .decide(
                                                UserInfo.of("system:anonymous", List.of(UserInfo.UNAUTHENTICATED)),
                                                request)
                                instanceof Verdict.Allowed)
                .isEqualTo(anonymous);
    }

    @Test
    void objects_areCopies() {
        BootstrapPolicy.objects().getFirst().removeAll();

        assertThat(BootstrapPolicy.objects().getFirst()).isNotEmpty();
    }

    @Test
    void aggregatedRoles_carryTheirRules() {
        assertThat(BootstrapPolicy.objects())
                .filteredOn(Aggregation::isAggregated)
                .hasSize(3)
                .allSatisfy(role -> assertThat(role.path("rules").size()).isGreaterThan(10));
    }
}
