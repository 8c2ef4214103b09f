package io.fairlead.schema.text;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.re2j.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class PatternCostTest {
    @ParameterizedTest
    @ValueSource(
            strings = {
                "a{1000}",
                "(a{10}){100}",
                "((a{10}){10}){10}",
                "(a{2,}){500}",
                "(a{1000}){1}",
                "(a{1000}){0}b{1000}",
                "a{1000}b{1000}c{1000}",
                "(a{1000}|b{1000})*",
                "a{,5000}",
                "a{05000}",
                "\\x{10FFFF}{1000}",
                "\\p{Greek}{1000}",
                "\\Q{2000}{2000}\\E",
                "[{5000}]{1000}",
                "[]{5000}]{3}",
                "(?P<many>a{100}){10}",
                "^[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*$"
            })
    void of_repeatsThatGoTakes_areTaken(String pattern) {
        assertThat(PatternCost.of(pattern).problem()).isEmpty();
        assertThat(Pattern.compile(pattern)).isNotNull();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = ' ',
            value = {
                "a{1001} {1001}",
                "a{5,4} {5,4}",
                "a{99999999999} {99999999999}",
                "(a{10}){101} {101}",
                "((a{11}){10}){10} {10}",
                "(?:(a{500,}){3}) {3}",
                "((a{600}|b){2}) {2}",
                "(b|(?i:a{34})*){30} {30}",
                "((((a{100}){100}){100}){100}) {100}"
            })
    void of_repeatsThatGoRefuses_areRefusedAsGoWordsIt(String pattern, String repeat) {
        assertThat(PatternCost.of(pattern).problem())
                .isEqualTo("error parsing regexp: invalid repeat count: `" + repeat + "`");
    }

    @Test
    void of_groupsThatNestTooDeeply_areRefused() {
        String pattern = "(".repeat(1001) + ")".repeat(1001);

        assertThat(PatternCost.of("(".repeat(1000) + ")".repeat(1000)).problem())
                .isEmpty();
        assertThat(PatternCost.of(pattern).problem())
                .isEqualTo("error parsing regexp: expression nests too deeply: `" + pattern + "`");
    }

    @Test
    void of_groupsAtTheDepthAllowed_areCompiledOnAVirtualThread() throws InterruptedException {
        String pattern = "(a".repeat(1000) + ")".repeat(1000);

        Thread thread = Thread.ofVirtual()
                .start(() -> assertThat(Patterns.problem(pattern, new Effort())).isEmpty());

        thread.join();
        assertThat(Patterns.matches(pattern, "a".repeat(1000), new Effort())).isTrue();
        assertThat(Patterns.matches(pattern, "a".repeat(999), new Effort())).isFalse();
    }

    @ParameterizedTest
    @ValueSource(strings = {"[ab]{1000}", "\\p{L}"})
    void of_manyOfThem_areTooLarge(String part) {
        assertThat(PatternCost.of(part.repeat(10)).problem()).isEmpty();
        assertThat(PatternCost.of(part.repeat(1000)).problem()).isEqualTo("error parsing regexp: expression too large");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"(", ")", "a)*{3}", "[", "[^", "\\", "\\p{", "\\x{", "{", "a{", "(?", "(?P<", "\\Qa", "*{9}"})
    void of_malformed_isLeftToTheEngine(String pattern) {
        assertThat(PatternCost.of(pattern).problem()).isEmpty();
    }

    @Test
    void problem_malformed_isTheEngines() {
        assertThat(Patterns.problem("a(", new Effort())).isEqualTo("error parsing regexp: missing closing ): `a(`");
        assertThat(Patterns.problem("a{10}{10}", new Effort())).contains("invalid nested repetition operator");
    }
}
