package io.fairlead.model;

import static org.assertj.core.api.Assertions.assertThat;

import com.code_intelligence.jazzer.api.FuzzedDataProvider;
import com.code_intelligence.jazzer.junit.FuzzTest;

/** Replays the known inputs in an ordinary run; with {@code JAZZER_FUZZ=1} it searches for new ones. */
class RequestInfoParserFuzzTest {
    @FuzzTest(maxDuration = "2m")
    void parse_neverThrowsAnythingButARefusal(FuzzedDataProvider data) {
        String method = data.pickValue(new String[] {"GET", "DELETE", "POST", "X"});
        String target = data.consumeRemainingAsAsciiString();
        try {
            ClusterPath selected = ClusterPath.parse(target);
            RequestInfo info = RequestInfoParser.parse(method, selected.path(), selected.query());
            assertThat(info.path()).isEqualTo(selected.path());
        } catch (StatusException e) {
            assertThat(e.status().code()).isEqualTo(400);
        }
    }
}
