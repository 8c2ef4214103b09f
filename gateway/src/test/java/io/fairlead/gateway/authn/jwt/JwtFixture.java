package io.fairlead.gateway.authn.jwt;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.fairlead.credentials.jwt.SigningKey;
import io.fairlead.credentials.jwt.TokenKeys;
import io.fairlead.gateway.authn.Bearer;
import io.fairlead.gateway.authn.Identity;
import io.fairlead.gateway.authn.Verdict;
import io.fairlead.gateway.select.Target;
import io.fairlead.model.UserInfo;
import io.fairlead.schema.json.Json;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.ObjectNode;

/** Issuers whose keys are here, and a clock that a test sets. */
public final class JwtFixture {
    static final String ISSUER = "https://issuer.test";

    /** Claims {@code sub} and {@code groups} as they are. */
    public static final String PLAIN = file(ISSUER, """
        claimMappings:
          username: {claim: sub, prefix: ""}
          groups: {claim: groups, prefix: ""}
        """);

    final SigningKey key = SigningKey.generate();

    /** What the issuer publishes; null if it does not answer. */
    volatile @Nullable TokenKeys published = SigningKey.publicKeys(List.of(key));

    /** What reading the keys ends with instead. */
    volatile @Nullable Error error;

    final List<String> readings = new ArrayList<>();
    volatile Instant now = Instant.parse("2026-01-01T00:00:00Z");
    private final AtomicLong nanos = new AtomicLong();

    private final JwtIssuers.Maker maker =
            new JwtIssuers.Maker(source -> () -> read(source), Runnable::run, () -> now, nanos::get);

    /** A file with one issuer of audience {@code fairlead}. */
    static String file(String url, String rules) {
        return """
            apiVersion: apiserver.config.k8s.io/v1
            kind: AuthenticationConfiguration
            jwt:
            - issuer:
                url: %s
                audiences: [fairlead]
            """.formatted(url) + rules.indent(2);
    }

    public JwtIssuers issuers(String file) {
        return maker.read(file.getBytes(UTF_8));
    }

    private TokenKeys read(IssuerSettings.Source source) throws KeySource.UnreadableException {
        readings.add(source.discoveryUrl());
        Error failure = error;
        if (failure != null) {
            throw failure;
        }
        TokenKeys keys = published;
        if (keys == null) {
            throw new KeySource.UnreadableException("it is away");
        }
        return keys;
    }

    /** Claims that are valid for an hour, and others as JSON. */
    ObjectNode claims(String others) {
        ObjectNode claims = Json.object()
                .put("iss", ISSUER)
                .put("aud", "fairlead")
                .put("sub", "jane")
                .put("exp", now.getEpochSecond() + 3600);
        claims.setAll((ObjectNode) Json.read(others));
        return claims;
    }

    public String token(String others) {
        return key.sign(Json.write(claims(others)));
    }

    void pass(long seconds) {
        now = now.plusSeconds(seconds);
        nanos.addAndGet(seconds * 1_000_000_000);
    }

    static Bearer bearer(String token) {
        return new Bearer(token, new Target.Gateway("/version", ""));
    }

    static Verdict judge(JwtIssuers issuers, String token) {
        return issuers.judge(bearer(token));
    }

    static Optional<UserInfo> user(JwtIssuers issuers, String token) {
        return judge(issuers, token) instanceof Verdict.Accepted(Identity identity)
                ? Optional.of(identity.user())
                : Optional.empty();
    }
}
