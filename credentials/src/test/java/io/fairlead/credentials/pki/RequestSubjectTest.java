package io.fairlead.credentials.pki;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.nio.charset.Charset;
import java.util.Arrays;
import java.util.HexFormat;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class RequestSubjectTest {
    private static final String ORGANIZATION = "060355040a";
    private static final String COMMON_NAME = "0603550403";

    @ParameterizedTest
    @CsvSource({"0c, UTF-8", "13, US-ASCII", "14, US-ASCII", "16, US-ASCII", "1a, US-ASCII", "1e, UTF-16BE"})
    void organization_isReadInEveryFormOfText(String tag, Charset charset) {
        String text = element(tag, HexFormat.of().formatHex("system:masters".getBytes(charset)));
        String name = element("31", element("30", ORGANIZATION + text));

        assertThat(RequestSubject.organizations(request(name))).containsExactly("system:masters");
    }

    @Test
    void everyOrganization_isRead_andNothingElse() {
        String name = element("31", attribute(COMMON_NAME, "n") + attribute(ORGANIZATION, "a"))
                + element("31", attribute(ORGANIZATION, "b") + attribute(ORGANIZATION, "x".repeat(300)));

        assertThat(RequestSubject.organizations(request(name))).containsExactly("a", "b", "x".repeat(300));
        assertThat(RequestSubject.organizations(request(""))).isEmpty();
    }

    @Test
    void requestThatIsCutOff_isRefused() {
        byte[] whole = request(element("31", attribute(ORGANIZATION, "a")));

        for (int length = 0; length < whole.length; length++) {
            byte[] cut = Arrays.copyOf(whole, length);
            assertThatIllegalArgumentException().isThrownBy(() -> RequestSubject.organizations(cut));
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "3080020100",
                "30850000000001",
                "3084ffffffff",
                "308102ff",
                "300430020200",
                "31020500",
                "3003020100"
            })
    void whatIsNoRequest_isRefused(String der) {
        byte[] bytes = HexFormat.of().parseHex(der);

        assertThatIllegalArgumentException().isThrownBy(() -> RequestSubject.organizations(bytes));
    }

    /** Neither the stack nor the time of the caller ends. */
    @Test
    void requestThatNestsAsDeepAsABodyCan_isRefusedAtOnce() {
        byte[] nested = HexFormat.of().parseHex("3080".repeat(1_000_000));

        assertThatIllegalArgumentException().isThrownBy(() -> RequestSubject.organizations(nested));
    }

    @ParameterizedTest
    @ValueSource(strings = {"0400", "1c0400000061"})
    void organizationThatIsNoText_isRefused(String value) {
        byte[] octets = request(element("31", element("30", ORGANIZATION + value)));

        assertThatIllegalArgumentException()
                .isThrownBy(() -> RequestSubject.organizations(octets))
                .withMessage("asn1: structure error: an organization is no text");
    }

    private static byte[] request(String name) {
        return HexFormat.of().parseHex(element("30", element("30", "020100" + element("30", name))));
    }

    private static String attribute(String type, String text) {
        return element("30", type + element("0c", HexFormat.of().formatHex(text.getBytes(UTF_8))));
    }

    private static String element(String tag, String content) {
        int length = content.length() / 2;
        return tag + (length < 128 ? "%02x" : "82%04x").formatted(length) + content;
    }
}
