package io.fairlead.hosted.rbac;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.fairlead.hosted.AdmissionHook.Operation;
import io.fairlead.hosted.AdmissionHook.Review;
import io.fairlead.hosted.ResourceType;
import io.fairlead.model.Status;
import io.fairlead.model.StatusException;
import io.fairlead.model.UserInfo;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

/** The messages were taken from a kube-apiserver 1.36 with the same objects. */
class EscalationGuardTest {
    private static final UserInfo JANE = UserInfo.of("jane", List.of("system:authenticated"));

    private final RbacObjects objects = new RbacObjects();
    private final EscalationGuard guard = new EscalationGuard(new PolicyCache(objects)::policy);

    @Test
    void role_withRightsThatItsWriterLacks_isRefusedAndNamesThem() {
        objects.clusterRole("view", "[{\"apiGroups\":[\"\"],\"resources\":[\"pods\"],\"verbs\":[\"get\",\"list\"]}]")
                .bind("default", "rb", "ClusterRole view", "User jane");

        Status status = refusal(JANE, Operation.CREATE, role("""
            [{"apiGroups":[""],"resources":["nodes","pods"],"verbs":["get","list","update"]}]\
            """), null);

        assertThat(status.code()).isEqualTo(403);
        assertThat(status.message()).isEqualTo("""
            roles.rbac.authorization.k8s.io "foo" is forbidden: user "jane" (groups=["system:authenticated"]) is attempting to grant RBAC permissions not currently held:
            {APIGroups:[""], Resources:["nodes"], Verbs:["get" "list" "update"]}
            {APIGroups:[""], Resources:["pods"], Verbs:["update"]}\
            """);
    }

    @Test
    void role_withResourceNames_namesThemInTheRefusal() {
        assertThat(refusal(JANE, Operation.CREATE, role("""
            [{"apiGroups":["example.com"],"resources":["widgets"],"verbs":["get"],"resourceNames":["b"]},
             {"nonResourceURLs":["/x"],"verbs":["get"]}]\
            """), null).message()).endsWith("""
                :
                {APIGroups:["example.com"], Resources:["widgets"], ResourceNames:["b"], Verbs:["get"]}
                {NonResourceURLs:["/x"], Verbs:["get"]}\
                """);
    }

    @Test
    void role_withinItsWritersRights_isLetThrough() {
        objects.clusterRole("mine", "[{\"apiGroups\":[\"*\"],\"resources\":[\"*/status\",\"pods\"],\"verbs\":[\"*\"]}]")
                .bind("default", "rb", "ClusterRole mine", "User jane");

        assertPasses(JANE, Operation.CREATE, role("""
            [{"apiGroups":["apps"],"resources":["deployments/status"],"verbs":["get"],"resourceNames":["a"]}]\
            """), null);
    }

    @Test
    void role_byWhoMayEscalate_isLetThrough() {
        objects.clusterRole("esc", """
            [{"apiGroups":["rbac.authorization.k8s.io"],"resources":["roles"],"verbs":["escalate"]}]\
            """).bind("default", "rb", "ClusterRole" + " esc", "User jane");

        assertPasses(
                JANE,
                Operation.CREATE,
                role("[{\"apiGroups\":[\"*\"],\"resources\":[\"*\"],\"verbs\":[\"*\"]}]"),
                null);
    }

    @Test
    void aggregationRule_needsEveryRight() {
        ObjectNode aggregated = (ObjectNode) JsonMapper.shared().readTree(PolicyTest.AGGREGATED);

        assertThat(refusal(JANE, Operation.CREATE, aggregated, null).message())
                .isEqualTo("clusterroles.rbac.authorization.k8s.io \"aggregated\" is forbidden: must have cluster-admin"
                        + " privileges to use the aggregationRule");
    }

    @Test
    void binding_ofARoleThatDoesNotExist_isNotFound() {
        Status status = refusal(JANE, Operation.CREATE, binding("ClusterRole nope"), null);

        assertThat(status.code()).isEqualTo(404);
        assertThat(status.message()).isEqualTo("rolebindings.rbac.authorization.k8s.io \"nope\" not found");
    }

    @Test
    void binding_ofARoleBeyondItsWritersRights_isRefused() {
        objects.clusterRole("all", "[{\"apiGroups\":[\"*\"],\"resources\":[\"*\"],\"verbs\":[\"*\"]}]");

        assertThat(refusal(JANE, Operation.CREATE, binding("ClusterRole all"), null)
                        .message())
                .endsWith("not currently held:\n{APIGroups:[\"*\"], Resources:[\"*\"], Verbs:[\"*\"]}");
    }

    @Test
    void binding_byWhoMayBindThatRole_isLetThrough() {
        objects.clusterRole("all", "[{\"apiGroups\":[\"*\"],\"resources\":[\"*\"],\"verbs\":[\"*\"]}]")
                .role("default", "binder", """
                    [{"apiGroups":["rbac.authorization.k8s.io"],"resources":["clusterroles"],"verbs":["bind"],
                      "resourceNames":["all"]}]\
                    """)
                .bind("default", "rb", "Role binder", "User jane");

        assertPasses(JANE, Operation.CREATE, binding("ClusterRole all"), null);
    }

