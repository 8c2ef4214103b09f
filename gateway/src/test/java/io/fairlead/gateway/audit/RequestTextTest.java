package io.fairlead.gateway.audit;

import static java.time.Duration.ofSeconds;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class RequestTextTest {
    /** Ten milliseconds would be enough; with a search to the end for each parameter it was a minute. */
    @Test
    void manyParameters_takeTimeThatGrowsWithTheirNumber() {
        String target = "/api?" + "a&".repeat(1_000_000) + "token=canary";

        String shown = assertTimeoutPreemptively(ofSeconds(10), () -> RequestText.withoutSecrets(target));

        assertThat(shown).endsWith("a&token=HIDDEN");
    }

    @ParameterizedTest
    @CsvSource({
        "/api/v1/pods, /api/v1/pods",
        "/api?watch=true&limit=5, /api?watch=true&limit=5",
        "/api?access_token=canary, /api?access_token=HIDDEN",
        "/api?a=b&token=canary&c=d&password=canary, /api?a=b&token=HIDDEN&c=d&password=HIDDEN",
        "/api?token&tokens=a&xtoken=b, /api?token&tokens=a&xtoken=b",
        "/api?token=a=b&c, /api?token=HIDDEN&c",
        "/api?access%5Ftoken=canary&%74oken=canary&a%=b, /api?access%5Ftoken=HIDDEN&%74oken=HIDDEN&a%=b",
        "/api?, /api?",
        "/a/token=b?x=token=c, /a/token=b?x=token=c",
        "/api?Token=canary&ACCESS_TOKEN=canary&x=y, /api?Token=HIDDEN&ACCESS_TOKEN=HIDDEN&x=y",
        "/api?access_token[]=canary&token[0]=canary&token%5Ba%5D=c,"
                + " /api?access_token[]=HIDDEN&token[0]=HIDDEN&token%5Ba%5D=HIDDEN",
        "/api?api_key=c&apikey=c&api-key=c&X-Api-Key=c,"
                + " /api?api_key=HIDDEN&apikey=HIDDEN&api-key=HIDDEN&X-Api-Key=HIDDEN",
        "/api?jwt=c&sig=c&signature=c&authorization=c,"
                + " /api?jwt=HIDDEN&sig=HIDDEN&signature=HIDDEN&authorization=HIDDEN",
        "/api?X-Amz-Signature=c&X-Amz-Security-Token=c, /api?X-Amz-Signature=HIDDEN&X-Amz-Security-Token=HIDDEN",
        "/api?auth_token=c&private_token=c&secret=c&passwd=c,"
                + " /api?auth_token=HIDDEN&private_token=HIDDEN&secret=HIDDEN&passwd=HIDDEN",
        "/api?a=b;token=canary;c=d&e=f, /api?a=b;token=HIDDEN&e=f",
        "/api?token=can;ary&a;password=c, /api?token=HIDDEN&a;password=HIDDEN",
        "/api?+token=c&%20token=c, /api?+token=HIDDEN&%20token=HIDDEN",
        "/api?key=a&keys=b&design=c&sigs=d&[token]=e, /api?key=a&keys=b&design=c&sigs=d&[token]=e",
    })
    void parameterThatIsACredential_isHidden_andNothingElse(String target, String shown) {
        assertThat(RequestText.withoutSecrets(target)).isEqualTo(shown);
    }
}
