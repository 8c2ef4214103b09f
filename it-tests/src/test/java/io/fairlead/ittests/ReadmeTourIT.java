package io.fairlead.ittests;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** The README's five minutes, typed as they stand there. */
class ReadmeTourIT {
    private static final Duration TOUR_TIMEOUT = Duration.ofMinutes(2);
    private static final Pattern SHELL = Pattern.compile("```sh\n(.*?)```", Pattern.DOTALL);

    @Test
    void tour_typedAsWritten_worksAsWritten() throws IOException {
        Path folder = Checkout.scratch("ReadmeTourIT");
        Files.createSymbolicLink(folder.resolve("fairlead"), Checkout.launcher());
        Files.createSymbolicLink(
                folder.resolve("kubectl"), Path.of(RealServers.get().kubectl()));
        try (FairleadProcess fairlead = FairleadProcess.start(folder)) {
            Output tour = Output.of(folder, environment(folder), "", TOUR_TIMEOUT, List.of("sh", "-c", hostedPart()));

            assertThat(tour.output())
                    .as("%s\n%s", tour.errors(), fairlead.log())
                    .containsSubsequence(
                            "cluster.fairlead.io/dev created",
                            "Switched to context \"dev\"",
                            "boats.example.com created",
                            "condition met",
                            "namespace/harbour created",
                            "boat.example.com/ketch created")
                    .containsPattern("EVENT +NAME +LENGTH +FLAG\nADDED +ketch +40 +white\n")
                    .containsPattern("MODIFIED +ketch +41 +white\n")
                    .containsSubsequence(
                            "Length is in feet.",
                            "\"ketch\" deleted",
                            "deleted at 2",
                            "boat.example.com/ketch patched",
                            "namespace \"harbour\" deleted");
            assertThat(tour.errors().strip())
                    .isEqualTo("The Boat \"ketch\" is invalid: spec.length: Invalid value: 0: "
                            + "spec.length in body should be greater than or equal to 1");
        }
    }

    private static Map<String, String> environment(Path folder) {
        return Map.of("PATH", folder + ":" + System.getenv("PATH"), "HOME", folder.toString());
    }

    /** The shell blocks of the tour that need no further cluster. */
    private static String hostedPart() throws IOException {
        String readme = Files.readString(Checkout.root().resolve("README.md"));
        String tour = readme.substring(readme.indexOf("## Five minutes"), readme.indexOf("Then a real cluster"));
        return SHELL.matcher(tour).results().map(block -> block.group(1)).collect(Collectors.joining());
    }
}
