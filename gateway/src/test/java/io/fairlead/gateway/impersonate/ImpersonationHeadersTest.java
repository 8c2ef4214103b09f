package io.fairlead.gateway.impersonate;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.fairlead.http.MutableFields;
import io.fairlead.model.StatusException;
import io.fairlead.model.UserInfo;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Whom the headers of impersonation name. */
class ImpersonationHeadersTest {
    @Test
    void everyPart_isRead_andGroupsKeepTheirOrder() {
        UserInfo wanted = ImpersonationHeaders.wanted(headers(
                "Impersonate-User: jane-doe",
                "Impersonate-Group: system:authenticated",
                "impersonate-group: developers",
                "IMPERSONATE-UID: uniq-id",
                "Impersonate-Extra-Known-Languages: python",
                "Impersonate-Extra-known-languages: javascript",
                "Accept: */*"));

        assertThat(wanted)
                .isEqualTo(new UserInfo(
                        "jane-doe",
                        "uniq-id",
                        List.of("system:authenticated", "developers"),
                        Map.of("known-languages", List.of("python", "javascript"))));
    }

    @ParameterizedTest
    @CsvSource({
        "acme.com%2fproject, acme.com/project",
        "Example.Com%2FScopes, example.com/scopes",
        "%41bc, Abc",
        "50%, 50%",
        "50%2, 50%2",
        "50%zz, 50%zz",
        "%c3%bc, ü",
        "a+b, a+b",
        "x%20, 'x '"
    })
    void keyOfAnExtra_isDecodedAsKubernetesDoes(String header, String key) {
        UserInfo wanted =
                ImpersonationHeaders.wanted(headers("Impersonate-User: jane", "Impersonate-Extra-" + header + ": v"));

        assertThat(wanted.extra()).containsExactly(Map.entry(key, List.of("v")));
    }

    @Test
    void names_areUtf8() {
        String bytes = new String("jürgen".getBytes(UTF_8), ISO_8859_1);

        assertThat(ImpersonationHeaders.wanted(headers("Impersonate-User: " + bytes))
                        .name())
                .isEqualTo("jürgen");
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
        Impersonate-Group: dev                                    | 400 | Impersonate-User | missing
        Impersonate-Uid: 1                                        | 400 | Impersonate-User | missing
        Impersonate-Extra-x: 1                                    | 400 | Impersonate-User | missing
        Impersonate-User:                                         | 400 | Impersonate-User | empty
        Impersonate-User: a; Impersonate-User: b                  | 400 | Impersonate-User | 2 times
        Impersonate-User: a; Impersonate-Uid: 1; Impersonate-Uid: 2 | 400 | Impersonate-Uid | 2 times
        Impersonate-User: a; Impersonate-Group:                   | 400 | Impersonate-Group | empty
        Impersonate-User: a; Impersonate-Extra-x:                 | 400 | Impersonate-Extra-x | empty
        Impersonate-User: a; Impersonate-Extra-: x                | 400 | Impersonate-Extra- | no key
        Impersonate-User: \u00ff                                  | 400 | Impersonate-User | UTF-8
        Impersonate-User: a; Impersonate-Anything: x              | 403 | Impersonate-Anything | expected
        Impersonate-: x                                           | 403 | Impersonate- | expected
        """)
    void whatIsNotBeyondDoubt_isRefusedByTheHeadersName(String fields, int code, String header, String why) {
        assertThatThrownBy(() -> ImpersonationHeaders.wanted(headers(fields.split("; "))))
                .isInstanceOfSatisfying(StatusException.class, e -> {
                    assertThat(e.status().code()).isEqualTo(code);
                    assertThat(e.status().message()).contains("\"" + header + "\"", why);
                });
    }

    private static MutableFields headers(String... fields) {
        MutableFields headers = new MutableFields();
        for (String field : fields) {
            int colon = field.indexOf(':');
            headers.add(field.substring(0, colon), field.substring(colon + 1).strip());
        }
        return headers;
    }
}
