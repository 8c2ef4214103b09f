package io.fairlead.http;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Locale;
import java.util.Objects;
import org.junit.jupiter.api.Test;

class FieldsTest {
    @Test
    void known_everyConstant_isFoundInAnyCase() {
        for (FieldName name : FieldName.known()) {
            for (String text : List.of(name.toString(), name.toString().toUpperCase(Locale.ROOT), mixed(name))) {
                byte[] bytes = ("#" + text + "#").getBytes(ISO_8859_1);
                assertThat(FieldName.find(bytes, 1, bytes.length - 2)).as(text).isSameAs(name);
                assertThat(FieldName.of(text)).isSameAs(name);
            }
            assertThat(FieldName.known().get(name.id() - 1)).isSameAs(name);
        }
    }

    @Test
    void find_namesThatDifferInOneByte_isNone() {
        for (FieldName name : FieldName.known()) {
            for (int i = 0; i < name.bytes().length; i++) {
                for (int flip : new int[] {0x01, 0x20, 0x40, 0x80}) {
                    byte[] bytes = name.bytes().clone();
                    bytes[i] ^= (byte) flip;
                    boolean caseOnly = flip == 0x20 && Character.isLetter(name.bytes()[i]);
                    FieldName found = FieldName.find(bytes, 0, bytes.length);
                    assertThat(Objects.equals(found, name))
                            .as("%s with %x at %d", name, flip, i)
                            .isEqualTo(caseOnly);
                }
            }
        }
    }

    @Test
    void find_ofNothing_isNone() {
        assertThat(FieldName.find(new byte[0], 0, 0)).isNull();
    }

    @Test
    void fields_keepOrderCaseAndBytes() {
        Fields fields = Fields.builder(1, 4)
                .add("X-One", "a")
                .add(FieldName.HOST, "h\u00e9")
                .add("x-one", "")
                .add("HOST", "second")
                .build();

        assertThat(fields.size()).isEqualTo(4);
        assertThat(fields.name(0)).isEqualTo("X-One");
        assertThat(fields.value(1)).isEqualTo("h\u00e9");
        assertThat(fields.valueLength(1)).isEqualTo(2);
        assertThat(fields.all(FieldName.of("X-ONE"))).containsExactly("a", "");
        assertThat(fields.all(FieldName.HOST)).containsExactly("h\u00e9", "second");
        assertThat(fields.get(FieldName.of("x-two"))).isNull();
        assertThat(fields.known(0)).isNull();
        assertThat(fields.known(3)).isSameAs(FieldName.HOST);
        assertThat(fields.contains(FieldName.COOKIE)).isFalse();
        assertThat(fields.toString()).isEqualTo("X-One: a\nhost: h\u00e9\nx-one: \nHOST: second\n");
    }

    @Test
    void fields_ofManyBuilt_holdAll() {
        Fields.Builder builder = Fields.builder(0, 0);
        for (int i = 0; i < 1000; i++) {
            builder.add("name-" + i, "value-" + i);
        }
        Fields fields = builder.build();

        for (int i = 0; i < 1000; i++) {
            assertThat(fields.name(i)).isEqualTo("name-" + i);
            assertThat(fields.get(FieldName.of("Name-" + i))).isEqualTo("value-" + i);
        }
    }

    private static String mixed(FieldName name) {
        StringBuilder text = new StringBuilder(name.toString());
        for (int i = 0; i < text.length(); i += 2) {
            text.setCharAt(i, Character.toUpperCase(text.charAt(i)));
        }
        return text.toString();
    }
}
