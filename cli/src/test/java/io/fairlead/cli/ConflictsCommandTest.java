package io.fairlead.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.fairlead.cli.FakeGateway.Printed;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Conflicts, as {@code conflicts} prints them. */
class ConflictsCommandTest {
    private static final String PATH = "/fairlead/v1/conflicts";
    private static final String CONFLICT =
            "{\"conflicts\":[{\"key\":\"cluster-identity/0f6c\",\"kind\":\"cluster-identity\","
                    + "\"since\":\"2026-11-24T12:00:00Z\",\"holdersTotal\":3,\"holders\":["
                    + "{\"name\":\"prod-1\",\"uid\":\"a\",\"role\":\"Incumbent\",\"state\":\"Held\"},"
                    + "{\"name\":\"prod-2\",\"uid\":\"b\",\"role\":\"Challenger\",\"state\":\"Conflict\"}]}]}";

    @TempDir
    private Path folder;

    private FakeGateway gateway;

    @BeforeEach
    void start() throws Exception {
        gateway = new FakeGateway(folder);
    }

    @AfterEach
    void stop() {
        gateway.close();
    }

    @Test
    void none_isZero() {
        gateway.answer(PATH, "{\"conflicts\":[]}");

        Printed printed = gateway.run("conflicts");

        assertThat(printed.code()).isZero();
        assertThat(printed.out()).isEqualToIgnoringNewLines("no conflicts");
    }

    @Test
    void noneIsKnown_whereNotAllIsCompared_isThree() {
        gateway.answer(
                PATH,
                "{\"conflicts\":[],\"unknown\":[{\"rule\":\"exclusive-key/hosts\",\"reason\":\"NotObserved\","
                        + "\"message\":\"not all objects are compared\"}]}");

        Printed printed = gateway.run("conflicts");

        assertThat(printed.code()).isEqualTo(3);
        assertThat(printed.out().lines())
                .containsExactly(
                        "no conflict is known",
                        "not known: exclusive-key/hosts: NotObserved: not all objects are compared");
    }

    @Test
    void whatIsNoKey_isNotExplained() {
        for (String key : new String[] {"hosts", "exclusive-key/hosts", "exclusive-key/hosts/5F0c"}) {
            Printed printed = gateway.run("conflicts", "--explain", key);

            assertThat(printed.code()).isEqualTo(64);
            assertThat(printed.err()).contains("\"" + key + "\" is no key");
        }
    }

    @Test
    void some_areATable_andTwo() {
        gateway.answer(PATH, CONFLICT);

        Printed printed = gateway.run("conflicts");

        assertThat(printed.code()).isEqualTo(2);
        assertThat(printed.out().lines().map(line -> line.replaceAll(" {3,}", "|")))
                .containsExactly("KEY|STAYS|OTHERS|SINCE", "cluster-identity/0f6c|prod-1|prod-2|2026-11-24T12:00:00Z");
    }

    @Test
    void programs_getTheDocument() {
        gateway.answer(PATH, CONFLICT);

        Printed printed = gateway.run("conflicts", "-o", "json");

        assertThat(printed.code()).isEqualTo(2);
        assertThat(printed.out()).contains("\"holdersTotal\"");
        assertThat(gateway.run("conflicts", "-o", "name").out()).isEqualToIgnoringNewLines("cluster-identity/0f6c");
    }
}
