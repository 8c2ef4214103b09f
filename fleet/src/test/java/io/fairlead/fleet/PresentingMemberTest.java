package io.fairlead.fleet;

import static io.fairlead.fleet.root.RootCluster.ADMIN;
import static io.fairlead.fleet.root.RootCluster.SECRETS;
import static io.fairlead.fleet.root.RootCluster.base64;
import static io.fairlead.fleet.root.RootCluster.eventually;
import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpExchange;
import io.fairlead.http.Fields;
import io.fairlead.http.HttpMethod;
import io.fairlead.net.RequestHead;
import io.fairlead.net.Sender;
import io.fairlead.net.Upstream;
import io.netty.pkitesting.CertificateBuilder;
import io.netty.pkitesting.X509Bundle;
import java.io.IOException;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.Test;

/** How a served registration presents callers, and what its own requests say. */
final class PresentingMemberTest extends CrdRuntimeFixture {
    private static final String REVIEWS = "/apis/authentication.k8s.io/v1/selfsubjectreviews";
    private static final String HOLDER = "holder-of-the-certificate";

    private final List<String> users = new CopyOnWriteArrayList<>();
    private volatile boolean baseTakesFrontProxies = true;
    private volatile boolean runtimeTakesFrontProxies = true;

    @Override
    void answer(HttpExchange exchange) throws IOException {
        if (exchange.getRequestURI().getPath().equals(REVIEWS)) {
            review(exchange, runtimeTakesFrontProxies);
        } else {
            super.answer(exchange);
        }
    }

    private static void review(HttpExchange exchange, boolean takesFrontProxies) throws IOException {
        exchange.getRequestBody().readAllBytes();
        String user = takesFrontProxies ? exchange.getRequestHeaders().getFirst("X-Remote-User") : HOLDER;
        answer(exchange, "{\"status\": {\"userInfo\": {\"username\": \"" + user + "\"}}}");
    }

    @Override
    void answerAsBase(HttpExchange exchange) throws IOException {
        if (exchange.getRequestURI().getPath().equals(REVIEWS)) {
            review(exchange, baseTakesFrontProxies);
            return;
        }
        users.add(String.valueOf(exchange.getRequestHeaders().getFirst("X-Remote-User")));
        super.answerAsBase(exchange);
    }

    private static X509Bundle frontProxy() {
        try {
            return new CertificateBuilder()
                    .ecp256()
                    .subject("CN=front-proxy-client")
                    .setIsCertificateAuthority(true)
                    .buildSelfSigned();
        } catch (Exception e) {
            throw new IllegalStateException(e);
        }
    }

    private void replaceCredential(String data) {
        assertThat(root.send(ADMIN, "PATCH", SECRETS + "/token", "{data: {" + data + "}}")
                        .code())
                .isEqualTo(200);
    }

    private void becomeFrontProxy() {
        X509Bundle own = frontProxy();
        replaceCredential("token: null, tls.crt: " + base64(own.getCertificatePEM()) + ", tls.key: "
                + base64(own.getPrivateKeyPEM()));
    }

    @Test
    void certificateThatIsNoFrontProxys_isToldByTheCondition_untilItIs() {
        baseTakesFrontProxies = false;
        becomeFrontProxy();
        register("caBundle: " + cas() + ", identity: RequestHeader", "null");

        eventually("it is told", () -> reason("Ready").equals("False NotAFrontProxy"));
        assertThat(condition("Ready").path("message").asString(""))
                .contains("\"" + HOLDER + "\"", "--requestheader-allowed-names");
        assertThat(askAsCaller(attached().base().upstream())).startsWith("IDENTITY");

        baseTakesFrontProxies = true;
        eventually("it is served", () -> reason("Ready").equals("True Ready"));
        assertThat(askAsCaller(attached().base().upstream())).isEqualTo("200");
    }

    @Test
    void crdRuntimeThatTakesNoFrontProxies_isToldByTheCondition_andSentNoCaller() {
        runtimeTakesFrontProxies = false;
        becomeFrontProxy();
        register("caBundle: " + cas() + ", identity: RequestHeader", "{endpoints: ['" + url(server) + "']}");

        eventually("it is told", () -> reason("CRDRuntimeReachable").equals("False NotAFrontProxy"));
        assertThat(condition("Ready").path("message").asString("")).contains("NotAFrontProxy");
        assertThat(askAsCaller(runtime().upstream())).startsWith("IDENTITY");
        assertThat(askAsCaller(attached().base().upstream())).isEqualTo("200");

        runtimeTakesFrontProxies = true;
        eventually("it is served", () -> reason("CRDRuntimeReachable").startsWith("True"));
        assertThat(askAsCaller(runtime().upstream())).isEqualTo("200");
    }

    private String askAsCaller(Upstream upstream) {
        return ask(upstream, new RequestHead(HttpMethod.GET, "/", Fields.EMPTY, 0, Sender.FRONT_PROXY, null));
    }

    @Test
    void frontProxy_holdsGroupsBackAsItSays_andItsOwnRequestsNameItself() {
        becomeFrontProxy();

        register("caBundle: " + cas() + ", identity: RequestHeader, impersonation: {deniedGroups: [dev]}", "null");

        assertThat(attached().base().identity())
                .isEqualTo(new UpstreamIdentity.RequestHeader(false, Set.of("dev"), Set.of("front-proxy-client")));
        eventually("the cluster is asked", () -> reason("Reachable").startsWith("True"));
        assertThat(Set.copyOf(users)).containsExactly("front-proxy-client");
    }

    @Test
    void passthrough_isBoundToItsServers_andItsOwnRequestsNameNoUser() {
        register("caBundle: " + cas() + ", identity: Passthrough, tokenReview: true", "null");

        ClusterEntry.Backend before = attached().base();
        assertThat(before.identity()).isInstanceOf(UpstreamIdentity.Passthrough.class);
        eventually("the cluster is asked", () -> reason("Reachable").startsWith("True"));
        assertThat(Set.copyOf(users)).containsExactly("null");

        patch("{tlsServerName: server.example}");
        eventually("other servers vouch", () -> !attached().base().voucher().equals(before.voucher()));
        assertThat(attached().base().upstream()).isSameAs(before.upstream());
    }

    @Test
    void credentialThatCannotPresentCallersSo_isToldByTheCondition_asSoonAsTheSecretHasIt() {
        register("caBundle: " + cas() + ", identity: Passthrough, tokenReview: true", "null");
        X509Bundle own = frontProxy();

        replaceCredential("token: null, tls.crt: " + base64(own.getCertificatePEM()) + ", tls.key: "
                + base64(own.getPrivateKeyPEM()));

        eventually("it is told", () -> reason("Ready").equals("False InvalidCredential"));
        assertThat(condition("Ready").path("message").asString(""))
                .contains("secret fairlead-system/token: a client certificate (expected a token and nothing else");
    }
}
