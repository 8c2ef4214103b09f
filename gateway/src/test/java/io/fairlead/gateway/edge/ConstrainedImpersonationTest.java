package io.fairlead.gateway.edge;

import static org.assertj.core.api.Assertions.assertThat;

import io.fairlead.fleet.UpstreamIdentity;
import io.fairlead.gateway.edge.RawClient.RawAnswer;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Impersonation for single requests (KEP-5284), in clusters that are registered as having it. */
class ConstrainedImpersonationTest {
    private static final String CLUSTER = "/clusters/modern";
    private static final String PODS = CLUSTER + "/api/v1/namespaces/x/pods";
    private static final String JANE = "jane 2 [dev, ops, system:authenticated] ";

    private TestEdge edge;
    private Reviewing modern;

    @BeforeEach
    void start() throws Exception {
        edge = new TestEdge();
        modern = new Reviewing(edge.attach("modern", new UpstreamIdentity.Impersonate(true, Set.of(), true)));
        modern.verbs = verb -> verb.startsWith("impersonate:") || verb.endsWith(":list");
    }

    @AfterEach
    void stop() throws Exception {
        edge.close();
    }

    @Test
    void user_isAskedForWhatIsDoneAsThem_andForEachPart() throws Exception {
        RawAnswer answer = get(
                PODS,
                "Impersonate-User: bob",
                "Impersonate-Uid: 7",
                "Impersonate-Group: team",
                "Impersonate-Extra-acme.com%2Fscopes: view");

        assertThat(answer.status()).isEqualTo(200);
        assertThat(modern.asked())
                .containsExactly(
                        JANE + "impersonate-on:user-info:list  v1 pods x ",
                        JANE + "impersonate:user-info authentication.k8s.io v1 users  bob",
                        JANE + "impersonate:user-info authentication.k8s.io v1 uids  7",
                        JANE + "impersonate:user-info authentication.k8s.io v1 groups  team",
                        JANE + "impersonate:user-info authentication.k8s.io v1 userextras acme.com/scopes view");
        assertThat(modern.server.header("Impersonate-User")).containsExactly("bob");
        assertThat(modern.server.header("Impersonate-Group")).containsExactly("team", "system:authenticated");
    }

    @Test
    void anotherRequest_asTheSameUser_isAskedForAgain_andRefused() throws Exception {
        assertThat(get(PODS, "Impersonate-User: bob").status()).isEqualTo(200);

        RawAnswer other = get(PODS + "/one/log", "Impersonate-User: bob");
        assertThat(other.status()).isEqualTo(403);
        assertThat(other.body()).contains("cannot impersonate-on:user-info:get resource \\\"pods/log\\\"");
        assertThat(modern.served()).hasSize(1);
    }

    @Test
    void verbOfOld_isEnough_andAskedForLast() throws Exception {
        modern.verbs = verb -> verb.equals("impersonate");

        assertThat(get(PODS, "Impersonate-User: bob").status()).isEqualTo(200);
        assertThat(modern.asked())
                .containsExactly(
                        JANE + "impersonate-on:user-info:list  v1 pods x ", JANE + "impersonate  v1 users  bob");
    }

    @Test
    void path_thatIsNoResource_isAskedForAsSuch() throws Exception {
        modern.verbs = verb -> verb.startsWith("impersonate:") || verb.equals("impersonate-on:user-info:get");

        assertThat(get(CLUSTER + "/version", "Impersonate-User: bob").status()).isEqualTo(200);
        assertThat(modern.asked()).startsWith(JANE + "impersonate-on:user-info:get     /version");
    }

    @Test
    void node_isNamedAlone_andHasTheGroupOfNodes() throws Exception {
        assertThat(get(PODS, "Impersonate-User: system:node:one").status()).isEqualTo(200);

        assertThat(modern.asked())
                .containsExactly(
                        JANE + "impersonate-on:arbitrary-node:list  v1 pods x ",
                        JANE + "impersonate:arbitrary-node authentication.k8s.io v1 nodes  one");
        assertThat(modern.server.header("Impersonate-Group")).containsExactly("system:nodes", "system:authenticated");
    }

    @Test
    void serviceAccount_isAskedForByItsNamespace() throws Exception {
        assertThat(get(PODS, "Impersonate-User: system:serviceaccount:kube-system:robot")
                        .status())
                .isEqualTo(200);

        assertThat(modern.asked())
                .containsExactly(
                        JANE + "impersonate-on:serviceaccount:list  v1 pods x ",
                        JANE + "impersonate:serviceaccount authentication.k8s.io v1 serviceaccounts kube-system robot");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "system:node:one | Impersonate-Group: team",
                "system:node:one | Impersonate-Uid: 7",
                "system:serviceaccount:kube-system:robot | Impersonate-Group: team",
                "system:serviceaccount:kube-system:robot | Impersonate-Extra-acme.com%2Fscopes: view",
                "bob | Impersonate-Group: system:masters",
                "bob | Impersonate-Extra-scopes: view",
                "bob | Impersonate-Extra-acme.com%2F: view",
            })
    void whoIsMoreThanConstrainedUsersAre_needsTheVerbOfOld(String user, String further) throws Exception {
        assertThat(get(PODS, "Impersonate-User: " + user, further).status()).isEqualTo(403);

        assertThat(modern.asked())
                .isNotEmpty()
                .allSatisfy(asked -> assertThat(asked).contains(" impersonate "));
        assertThat(modern.served()).isEmpty();
    }

    private RawAnswer get(String target, String... fields) throws Exception {
        String[] all = new String[fields.length + 1];
        all[0] = TestEdge.JANE;
        System.arraycopy(fields, 0, all, 1, fields.length);
        try (RawClient client = edge.client()) {
            return client.get(target, all);
        }
    }
}
