package io.fairlead.gateway.authn;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.fairlead.gateway.select.Target;
import io.fairlead.model.UserInfo;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class StaticTokensTest {
    @Test
    void parse_columns_areTokenUserUidAndGroups() {
        StaticTokens tokens = StaticTokens.parse("""
            t1,jane,u1,"dev,ops"
            t2,joe,u2,dev
            t3,"jim, the third",u3

            "t""4",ann,u4
            """);

        assertThat(verdict(tokens, "t1")).isEqualTo(new Verdict.Accepted(user("jane", "u1", "dev", "ops")));
        assertThat(verdict(tokens, "t2")).isEqualTo(new Verdict.Accepted(user("joe", "u2", "dev")));
        assertThat(verdict(tokens, "t3")).isEqualTo(new Verdict.Accepted(user("jim, the third", "u3")));
        assertThat(verdict(tokens, "t\"4")).isEqualTo(new Verdict.Accepted(user("ann", "u4")));
    }

    @Test
    void authenticate_unknownToken_isNobody() {
        StaticTokens tokens = StaticTokens.parse("t1,jane,u1\n");

        assertThat(verdict(tokens, "t")).isEqualTo(new Verdict.NotMine("TokenUnknown"));
        assertThat(verdict(tokens, "t1 ")).isEqualTo(new Verdict.NotMine("TokenUnknown"));
        assertThat(verdict(tokens, "")).isEqualTo(new Verdict.NotMine("TokenUnknown"));
    }

    @Test
    void parse_tooFewColumns_namesTheLineAndNotTheToken() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> StaticTokens.parse("t1,jane,u1\nsecret,joe\n"))
                .withMessageContaining("line 2")
                .withMessageNotContaining("secret");
        assertThatIllegalArgumentException().isThrownBy(() -> StaticTokens.parse(",jane,u1\n"));
    }

    /** Of half a file this would be the group of another name. */
    @Test
    void parse_quoteThatDoesNotEnd_namesTheLineAndNotTheToken() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> StaticTokens.parse("t1,jane,u1\nsecret,joe,u2,\"dev,op"))
                .withMessage("token file, line 2: a quoted column does not end (expected \"group1,group2\")");
    }

    private static Verdict verdict(StaticTokens tokens, String token) {
        return tokens.atOnce(new Bearer(token, new Target.Gateway("/version", "")));
    }

    /** With the group of every authenticated caller behind those of its line. */
    private static Identity user(String name, String uid, String... groups) {
        List<String> all = Stream.concat(Stream.of(groups), Stream.of("system:authenticated"))
                .toList();
        return new Identity.OfGateway(new UserInfo(name, uid, all, Map.of()));
    }
}
