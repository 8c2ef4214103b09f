package io.fairlead.ittests;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.URI;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Who may enter a cluster, and whom its API server takes the caller for: asserted on the bytes that it received. */
final class AccessIT {
    private static final String STRANGER_TOKEN = SharedKube.STRANGER.token();
    private static final Path FOLDER = Checkout.scratch("AccessIT");

    private static final AttachedCluster ATTACHED = AttachedCluster.ofShared(FOLDER);

    @BeforeAll
    static void start() {
        ATTACHED.startRelayed();
    }

    @AfterAll
    static void stop() {
        ATTACHED.close();
    }

    @BeforeEach
    void forget() {
        ATTACHED.relay().forget();
    }

    @ParameterizedTest
    @ValueSource(strings = {"/api/v1/namespaces", "/", "/readyz", "/apis/fairlead.io/v1alpha1/clusters", "/nothing"})
    void withoutAccess_anUnknownClusterLooksLikeAnExistingOne(String path) throws Exception {
        String existing = get("/clusters/prod" + path + "?canary=stranger", STRANGER_TOKEN);
        String unknown = get("/clusters/none" + path + "?canary=stranger", STRANGER_TOKEN);

        assertThat(existing).startsWith("HTTP/1.1 403 ");
        assertThat(comparable(unknown)).isEqualTo(comparable(existing));
        assertThat(ATTACHED.relay().received()).doesNotContain("canary=stranger");
    }

    /** client-go's discovery, which comes first, shows no body. */
    @ParameterizedTest
    @ValueSource(strings = {"prod", "none"})
    void withoutAccess_kubectlSaysWhy(String cluster) {
        Path kubeconfig = FairleadUsers.kubeconfig(ATTACHED.fairlead(), "stranger", STRANGER_TOKEN, "prod");
        var kubectl = new Kubectl(FOLDER.resolve("kubectl-" + cluster), kubeconfig);
        kubectl.succeed(
                "config", "set-cluster", "prod", "--server", ATTACHED.fairlead().endpoint() + "/clusters/" + cluster);

        Output refused = kubectl.run("get", "pods");

        assertThat(refused.exitCode()).isEqualTo(1);
        assertThat(refused.output()).isEmpty();
        assertThat(refused.told()).isEqualTo("""
            Warning: clusters.fairlead.io is forbidden: User "stranger" cannot access the resource "clusters" in API group \
            "fairlead.io" by the name that the request gives, or by the default one if it gives none: it is no cluster, or one that this user may not enter (expected the verb "access" on \
            clusters.fairlead.io with the cluster's name, which an administrator of Fairlead binds in cluster root)
            Error from server (Forbidden): unknown
            """);
    }

    @Test
    void withoutCredentials_anUnknownClusterLooksLikeAnExistingOne() throws Exception {
        String existing = get("/clusters/prod/readyz", "not-a-token");
        String unknown = get("/clusters/none/readyz", "not-a-token");

        assertThat(existing).startsWith("HTTP/1.1 401 ");
        assertThat(comparable(unknown)).isEqualTo(comparable(existing));
    }

    @Test
    void withAccess_anUnknownClusterIsNamed() throws Exception {
        assertThat(get("/clusters/none/api", AttachedCluster.ROOT_TOKEN))
                .startsWith("HTTP/1.1 404 ")
                .contains("\"none\"");
    }

    @Test
    void identity_isComputed() throws Exception {
        assertThat(get("/clusters/prod/api/v1/namespaces?canary=computed", AttachedCluster.ROOT_TOKEN))
                .startsWith("HTTP/1.1 200 ");

        assertThat(requestWith("canary=computed"))
                .containsIgnoringCase("\r\nImpersonate-User: root\r\n")
                .containsIgnoringCase("\r\nAuthorization: Bearer " + KubeCluster.ADMIN_TOKEN + "\r\n")
                .doesNotContain(AttachedCluster.ROOT_TOKEN);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "Impersonate-Group: system:masters",
                "Impersonate-Uid: mallory",
                "Impersonate-Extra-mallory: x",
                "Impersonate-Anything: mallory"
            })
    void impersonationThatNamesNoUser_neverReachesTheServer(String header) throws Exception {
        String answer = get("/clusters/prod/api/v1/namespaces?canary=own", AttachedCluster.ROOT_TOKEN, header);

        assertThat(answer).containsPattern("^HTTP/1.1 40[03] ");
        assertThat(ATTACHED.relay().received()).doesNotContain("canary=own", "mallory");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "Connection: Impersonate-User, close",
                "Connection: close, Impersonate-Group, Authorization",
                "X-Remote-User: mallory",
                "X-Remote-Group: mallory"
            })
    void headersAboutIdentity_changeNothing(String header) throws Exception {
        String answer = get("/clusters/prod/api/v1/namespaces?canary=nominated", AttachedCluster.ROOT_TOKEN, header);

        assertThat(answer).startsWith("HTTP/1.1 200 ");
        assertThat(requestWith("canary=nominated"))
                .containsIgnoringCase("\r\nImpersonate-User: root\r\n")
                .containsIgnoringCase("\r\nAuthorization: Bearer " + KubeCluster.ADMIN_TOKEN + "\r\n")
                .doesNotContain("mallory");
    }

    private static String get(String path, String token, String... headers) throws Exception {
        URI endpoint = URI.create(ATTACHED.fairlead().endpoint());
        var lines = new ArrayList<>(List.of(
                "GET " + path + " HTTP/1.1", "Host: " + endpoint.getAuthority(), "Authorization: Bearer " + token));
        lines.addAll(List.of(headers));
        if (lines.stream().noneMatch(line -> line.startsWith("Connection:"))) {
            lines.add("Connection: close");
        }
        return RawRequest.exchange(endpoint.toString(), lines.toArray(String[]::new));
    }

    /** The head of the request that the server received with some text in it. */
    private static String requestWith(String text) {
        for (String head : ATTACHED.relay().received().splitWithDelimiters("\r\n\r\n", 0)) {
            if (head.contains(text)) {
                return head + "\r\n";
            }
        }
        throw new AssertionError("the server received no request with " + text);
    }

    private static String comparable(String answer) {
        return answer.replaceAll("(?i)\r\n(Date|Audit-Id): [^\r]*", "");
    }
}
