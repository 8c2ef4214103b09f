package io.fairlead.benchmarks;

import io.fairlead.benchmarks.hosted.HostedReport;
import io.fairlead.benchmarks.index.IndexReport;
import io.fairlead.benchmarks.proxy.Length;
import io.fairlead.benchmarks.proxy.ProxyReport;
import io.fairlead.benchmarks.route.RouteReport;
import io.fairlead.benchmarks.types.TypesReport;
import java.nio.file.Path;
import java.util.List;

/**
 * Runs one part or all. Arguments: {@code index}, {@code types}, {@code proxy}, {@code proxy-quick}, {@code watches},
 * {@code audit}, {@code cold},
 * {@code hosted} or {@code all}, and the folder for the results.
 */
public final class Benchmarks {
    private Benchmarks() {}

    public static void main(String[] arguments) throws Exception {
        String part = arguments.length == 2 ? arguments[0] : "";
        if (!List.of("index", "types", "proxy", "proxy-quick", "watches", "audit", "cold", "hosted", "all")
                .contains(part)) {
            throw new IllegalArgumentException("part: \"" + part
                    + "\" (expected index, types, proxy, proxy-quick, watches, audit, cold, hosted or all, and"
                    + " a folder)");
        }
        Report report = Report.of(part, Path.of(arguments[1]));
        if (part.equals("proxy") || part.equals("all")) {
            new ProxyReport(report, Length.FULL).write();
        }
        if (part.equals("proxy-quick")) {
            new ProxyReport(report, Length.QUICK).writeCosts();
        }
        if (part.equals("watches")) {
            new ProxyReport(report, Length.FULL).writeWatches();
        }
        if (part.equals("audit")) {
            new ProxyReport(report, Length.FULL).writeAudited();
        }
        if (part.equals("cold")) {
            new ProxyReport(report, Length.COLD).writeCold();
        }
        if (part.equals("hosted") || part.equals("all")) {
            new HostedReport(report, HostedReport.Length.FULL, Checkout.launcher()).write();
        }
        if (part.equals("index") || part.equals("all")) {
            new IndexReport(report, IndexReport.CLUSTERS).write();
            new RouteReport(report).write();
        }
        if (part.equals("types") || part.equals("all")) {
            new TypesReport(report).write();
        }
        report.save();
    }
}
