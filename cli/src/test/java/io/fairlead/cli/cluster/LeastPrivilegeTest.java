package io.fairlead.cli.cluster;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.fairlead.model.ClusterName;
import io.fairlead.schema.json.Document;
import io.fairlead.schema.json.Yaml;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/** What {@code --print-rbac} prints can be applied as it is, and says what comes next. */
class LeastPrivilegeTest {
    private final String manifests = LeastPrivilege.manifests(new ClusterName("prod"), CallerIdentity.IMPERSONATE);

    @Test
    void manifests_areWhatTheTargetNeeds() {
        assertThat(Yaml.readAll(manifests.getBytes(UTF_8)))
                .extracting(LeastPrivilegeTest::kind)
                .containsExactly("Namespace", "ServiceAccount", "Secret", "ClusterRole", "ClusterRoleBinding");
    }

    @Test
    void manifestsOfAServiceAccount_letItRenewItsTokenAlone_andHoldNone() {
        List<Document> documents =
                Yaml.readAll(LeastPrivilege.ofServiceAccount(new ClusterName("prod"), CallerIdentity.IMPERSONATE)
                        .getBytes(UTF_8));

        assertThat(documents)
                .extracting(LeastPrivilegeTest::kind)
                .containsExactly(
                        "Namespace", "ServiceAccount", "ClusterRole", "ClusterRoleBinding", "Role", "RoleBinding");
        assertThat(documents.get(4).root().path("rules"))
                .hasToString("[{\"apiGroups\":[\"\"],\"resources\":[\"serviceaccounts/token\"],"
                        + "\"resourceNames\":[\"fairlead\"],\"verbs\":[\"create\"]}]");
        assertThat(documents.get(2).root())
                .isEqualTo(Yaml.readAll(manifests.getBytes(UTF_8)).get(3).root());
    }

    /** Whether a CRD runtime is of the cluster is told by the uid of this namespace; no other one needs to be read. */
    @Test
    void role_letsTheClusterBeIdentified_andReadsNoOtherNamespace() {
        Document role = Yaml.readAll(manifests.getBytes(UTF_8)).get(3);

        assertThat(role.root().path("rules").values())
                .filteredOn(rule -> rule.path("resources").toString().contains("\"namespaces\""))
                .singleElement()
                .hasToString("{\"apiGroups\":[\"\"],\"resources\":[\"namespaces\"],\"resourceNames\":[\"kube-system\"],"
                        + "\"verbs\":[\"get\"]}");
    }

    @Test
    void end_leadsToTheAttachment() {
        assertThat(manifests)
                .contains("-o jsonpath='{.data.ca\\.crt}'", "set-cluster prod --embed-certs", "\\\n#     --token")
                .endsWith("#   fairlead cluster attach prod --from-kubeconfig prod.kubeconfig\n");
    }

    @Test
    void credentialThatPassesTokensOn_mayActAsNoOtherUser_andReviewTokens() {
        String passthrough = LeastPrivilege.manifests(new ClusterName("prod"), CallerIdentity.PASSTHROUGH);

        assertThat(Yaml.readAll(passthrough.getBytes(UTF_8)))
                .extracting(LeastPrivilegeTest::kind)
                .containsExactly("Namespace", "ServiceAccount", "Secret", "ClusterRole", "ClusterRoleBinding");
        assertThat(passthrough)
                .doesNotContain("verbs: [impersonate]", "subjectaccessreviews")
                .contains("resources: [tokenreviews]")
                .endsWith("--from-kubeconfig prod.kubeconfig --identity passthrough\n");
    }

    @Test
    void userOfAFrontProxy_mayActAsNoOtherUser_sinceItsCertificateDoes() {
        String proxy = LeastPrivilege.manifests(new ClusterName("prod"), CallerIdentity.REQUEST_HEADER);
        List<Document> documents = Yaml.readAll(proxy.getBytes(UTF_8));

        assertThat(documents).extracting(LeastPrivilegeTest::kind).containsExactly("ClusterRole", "ClusterRoleBinding");
        assertThat(documents.get(0).root().toString())
                .doesNotContain("\"impersonate\"")
                .contains("subjectaccessreviews");
        assertThat(documents.get(1).root().path("subjects"))
                .hasToString("[{\"apiGroup\":\"rbac.authorization.k8s.io\",\"kind\":\"User\",\"name\":\"fairlead\"}]");
        assertThat(proxy).endsWith("--from-kubeconfig prod.kubeconfig --identity request-header\n");
    }

    /** The file of the next steps holds the new credential, and never that of the administrator who makes it. */
    @ParameterizedTest
    @EnumSource(CallerIdentity.class)
    void nextSteps_copyNoUserOfAKubeconfig(CallerIdentity identity) {
        String printed = LeastPrivilege.manifests(new ClusterName("prod"), identity);

        assertThat(printed)
                .contains("set-cluster prod --embed-certs", "set-credentials fairlead", "use-context prod")
                .doesNotContain("> prod.kubeconfig");
    }

    @ParameterizedTest
    @CsvSource({
        "IMPERSONATE, a credential of their own needs the rights to impersonate and this one",
        "REQUEST_HEADER, the user of a certificate of their own needs this right alone",
        "PASSTHROUGH, # Which cluster API servers are of."
    })
    void rightsOfACrdRuntime_areThoseOfTheWayToPresentCallers(CallerIdentity identity, String expected) {
        String printed = LeastPrivilege.manifests(new ClusterName("prod"), identity);

        assertThat(printed).contains(expected);
        assertThat(printed.contains("needs the rights to impersonate"))
                .isEqualTo(identity == CallerIdentity.IMPERSONATE);
        assertThat(printed.contains("crdRuntime")).isEqualTo(identity != CallerIdentity.PASSTHROUGH);
    }

    /** A cluster may be attached twice, by two ways: what the second one applies takes no right from the first, and gives none. */
    @Test
    void waysToPresentCallers_haveNoObjectInCommon() {
        List<String> names = new ArrayList<>();

        for (CallerIdentity identity : CallerIdentity.values()) {
            Set<String> own = new HashSet<>();
            for (String text : List.of(
                    LeastPrivilege.manifests(new ClusterName("prod"), identity),
                    LeastPrivilege.ofServiceAccount(new ClusterName("prod"), identity))) {
                for (Document document : Yaml.readAll(text.getBytes(UTF_8))) {
                    own.add(kind(document) + " "
                            + document.root().at("/metadata/name").asString(""));
                }
            }
            own.remove("Namespace fairlead-system");
            names.addAll(own);
        }

        assertThat(names).hasSizeGreaterThan(15).doesNotHaveDuplicates();
    }

    @ParameterizedTest
    @EnumSource(CallerIdentity.class)
    void subjectsAndRoles_areThoseThatAreMade(CallerIdentity identity) {
        String account = identity.account();
        List<Document> documents = Yaml.readAll(LeastPrivilege.ofServiceAccount(new ClusterName("prod"), identity)
                .getBytes(UTF_8));

        assertThat(documents.get(3).root().at("/roleRef/name").asString("")).isEqualTo(account);
        assertThat(documents.get(3).root().at("/subjects/0/name").asString("")).isEqualTo(account);
        assertThat(documents.get(5).root().at("/roleRef/name").asString("")).isEqualTo(account);
        assertThat(documents.get(5).root().at("/subjects/0/name").asString("")).isEqualTo(account);
        assertThat(documents.get(4).root().at("/rules/0/resourceNames/0").asString(""))
                .isEqualTo(account);
    }

    private static String kind(Document document) {
        return document.root().path("kind").asString("");
    }
}
