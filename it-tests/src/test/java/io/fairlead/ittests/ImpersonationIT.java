package io.fairlead.ittests;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** kubectl {@code --as}: who may be somebody else in an attached and in a hosted cluster, and whom the cluster sees. */
final class ImpersonationIT {
    private static final KubeCluster.User STRANGER = SharedKube.STRANGER;
    private static final Path FOLDER = Checkout.scratch("ImpersonationIT");
    private static final AttachedCluster ATTACHED = AttachedCluster.ofShared(FOLDER);

    private static final Map<String, Kubectl> KUBECTLS = new HashMap<>();

    private static final String MAY_BE_BOB = """
        apiVersion: rbac.authorization.k8s.io/v1
        kind: ClusterRole
        metadata: {name: be-bob}
        rules:
        - {apiGroups: [""], resources: [users], resourceNames: [bob], verbs: [impersonate]}
        - {apiGroups: [""], resources: [groups], resourceNames: [team], verbs: [impersonate]}
        - {apiGroups: [authentication.k8s.io], resources: [userextras/scopes], resourceNames: [view], verbs: [impersonate]}
        ---
        apiVersion: rbac.authorization.k8s.io/v1
        kind: ClusterRoleBinding
        metadata: {name: stranger-may-be-bob}
        subjects: [{apiGroup: rbac.authorization.k8s.io, kind: User, name: stranger}]
        roleRef: {apiGroup: rbac.authorization.k8s.io, kind: ClusterRole, name: be-bob}
        """;

    private static final String MAY_LIST_AS_CAROL = """
        apiVersion: rbac.authorization.k8s.io/v1
        kind: ClusterRole
        metadata: {name: list-as-carol}
        rules:
        - {apiGroups: [authentication.k8s.io], resources: [users], resourceNames: [carol], verbs: ["impersonate:user-info"]}
        - {apiGroups: [authentication.k8s.io], resources: [nodes], resourceNames: [one], verbs: ["impersonate:arbitrary-node"]}
        - {apiGroups: [""], resources: [namespaces], verbs: ["impersonate-on:user-info:list", "impersonate-on:arbitrary-node:list"]}
        - {nonResourceURLs: [/version], verbs: ["impersonate-on:user-info:get"]}
        ---
        apiVersion: rbac.authorization.k8s.io/v1
        kind: ClusterRoleBinding
        metadata: {name: stranger-may-list-as-carol}
        subjects: [{apiGroup: rbac.authorization.k8s.io, kind: User, name: stranger}]
        roleRef: {apiGroup: rbac.authorization.k8s.io, kind: ClusterRole, name: list-as-carol}
        ---
        apiVersion: rbac.authorization.k8s.io/v1
        kind: ClusterRoleBinding
        metadata: {name: carol-may-list}
        subjects: [{apiGroup: rbac.authorization.k8s.io, kind: User, name: carol}]
        roleRef: {apiGroup: rbac.authorization.k8s.io, kind: ClusterRole, name: list-namespaces}
        ---
        apiVersion: rbac.authorization.k8s.io/v1
        kind: ClusterRole
        metadata: {name: list-namespaces}
        rules:
        - {apiGroups: [""], resources: [namespaces], verbs: [get, list]}
        """;

    @BeforeAll
    static void start() {
        ATTACHED.startRelayed();
        ATTACHED.fairlead().command("cluster", "create", "dev");
        for (String cluster : List.of("prod", "dev")) {
            FairleadUsers.admit(ATTACHED.fairlead(), STRANGER.name(), STRANGER.token(), cluster);
            admin(cluster).succeedWith(MAY_BE_BOB, "apply", "-f", "-");
        }
    }

    @AfterAll
    static void stop() {
        admin("prod").apply(MAY_BE_BOB, "delete", "-f", "-");
        ATTACHED.close();
    }

