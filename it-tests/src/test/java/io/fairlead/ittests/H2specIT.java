package io.fairlead.ittests;

import static org.assertj.core.api.Assertions.assertThat;

import io.fairlead.ittests.GoModule.Program;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** The HTTP/2 that clients meet, judged by h2spec 2.6 over TLS, its strict tests included. */
final class H2specIT {
    private static final Path FOLDER = Checkout.scratch("H2specIT");
    private static final Duration TIMEOUT = Duration.ofMinutes(3);
    private static final int CASES = 147;

    /** A test that passed has nothing within. */
    private static final Pattern CASE = Pattern.compile(
            "<testcase package=\"([^\"]*)\" classname=\"([^\"]*)\"[^>]*>(.*?)</testcase>", Pattern.DOTALL);

    /** What does not pass, and the sentence of RFC 9113 that speaks against the test; there is nothing of the kind. */
    private static final List<String> EXPECTED_FAILURES = List.of();

    private static final FairleadProcess FAIRLEAD = FairleadProcess.notStarted(FOLDER);

    private static Path h2spec = FOLDER;

    @BeforeAll
    static void start() {
        h2spec = new GoModule(
                        "h2spec", List.of(new Program("h2spec", "github.com/summerwind/h2spec/cmd/h2spec", "-s -w")))
                .built()
                .resolve("h2spec");
        FAIRLEAD.start();
    }

    @AfterAll
    static void stop() {
        FAIRLEAD.close();
    }

    @Test
    void everyCase_passes() throws IOException {
        List<Verdict> verdicts = verdicts("/version");

        assertThat(verdicts).hasSize(CASES);
        assertThat(verdicts.stream().filter(verdict -> !verdict.passed()).map(Verdict::toString))
                .containsExactlyElementsOf(EXPECTED_FAILURES);
    }

    /** An answer that comes from the end of the whole pipeline of stages: a 401. */
    @Test
    void everyCase_passes_whereTheAnswerIsARefusal() throws IOException {
        assertThat(verdicts("/api/v1/nodes").stream()
                        .filter(verdict -> !verdict.passed())
                        .map(Verdict::toString))
                .containsExactlyElementsOf(EXPECTED_FAILURES);
    }

    private static List<Verdict> verdicts(String path) throws IOException {
        Path report = Files.createTempFile(FOLDER, "h2spec", ".xml");
        int port = URI.create(FAIRLEAD.endpoint()).getPort();
        List<String> command = List.of(
                h2spec.toString(),
                "--strict",
                "--tls",
                "--insecure",
                "--port",
                Integer.toString(port),
                "--path",
                path,
                "--junit-report",
                report.toString());
        Output output = Output.of(FOLDER, Map.of(), "", TIMEOUT, command);
        List<Verdict> verdicts = CASE.matcher(Files.readString(report))
                .results()
                .map(found -> new Verdict(found.group(1), found.group(2), found.group(3)))
                .toList();
        assertThat(verdicts).as("%s", output).isNotEmpty();
        return verdicts;
    }

    /** One test of h2spec and what it has to say. */
    private record Verdict(String section, String title, String complaint) {
        boolean passed() {
            return complaint.isEmpty();
        }

        @Override
        public String toString() {
            return section + " " + title + ": " + complaint.strip();
        }
    }
}
