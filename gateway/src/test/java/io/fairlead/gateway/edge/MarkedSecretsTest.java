package io.fairlead.gateway.edge;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.netty.pkitesting.X509Bundle;
import java.util.Base64;
import java.util.HexFormat;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The search for credentials finds what it is for. */
class MarkedSecretsTest {
    private final MarkedSecrets secrets = new MarkedSecrets(1);
    private final String token = secrets.make("token");

    @Test
    void credential_isFoundInEveryForm_whereverItStands() {
        for (String before : List.of("", "a", "ab", "abc")) {
            byte[] text = (before + token + "tail").getBytes(UTF_8);
            String once = Base64.getEncoder().encodeToString(text);
            assertThat(List.of(
                            before + token,
                            once,
                            Base64.getUrlEncoder().withoutPadding().encodeToString(text),
                            Base64.getEncoder().encodeToString((before + once).getBytes(UTF_8)),
                            HexFormat.of().formatHex(text),
                            HexFormat.of().withUpperCase().formatHex(text),
                            HexFormat.of().withPrefix("%").formatHex(text)))
                    .allSatisfy(form -> assertThat(secrets.in("x " + form + " y"))
                            .as(form)
                            .singleElement()
                            .asString()
                            .startsWith("token"));
        }
    }

    @Test
    void halfOfACredential_isFound_andFewCharactersAreNot() {
        assertThat(secrets.in(token.substring(5, 5 + MarkedSecrets.FOUND_CHARS)))
                .hasSize(1);
        assertThat(secrets.in(token.substring(0, MarkedSecrets.FOUND_CHARS - 1)))
                .isEmpty();
        assertThat(secrets.in("nothing of it")).isEmpty();
    }

    @Test
    void privateKey_isFoundInItsFile_andItsCertificateIsNoFinding() {
        X509Bundle client = new TestPki().client("CN=jane");
        secrets.add("key", client.getKeyPair().getPrivate());

        assertThat(secrets.in(client.getPrivateKeyPEM()))
                .singleElement()
                .asString()
                .startsWith("key");
        assertThat(secrets.in(Base64.getEncoder()
                        .encodeToString(client.getPrivateKeyPEM().getBytes(UTF_8))))
                .singleElement()
                .asString()
                .startsWith("key");
        assertThat(secrets.in(client.getCertificatePathPEM())).isEmpty();
    }
}
