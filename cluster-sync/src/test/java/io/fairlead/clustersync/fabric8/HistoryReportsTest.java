package io.fairlead.clustersync.fabric8;

import static org.assertj.core.api.Assertions.assertThat;

import io.fairlead.clustersync.source.TypeChange;
import io.fairlead.index.HolderType;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;

/** What is reported of a history that has ended, by whichever feed. */
class HistoryReportsTest {
    private static final TypeChange REPLACED = new TypeChange.Replaced("of a test", "");
    private static final TypeChange CURRENT = new TypeChange.Current(Set.of(HolderType.CRD));

    private final List<TypeChange> told = new ArrayList<>();
    private final HistoryReports reports = new HistoryReports(this::hear);
    private boolean endsHistories;

    @Test
    void endOfAHistory_isReportedOnce_evenIfTwoStoresNoticeIt() {
        Consumer<TypeChange> definitions = reports.ofPresentHistory();
        Consumer<TypeChange> services = reports.ofPresentHistory();
        endsHistories = true;

        definitions.accept(REPLACED);
        services.accept(REPLACED);
        definitions.accept(CURRENT);

        assertThat(told).containsExactly(REPLACED);
        Consumer<TypeChange> next = reports.ofPresentHistory();
        next.accept(CURRENT);
        reports.report(CURRENT);
        assertThat(told).containsExactly(REPLACED, CURRENT, CURRENT);
    }

    @Test
    void closed_reportsNothing() {
        Consumer<TypeChange> definitions = reports.ofPresentHistory();

        reports.close();
        definitions.accept(CURRENT);
        reports.report(CURRENT);

        assertThat(told).isEmpty();
    }

    private void hear(TypeChange change) {
        told.add(change);
        if (endsHistories && change.equals(REPLACED)) {
            reports.nextHistory();
        }
    }
}
