package io.fairlead.gateway.authn;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

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

        assertThat(tokens.authenticate("t1")).isEqualTo(user("jane", "u1", "dev", "ops"));
        assertThat(tokens.authenticate("t2")).isEqualTo(user("joe", "u2", "dev"));
        assertThat(tokens.authenticate("t3")).isEqualTo(user("jim, the third", "u3"));
        assertThat(tokens.authenticate("t\"4")).isEqualTo(user("ann", "u4"));
    }

    @Test
    void authenticate_unknownToken_isNobody() {
        StaticTokens tokens = StaticTokens.parse("t1,jane,u1\n");

        assertThat(tokens.authenticate("t")).isNull();
        assertThat(tokens.authenticate("t1 ")).isNull();
        assertThat(tokens.authenticate("")).isNull();
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

    /** With the group of every authenticated caller behind those of its line. */
    private static Identity user(String name, String uid, String... groups) {
        List<String> all = Stream.concat(Stream.of(groups), Stream.of("system:authenticated"))
                .toList();
        return new Identity.OfGateway(new UserInfo(name, uid, all, Map.of()));
    }
}
