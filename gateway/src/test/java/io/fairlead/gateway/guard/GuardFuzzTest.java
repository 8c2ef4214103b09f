package io.fairlead.gateway.guard;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;

import com.code_intelligence.jazzer.api.FuzzedDataProvider;
import com.code_intelligence.jazzer.junit.FuzzTest;
import io.fairlead.index.history.WatchCursor;
import io.fairlead.index.history.WatchDecision;
import io.fairlead.model.HistoryMode;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Timeout;

/**
 * Jazzer searches for a stream that is changed without a reason: a minute in each build, ten with the long forms of tests. Where {@code JAZZER_FUZZ} is not set, the known inputs are replayed.
 */
class GuardFuzzTest {
    private static final String[] CONTENT_TYPES = {
        "application/json", "application/cbor-seq", "application/vnd.kubernetes.protobuf;stream=watch"
    };

    @Timeout(value = 3, unit = TimeUnit.MINUTES)
    @FuzzTest(maxDuration = "1m")
    void minute_anyStream_passesAsItIs_unlessItGoesBack(FuzzedDataProvider data) {
        check(data);
    }

    @Timeout(value = 12, unit = TimeUnit.MINUTES)
    @FuzzTest(maxDuration = "10m")
    void tenMinutes_anyStream_passesAsItIs_unlessItGoesBack(FuzzedDataProvider data) {
        check(data);
    }

    private static void check(FuzzedDataProvider data) {
        String contentType = data.pickValue(CONTENT_TYPES);
        int pieceBytes = data.consumeInt(1, 64);
        HeldBytes memory = HeldBytes.of(data.consumeInt(0, 512), 1_000);
        String stream = new String(data.consumeRemainingAsBytes(), ISO_8859_1);

        GuardedStream observed = new GuardedStream(contentType, WatchCursor.of("4", false), memory);
        observed.mode = HistoryMode.OBSERVE;
        assertThat(observed.acceptBy(pieceBytes, stream).complete()).isEqualTo(stream);

        GuardedStream guarded = new GuardedStream(contentType, WatchCursor.of("4", false), memory);
        String received = guarded.acceptBy(pieceBytes, stream).complete();
        if (guarded.decisions.stream().noneMatch(WatchDecision::isTravel)) {
            assertThat(received).isEqualTo(stream);
        }
        if (guarded.ended) {
            assertThat(received).contains("Expired");
        }
        assertThat(memory.held()).hasValue(0);
    }
}
