package io.fairlead.gateway.authn.jwt;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

class AuthenticationConfigurationTest {
    private static final String HEAD =
            "{apiVersion: apiserver.config.k8s.io/v1, kind: AuthenticationConfiguration, jwt: [";
    private static final String ISSUER = "issuer: {url: 'https://a.test', audiences: [x]}";
    private static final String NAME = "claimMappings: {username: {claim: sub, prefix: ''}}";

    @Test
    void issuer_isReadWhole() {
        List<IssuerSettings> issuers = read("""
            apiVersion: apiserver.config.k8s.io/v1beta1
            kind: AuthenticationConfiguration
            jwt:
            - issuer:
                url: https://a.test/realm/
                audiences: [x, z]
                audienceMatchPolicy: MatchAny
              claimMappings: {username: {claim: sub, prefix: "a:"}}
            - issuer:
                url: https://b.test
                discoveryURL: https://b.internal/conf
                audiences: [x]
              claimMappings: {username: {expression: claims.sub}}
            """);

        assertThat(issuers).hasSize(2);
        assertThat(issuers.getFirst().source())
                .isEqualTo(new IssuerSettings.Source(
                        "https://a.test/realm/", "https://a.test/realm/.well-known/openid-configuration", null));
        assertThat(issuers.getFirst().audiences()).containsExactlyInAnyOrder("x", "z");
        assertThat(issuers.getLast().source().discoveryUrl()).isEqualTo("https://b.internal/conf");
        assertThat(read("{apiVersion: apiserver.config.k8s.io/v1, kind: AuthenticationConfiguration, jwt: []}"))
                .isEmpty();
    }

    static Stream<Arguments> mistakes() {
        return Stream.of(
                mistake("hello: [", "invalid YAML"),
                mistake(
                        "a: b",
                        "apiVersion \"\", kind \"\" (expected apiserver.config.k8s.io/v1,"
                                + " AuthenticationConfiguration)"),
                mistake("{apiVersion: v1, kind: AuthenticationConfiguration}", "apiVersion \"v1\""),
                mistake(jwt("{" + ISSUER + ", " + NAME + ", nothing: 1}"), "unknown field \"jwt[0].nothing\""),
                mistake(jwt("{" + ISSUER + ", " + NAME + ", issuer: {}}"), "duplicate"),
                mistake(jwt("5"), "cannot unmarshal"),
                mistake(
                        "{apiVersion: apiserver.config.k8s.io/v1, kind: AuthenticationConfiguration, anonymous:"
                                + " {enabled: true}}",
                        "anonymous: Forbidden: who may be anonymous cannot be changed"),
                mistake(jwt("{" + NAME + "}"), "jwt[0].issuer.url: Required value"),
                mistake(issuer("url: 'http://a.test', audiences: [x]"), "URL scheme must be https"),
                mistake(issuer("url: 'https://u:p@a.test', audiences: [x]"), "must not contain a username or password"),
                mistake(issuer("url: 'https://a.test?x=y', audiences: [x]"), "must not contain a query"),
                mistake(issuer("url: 'https://a.test#x', audiences: [x]"), "must not contain a fragment"),
                mistake(issuer("url: 'https:///x', audiences: [x]"), "jwt[0].issuer.url: Invalid value"),
                mistake(issuer("url: 'https://a b', audiences: [x]"), "jwt[0].issuer.url: Invalid value"),
                mistake(issuer("url: 'https://a.test'"), "at least one jwt[0].issuer.audiences is required"),
                mistake(
                        issuer("url: 'https://a.test', audiences: [x, x], audienceMatchPolicy: MatchAny"),
                        "Duplicate value: \"x\""),
                mistake(issuer("url: 'https://a.test', audiences: [x, z]"), "must be MatchAny for multiple audiences"),
                mistake(
                        issuer("url: 'https://a.test', audiences: [x], audienceMatchPolicy: All"),
                        "must be empty or MatchAny"),
                mistake(
                        issuer("url: 'https://a.test', discoveryURL: 'https://a.test/', audiences: [x]"),
                        "discoveryURL must be different from URL"),
                mistake(
                        issuer("url: 'https://a.test', audiences: [x], certificateAuthority: nonsense"),
                        "certificateAuthority: Invalid value: \"<omitted>\""),
                mistake(
                        issuer("url: 'https://a.test', audiences: [x], egressSelectorType: cluster"),
                        "there are no egress selectors"),
                mistake(
                        jwt("{" + ISSUER + ", " + NAME + "}, {" + ISSUER + ", " + NAME + "}"),
                        "jwt[1].issuer.url: Duplicate value"),
                mistake(
                        jwt("{" + ISSUER + "}"),
                        "jwt[0].claimMappings.username: Required value: claim or expression is required"),
                mistake(mappings("username: {claim: sub}"), "prefix is required when claim is set"),
                mistake(
                        mappings("username: {claim: sub, expression: claims.sub}"),
                        "claim and expression can't both be set"),
                mistake(
                        mappings("username: {expression: claims.sub, prefix: x}"),
                        "may not be specified when expression is set"),
                mistake(
                        mappings("username: {expression: 'claims.sub +'}"),
                        "compilation failed: ERROR: <input>:1:13: Syntax error"),
                mistake(mappings("username: {expression: user.username}"), "undeclared reference to 'user'"),
                mistake(mappings("username: {expression: claims.email}"), "claims.email_verified must be used in"),
                mistake(
                        mappings("username: {claim: sub, prefix: ''}, uid: {claim: a, expression: b}"),
                        "can't both be set"),
                mistake(extra("key: foo, valueExpression: claims.a"), "must be a domain-prefixed path"),
                mistake(extra("key: a.b/C, valueExpression: claims.a"), "must be lowercase"),
                mistake(extra("key: x.k8s.io/a, valueExpression: claims.a"), "reserved for Kubernetes use"),
                mistake(extra("key: a.b/c"), "valueExpression: Required value"),
                mistake(
                        extra("key: a.b/c, valueExpression: claims.a}, {key: a.b/c, valueExpression: claims.b"),
                        "Duplicate value"),
                mistake(rule("{claim: a, expression: b}"), "claim and expression can't both be set"),
                mistake(rule("{message: m}"), "claim or expression is required"),
                mistake(rule("{claim: a, message: m}"), "may not be specified when claim is set"),
                mistake(rule("{expression: 'true', requiredValue: m}"), "may not be specified when expression is set"),
                mistake(rule("{expression: claims.a}"), "must evaluate to bool"),
                mistake(rule("{claim: a}, {claim: a}"), "claimValidationRules[1].claim: Duplicate value"),
                mistake(
                        rule("{expression: 'true'}, {expression: 'true'}"),
                        "claimValidationRules[1].expression: Duplicate value"),
                mistake(users("{message: m}"), "userValidationRules[0].expression: Required value"),
                mistake(users("{expression: user.username}"), "must evaluate to bool"),
                mistake(users("{expression: \"user.unknown == 'a'\"}"), "undefined field 'unknown'"),
                mistake(users("{expression: \"claims.a == 'a'\"}"), "undeclared reference to 'claims'"));
    }

