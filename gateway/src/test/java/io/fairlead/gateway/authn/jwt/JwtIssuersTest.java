package io.fairlead.gateway.authn.jwt;

import static io.fairlead.gateway.authn.jwt.JwtFixture.ISSUER;
import static io.fairlead.gateway.authn.jwt.JwtFixture.PLAIN;
import static io.fairlead.gateway.authn.jwt.JwtFixture.bearer;
import static io.fairlead.gateway.authn.jwt.JwtFixture.file;
import static io.fairlead.gateway.authn.jwt.JwtFixture.judge;
import static io.fairlead.gateway.authn.jwt.JwtFixture.user;
import static org.assertj.core.api.Assertions.assertThat;

import io.fairlead.credentials.jwt.SigningKey;
import io.fairlead.credentials.jwt.TokenKeys;
import io.fairlead.gateway.authn.Identity;
import io.fairlead.gateway.authn.Verdict;
import io.fairlead.model.UserInfo;
import io.fairlead.schema.json.Json;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import tools.jackson.databind.node.ObjectNode;

class JwtIssuersTest {
    private final JwtFixture fixture = new JwtFixture();
    private final JwtIssuers issuers = fixture.issuers(PLAIN);

    @Test
    void tokenOfAnIssuer_isItsUsers_inTheRealmOfTheGateway() {
        String token = fixture.token("{\"groups\": [\"dev\", \"ops\"], \"jti\": \"17\"}");

        assertThat(judge(issuers, token))
                .isEqualTo(new Verdict.Accepted(new Identity.OfGateway(new UserInfo(
                        "jane",
                        "",
                        List.of("dev", "ops", "system:authenticated"),
                        Map.of("authentication.kubernetes.io/credential-id", List.of("JTI=17"))))));
    }

    @Test
    void event_loops_knowItOnceItWasJudged_forTenSeconds() {
        String token = fixture.token("{}");
        assertThat(issuers.atOnce(bearer(token))).isEqualTo(new Verdict.NotYet());

        judge(issuers, token);

        assertThat(issuers.atOnce(bearer(token))).isInstanceOf(Verdict.Accepted.class);
        fixture.pass(11);
        assertThat(issuers.atOnce(bearer(token))).isEqualTo(new Verdict.NotYet());
    }

