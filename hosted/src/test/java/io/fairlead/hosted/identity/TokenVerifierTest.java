package io.fairlead.hosted.identity;

import static org.assertj.core.api.Assertions.assertThat;

import io.fairlead.hosted.TokenVerdict;
import io.fairlead.schema.json.Json;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Assertions;
import org.junit.jupiter.api.Test;

/** What a token costs its verifier, and what a refusal quotes. */
class TokenVerifierTest {
    private static final Instant NOW = Instant.parse("2026-11-27T12:00:00Z");

    private final ServiceAccountTokens tokens = TestTokens.issuer(InstantSource.fixed(NOW));

    @Test
    void manyAudiences_areComparedInOnePass() {
        String token = token(IntStream.range(0, 6000).mapToObj(i -> "a" + i).toList());
        List<String> asked = IntStream.range(0, 700_000).mapToObj(i -> "b" + i).toList();

        TokenVerdict verdict =
                Assertions.assertTimeoutPreemptively(Duration.ofSeconds(5), () -> tokens.verdict(token, asked));

        assertThat(why(verdict))
                .startsWith("token audiences [\"a0\" \"a1\" \"a2\"")
                .contains("\"a9\" ...] is invalid for the target audiences [\"b0\" \"b1\"")
                .endsWith("\"b9\" ...]")
                .doesNotContain("a10", "b10");
    }

    @Test
    void longAudience_isQuotedInPart() {
        String why = why(tokens.verdict(token(List.of("a".repeat(20_000))), List.of("b".repeat(1 << 20))));

        assertThat(why)
                .isEqualTo("token audiences [\"" + "a".repeat(256) + "\"] is invalid for the target audiences [\""
                        + "b".repeat(256) + "\"]");
    }

    private String token(List<String> audiences) {
        return tokens.issue(Json.object(), Binding.NONE, audiences, NOW, 600);
    }

    private static String why(TokenVerdict verdict) {
        return verdict instanceof TokenVerdict.Refused(String why) ? why : "" + verdict;
    }
}
