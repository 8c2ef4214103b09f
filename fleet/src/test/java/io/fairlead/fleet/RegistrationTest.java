package io.fairlead.fleet;

import static io.fairlead.fleet.root.RootCluster.ADMIN;
import static io.fairlead.fleet.root.RootCluster.CLUSTERS;
import static io.fairlead.fleet.root.RootCluster.REGISTRAR;
import static io.fairlead.fleet.root.RootCluster.SECRETS;
import static io.fairlead.fleet.root.RootCluster.eventually;
import static org.assertj.core.api.Assertions.assertThat;

import io.fairlead.fleet.root.RootApi;
import io.fairlead.fleet.root.RootCluster.Answer;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.node.ObjectNode;

/** Who may register a cluster, and change where it leads. */
final class RegistrationTest extends RegistrationFixture {
    @Test
    void namespaceOfCredentials_mayNotBeDeleted() {
        String path = "/api/v1/namespaces/" + RootApi.SYSTEM_NAMESPACE;
        Answer answer = root.send(ADMIN, "DELETE", path, "");

        assertThat(answer.code()).isEqualTo(403);
        assertThat(answer.message())
                .isEqualTo("namespaces \"fairlead-system\" is forbidden: this namespace may not be deleted");
        assertThat(root.send(ADMIN, "GET", path, "").code()).isEqualTo(200);
    }