    @Test
    void remembered_token_isNotKnownBeyondItsExpiry() {
        String token = fixture.token("{\"exp\": " + (fixture.now.getEpochSecond() + 3) + "}");
        assertThat(user(issuers, token)).isPresent();

        fixture.pass(3);
        assertThat(issuers.atOnce(bearer(token))).as("at its last moment").isInstanceOf(Verdict.Accepted.class);
        fixture.pass(1);
        assertThat(issuers.atOnce(bearer(token))).isEqualTo(new Verdict.NotYet());
        assertThat(judge(issuers, token)).isInstanceOf(Verdict.Refused.class);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "expired by a second   | {\"exp\": -1}                  | TokenExpired",
                "without an end        | {\"exp\": null}                | TokenExpired",
                "an end that is text   | {\"exp\": \"soon\"}            | TokenExpired",
                "an end far away       | {\"exp\": 1e300}               | TokenExpired",
                "in two minutes        | {\"nbf\": 120}                 | TokenNotYetValid",
                "a begin that is text  | {\"nbf\": \"now\"}             | TokenNotYetValid",
                "other audience        | {\"aud\": \"other\"}           | OtherAudience",
                "other audiences       | {\"aud\": [\"a\", \"b\"]}      | OtherAudience",
                "no audience           | {\"aud\": null}                | OtherAudience",
                "audience of an object | {\"aud\": {\"a\": \"fairlead\"}} | OtherAudience",
                "no subject            | {\"sub\": null}                | ClaimMissing",
                "subject of no text    | {\"sub\": 5}                   | ClaimMissing",
                "empty subject         | {\"sub\": \"\"}                | ClaimsWithoutUsername",
                "Kubernetes' own user  | {\"sub\": \"system:admin\"}    | SystemUsername",
                "groups of no text     | {\"groups\": [1]}              | GroupsOfNoText",
                "groups of an object   | {\"groups\": {\"a\": \"b\"}}   | GroupsOfNoText"
            })
    void tokensThatAreNotValid_areRefused_andTheirBearersAreTold(String what, String claims, String why) {
        assertThat(judge(issuers, fixture.token(relative(claims))))
                .isInstanceOfSatisfying(Verdict.Refused.class, refused -> {
                    assertThat(refused.why()).isEqualTo(why);
                    assertThat(refused.told()).startsWith("the token cannot be accepted: ");
                });
    }

    /** Times that are small are relative to now. */
    private String relative(String claims) {
        var tree = (ObjectNode) Json.read(claims);
        for (String name : List.of("exp", "nbf")) {
            if (tree.path(name).isInt() || tree.path(name).isLong()) {
                tree.put(name, fixture.now.getEpochSecond() + tree.path(name).asLong());
            }
        }
        return Json.text(tree);
    }

    @Test
    void tokenOfATimeShortlyAhead_isAccepted_sinceClocksDiffer() {
        assertThat(user(issuers, fixture.token("{\"nbf\": " + (fixture.now.getEpochSecond() + 59) + "}")))
                .isPresent();
    }

    /** What is wrong with a token that the issuer has not signed is not told: its bearer may be guessing. */
    @Test
    void tokensThatTheIssuerHasNotSigned_areNotAccepted_whateverTheyClaim() {
        String forged = SigningKey.generate().sign(Json.write(fixture.claims("{}")));

        assertThat(judge(issuers, forged)).isEqualTo(new Verdict.Refused("NotSignedByIssuer", ""));
    }

    @Test
    void tokensOfOtherIssuers_areNotJudgedHere() {
        assertThat(judge(issuers, fixture.token("{\"iss\": \"https://issuer.test/\"}")))
                .as("byte for byte")
                .isEqualTo(new Verdict.NotMine("OtherIssuer"));
        assertThat(judge(issuers, fixture.token("{\"iss\": null}"))).isEqualTo(new Verdict.NotMine("OtherIssuer"));
        assertThat(judge(issuers, fixture.key.sign(new byte[] {'['}))).isEqualTo(new Verdict.NotMine("OtherIssuer"));
        assertThat(issuers.atOnce(bearer("static"))).isEqualTo(new Verdict.NotMine("NoSignedToken"));
        assertThat(issuers.atOnce(bearer("a.b"))).isEqualTo(new Verdict.NotMine("NoSignedToken"));
        assertThat(issuers.atOnce(bearer("a.b.c.d"))).isEqualTo(new Verdict.NotMine("NoSignedToken"));
    }

    /** One issuer's key must not speak for another. */
    @Test
    void issuerThatNamesAnother_isNotBelieved() {
        JwtFixture other = new JwtFixture();
        JwtIssuers two = other.issuers(PLAIN);

        assertThat(judge(two, fixture.token("{}"))).isEqualTo(new Verdict.Refused("NotSignedByIssuer", ""));
    }

    @Test
    void groupsOfKubernetes_areLeftOut() {
        UserInfo user = user(
                        issuers, fixture.token("{\"groups\": [\"dev\", \"system:masters\", \"system:authenticated\"]}"))
                .orElseThrow();

        assertThat(user.groups()).containsExactly("dev", "system:authenticated");
    }

    /** Each is compared with each subject of a binding, and is a header to an attached cluster. */
    @Test
    void userWithTooManyGroups_orTooLarge_isRefused() {
        String groups = "\"g\"" + ",\"g\"".repeat(499);
        assertThat(user(issuers, fixture.token("{\"groups\": [" + groups + "]}")))
                .isPresent();
        assertThat(judge(issuers, fixture.token("{\"groups\": [" + groups + ",\"g\"]}")))
                .isInstanceOfSatisfying(
                        Verdict.Refused.class,
                        refused -> assertThat(refused.why()).isEqualTo("TooManyGroups"));
        JwtIssuers prefixed = fixture.issuers(
                PLAIN.replace("{claim: groups, prefix: \"\"}", "{claim: groups, prefix: \"" + "x".repeat(200) + "\"}"));
        assertThat(judge(prefixed, fixture.token("{\"groups\": [" + groups + "]}")))
                .isInstanceOfSatisfying(
                        Verdict.Refused.class,
                        refused -> assertThat(refused.why()).isEqualTo("UserTooLarge"));
    }

    @Test
    void oneGroupAsAText_isOne_andNoGroupsAreNone() {
        assertThat(user(issuers, fixture.token("{\"groups\": \"dev\"}"))
                        .orElseThrow()
                        .groups())
                .containsExactly("dev", "system:authenticated");
        assertThat(user(issuers, fixture.token("{\"groups\": null}"))
                        .orElseThrow()
                        .groups())
                .containsExactly("system:authenticated");
        assertThat(user(issuers, fixture.token("{}")).orElseThrow().groups()).containsExactly("system:authenticated");
    }

    @Test
    void emailThatIsNotVerified_isNoName() {
        JwtIssuers byEmail =
                fixture.issuers(file(ISSUER, "claimMappings: {username: {claim: email, prefix: 'oidc:'}}"));

        assertThat(user(byEmail, fixture.token("{\"email\": \"a@b.c\", \"email_verified\": true}"))
                        .map(UserInfo::name))
                .contains("oidc:a@b.c");
        assertThat(user(byEmail, fixture.token("{\"email\": \"a@b.c\"}"))).isPresent();
        for (String verified : List.of("false", "null", "\"true\"", "1")) {
            assertThat(judge(byEmail, fixture.token("{\"email\": \"a@b.c\", \"email_verified\": " + verified + "}")))
                    .as(verified)
                    .isInstanceOf(Verdict.Refused.class);
        }
    }

    @Test
    void expressions_makeTheUser_andJudgeIt() {
        JwtIssuers mapped = fixture.issuers(file(ISSUER, """
            claimValidationRules:
            - claim: hd
              requiredValue: example.com
            - expression: claims.level > 2 && claims.level < 2.6
              message: the level is too low
            claimMappings:
              username: {expression: "claims.sub + '@' + claims.hd"}
              groups: {expression: "claims.roles.split(',').map(r, 'team:' + r)"}
              uid: {claim: oid}
              extra:
              - key: example.com/tenant
                valueExpression: claims.?tenant.name.orValue('')
              - key: example.com/dotted
                valueExpression: claims.example__dot__org
            userValidationRules:
            - expression: "!user.username.startsWith('root')"
              message: root stays out
            - expression: "user.groups.all(g, g.startsWith('team:')) && user.extra['example.com/dotted'][0] == 'd'"
            """));
        String base = "{\"hd\": \"example.com\", \"level\": 2.5, \"roles\": \"a,b\", \"oid\": \"u1\","
                + " \"example.org\": \"d\", \"tenant\": {\"name\": \"t\"}}";

        assertThat(user(mapped, fixture.token(base)))
                .contains(new UserInfo(
                        "jane@example.com",
                        "u1",
                        List.of("team:a", "team:b", "system:authenticated"),
                        Map.of("example.com/tenant", List.of("t"), "example.com/dotted", List.of("d"))));
        assertThat(refusal(mapped, base.replace("2.5", "2"))).isEqualTo("ConditionNotMet: the level is too low");
        assertThat(refusal(mapped, base.replace("\"example.com\"", "\"example.org\"")))
                .startsWith("RequiredClaim: ");
        assertThat(refusal(mapped, base.replace("{\"hd\"", "{\"sub\": \"root\", \"hd\"")))
                .isEqualTo("ConditionNotMet: root stays out");
        assertThat(refusal(mapped, base.replace("\"a,b\"", "5"))).startsWith("ExpressionFailed: ");
        assertThat(refusal(mapped, base.replace("\"d\"", "5"))).startsWith("ClaimsWithoutExtra: ");
        assertThat(user(mapped, fixture.token(base.replace("\"t\"", "\"\"")))
                        .orElseThrow()
                        .extra())
                .doesNotContainKey("example.com/tenant");
    }

    private String refusal(JwtIssuers mapped, String claims) {
        return judge(mapped, fixture.token(claims)) instanceof Verdict.Refused(String why, String told)
                ? why + told.substring(told.indexOf(':'))
                : "accepted";
    }

    @Test
    void expressionThatCostsTooMuch_isARefusal() {
        JwtIssuers costly = fixture.issuers(file(ISSUER, """
            claimMappings:
              username: {claim: sub, prefix: ""}
            claimValidationRules:
            - expression: "claims.l.all(a, claims.l.all(b, claims.l.all(c, a + b + c != 'x')))"
            """));
        StringBuilder list = new StringBuilder("{\"l\": [\"0\"");
        for (int i = 1; i < 400; i++) {
            list.append(",\"").append(i).append('"');
        }

        assertThat(judge(costly, fixture.token(list + "]}")))
                .isInstanceOfSatisfying(
                        Verdict.Refused.class,
                        refused -> assertThat(refused.why()).isEqualTo("ExpressionTooExpensive"));
    }

    @Test
    void keysAreReadAtOnce_andAgainForATokenOfANewKey() {
        assertThat(fixture.readings).containsExactly(ISSUER + "/.well-known/openid-configuration");
        SigningKey next = SigningKey.generate();
        fixture.published = SigningKey.publicKeys(List.of(fixture.key, next));

        assertThat(user(issuers, next.sign(Json.write(fixture.claims("{}"))))).isPresent();
        assertThat(fixture.readings).hasSize(2);
        assertThat(user(issuers, fixture.token("{}"))).isPresent();
    }

    @Test
    void tokensOfUnknownKeys_haveKeysReadOnceInTenSeconds() {
        for (int i = 0; i < 50; i++) {
            judge(issuers, SigningKey.generate().sign(Json.write(fixture.claims("{}"))));
        }
        assertThat(fixture.readings).hasSize(2);

        fixture.pass(10);
        judge(issuers, SigningKey.generate().sign(Json.write(fixture.claims("{}"))));
        assertThat(fixture.readings).hasSize(3);
    }

    @Test
    void keyThatTheIssuerHasWithdrawn_isRefusedOnceKeysWereReadAgain() {
        fixture.published = SigningKey.publicKeys(List.of(SigningKey.generate()));
        assertThat(user(issuers, fixture.token("{}")))
                .as("nothing has told yet")
                .isPresent();

        fixture.pass(IssuerKeys.AGE_MAX.toSeconds() + 1);
        judge(issuers, fixture.token("{}"));

        assertThat(judge(issuers, fixture.token("{\"jti\": \"other\"}")))
                .isEqualTo(new Verdict.Refused("NotSignedByIssuer", ""));
    }

    @Test
    void keyThatWasWithdrawnWhileNoTokenCame_isRefusedAtOnce() {
        fixture.published = SigningKey.publicKeys(List.of(SigningKey.generate()));
        fixture.pass(2 * IssuerKeys.AGE_MAX.toSeconds() + 1);

        assertThat(judge(issuers, fixture.token("{}"))).isEqualTo(new Verdict.Refused("NotSignedByIssuer", ""));
    }

    @Test
    void issuerThatIsAway_keepsItsKeys_andOneThatWasNeverThereHasNone() {
        fixture.published = null;
        fixture.pass(IssuerKeys.AGE_MAX.toSeconds() + 1);
        assertThat(user(issuers, fixture.token("{}"))).isPresent();
        fixture.pass(3600);
        assertThat(user(issuers, fixture.token("{}"))).isPresent();

        JwtFixture away = new JwtFixture();
        away.published = null;
        JwtIssuers without = away.issuers(PLAIN);
        assertThat(judge(without, away.token("{}"))).isEqualTo(new Verdict.Refused("KeysOfIssuerUnknown", ""));
        away.published = SigningKey.publicKeys(List.of(away.key));
        away.pass(10);
        assertThat(user(without, away.token("{}"))).isPresent();
    }

    @Test
    void readingThatMeetsAnError_isFollowedByTheNext() {
        JwtFixture broken = new JwtFixture();
        broken.error = new AssertionError("of a test");
        JwtIssuers without = broken.issuers(PLAIN);
        assertThat(judge(without, broken.token("{}"))).isEqualTo(new Verdict.Refused("KeysOfIssuerUnknown", ""));

        broken.error = null;
        broken.pass(10);
        assertThat(user(without, broken.token("{}"))).isPresent();
    }

    @Test
    void changedFile_keepsTheKeysOfIssuersThatStay_andForgetsWhomTokensNamed() {
        String token = fixture.token("{}");
        judge(issuers, token);
        fixture.published = TokenKeys.NONE;

        JwtIssuers changed = fixture.issuers(PLAIN.replace("prefix: \"\"", "prefix: 'x:'"));

        assertThat(fixture.readings).hasSize(1);
        assertThat(changed.atOnce(bearer(token))).isEqualTo(new Verdict.NotYet());
        assertThat(user(changed, token).map(UserInfo::name)).contains("x:jane");
    }

    @Test
    void tokensOfGoogle_nameItWithoutItsScheme() {
        JwtIssuers google = fixture.issuers(PLAIN.replace(ISSUER, "https://accounts.google.com"));

        assertThat(user(google, fixture.token("{\"iss\": \"accounts.google.com\"}")))
                .isPresent();
        assertThat(user(google, fixture.token("{\"iss\": \"https://accounts.google.com\"}")))
                .isPresent();
    }
}
