package io.fairlead.model;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class ClusterPathTest {
    static List<CaseTable.Case> cases() throws IOException {
        return CaseTable.read("cluster-paths.txt").cases();
    }

    @ParameterizedTest
    @MethodSource("cases")
    void parse_followsTheTable(CaseTable.Case line) {
        String actual = describe(line.rawInput());

        if (line.expected().startsWith("400 ")) {
            assertThat(actual).startsWith("400 ").contains(line.expected().substring(4));
        } else {
            assertThat(actual).isEqualTo(line.expected());
        }
    }

    private static String describe(String target) {
        try {
            ClusterPath parsed = ClusterPath.parse(target);
            String cluster = parsed.cluster() == null ? "-" : parsed.cluster().value();
            return cluster + " " + parsed.path() + " " + (parsed.query().isEmpty() ? "-" : parsed.query());
        } catch (StatusException e) {
            return e.status().code() + " " + e.status().message();
        }
    }
}