    @BeforeEach
    void forget() {
        ATTACHED.relay().forget();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "--as=bob",
                "--as=bob --as-group=z --as-group=a --as-uid=7",
                "--as=bob --as-group=system:authenticated --as-group=developers",
                "--as=jürgen --as-user-extra=acme.com/Scopes=a --as-user-extra=acme.com/Scopes=b",
                "--as=system:serviceaccount:kube-system:robot",
                "--as=system:serviceaccount:kube-system:robot --as-group=x",
                "--as=system:node:one",
            })
    void administrator_isWhomItNames_asWithoutFairlead(String flags) {
        String directly =
                whoAmI(new Kubectl(FOLDER.resolve("direct"), ATTACHED.kube().kubeconfig()), flags);

        assertThat(whoAmI(admin("prod"), flags)).isEqualTo(directly);
        assertThat(whoAmI(admin("dev"), flags)).isEqualTo(directly);
    }

    @ParameterizedTest
    @ValueSource(strings = {"prod", "dev"})
    void whoMayBeOneUser_isThatOneAlone(String cluster) {
        Kubectl stranger = stranger(cluster);

        assertThat(whoAmI(stranger, "--as=bob --as-group=team --as-user-extra=scopes=view"))
                .contains("\"bob\"", "[\"team\",\"system:authenticated\"]", "{\"scopes\":[\"view\"]}");
        assertThat(refusal(stranger, "--as=root"))
                .contains("users \"root\" is forbidden: User \"stranger\" cannot impersonate resource \"users\"");
        assertThat(refusal(stranger, "--as=bob", "--as-group=system:masters")).contains("system:masters");
        assertThat(refusal(stranger, "--as=bob", "--as-uid=7"))
                .contains("uids.authentication.k8s.io \"7\" is forbidden");
        assertThat(refusal(stranger, "--as=bob", "--as-user-extra=scopes=edit"))
                .contains("userextras.authentication.k8s.io \"edit\" is forbidden");
        assertThat(refusal(stranger, "--as=system:serviceaccount:default:default"))
                .contains("serviceaccounts \"default\" is forbidden", "in the namespace \"default\"");
    }

    @ParameterizedTest
    @ValueSource(strings = {"prod", "dev"})
    void rights_areThoseOfTheOther(String cluster) {
        assertThat(admin(cluster).succeed("auth", "can-i", "create", "namespaces"))
                .startsWith("yes");

        Output asBob = admin(cluster).run("auth", "can-i", "create", "namespaces", "--as=bob");
        assertThat(asBob.output()).startsWith("no");
        for (String user : List.of("bob", "system:anonymous")) {
            assertThat(refusal(admin(cluster), "--as=" + user))
                    .contains("User \"" + user + "\" cannot list resource \"namespaces\"");
        }
    }

    @Test
    void constrainedImpersonation_isDecidedAsWithoutFairlead() {
        admin("prod").succeedWith(MAY_LIST_AS_CAROL, "apply", "-f", "-");
        ATTACHED.patch("prod", "{\"impersonation\":{\"constrained\":true}}");
        try {
            Kubectl directly = new Kubectl(
                    FOLDER.resolve("stranger-directly"), ATTACHED.kube().kubeconfig(STRANGER.name(), STRANGER.token()));
            for (String request : List.of(
                    "/api/v1/namespaces --as=carol",
                    "/api/v1/namespaces/default --as=carol",
                    "/api/v1/pods --as=carol",
                    "/version --as=carol",
                    "/livez --as=carol",
                    "/api/v1/namespaces --as=dave",
                    "/api/v1/namespaces --as=carol --as-group=team",
                    "/api/v1/namespaces --as=carol --as-uid=7",
                    "/api/v1/namespaces --as=bob --as-group=team",
                    "/api/v1/namespaces --as=system:node:one",
                    "/api/v1/namespaces/default --as=system:node:one",
                    "/api/v1/namespaces --as=system:node:two",
                    "/api/v1/namespaces --as=system:serviceaccount:default:default")) {
                String[] command = ("get --raw " + request).split(" ");
                Output direct = directly.run(command);
                Output passed = stranger("prod").run(command);
                assertThat(passed.errors()).as(request).isEqualTo(direct.errors());
                assertThat(passed.exitCode()).as(request).isEqualTo(direct.exitCode());
            }
            assertThat(stranger("prod").succeed("get", "--raw", "/api/v1/namespaces", "--as=carol"))
                    .contains("NamespaceList");
            assertThat(refusal(stranger("prod"), "--as=carol", "--as-group=system:masters"))
                    .contains("forbidden");
        } finally {
            ATTACHED.patch("prod", "{\"impersonation\":null}");
            admin("prod").apply(MAY_LIST_AS_CAROL, "delete", "-f", "-");
        }
    }

    @Test
    void refusedRequest_neverReachesTheServer() {
        refusal(stranger("prod"), "--as=somebody-else");

        assertThat(ATTACHED.relay().received())
                .contains("POST /apis/authorization.k8s.io/v1/subjectaccessreviews")
                .doesNotContain("GET /api/v1/namespaces")
                .doesNotContainIgnoringCase("impersonate-user: somebody-else");
    }

    private static String whoAmI(Kubectl kubectl, String flags) {
        return kubectl.succeed(("auth whoami -o jsonpath={.status.userInfo} " + flags).split(" "));
    }

    private static String refusal(Kubectl kubectl, String... flags) {
        List<String> command = new ArrayList<>(List.of("get", "--raw", "/api/v1/namespaces"));
        command.addAll(List.of(flags));
        Output output = kubectl.run(command.toArray(String[]::new));
        assertThat(output.exitCode()).as("%s", output).isEqualTo(1);
        return output.errors();
    }

    private static Kubectl admin(String cluster) {
        return kubectl("root", AttachedCluster.ROOT_TOKEN, cluster);
    }

    private static Kubectl stranger(String cluster) {
        return kubectl(STRANGER.name(), STRANGER.token(), cluster);
    }

    private static Kubectl kubectl(String user, String token, String cluster) {
        return KUBECTLS.computeIfAbsent(
                user + "-" + cluster,
                name -> new Kubectl(
                        FOLDER.resolve(name), FairleadUsers.kubeconfig(ATTACHED.fairlead(), user, token, cluster)));
    }
}
