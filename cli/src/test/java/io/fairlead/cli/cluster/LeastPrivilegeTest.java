package io.fairlead.cli.cluster;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.fairlead.model.ClusterName;
import io.fairlead.schema.json.Document;
import io.fairlead.schema.json.Yaml;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What {@code --print-rbac} prints can be applied as it is, and says what comes next. */
class LeastPrivilegeTest {
    private final String manifests = LeastPrivilege.manifests(new ClusterName("prod"));

    @Test
    void manifests_areWhatTheTargetNeeds() {
        assertThat(Yaml.readAll(manifests.getBytes(UTF_8)))
                .extracting(LeastPrivilegeTest::kind)
                .containsExactly("Namespace", "ServiceAccount", "Secret", "ClusterRole", "ClusterRoleBinding");
    }

    @Test
    void manifestsOfAServiceAccount_letItRenewItsTokenAlone_andHoldNone() {
        List<Document> documents = Yaml.readAll(
                LeastPrivilege.ofServiceAccount(new ClusterName("prod")).getBytes(UTF_8));

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

    private static String kind(Document document) {
        return document.root().path("kind").asString("");
    }
}