    @Test
    void create_withSecretThatCallerMayRead_isStored() {
        assertThat(create("prod", attached("https://10.0.0.1", "shared")).code())
                .isEqualTo(201);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "endpoints: ['https://10.0.0.1'], credentialSecretRef: {name: private}",
                "endpoints: ['https://10.0.0.1'], credentialSecretRef: {name: shared}, caSecretRef: {name: private}",
                "kubeconfigSecretRef: {name: private}",
                "endpoints: ['https://10.0.0.1'], credentialSecretRef: {name: missing}",
            })
    void create_withSecretThatCallerMayNotRead_isForbidden(String attached) {
        Answer answer = create("prod", "{attached: {" + attached + "}}");

        assertThat(answer.code()).isEqualTo(403);
        assertThat(answer.message())
                .contains("user \"registrar\" cannot get resource \"secrets\"")
                .containsAnyOf("\"private\"", "\"missing\"");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "endpoints: ['https://evil.example']",
                "caBundle: Y2E=",
                "tlsServerName: evil.example",
                "caSecretRef: {name: shared}",
                "endpoints: ['https://10.0.0.1', 'https://evil.example']",
                "crdRuntime: {endpoints: ['https://evil.example']}",
            })
    void change_ofWhereItLeads_needsTheSecret(String change) {
        root.create(CLUSTERS, cluster("prod", attached("https://10.0.0.1", "private")));

        Answer patch = patch("{spec: {attached: {" + change + "}}}");

        assertThat(patch.code()).isEqualTo(403);
        assertThat(patch.message()).contains("\"private\"");
    }

    @Test
    void change_toSecretThatCallerMayNotRead_isForbidden() {
        root.create(CLUSTERS, cluster("prod", attached("https://10.0.0.1", "shared")));

        Answer patch = patch("{spec: {attached: {credentialSecretRef: {name: private}}}}");
        ObjectNode replacement = root.cluster("prod");
        replacement.withObject("/spec/attached/credentialSecretRef").put("name", "private");
        Answer replaced = root.send(REGISTRAR, "PUT", CLUSTERS + "/prod", replacement.toString());

        assertThat(List.of(patch.code(), replaced.code())).containsExactly(403, 403);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "credentialSecretRef: {name: shared}",
                "credentialSecretRef: {name: shared}, endpoints: ['https://evil.example']",
                "credentialSecretRef: {name: shared}, tlsServerName: 'null'",
                "credentialSecretRef: null, endpoints: null, kubeconfigSecretRef: {name: shared}",
            })
    void change_awayFromSecretThatCallerMayNotRead_isForbidden(String change) {
        root.create(CLUSTERS, cluster("prod", attached("https://10.0.0.1", "private")));
        ObjectNode before = root.cluster("prod");

        Answer patch = patch("{spec: {attached: {" + change + "}}}");

        assertThat(patch.code()).isEqualTo(403);
        assertThat(patch.message()).contains("named \"private\"", "changes where a cluster that uses it leads");
        assertThat(root.cluster("prod")).isEqualTo(before);
    }

    @Test
    void change_awayFromCaThatCallerMayNotRead_isForbidden() {
        root.secret("authority", "ca.crt", "CA");
        String served = "endpoints: ['https://10.0.0.1'], credentialSecretRef: {name: shared}";
        root.create(CLUSTERS, cluster("prod", "{attached: {" + served + ", caSecretRef: {name: authority}}}"));

        assertThat(patch("{spec: {attached: {caSecretRef: null}}}").code()).isEqualTo(403);
        assertThat(patch("{spec: {attached: {caSecretRef: null, caBundle: Y2E=}}}")
                        .code())
                .isEqualTo(403);
    }

    @Test
    void change_ofKubeconfigThatCallerMayNotRead_isForbidden() {
        root.secret("kube", "kubeconfig", kubeconfig("server: https://10.0.0.1", "token: t", "c"));
        root.create(CLUSTERS, cluster("prod", "{attached: {kubeconfigSecretRef: {name: kube}}}"));

        Answer toFields = patch("{spec: {attached: {kubeconfigSecretRef: null, endpoints: ['https://evil.example'],"
                + " credentialSecretRef: {name: shared}}}}");
        Answer toOther = patch("{spec: {attached: {kubeconfigSecretRef: {name: shared}}}}");

        assertThat(List.of(toFields.code(), toOther.code())).containsExactly(403, 403);
    }

    /** Each step of a swap is refused by itself, in whatever order and by whatever method. */
    @Test
    void takeover_inSteps_neverLeavesTheFirst() {
        root.create(CLUSTERS, cluster("prod", attached("https://10.0.0.1", "private")));
        ObjectNode before = root.cluster("prod");
        ObjectNode replacement = root.cluster("prod");
        replacement.withObject("/spec/attached/credentialSecretRef").put("name", "shared");

        Answer ownSecret = root.send(REGISTRAR, "PUT", CLUSTERS + "/prod", replacement.toString());
        Answer ownEndpoint = patch("{spec: {attached: {endpoints: ['https://evil.example']}}}");
        Answer fleetsSecret = patch("{spec: {attached: {credentialSecretRef: {name: private}, caBundle: Y2E=}}}");
        Answer paused = patch("{spec: {paused: true}}");
        Answer whilePaused = patch("{spec: {attached: {credentialSecretRef: {name: shared}}}}");
        Answer resumed = patch("{spec: {paused: false}}");

        assertThat(List.of(ownSecret.code(), ownEndpoint.code(), fleetsSecret.code(), whilePaused.code()))
                .containsOnly(403);
        assertThat(List.of(paused.code(), resumed.code())).containsOnly(200);
        assertThat(root.cluster("prod").path("spec").path("attached"))
                .isEqualTo(before.path("spec").path("attached"));
    }

    @Test
    void groupsThatTheClusterWasNotToldOf_needItsSecrets() {
        root.create(CLUSTERS, cluster("prod", attached("https://10.0.0.1", "private")));
        String denied = "{spec: {attached: {impersonation: {deniedGroups: [%s]}}}}";

        assertThat(patch(denied.formatted("ops")).code()).isEqualTo(200);
        assertThat(patch(denied.formatted("ops, sales")).code()).isEqualTo(200);
        assertThat(patch(denied.formatted("sales")).code()).isEqualTo(403);
        for (String more : List.of("allowSystemMasters", "constrained")) {
            assertThat(patch("{spec: {attached: {impersonation: {%s: true}}}}".formatted(more))
                            .code())
                    .as(more)
                    .isEqualTo(403);
        }
    }

    @Test
    void deletedAndCreatedAnew_getsNoSecretThatCallerMayNotRead() {
        root.create(CLUSTERS, cluster("prod", attached("https://10.0.0.1", "private")));

        Answer deleted = root.send(REGISTRAR, "DELETE", CLUSTERS + "/prod", "");
        Answer withFleets = create("prod", attached("https://evil.example", "private"));
        Answer withOwn = create("prod", attached("https://evil.example", "shared"));
        Answer back = patch("{spec: {attached: {credentialSecretRef: {name: private}}}}");

        assertThat(List.of(deleted.code(), withFleets.code(), withOwn.code(), back.code()))
                .containsExactly(200, 403, 201, 403);
    }

    @Test
    void change_byCallerWhoMayReadBothSecrets_isStored() {
        root.create(CLUSTERS, cluster("prod", attached("https://10.0.0.1", "private")));

        Answer patch = root.send(
                ADMIN,
                "PATCH",
                CLUSTERS + "/prod",
                "{spec: {attached: {credentialSecretRef: {name: shared}, endpoints: ['https://10.0.0.2']}}}");

        assertThat(patch.code()).isEqualTo(200);
    }

    @Test
    void tlsServerName_changedToTheWordNull_isAChange() {
        root.create(CLUSTERS, cluster("prod", attached("https://10.0.0.1", "private")));

        assertThat(patch("{spec: {attached: {tlsServerName: 'null'}}}").code()).isEqualTo(403);
    }

    @Test
    void change_ofSomethingElse_needsNoSecret() {
        root.create(CLUSTERS, cluster("prod", attached("https://10.0.0.1", "private")));

        assertThat(patch("{spec: {displayName: Production}}").code()).isEqualTo(200);
    }

    @Test
    void status_written_leavesTheSpec() {
        root.create(CLUSTERS, cluster("prod", attached("https://10.0.0.1", "private")));

        Answer answer = root.send(
                REGISTRAR,
                "PATCH",
                CLUSTERS + "/prod/status",
                "{spec: {attached: {endpoints: ['https://evil.example']}}, status: {version: v1}}");

        assertThat(answer.code()).isEqualTo(200);
        assertThat(root.cluster("prod").at("/spec/attached/endpoints/0").asString(""))
                .isEqualTo("https://10.0.0.1");
    }

    @Test
    void secretThatBelongsToACluster_goesWithIt() {
        root.create(CLUSTERS, cluster("prod", attached("https://10.0.0.1", "shared")));
        String uid = root.cluster("prod").at("/metadata/uid").asString("");
        Answer owned = root.send(ADMIN, "PATCH", SECRETS + "/private", """
            metadata:
              ownerReferences: [{apiVersion: fairlead.io/v1alpha1, kind: Cluster, name: prod, uid: %s}]
            """.formatted(uid));
        assertThat(owned.code()).isEqualTo(200);

        root.send(ADMIN, "DELETE", CLUSTERS + "/prod", "");

        eventually(
                "the Secret is gone",
                () -> root.send(ADMIN, "GET", SECRETS + "/private", "").code() == 404);
        assertThat(root.send(ADMIN, "GET", SECRETS + "/shared", "").code()).isEqualTo(200);
    }

    @Test
    void root_deleted_isForbidden() {
        root.create(CLUSTERS, cluster("root", "{hosted: {}}"));

        assertThat(root.send(ADMIN, "DELETE", CLUSTERS + "/root", "").code()).isEqualTo(403);
        assertThat(root.send(ADMIN, "DELETE", CLUSTERS, "").code()).isEqualTo(403);
    }
}
