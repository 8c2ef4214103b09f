package io.fairlead.gateway.edge;

import io.fairlead.credentials.jwt.SigningKey;
import io.fairlead.schema.json.Json;
import java.io.IOException;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import tools.jackson.databind.node.ObjectNode;

/** A provider of tokens whose documents have secrets in them, and are unusable at first. */
final class MarkedIssuer implements AutoCloseable {
    private final RawUpstream server;
    private final TestPki pki;
    private final MarkedSecrets secrets;
    private final SigningKey key = SigningKey.generate();
    private final AtomicInteger readings = new AtomicInteger();
    private final String clientSecret;

    MarkedIssuer(TestPki pki, MarkedSecrets secrets) {
        this.pki = pki;
        this.secrets = secrets;
        clientSecret = secrets.make("secret in an issuer's document");
        server = new RawUpstream(pki.server());
        server.answer((head, _, out) -> RawUpstream.respond(out, 200, answer(PlayedApiServer.target(head))));
    }

    /** The first document is cut in its secret; of the keys one is malformed and private. */
    private String answer(String target) {
        if (target.startsWith("/keys")) {
            String usable = Json.text(
                            Json.read(SigningKey.publicKeys(List.of(key)).json()))
                    .replaceFirst("]}$", "");
            return usable + ",{\"kty\":\"EC\",\"crv\":\"P-256\",\"kid\":\"x\",\"x\":\"*\",\"d\":\"" + clientSecret
                    + "\"}]}";
        }
        String secret = "{\"client_secret\":\"" + clientSecret + "\",";
        return readings.getAndIncrement() == 0
                ? secret + clientSecret
                : secret + "\"issuer\":\"" + server.url() + "\",\"jwks_uri\":\"" + server.url() + "/keys\"}";
    }

    /** What trusts it. */
    String configuration() {
        return """
            apiVersion: apiserver.config.k8s.io/v1
            kind: AuthenticationConfiguration
            jwt:
            - issuer:
                url: %s
                audiences: [fairlead]
                certificateAuthority: |
            %s  claimMappings:
                username: {claim: sub, prefix: ""}
              claimValidationRules:
              - {expression: "!has(claims.refused)", message: refused by a rule}
            """.formatted(server.url(), pki.caPem().indent(6));
    }

    /** Tokens of every kind of refusal, and one that is accepted; each has a secret among its claims. */
    Map<String, String> tokens() {
        Map<String, String> tokens = new LinkedHashMap<>();
        tokens.put("accepted JWT", token("accepted JWT", "{}"));
        tokens.put("JWT for others", token("JWT for others", "{\"aud\":\"others\"}"));
        tokens.put("JWT that expired", token("JWT that expired", "{\"exp\":1}"));
        tokens.put("JWT of another issuer", token("JWT of another issuer", "{\"iss\":\"https://issuer.test\"}"));
        tokens.put("JWT that a rule refuses", token("JWT that a rule refuses", "{\"refused\":true}"));
        tokens.put("JWT of a system user", token("JWT of a system user", "{\"sub\":\"system:admin\"}"));
        tokens.put("JWT with odd claims", token("JWT with odd claims", "{\"sub\":[1],\"exp\":\"x\"}"));
        String forged = token("forged JWT", "{}");
        tokens.put("forged JWT", forged.substring(0, forged.lastIndexOf('.') + 1) + secrets.make("forged signature"));
        tokens.put("cut JWT", forged.substring(0, forged.lastIndexOf('.')));
        return tokens;
    }

    private String token(String name, String others) {
        ObjectNode claims = Json.object()
                .put("iss", server.url().toString())
                .put("aud", "fairlead")
                .put("sub", "jane")
                .put("exp", Instant.now().getEpochSecond() + 3600)
                .put("secret", secrets.make("claim of " + name));
        claims.setAll((ObjectNode) Json.read(others));
        String token = key.sign(Json.write(claims));
        secrets.add("signature of " + name, token.substring(token.lastIndexOf('.') + 1));
        return token;
    }

    @Override
    public void close() throws IOException {
        server.close();
    }
}
