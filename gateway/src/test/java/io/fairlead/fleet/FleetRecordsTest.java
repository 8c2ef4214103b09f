package io.fairlead.fleet;

import static io.fairlead.fleet.root.RootCluster.ADMIN;
import static io.fairlead.fleet.root.RootCluster.eventually;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.fairlead.gateway.admin.AdminRequest;
import io.fairlead.gateway.authn.Identity;
import io.fairlead.hosted.ApiResponse;
import io.fairlead.model.StatusException;
import io.fairlead.schema.json.Json;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import tools.jackson.databind.JsonNode;

/** What the own API says of what records have observed, and to whom. */
final class FleetRecordsTest extends FleetFixture {
    private static final String RECORDS = "/apis/fairlead.io/v1alpha1/conditionrecords";
    private static final Map<String, String> SHOP = Map.of("resource", "namespaces", "name", "shop");

    @Test
    void object_hasItsTransitionsInTheOrderOfTheirObservation() {
        observe();

        JsonNode answer = ask(ROOT, "root", SHOP);

        assertThat(answer.path("name").asString("")).isEqualTo("shop");
        assertThat(answer.path("transitions").values().stream()
                        .map(row -> row.path("condition").asString("") + " "
                                + row.path("status").asString("") + " "
                                + row.path("verdict").asString("") + " "
                                + row.path("stated").asString("") + " "
                                + row.path("record").asString("")))
                .containsExactly(
                        "Ready True FirstSight 2026-01-02T11:00:00Z ready",
                        "Ready False Stated 2026-01-02T12:00:00Z ready",
                        "Ready True Travelled 2026-01-02T11:00:00Z ready");
    }

    @Test
    void reader_needsTheRecord_besideTheRightToEnter() {
        observe();
        letJane("clusters", "root", "access");
        assertThat(refusal(JANE, "root", SHOP).message())
                .startsWith("no ConditionRecord that you may read observes namespaces");

        letJane("conditionrecords", "ready", "get");
        eventually("jane may read it", () -> {
            try {
                return ask(JANE, "root", SHOP).path("transitions").size() == 3;
            } catch (StatusException notYet) {
                return false;
            }
        });
        assertThat(refusal(JANE, "dev", SHOP).code()).isEqualTo(403);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
        namespaces | other | 404 | nothing is recorded of namespaces "other" in cluster "root"
        pods       | shop  | 404 | no ConditionRecord that you may read observes pods in cluster "root"
        namespaces | ''    | 400 | query parameter "name" is missing
        ''         | shop  | 400 | query parameter "resource" is missing
        """)
    void whatIsNotRecorded_isNamed(String resource, String name, int code, String message) {
        observe();

        io.fairlead.model.Status status = refusal(ROOT, "root", Map.of("resource", resource, "name", name));

        assertThat(status.code()).isEqualTo(code);
        assertThat(status.message()).startsWith(message);
    }

    private void observe() {
        records.start();
        root.create(RECORDS, """
            {apiVersion: fairlead.io/v1alpha1, kind: ConditionRecord, metadata: {name: ready},
            spec: {clusters: {matchNames: [root]}, resource: core/v1/namespaces, conditions: [Ready]}}
            """);
        root.create("/api/v1/namespaces", "{metadata: {name: shop}}");
        state("True", "11");
        eventually("it is observed", () -> size() == 1);
        state("False", "12");
        state("True", "11");
        eventually("all is observed", () -> size() == 3);
    }

    private int size() {
        try {
            return ask(ROOT, "root", SHOP).path("transitions").size();
        } catch (StatusException notYet) {
            return 0;
        }
    }

    private void state(String status, String hour) {
        root.send(
                ADMIN,
                "PATCH",
                "/api/v1/namespaces/shop/status",
                "{status: {conditions: [{type: Ready, status: '" + status + "', lastTransitionTime: '2026-01-02T" + hour
                        + ":00:00Z'}]}}");
    }

    private void letJane(String resource, String name, String verb) {
        String role = resource + "-" + verb;
        root.create(
                "/apis/rbac.authorization.k8s.io/v1/clusterroles",
                "{metadata: {name: " + role
                        + "}, rules: [{apiGroups: [fairlead.io], resources: [" + resource + "], resourceNames: [" + name
                        + "], verbs: [" + verb + "]}]}");
        root.create(
                "/apis/rbac.authorization.k8s.io/v1/clusterrolebindings",
                "{metadata: {name: " + role
                        + "}, roleRef: {apiGroup: rbac.authorization.k8s.io, kind: ClusterRole, name: " + role
                        + "}, subjects: [{apiGroup: rbac.authorization.k8s.io, kind: User, name: jane}]}");
        eventually("jane is bound", () -> {
            try {
                ask(JANE, "root", SHOP);
                return true;
            } catch (StatusException refused) {
                return refused.status().code() != 403;
            }
        });
    }

    private io.fairlead.model.Status refusal(Identity caller, String cluster, Map<String, String> query) {
        return catchThrowableOfType(StatusException.class, () -> ask(caller, cluster, query))
                .status();
    }

    private JsonNode ask(Identity caller, String cluster, Map<String, String> query) {
        Map<String, List<String>> all = query.entrySet().stream()
                .collect(Collectors.toMap(Map.Entry::getKey, each -> List.of(each.getValue())));
        String path = "/fairlead/v1/clusters/" + cluster + "/conditions";
        return Json.read(((ApiResponse.Whole) api.serve(new AdminRequest(caller, "GET", path, all, Map.of()))).body());
    }
}
