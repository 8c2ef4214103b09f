package io.fairlead.fleet;

import static org.assertj.core.api.Assertions.assertThat;

import io.fairlead.index.history.KnownHistory;
import io.fairlead.index.history.Rewind;
import io.fairlead.index.history.RewoundRevisions;
import io.fairlead.schema.json.Json;
import java.time.Instant;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.node.ObjectNode;

/** What a status keeps of a cluster's histories. */
class HistoryDocumentTest {
    @Test
    void rewinds_areReadAsTheyWereWritten() {
        RewoundRevisions rewound = RewoundRevisions.NONE
                .with(new Rewind("", "1" + "0".repeat(39), Instant.parse("2026-11-24T12:00:00.123456789Z")))
                .with(new Rewind("500", "", Instant.parse("2026-11-25T12:00:00Z")));
        ObjectNode status = Json.object();
        status.put("epoch", 3);

        HistoryDocument.write(status, rewound);

        assertThat(HistoryDocument.read(status)).isEqualTo(new KnownHistory(3, rewound));
    }

    @Test
    void historyThatWasNeverRewound_writesNothing() {
        ObjectNode status = Json.object();

        HistoryDocument.write(status, RewoundRevisions.NONE);

        assertThat(status.isEmpty()).isTrue();
        assertThat(HistoryDocument.read(status)).isEqualTo(KnownHistory.NONE);
    }

    @Test
    void whatCannotBeRead_isLeftOut() {
        ObjectNode status = Json.object();
        status.put("epoch", -1);
        var rewinds = status.putObject("history").putArray("rewinds");
        rewinds.addObject().put("time", "yesterday").put("upTo", "7");
        rewinds.addObject().put("time", "2026-11-24T12:00:00Z").put("upTo", "8");
        rewinds.add("odd");

        KnownHistory read = HistoryDocument.read(status);

        assertThat(read.epoch()).isEqualTo(1);
        assertThat(read.rewound().rewinds()).singleElement().returns("8", Rewind::upTo);
    }
}