    @Test
    void change_ofFinalizersAlone_isLetThrough() {
        ObjectNode old = role("[{\"apiGroups\":[\"*\"],\"resources\":[\"*\"],\"verbs\":[\"*\"]}]");
        ObjectNode changed = old.deepCopy();
        changed.withObject("/metadata").putArray("finalizers").add("a.b/c");

        assertPasses(JANE, Operation.UPDATE, changed, old);
        changed.withObject("/metadata").put("labels", "x");
        assertThat(refusal(JANE, Operation.UPDATE, changed, old).code()).isEqualTo(403);
    }

    @Test
    void systemMasters_mayGrantEverything() {
        assertPasses(
                UserInfo.of("admin", List.of(UserInfo.MASTERS)),
                Operation.CREATE,
                role("[{\"apiGroups\":[\"*\"],\"resources\":[\"*\"],\"verbs\":[\"*\"]}]"),
                null);
    }

    @Test
    void role_whoseListsMultiply_isRefusedWithoutBeingMultiplied() {
        String many = numbers(2000);

        Status status = refusal(JANE, Operation.CREATE, role("""
            [{"apiGroups":[%1$s],"resources":[%1$s],"verbs":[%1$s],"resourceNames":[%1$s]}]\
            """.formatted(many)), null);

        assertThat(status.code()).isEqualTo(403);
        assertThat(status.message()).hasSizeLessThan(1 << 20).endsWith("\nand others");
    }

    @Test
    void role_whoseListsMultiply_isComparedAsFarAsIsBounded() {
        objects.clusterRole(
                        "mine",
                        "[%s]"
                                .formatted(Stream.generate(() -> """
                                    {"apiGroups":["a"],"resources":[%s],"verbs":["0"]}\
                                    """.formatted(numbers(1000)))
                                        .limit(500)
                                        .collect(Collectors.joining(","))))
                .bind("default", "rb", "ClusterRole mine", "User jane");

        Status status = refusal(JANE, Operation.CREATE, role("""
            [{"apiGroups":[%1$s],"resources":[%1$s],"verbs":[%1$s]}]\
            """.formatted(numbers(2000))), null);

        assertThat(status.message())
                .isEqualTo(
                        "roles.rbac.authorization.k8s.io \"foo\" is forbidden: its rules are too many combinations of"
                                + " verbs, API groups, resources and names to compare with those of user \"jane\""
                                + " (expected fewer, in several roles)");
    }

    @Test
    void role_whoseListsMultiply_isLetThroughIfOneRuleHasThemAll() {
        objects.clusterRole("mine", "[{\"apiGroups\":[\"*\"],\"resources\":[\"*\"],\"verbs\":[\"*\"]}]")
                .bind("default", "rb", "ClusterRole mine", "User jane");

        assertPasses(JANE, Operation.CREATE, role("""
            [{"apiGroups":[%1$s],"resources":[%1$s],"verbs":[%1$s],"resourceNames":[%1$s]}]\
            """.formatted(numbers(2000))), null);
    }

    private static String numbers(int count) {
        return IntStream.range(0, count).mapToObj(i -> "\"" + i + "\"").collect(Collectors.joining(","));
    }

    private Status refusal(UserInfo user, Operation operation, ObjectNode object, @Nullable ObjectNode old) {
        return catchThrowableOfType(StatusException.class, () -> guard.admit(review(user, operation, object, old)))
                .status();
    }

    private void assertPasses(UserInfo user, Operation operation, ObjectNode object, @Nullable ObjectNode old) {
        assertThatCode(() -> guard.admit(review(user, operation, object, old))).doesNotThrowAnyException();
    }

    private static ObjectNode role(String rules) {
        return (ObjectNode) JsonMapper.shared()
                .readTree("{\"kind\":\"Role\",\"metadata\":{\"namespace\":\"default\",\"name\":\"foo\"},\"rules\":%s}"
                        .formatted(rules));
    }

    private static ObjectNode binding(String role) {
        return (ObjectNode) JsonMapper.shared().readTree(RbacObjects.binding("default", "foo", role, "User someone"));
    }

    private static Review review(UserInfo user, Operation operation, ObjectNode object, @Nullable ObjectNode old) {
        String kind = object.path("kind").asString();
        String plural = kind.toLowerCase(Locale.ROOT) + "s";
        ResourceType type = new ResourceType(
                "rbac.authorization.k8s.io",
                "v1",
                plural,
                "",
                kind,
                kind + "List",
                List.of(),
                List.of(),
                true,
                List.of(),
                Set.of(),
                "v1",
                false,
                null,
                null);
        return new Review(
                operation,
                type,
                "",
                object.path("metadata").path("namespace").asString(""),
                object.path("metadata").path("name").asString(),
                user,
                true,
                old,
                object,
                false);
    }
}