    @ParameterizedTest
    @MethodSource("mistakes")
    void mistakes_areNamedInOneLine(String file, String problem) {
        assertThatIllegalArgumentException().isThrownBy(() -> read(file)).withMessageContaining(problem);
    }

    @Test
    void emailOfAnExpression_isTaken_whereItsVerificationIsLookedAt() {
        String username = "claimMappings: {username: {expression: claims.email}%s}";
        String rule = ", claimValidationRules: [{expression: 'claims.?email_verified.orValue(true) == true'}]";
        assertThat(read(jwt("{" + ISSUER + ", " + username.formatted("") + rule + "}")))
                .hasSize(1);
        String extra = ", extra: [{key: a.b/c, valueExpression: string(claims.email_verified)}]";
        assertThat(read(jwt("{" + ISSUER + ", " + username.formatted(extra) + "}")))
                .hasSize(1);
    }

    @Test
    void moreIssuersThanKubeApiserverTakes_areRefused() {
        String many = Stream.iterate(0, i -> i + 1)
                .limit(65)
                .map(i -> "{issuer: {url: 'https://i" + i + ".test', audiences: [x]}, " + NAME + "}")
                .reduce((a, b) -> a + "," + b)
                .orElseThrow();

        assertThatIllegalArgumentException()
                .isThrownBy(() -> read(jwt(many)))
                .withMessageContaining("must have at most 64 items");
    }

    private static Arguments mistake(String file, String problem) {
        return Arguments.of(file, problem);
    }

    private static String jwt(String issuers) {
        return HEAD + issuers + "]}";
    }

    private static String issuer(String fields) {
        return jwt("{issuer: {" + fields + "}, " + NAME + "}");
    }

    private static String mappings(String fields) {
        return jwt("{" + ISSUER + ", claimMappings: {" + fields + "}}");
    }

    private static String extra(String fields) {
        return mappings("username: {claim: sub, prefix: ''}, extra: [{" + fields + "}]");
    }

    private static String rule(String rules) {
        return jwt("{" + ISSUER + ", " + NAME + ", claimValidationRules: [" + rules + "]}");
    }

    private static String users(String rules) {
        return jwt("{" + ISSUER + ", " + NAME + ", userValidationRules: [" + rules + "]}");
    }

    private static List<IssuerSettings> read(String file) {
        return AuthenticationConfiguration.read(file.getBytes(UTF_8));
    }
}
