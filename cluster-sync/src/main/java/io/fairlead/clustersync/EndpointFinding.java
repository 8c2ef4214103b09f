package io.fairlead.clustersync;

import io.fairlead.clustersync.source.Finding;
import io.fairlead.clustersync.source.Findings;
import io.fairlead.net.EndpointReport;

/**
 * What is known of one API server of a cluster.
 *
 * @param url as it is registered
 * @param ready whether it gets requests, in the form of a condition
 */
public record EndpointFinding(String url, Finding ready) {
    private static final Finding NOT_ASKED = Finding.unknown("Pending", "nothing has come from the API server yet");
    private static final Finding READY = Finding.yes("Ready", "the API server says that it is ready");
    private static final Finding ANSWERS = Finding.yes("Answers", "the API server answers");

    static EndpointFinding of(EndpointReport report) {
        return new EndpointFinding(
                report.url(),
                switch (report.verdict()) {
                    case EndpointReport.Unproven _ -> NOT_ASKED;
                    case EndpointReport.Ready(EndpointReport.Evidence evidence) -> of(evidence);
                    case EndpointReport.Unready(int status) ->
                        Finding.no("NotReady", "the API server answers " + status + " for /readyz (expected 200)");
                    case EndpointReport.Broken broken -> Findings.of(broken.failure());
                });
    }

    private static Finding of(EndpointReport.Evidence evidence) {
        return switch (evidence) {
            case READYZ -> READY;
            case CONNECTION -> ANSWERS;
        };
    }
}
