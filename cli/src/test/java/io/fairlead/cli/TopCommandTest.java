package io.fairlead.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.fairlead.cli.FakeGateway.Printed;
import io.fairlead.cli.server.Paths;
import io.fairlead.schema.json.Json;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import tools.jackson.databind.JsonNode;

/** Who uses what, as {@code top} prints it. */
class TopCommandTest {
    private static final String[] QUICK = {"top", "--interval", "0.1"};

    @TempDir
    @SuppressWarnings("NullAway.Init") // set before each test
    private Path folder;

    @SuppressWarnings("NullAway.Init") // set before each test
    private FakeGateway gateway;

    @BeforeEach
    void start() throws Exception {
        gateway = new FakeGateway(folder);
        gateway.answer(Paths.FLEET + "/prod", "{\"name\": \"prod\"}");
        gateway.answerInTurn(Paths.USAGE, report(0, 1_000, 500), report(2, 1_010, 600), report(6, 1_050, 600));
    }

    @AfterEach
    void stop() {
        gateway.close();
    }

    @Test
    void table_hasClustersAndCallers_withRatesSinceTheQuestionBefore() {
        Printed printed = run();

        assertThat(printed.code()).isZero();
        assertThat(lines(printed))
                .containsExactly(
                        "CLUSTER|REQ/S|SHORT|WAITING|WATCHES|STREAMS|BYTES",
                        "dev|50.0|3|2|40|1|20Ki",
                        "prod|5.0|0|0|0|0|100",
                        "and 1 more clusters",
                        "",
                        "CLUSTER|CALLER|REQ/S|SHORT|WAITING|WATCHES|STREAMS|BYTES",
                        "dev|ann|50.0|3|2|40|1|20Ki",
                        "prod|(others)|5.0|0|0|0|0|100",
                        "dev|ann (of dev)|0.5|0|0|0|0|0");
        assertThat(gateway.query(Paths.USAGE)).isEqualTo("sort=requests&top=1000");
        assertThat(printed.err()).isEmpty();
    }

    @Test
    void watch_printsAgain_eachTimeWithTheRatesSince() {
        Printed printed = run("--watch", "--count", "2", "-c", "prod", "--rows", "1");

        assertThat(lines(printed))
                .filteredOn(line -> line.startsWith("dev|") || line.startsWith("prod|"))
                .containsExactly(
                        "dev|50.0|3|2|40|1|20Ki",
                        "dev|ann|50.0|3|2|40|1|20Ki",
                        "prod|10.0|0|0|0|0|100",
                        "prod|(others)|10.0|0|0|0|0|100");
        assertThat(gateway.query(Paths.USAGE)).isEqualTo("sort=requests&top=1000&cluster=prod");
    }

    @Test
    void sort_asksForThoseWithTheMost_andPrintsThemFirst() {
        Printed printed = run("--sort", "watches", "--rows", "1");

        assertThat(lines(printed)).contains("dev|50.0|3|2|40|1|20Ki", "and 2 more clusters", "and 2 more callers");
        assertThat(gateway.query(Paths.USAGE)).isEqualTo("sort=watches&top=1000");
    }

    @Test
    void programs_getTheDocumentWithTheRates() {
        JsonNode document = Json.read(run("-o", "json").out());

        assertThat(document.path("seconds").asDouble()).isEqualTo(2);
        assertThat(document.path("clustersTotal").asInt()).isEqualTo(3);
        JsonNode first = document.path("callers").get(0);
        assertThat(first.path("caller").asString()).isEqualTo("ann");
        assertThat(first.path("requestsPerSecond").asDouble()).isEqualTo(50);
        assertThat(run("-o", "name").out().lines()).containsExactly("dev", "prod", "dev/ann", "prod/(others)");
    }

    @Test
    void clusterThatIsNotRegistered_isRefused() {
        gateway.answer(Paths.FLEET + "/nope", "{\"message\": \"cluster \\\"nope\\\" is not registered\"}");
        gateway.code(Paths.FLEET + "/nope", 404);

        assertThat(run("-c", "nope")).isEqualTo(new Printed(1, "", "error: cluster \"nope\" is not registered\n"));
    }

    @ParameterizedTest
    @CsvSource({
        "--rows,0,expected 1 to 1000",
        "--rows,1001,expected 1 to 1000",
        "--interval,0,expected 0.1 to 3600",
        "--interval,NaN,expected 0.1 to 3600",
        "--count,3,with --watch",
        "--sort,cpu,'--sort: \"cpu\" (expected rate, requests, short, waiting, watches, streams or bytes)'",
        "--count,x,option --count \"x\" (expected an integer)",
        "--interval,x,option --interval \"x\" (expected a number)"
    })
    void wrongUsage_saysWhatIsExpected(String option, String value, String expected) {
        Printed printed = gateway.run("top", option, value);

        assertThat(printed.code()).isEqualTo(64);
        assertThat(printed.err()).contains(option, value, expected);
    }

    private Printed run(String... more) {
        return gateway.run(Stream.concat(Stream.of(QUICK), Stream.of(more)).toArray(String[]::new));
    }

    private static List<String> lines(Printed printed) {
        return printed.out().lines().map(line -> line.replaceAll(" {3,}", "|")).toList();
    }

    /** What a server says, so many seconds after noon. */
    private static String report(int seconds, int ofProd, int ofDev) {
        String dev = counts(ofDev, 3, 2, 40, 1, 20_480);
        String prod = counts(ofProd, 0, 0, 0, 0, 100);
        return "{\"time\":\"2026-11-28T12:00:0" + seconds + "Z\",\"clustersTotal\":3,\"callersTotal\":3,"
                + "\"clusters\":[{\"cluster\":\"prod\"," + prod + "},{\"cluster\":\"dev\"," + dev + "}],"
                + "\"callers\":[{\"cluster\":\"prod\",\"others\":true," + prod + "},"
                + "{\"cluster\":\"dev\",\"caller\":\"ann\"," + dev + "}"
                + (seconds == 2
                        ? ",{\"cluster\":\"dev\",\"caller\":\"ann\",\"realm\":\"dev\"," + counts(1, 0, 0, 0, 0, 0) + "}"
                        : "")
                + "]}";
    }

    private static String counts(int requests, int... others) {
        List<String> names = List.of("shortCalls", "waiting", "watches", "streams", "bytes");
        StringBuilder text = new StringBuilder("\"requests\":" + requests);
        for (int i = 0; i < others.length; i++) {
            text.append(",\"").append(names.get(i)).append("\":").append(others[i]);
        }
        return text.toString();
    }
}
