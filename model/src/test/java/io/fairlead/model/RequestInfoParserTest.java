package io.fairlead.model;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class RequestInfoParserTest {
    static List<CaseTable.Case> cases() throws IOException {
        return CaseTable.read("request-info.txt").cases();
    }

    @ParameterizedTest
    @MethodSource("cases")
    void parse_followsTheTable(CaseTable.Case line) {
        String actual = describe(line.rawInput());

        if (line.expected().startsWith("400 ")) {
            assertThat(actual).startsWith("400 ").contains(line.expected().substring(4));
        } else {
            assertThat(actual).isEqualTo(CaseTable.unescaped(line.expected()));
        }
    }

    @Test
    void parse_keepsThePathAsReceived() {
        RequestInfo info = RequestInfoParser.parse("GET", "/api/v1/pods/a%3Ab/", "watch=1");

        assertThat(info.path()).isEqualTo("/api/v1/pods/a%3Ab/");
        assertThat(info.name()).isEqualTo("a:b");
    }

    @Test
    void refusal_ofALongHostileValue_staysShortAndPrintable() {
        assertThatThrownBy(() -> RequestInfoParser.parse("GET", "/" + "\u001b".repeat(5_000), ""))
                .isInstanceOf(StatusException.class)
                .message()
                .hasSizeLessThan(1_000)
                .matches("\\P{Cntrl}*");
    }

    private static String describe(String line) {
        int space = line.indexOf(' ');
        String target = line.substring(space + 1);
        int question = target.indexOf('?');
        String path = question < 0 ? target : target.substring(0, question);
        String query = question < 0 ? "" : target.substring(question + 1);
        try {
            return describe(RequestInfoParser.parse(line.substring(0, space), path, query));
        } catch (StatusException e) {
            return e.status().code() + " " + e.status().message();
        }
    }

    private static String describe(RequestInfo info) {
        if (!info.resourceRequest()) {
            return "non-resource " + info.verb();
        }
        String text = "verb=" + info.verb() + " prefix=" + info.apiPrefix() + " gv="
                + new GroupVersion(info.group(), info.version());
        text += info.namespace().isEmpty() ? "" : " ns=" + info.namespace();
        text += " res=" + info.resource() + (info.subresource().isEmpty() ? "" : "/" + info.subresource());
        text += info.name().isEmpty() ? "" : " name=" + info.name();
        return text + (info.remainder().isEmpty() ? "" : " rest=" + info.remainder());
    }
}
