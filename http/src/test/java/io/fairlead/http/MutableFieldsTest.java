package io.fairlead.http;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Random;
import org.junit.jupiter.api.Test;

class MutableFieldsTest {
    private static final List<String> NAMES = List.of("Host", "ACCEPT", "x-other", "X-Another", "content-type");

    @Test
    void changes_leaveTheBlockAlone_thatTheyBeganWith() {
        Fields received =
                Fields.builder(2, 20).add(FieldName.HOST, "a").add("X-One", "b").build();
        MutableFields changed = received.toMutable();
        changed.remove(FieldName.HOST).set("x-one", "c").add(FieldName.ACCEPT, "d");

        assertThat(received).hasToString("host: a\nX-One: b\n");
        assertThat(changed).hasToString("x-one: c\naccept: d\n");
        assertThat(changed.size()).isEqualTo(2);
    }

    @Test
    void fields_thatWereMade_doNotChangeAnyMore() {
        MutableFields fields = new MutableFields().add("a", "1");
        Fields made = fields.toFields();
        fields.add("b", "2").remove(FieldName.of("a"));

        assertThat(made).hasToString("a: 1\n");
        assertThat(fields.toFields()).hasToString("b: 2\n");
    }

    @Test
    void copies_goTheirOwnWays() {
        MutableFields first = new MutableFields().add("a", "1");
        MutableFields second = first.copy();
        first.remove(FieldName.of("a")).add("b", "2");
        second.add("c", "3");

        assertThat(first).hasToString("b: 2\n");
        assertThat(second).hasToString("a: 1\nc: 3\n");
    }

    @Test
    void value_canBeNoOtherField() {
        Fields fields =
                new MutableFields().add("a", "1\r\nb: 2\u0000\u007f\u20ac").toFields();

        assertThat(fields.size()).isEqualTo(1);
        assertThat(fields.value(0)).isEqualTo("1  b: 2  ?");
    }

    @Test
    void onlyValueOfAName_isKnown() {
        MutableFields fields =
                new MutableFields().add("b", "x").add("a", "1\u00e9").add("c", "1\u00e9");
        FieldName a = FieldName.of("A");

        assertThat(fields.hasOnly(a, "1\u00e9")).isTrue();
        for (String other : List.of("", "1", "2\u00e9", "1\u01e9", "1\u00e91")) {
            assertThat(fields.hasOnly(a, other)).as(other).isFalse();
        }
        assertThat(fields.hasOnly(FieldName.of("d"), "1")).isFalse();
        assertThat(fields.add("a", "1\u00e9").hasOnly(a, "1\u00e9"))
                .as("two of them")
                .isFalse();
        assertThat(fields.remove(a).hasOnly(a, "1\u00e9")).as("none any more").isFalse();
    }

    @Test
    void lists_knowTheirMembers() {
        MutableFields fields =
                new MutableFields().add(FieldName.CONNECTION, "x, Upgrade").add("connection", "close");

        assertThat(fields.lists(FieldName.CONNECTION, "upgrade")).isTrue();
        assertThat(fields.lists(FieldName.CONNECTION, "CLOSE")).isTrue();
        assertThat(fields.lists(FieldName.CONNECTION, "keep-alive")).isFalse();
        assertThat(fields.get(FieldName.UPGRADE, "none")).isEqualTo("none");
    }

    @Test
    void randomChanges_areThoseOfAPlainList() {
        Random random = new Random(5);
        for (int round = 0; round < 300; round++) {
            List<String> expected = new ArrayList<>();
            MutableFields fields = new MutableFields();
            for (int step = 0; step < 60; step++) {
                String name = NAMES.get(random.nextInt(NAMES.size()));
                FieldName known = FieldName.of(name);
                String line = (random.nextBoolean() ? known.toString() : name) + ": " + "v".repeat(random.nextInt(40));
                int colon = line.indexOf(':');
                String prefix = known + ":";
                switch (random.nextInt(5)) {
                    case 0, 1 -> {
                        fields.add(line.substring(0, colon), line.substring(colon + 2));
                        expected.add(line);
                    }
                    case 2 -> {
                        fields.set(line.substring(0, colon), line.substring(colon + 2));
                        expected.removeIf(
                                other -> other.toLowerCase(Locale.ROOT).startsWith(prefix));
                        expected.add(line);
                    }
                    case 3 -> {
                        fields.remove(known);
                        expected.removeIf(
                                other -> other.toLowerCase(Locale.ROOT).startsWith(prefix));
                    }
                    default ->
                        fields = random.nextBoolean()
                                ? fields.copy()
                                : fields.toFields().toMutable();
                }
                assertThat(fields.contains(known))
                        .isEqualTo(expected.stream()
                                .anyMatch(
                                        other -> other.toLowerCase(Locale.ROOT).startsWith(prefix)));
            }
            assertThat(fields.toFields().toString().lines().toList()).isEqualTo(expected);
        }
    }
}
