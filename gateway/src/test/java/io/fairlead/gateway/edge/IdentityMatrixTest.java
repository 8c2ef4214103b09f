package io.fairlead.gateway.edge;

import static org.assertj.core.api.Assertions.assertThat;

import io.fairlead.gateway.Limited;
import io.fairlead.gateway.authn.Bearer;
import io.fairlead.gateway.authn.ReviewedTokensFixture;
import io.fairlead.gateway.authn.ServiceAccounts;
import io.fairlead.gateway.authn.TokenAuthenticator;
import io.fairlead.gateway.authn.Verdict;
import io.fairlead.gateway.authn.jwt.JwtFixture;
import io.fairlead.gateway.listen.TlsMaterial;
import io.fairlead.model.UserInfo;
import io.netty.handler.codec.http2.DefaultHttp2Headers;
import io.netty.handler.codec.http2.DefaultHttp2HeadersFrame;
import io.netty.handler.codec.http2.Http2Headers;
import io.netty.pkitesting.X509Bundle;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.BiFunction;
import java.util.stream.Stream;
import javax.net.ssl.SSLContext;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Every way to present callers, with every way to prove who one is, over every kind of request, beside every claim in every form:
 * the bytes that the cluster receives have the computed identity and no other, or there are none.
 */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class IdentityMatrixTest {
    private static final String PODS = "/pods";
    private static final String MAPS = "/namespaces/a/configmaps";
    private static final String EXEC = "/namespaces/a/pods/b/exec?command=sh";
    private static final String RESET = "reset PROTOCOL_ERROR";

    private final TestPki proxies = new TestPki();
    private final JwtFixture jwt = new JwtFixture();
    private final List<TokenAuthenticator> asked = new CopyOnWriteArrayList<>();
    private final Map<Presentation, IdentityRecorder> clusters = new EnumMap<>(Presentation.class);
    private final TestEdge edge = start();
    private final X509Bundle carl = edge.pki.client("CN=carl,O=dev");
    private final X509Bundle sso = proxies.client("CN=sso");

    enum Way {
        HTTP_1,
        HTTP_2,
        WATCH,
        WATCH_OVER_HTTP_2,
        UPGRADE,
        WEBSOCKET;

        /** The lines of the head that ask for another protocol; none if it is the same. */
        List<String> upgrade() {
            return switch (this) {
                case HTTP_1, HTTP_2, WATCH, WATCH_OVER_HTTP_2 -> List.of();
                case UPGRADE -> List.of("Upgrade: SPDY/3.1", "Content-Length: 0");
                case WEBSOCKET ->
                    List.of(
                            "Upgrade: websocket",
                            "Sec-WebSocket-Version: 13",
                            "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==");
            };
        }

        boolean isHttp2() {
            return this == HTTP_2 || this == WATCH_OVER_HTTP_2;
        }
    }

    private TestEdge start() {
        try {
            return new TestEdge(
                    Limited.by(Map.of("limits.failedAuthenticationsPerSecondMax", 1_000_000)),
                    new TokenAuthenticator() {
                        @Override
                        public Verdict atOnce(Bearer bearer) {
                            return first(bearer, TokenAuthenticator::atOnce);
                        }

                        @Override
                        public Verdict judge(Bearer bearer) {
                            return first(bearer, TokenAuthenticator::judge);
                        }
                    });
        } catch (IOException e) {
            throw new IllegalStateException(e);
        }
    }

    /** Those of a gateway, one after the other. */
    private Verdict first(Bearer bearer, BiFunction<TokenAuthenticator, Bearer, Verdict> question) {
        for (TokenAuthenticator authenticator : asked) {
            Verdict verdict = question.apply(authenticator, bearer);
            if (!(verdict instanceof Verdict.NotMine)) {
                return verdict;
            }
        }
        return new Verdict.NotMine("TokenUnknown");
    }

    @BeforeAll
    void attach() throws Exception {
        asked.add(new ServiceAccounts(edge.directory));
        asked.add(jwt.issuers(JwtFixture.PLAIN));
        asked.add(ReviewedTokensFixture.refusingSoon(edge.directory));
        X509Bundle serving = edge.pki.server();
        edge.server.reload(new TlsMaterial(
                serving.getCertificatePathPEM(), serving.getPrivateKeyPEM(), edge.pki.caPem(), proxies.caPem()));
        for (Presentation presentation : Presentation.values()) {
            IdentityRecorder recorder = new IdentityRecorder(edge);
            clusters.put(presentation, recorder);
            presentation.attach(edge, recorder.server().url());
        }
    }

    @AfterAll
    void stop() throws Exception {
        edge.close();
        for (IdentityRecorder recorder : clusters.values()) {
            recorder.close();
        }
    }

    static Stream<Arguments> combinations() {
        return Stream.of(Presentation.values())
                .flatMap(presentation -> Stream.of(Proof.values())
                        .flatMap(proof -> Stream.of(Way.values()).map(way -> Arguments.of(presentation, proof, way))));
    }

    @ParameterizedTest
    @MethodSource("combinations")
    void cluster_isToldTheComputedIdentity_orNothing(Presentation presentation, Proof proof, Way way) throws Exception {
        if (way.isHttp2()) {
            try (RawHttp2Client client = http2(certificate(proof))) {
                requireComputed(presentation, proof, way, claim -> overHttp2(client, presentation, proof, way, claim));
            }
        } else {
            try (Http1 client = new Http1(edge, certificate(proof))) {
                requireComputed(presentation, proof, way, claim -> overHttp1(client, presentation, proof, way, claim));
            }
        }
    }

    /** Sends a request with a claim, and waits for how it ends. */
    private interface Sending {
        String send(Claim claim) throws Exception;
    }

    private void requireComputed(Presentation presentation, Proof proof, Way way, Sending sending) throws Exception {
        IdentityRecorder recorder = Objects.requireNonNull(clusters.get(presentation));
        for (Claim claim : Claim.all()) {
            boolean hasBody = way == Way.HTTP_1 || way == Way.HTTP_2;
            if ((claim.form() == Claim.Form.TRAILER && !hasBody) || isStatementOfTheProxy(proof, claim)) {
                continue;
            }
            Outcome expected = expected(presentation, proof, way, claim);

            String answer = sending.send(claim);
            IdentityRecorder.Told told = recorder.told();

            assertThat(answer).as("%s", claim).isEqualTo(expected.answer());
            assertThat(told.requests()).as("%s", claim).isEqualTo(expected.told());
            assertThat(told.reviews()).as("%s", claim).allMatch(review -> review.equals(List.of(presentation.own())));
        }
    }

    /** So that an expectation of nothing means something. */
    @Test
    void recorder_keepsClaimsInEveryForm() throws Exception {
        try (RawClient client = new RawClient(
                edge.tls(null),
                new InetSocketAddress(
                        InetAddress.getLoopbackAddress(),
                        Objects.requireNonNull(clusters.get(Presentation.IMPERSONATE))
                                .server()
                                .url()
                                .getPort()),
                null)) {
            client.get("/api/v1/pods", "iMpersonate-user: a", "X_Remote_Group: b", "AUTHORIZATION: c", "cookie: d");
        }

        assertThat(Objects.requireNonNull(clusters.get(Presentation.IMPERSONATE))
                        .told()
                        .requests())
                .containsExactly(List.of("authorization: c", "cookie: d", "impersonate-user: a", "x_remote_group: b"));
    }

    /** A front proxy is believed what it says of its user, once: only a second user is no statement. */
    private static boolean isStatementOfTheProxy(Proof proof, Claim claim) {
        return proof == Proof.FRONT_PROXY
                && claim.isSaid()
                && claim.name().startsWith("X-Remote-")
                && !claim.name().equals("X-Remote-User");
    }

    /**
     * How a request ends.
     *
     * @param told what the cluster reads of the identity; nothing if it reads nothing at all
     */
    private record Outcome(String answer, List<List<String>> told) {
        static Outcome refused(String answer) {
            return new Outcome(answer, List.of());
        }
    }

    private static Outcome expected(Presentation presentation, Proof proof, Way way, Claim claim) {
        if (way.isHttp2() && claim.isMalformedInHttp2()) {
            return Outcome.refused(RESET);
        }
        UserInfo user = proof.user(presentation);
        if (user == null || (proof.isToken() && claim.isSaid() && claim.name().equals("Authorization"))) {
            return Outcome.refused("401");
        }
        if (claim.isImpersonation() && isAmbiguous(claim)) {
            return Outcome.refused("400");
        }
        if (presentation != Presentation.PASSTHROUGH && claim.isImpersonation()) {
            return Outcome.refused("403");
        }
        if (presentation == Presentation.PASSTHROUGH && proof != Proof.TOKEN_REVIEW) {
            return Outcome.refused("403");
        }
        if (claim.form() == Claim.Form.UNDERSCORE) {
            return Outcome.refused("400");
        }
        List<String> told = switch (presentation) {
            case IMPERSONATE -> named("impersonate-", user, presentation.own());
            case REQUEST_HEADER, AGGREGATED -> named("x-remote-", user);
            case PASSTHROUGH -> passedOn(claim);
        };
        return new Outcome(way.upgrade().isEmpty() ? "200" : "101", List.of(told));
    }

    private static boolean isAmbiguous(Claim claim) {
        return claim.form() == Claim.Form.DUPLICATE
                && (claim.name().equals("Impersonate-User") || claim.name().equals("Impersonate-Uid"));
    }

    private static List<String> named(String prefix, UserInfo user, String... more) {
        List<String> fields = new ArrayList<>(List.of(more));
        fields.add(prefix + "user: " + user.name());
        if (!user.uid().isEmpty()) {
            fields.add(prefix + "uid: " + user.uid());
        }
        user.groups().forEach(group -> fields.add(prefix + "group: " + group));
        if (!user.extra().isEmpty()) {
            fields.add(prefix + "extra-example.com%2fpod: p");
        }
        return fields.stream().sorted().toList();
    }

    /** The token, and whom its bearer wants to be, which the cluster decides about. */
    private static List<String> passedOn(Claim claim) {
        List<String> fields = new ArrayList<>(List.of("authorization: Bearer " + Proof.CLUSTERS_TOKEN));
        if (claim.isImpersonation()) {
            claim.lines().forEach(line -> fields.add(lowered(line)));
        }
        return fields.stream().sorted().toList();
    }

    private static String lowered(String line) {
        int colon = line.indexOf(':');
        return line.substring(0, colon).toLowerCase(Locale.ROOT) + line.substring(colon);
    }

    private List<String> lines(Proof proof) {
        return switch (proof) {
            case CERTIFICATE, NONE -> List.of();
            case STATIC_TOKEN -> List.of(TestEdge.JANE);
            case JWT -> List.of("Authorization: Bearer " + jwt.token("{\"sub\": \"judy\", \"groups\": [\"dev\"]}"));
            case SERVICE_ACCOUNT -> List.of("Authorization: Bearer " + Proof.ISSUED_TOKEN);
            case FRONT_PROXY -> List.of("X-Remote-User: fay", "X-Remote-Group: dev");
            case TOKEN_REVIEW -> List.of("Authorization: Bearer " + Proof.CLUSTERS_TOKEN);
        };
    }

    private @Nullable X509Bundle certificate(Proof proof) {
        return switch (proof) {
            case CERTIFICATE -> carl;
            case FRONT_PROXY -> sso;
            case STATIC_TOKEN, JWT, SERVICE_ACCOUNT, TOKEN_REVIEW, NONE -> null;
        };
    }

    private static String target(Presentation presentation, Way way, Claim claim) {
        String path = claim.form() == Claim.Form.TRAILER
                ? MAPS
                : switch (way) {
                    case HTTP_1, HTTP_2 -> PODS;
                    case WATCH, WATCH_OVER_HTTP_2 -> PODS + "?watch=1";
                    case UPGRADE, WEBSOCKET -> EXEC;
                };
        return "/clusters/" + presentation.cluster() + presentation.group() + path;
    }

    private String overHttp1(Http1 client, Presentation presentation, Proof proof, Way way, Claim claim)
            throws IOException {
        boolean hasTrailer = claim.form() == Claim.Form.TRAILER;
        List<String> lines = new ArrayList<>(lines(proof));
        lines.addAll(claim.lines());
        List<String> connection = new ArrayList<>();
        if (!way.upgrade().isEmpty()) {
            connection.add("Upgrade");
            lines.addAll(way.upgrade());
        }
        if (hasTrailer) {
            lines.addAll(List.of("Transfer-Encoding: chunked", "Trailer: " + claim.name()));
        }
        if (!claim.nominated().isEmpty()) {
            connection.add(claim.nominated());
        }
        if (!connection.isEmpty()) {
            lines.add("Connection: " + String.join(", ", connection));
        }
        String method = hasTrailer || way == Way.UPGRADE ? "POST" : "GET";
        return client.send(method + " " + target(presentation, way, claim) + " HTTP/1.1\r\nHost: localhost\r\n"
                + String.join("", lines.stream().map(line -> line + "\r\n").toList()) + "\r\n"
                + (hasTrailer ? "2\r\n{}\r\n0\r\n" + claim.name() + ": " + Claim.WHO + "\r\n\r\n" : ""));
    }

    /** Connections of one client, each for as long as the server keeps it. */
    private static final class Http1 implements AutoCloseable {
        private final TestEdge edge;
        private final SSLContext tls;
        private @Nullable RawClient open;

        Http1(TestEdge edge, @Nullable X509Bundle certificate) {
            this.edge = edge;
            this.tls = edge.tls(certificate);
        }

        /** The status of the answer. */
        String send(String request) throws IOException {
            RawClient client = open == null ? new RawClient(tls, edge.address, null) : open;
            open = client;
            client.send(request);
            RawClient.RawAnswer answer = request.contains("\r\nUpgrade: ") ? client.head() : client.answer(false);
            if (answer.status() == 101 || answer.header("connection").equalsIgnoreCase("close")) {
                close();
            }
            return String.valueOf(answer.status());
        }

        @Override
        public void close() throws IOException {
            RawClient client = open;
            open = null;
            if (client != null) {
                client.close();
            }
        }
    }

    private RawHttp2Client http2(@Nullable X509Bundle certificate) throws IOException {
        return certificate == null
                ? new RawHttp2Client(edge.pki, edge.address)
                : new RawHttp2Client(edge.pki, edge.address, certificate, "localhost");
    }

    private String overHttp2(RawHttp2Client client, Presentation presentation, Proof proof, Way way, Claim claim)
            throws Exception {
        boolean hasTrailer = claim.form() == Claim.Form.TRAILER;
        Http2Headers head = RawHttp2Client.head(hasTrailer ? "POST" : "GET", target(presentation, way, claim));
        lines(proof).forEach(line -> add(head, lowered(line)));
        claim.lines().forEach(line -> add(head, claim.form() == Claim.Form.CASE ? line : lowered(line)));
        if (!claim.nominated().isEmpty()) {
            head.add("connection", claim.nominated());
        }
        var stream = client.open(head, !hasTrailer);
        if (hasTrailer) {
            stream.send("{}", false);
            Http2Headers trailer = new DefaultHttp2Headers(false);
            add(trailer, claim.name().toLowerCase(Locale.ROOT) + ": " + Claim.WHO);
            stream.channel().writeAndFlush(new DefaultHttp2HeadersFrame(trailer, true));
        }
        return stream.next().replaceFirst("^head ", "");
    }

    private static void add(Http2Headers headers, String line) {
        int colon = line.indexOf(':');
        headers.add(line.substring(0, colon), line.substring(colon + 2));
    }
}
