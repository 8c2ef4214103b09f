package io.fairlead.gateway.audit;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class RequestTextTest {
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
    })
    void parameterThatIsACredential_isHidden_andNothingElse(String target, String shown) {
        assertThat(RequestText.withoutSecrets(target)).isEqualTo(shown);
    }
}
