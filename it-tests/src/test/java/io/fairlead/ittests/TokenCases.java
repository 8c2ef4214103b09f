package io.fairlead.ittests;

import com.google.gson.GsonBuilder;
import com.google.gson.JsonArray;
import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import com.nimbusds.jose.JOSEObjectType;
import com.nimbusds.jose.JWSAlgorithm;
import com.nimbusds.jose.JWSHeader;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Tokens that are valid and others that are not.
 *
 * @param issuer whose claims are mapped by their names
 * @param mapped whose claims are mapped by expressions
 */
record TokenCases(StaticIssuer issuer, StaticIssuer mapped) {
    /** Its user would have no name but the prefix, which kube-apiserver takes. */
    static final String NAMELESS = "{'email': null}";

    /** A token, and what it is. */
    record Case(String what, String token) {}

    List<Case> all() {
        List<Case> cases = new ArrayList<>(plain());
        cases.addAll(expressions());
        cases.addAll(forged());
        return cases;
    }

    private List<Case> plain() {
        List<Case> cases = new ArrayList<>();
        long now = Instant.now().getEpochSecond();
        for (String change : List.of(
                "{}",
                "{'aud': 'other'}",
                "{'aud': ['x', 'fairlead']}",
                "{'aud': ['x', 'y']}",
                "{'aud': []}",
                "{'aud': 5}",
                "{'aud': null}",
                "{'exp': %d}".formatted(now - 1),
                "{'exp': %d}".formatted(now - 1000000),
                "{'exp': %d.5}".formatted(now + 60),
                "{'exp': %de0}".formatted(now + 60),
                "{'exp': null}",
                "{'exp': 'soon'}",
                "{'exp': '%d'}".formatted(now + 60),
                "{'exp': 253402300799}",
                "{'nbf': %d}".formatted(now + 50),
                "{'nbf': %d}".formatted(now + 120),
                "{'nbf': %d}".formatted(now - 120),
                "{'iat': %d}".formatted(now + 100000),
                "{'email': 'other@example.com'}",
                NAMELESS,
                "{'email': 5}",
                "{'email': ['a@b.c']}",
                "{'email_verified': true}",
                "{'email_verified': false}",
                "{'email_verified': null}",
                "{'email_verified': 'true'}",
                "{'groups': 'guests'}",
                "{'groups': ['guests', 'a', 'a']}",
                "{'groups': ['guests', 5]}",
                "{'groups': {'a': 'b'}}",
                "{'oid': null}",
                "{'oid': 5}",
                "{'oid': 'ümlaut ☃'}",
                "{'jti': 'id-of-token'}",
                "{'jti': 5}",
                "{'sub': null}",
                "{'iss': 'https://127.0.0.1:1'}",
                "{'iss': null}",
                "{'iss': '%s/'}".formatted(issuer.url()))) {
            cases.add(new Case(change, issuer.sign(claims(issuer, change))));
        }
        for (JWSAlgorithm algorithm : List.of(
                JWSAlgorithm.RS384, JWSAlgorithm.RS512, JWSAlgorithm.PS256, JWSAlgorithm.PS384, JWSAlgorithm.PS512)) {
            cases.add(new Case(algorithm.getName(), issuer.sign(header(algorithm, "rsa"), claims(issuer, "{}"))));
        }
        cases.add(new Case("ES256", issuer.sign(header(JWSAlgorithm.ES256, "ec"), claims(issuer, "{}"))));
        cases.add(new Case("no kid", issuer.sign(header(JWSAlgorithm.ES256, null), claims(issuer, "{}"))));
        cases.add(new Case(
                "typ",
                issuer.sign(
                        new JWSHeader.Builder(JWSAlgorithm.RS256)
                                .keyID("rsa")
                                .type(new JOSEObjectType("at+jwt"))
                                .build(),
                        claims(issuer, "{}"))));
        return cases;
    }

