package io.fairlead.benchmarks.proxy;

import io.fairlead.benchmarks.Report;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;

/** Where the gateway's time goes while it proxies small requests: the JVM's own flight recorder, after the measurements. */
final class Profile {
    private static final int HOTTEST = 12;

    private final double system;
    private final String view;

    private Profile(double system, String view) {
        this.system = system;
        this.view = view;
    }

    static Profile take(Arena arena, int seconds) throws IOException, InterruptedException {
        Workshop workshop = arena.workshop();
        Contestant fairlead = arena.get("fairlead h1");
        String pid = Long.toString(fairlead.process().pid());
        Path recording = workshop.path("profile.jfr");
        run(workshop, jcmd(), pid, "JFR.start", "name=profile", "settings=profile");
        double userBefore = fairlead.userMicros();
        double before = fairlead.cpuMicros();
        arena.load().h1(fairlead.url() + Arena.BODIES + Arena.SIZES.getFirst(), 16, seconds);
        double system = 1 - (fairlead.userMicros() - userBefore) / (fairlead.cpuMicros() - before);
        run(workshop, jcmd(), pid, "JFR.dump", "name=profile", "filename=" + recording);
        run(workshop, jcmd(), pid, "JFR.stop", "name=profile");
        String view = run(workshop, tool("jfr"), "view", "--width", "140", "hot-methods", recording.toString());
        return new Profile(system, view);
    }

    void write(Report report) {
        report.line("");
        report.line("### What small requests over HTTP/1.1 cost");
        report.line("");
        report.line(
                "In the kernel: " + Math.round(system * 100) + " % of the gateway's CPU time. The rest by samples of"
                        + " the JVM's flight recorder, which counts native calls"
                        + " for their Java callers, the hottest first:");
        report.line("");
        report.line("```");
        view.lines().filter(line -> !line.isBlank()).limit(HOTTEST).forEach(report::line);
        report.line("```");
    }

    static String jcmd() {
        return tool("jcmd");
    }

    private static String tool(String name) {
        return Path.of(System.getProperty("java.home"), "bin", name).toString();
    }

    private static String run(Workshop workshop, String... command) throws IOException, InterruptedException {
        return workshop.run("profile", Workshop.LOAD_CPU, List.of(command));
    }
}
