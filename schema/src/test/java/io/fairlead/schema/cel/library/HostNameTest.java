package io.fairlead.schema.cel.library;

import static org.assertj.core.api.Assertions.assertThat;

import io.fairlead.schema.cel.value.CelError;
import io.fairlead.schema.cel.value.Work;
import io.fairlead.schema.text.Effort;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class HostNameTest {
    @ParameterizedTest
    @CsvSource({
        "example.com, example.com",
        "EXAMPLE.com., example.com",
        "Example.COM.:443, example.com",
        "https://user:pw@Example.com:8443/path?q=http://other.org#x, example.com",
        "HTTP://example.com, example.com",
        "ws+unix.1://example.com?x, example.com",
        "http://example.com:, example.com",
        "*.Example.com, *.example.com",
        "https://*.example.com:443/, *.example.com",
        "_dmarc.example.com, _dmarc.example.com",
        "localhost, localhost",
        "bücher.example, xn--bcher-kva.example",
        "BÜCHER.example, xn--bcher-kva.example",
        "bu\u0308cher.example, xn--bcher-kva.example",
        "XN--BCHER-KVA.example, xn--bcher-kva.example",
        "*.bücher.example:80, *.xn--bcher-kva.example",
        "例え。テスト。, xn--r8jz45g.xn--zckzah",
        "ｅｘａｍｐｌｅ.com, example.com",
        "10.0.0.1:80, 10.0.0.1",
        "１０.0.0.1, 10.0.0.1",
        "0:0:0:0:0:0:0:1, ::1",
        "[2001:DB8::0:1]:443, 2001:db8::1",
        "http://[::1]/, ::1",
    })
    void host_inOneForm(String text, String host) {
        assertThat(of(text)).isEqualTo(host);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                ".",
                "*",
                "*.",
                "a..b",
                "a.b..",
                "a b",
                "-a.b",
                "a-.b",
                "a/b",
                "a:b",
                "a:65536",
                "a:1:2",
                "user@a",
                "mailto:a@b",
                "://a",
                "1http://a",
                "http://",
                "http:///path",
                "http://a:b/",
                "http://::1/",
                "http://a%2eb/",
                "//a/b",
                "a.*.b",
                "*.10.0.0.1",
                "10.0.0",
                "010.0.0.1",
                "10.0.0.256",
                "[10.0.0.1]",
                "[a.b]",
                "[::1",
                "[::1]x",
                "fe80::1%eth0",
                "::ffff:10.0.0.1",
                "a\u2025b",
                "ü\u2024b.c",
                "a＊.b",
                "a\u0000b",
                "xn--ü.b",
                "\ud800ü",
                "faß.de",
                "ς.gr",
                "ü\u200d.de",
            })
    void host_ofWhatIsNone_isAnError(String text) {
        assertThat(of(text))
                .isInstanceOf(CelError.class)
                .extracting(Object::toString)
                .asString()
                .contains("hostOf: ");
    }

    @Test
    void host_asLongAsDnsHasIt_isTaken() {
        String label = "a".repeat(63);
        String longest = label + "." + label + "." + label + "." + "a".repeat(61);
        assertThat(of(longest + ".")).isEqualTo(longest);
        assertThat(of(longest + "a")).isInstanceOf(CelError.class);
        assertThat(of("*." + longest)).isInstanceOf(CelError.class);
        assertThat(of("a" + label)).isInstanceOf(CelError.class);
        assertThat(of("ü".repeat(1024))).isInstanceOf(CelError.class);
        assertThat(of("ü.".repeat(1024))).isInstanceOf(CelError.class);
        assertThat(of("https://a/" + "x".repeat(8000))).isEqualTo("a");
        assertThat(of("https://a/" + "x".repeat(1 << 20)))
                .isEqualTo(new CelError("hostOf: a text of 1048586 characters (expected at most 8192)"));
    }

    @Test
    void host_ofRandomText_isAnErrorOrAHostThatStays() {
        long seed = Long.getLong("fuzz.seed", 7);
        Random random = new Random(seed);
        String[] parts = {
            "a", "B", "ü", "ß", "\u0130", "。", ".", "*.", ":", "1", "://", "[", "]", "xn--", "-", "é", "\u0308"
        };
        for (int i = 0; i < 20_000; i++) {
            StringBuilder text = new StringBuilder();
            for (int j = random.nextInt(8); j >= 0; j--) {
                boolean any = random.nextInt(6) == 0;
                text.append(any ? Character.toString(random.nextInt(0x110000)) : parts[random.nextInt(parts.length)]);
            }
            Object host = of(text.toString());
            if (host instanceof String name) {
                assertThat(of(name)).as("seed %d, text %d", seed, i).isEqualTo(name);
                assertThat(name).as("seed %d, text %d", seed, i).matches("[a-z0-9:._*-]+");
            }
        }
    }

    private static Object of(String text) {
        return HostName.of(text, new Work(new Effort()));
    }
}