    private List<Case> expressions() {
        List<Case> cases = new ArrayList<>();
        for (String change : List.of(
                "{}",
                "{'level': 2.5}",
                "{'level': -0.0}",
                "{'level': 12345678901234567890}",
                "{'level': 'text'}",
                "{'level': true}",
                "{'level': null}",
                "{'level': [1]}",
                "{'roles': 'dev'}",
                "{'roles': ''}",
                "{'roles': 5}",
                "{'roles': null}",
                "{'oid': 'u-17'}",
                "{'oid': 17}",
                "{'tenants': ['a', '', 'b']}",
                "{'tenants': 'one'}",
                "{'tenants': ['a', 5]}",
                "{'tenants': null}",
                "{'example.org': ['x']}",
                "{'example.org': {'a': 1}}",
                "{'hd': 'example.org'}",
                "{'hd': null}",
                "{'hd': ['example.com']}",
                "{'sub': 'root'}",
                "{'sub': ''}",
                "{'sub': null}",
                "{'iat': 5}",
                "{'iat': 'x'}",
                "{'exp': %d, 'iat': %d}"
                        .formatted(
                                Instant.now().getEpochSecond() + 60,
                                Instant.now().getEpochSecond()))) {
            cases.add(new Case("expressions " + change, mapped.sign(claims(mapped, change))));
        }
        return cases;
    }

    private List<Case> forged() {
        String claims = claims(issuer, "{}");
        List<Case> cases = new ArrayList<>();
        cases.add(new Case(
                "another's key",
                StaticIssuer.sign(
                        header(JWSAlgorithm.RS256, "rsa"), claims, StaticIssuer.rsa("rsa"), StaticIssuer.ec("ec"))));
        cases.add(new Case("key of another issuer", mapped.sign(claims)));
        cases.add(new Case("unknown key", issuer.sign(header(JWSAlgorithm.RS256, "../../rsa"), claims)));
        cases.add(new Case("the other key's id", issuer.sign(header(JWSAlgorithm.RS256, "ec"), claims)));
        String[] parts = issuer.sign(claims).split("\\.", -1);
        cases.add(new Case("no signature", parts[0] + "." + parts[1] + "."));
        cases.add(new Case("two parts", parts[0] + "." + parts[1]));
        cases.add(new Case("four parts", parts[0] + "." + parts[1] + "." + parts[2] + ".x"));
        cases.add(new Case("none", encoded("{\"alg\":\"none\"}") + "." + parts[1] + "."));
        cases.add(new Case("None", encoded("{\"alg\":\"None\"}") + "." + parts[1] + "." + parts[2]));
        cases.add(new Case("HS256", encoded("{\"alg\":\"HS256\",\"kid\":\"rsa\"}") + "." + parts[1] + "." + parts[2]));
        cases.add(
                new Case("crit", encoded("{\"alg\":\"RS256\",\"crit\":[\"exp\"]}") + "." + parts[1] + "." + parts[2]));
        cases.add(new Case("padding", parts[0] + "==." + parts[1] + "." + parts[2]));
        cases.add(new Case(
                "other payload", parts[0] + "." + encoded(claims(issuer, "{'email': 'a@b.c'}")) + "." + parts[2]));
        cases.add(new Case("not claims", issuer.sign("[]")));
        cases.add(new Case("not JSON", issuer.sign("hello")));
        cases.add(new Case("garbage", "a.b.c"));
        return cases;
    }

    private static JWSHeader header(JWSAlgorithm algorithm, @Nullable String key) {
        return new JWSHeader.Builder(algorithm).keyID(key).build();
    }

    private static String encoded(String text) {
        return Base64.getUrlEncoder().withoutPadding().encodeToString(text.getBytes(StandardCharsets.UTF_8));
    }

    /** Claims that are valid, with some changes; a string of JSON with single quotes. */
    static String claims(StaticIssuer of, String changes) {
        long now = Instant.now().getEpochSecond();
        JsonObject claims = new JsonObject();
        claims.addProperty("iss", of.url());
        claims.addProperty("aud", "fairlead");
        claims.addProperty("sub", "jane");
        claims.addProperty("email", "jane@example.com");
        claims.addProperty("exp", now + 600);
        claims.addProperty("iat", now);
        claims.addProperty("oid", "u1");
        claims.addProperty("hd", "example.com");
        claims.addProperty("roles", "dev,ops");
        claims.addProperty("level", 3);
        claims.addProperty("example.org", "d");
        JsonArray groups = new JsonArray();
        groups.add("guests");
        claims.add("groups", groups);
        JsonObject changed = JsonParser.parseString(changes.replace('\'', '"')).getAsJsonObject();
        changed.entrySet().forEach(change -> claims.add(change.getKey(), change.getValue()));
        return new GsonBuilder().serializeNulls().create().toJson(claims);
    }
}
