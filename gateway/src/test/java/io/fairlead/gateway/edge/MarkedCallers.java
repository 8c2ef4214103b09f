package io.fairlead.gateway.edge;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.netty.pkitesting.X509Bundle;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Callers with marked credentials of every kind, good and bad. */
final class MarkedCallers {
    private MarkedCallers() {}

    /** A caller's credential: the lines of its headers, and a certificate. */
    record Presented(
            String name, List<String> lines, @Nullable X509Bundle certificate) {
        Presented(String name, String... lines) {
            this(name, List.of(lines), null);
        }
    }

    /** @param jane the static token that is accepted */
    static List<Presented> all(
            MarkedSecrets secrets, String jane, TestPki clients, TestPki frontProxies, MarkedIssuer issuer) {
        String basic = Base64.getEncoder().encodeToString(("jane:" + secrets.make("password")).getBytes(UTF_8));
        String socket = Base64.getUrlEncoder()
                .withoutPadding()
                .encodeToString(secrets.make("token of a WebSocket").getBytes(UTF_8));
        String accepted = "Authorization: Bearer " + jane;
        X509Bundle client = clients.client("CN=jane,O=dev");
        X509Bundle stranger = new TestPki().client("CN=jane,O=dev");
        X509Bundle proxy = frontProxies.client("CN=front-proxy");
        secrets.add("key of a client", client.getKeyPair().getPrivate());
        secrets.add("key of a stranger", stranger.getKeyPair().getPrivate());
        secrets.add("key of a front proxy", proxy.getKeyPair().getPrivate());
        List<Presented> all = new ArrayList<>(List.of(
                new Presented("static token", accepted),
                new Presented("unknown token", "Authorization: Bearer " + secrets.make("unknown token")),
                new Presented("basic", "Authorization: Basic " + basic),
                new Presented(
                        "digest",
                        "Authorization: Digest username=\"jane\", response=\"" + secrets.make("digest") + "\""),
                new Presented("two tokens", "Authorization: Bearer " + secrets.make("first token") + ", Bearer x"),
                new Presented("two headers", accepted, "Authorization: Bearer " + secrets.make("second token")),
                new Presented("query", accepted, "access_token=" + secrets.make("token in the query")),
                new Presented(
                        "query without another", "X-Nothing: 1", "token=" + secrets.make("sole token in the query")),
                new Presented("cookie", accepted, "Cookie: session=" + secrets.make("cookie")),
                new Presented("proxy", accepted, "Proxy-Authorization: Basic " + secrets.make("proxy password")),
                new Presented(
                        "socket",
                        accepted,
                        "Sec-WebSocket-Protocol: base64url.bearer.authorization.k8s.io." + socket
                                + ", v4.channel.k8s.io"),
                new Presented("sole socket", "Sec-WebSocket-Protocol: base64url.bearer.authorization.k8s.io." + socket),
                new Presented(
                        "claims",
                        accepted,
                        "X-Remote-User: " + secrets.make("claimed user"),
                        "X-Remote-Extra-Token: " + secrets.make("claimed extra")),
                new Presented(
                        "headers of a load balancer",
                        accepted,
                        "X-Forwarded-Access-Token: " + secrets.make("forwarded token")),
                new Presented(
                        "trace context",
                        accepted,
                        "traceparent: 00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01",
                        "tracestate: vendor=sent-on",
                        "baggage: token=" + secrets.make("baggage")),
                new Presented(
                        "malformed trace context",
                        accepted,
                        "traceparent: 00-" + secrets.make("traceparent"),
                        "tracestate: vendor=" + secrets.make("tracestate beside a malformed traceparent")),
                new Presented(
                        "trace context of an unknown caller",
                        "Authorization: Bearer " + secrets.make("traced token"),
                        "traceparent: 00-4bf92f3577b34da6a3ce929d0e0e4737-00f067aa0ba902b7-01",
                        "tracestate: vendor=" + secrets.make("tracestate of an unknown caller")),
                new Presented("impersonation", accepted, "Impersonate-User: ann"),
                new Presented("certificate", List.of(), client),
                new Presented("certificate of another CA", List.of("X-Nothing: 1"), stranger),
                new Presented(
                        "front proxy",
                        List.of(
                                "X-Remote-User: jane",
                                "Authorization: Bearer " + secrets.make("token beside a front proxy")),
                        proxy)));
        issuer.tokens().forEach((name, token) -> all.add(new Presented(name, "Authorization: Bearer " + token)));
        return all;
    }
}
