package io.fairlead.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.fairlead.cli.FakeGateway.Printed;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What publications would change, as {@code publication plan} prints it. */
class PublicationPlanCommandTest {
    private static final String PATH = "/clusters/root/apis/fairlead.io/v1alpha1/apipublicationplans";

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

    private static String plan(int targets, String steps) {
        return """
            {"kind":"APIPublicationPlan","metadata":{"name":"widgets"},"status":{"targets":%d,"clusters":[
              {"cluster":"prod","steps":[%s],"writes":[
                {"verb":"create","resource":"services","namespace":"fairlead","name":"things"},
                {"verb":"create","resource":"apiservices.apiregistration.k8s.io","name":"v1.example.com"}]}]}}
            """.formatted(targets, steps);
    }

    private Printed run(String documents, String... more) throws IOException {
        Path file = Files.writeString(folder.resolve("widgets.yaml"), documents);
        String[] arguments = new String[more.length + 4];
        arguments[0] = "publication";
        arguments[1] = "plan";
        arguments[2] = "-f";
        arguments[3] = file.toString();
        System.arraycopy(more, 0, arguments, 4, more.length);
        return gateway.run(arguments);
    }

    @Test
    void changes_areATable_andNothingInTheWayIsZero() throws IOException {
        gateway.answer(PATH, plan(1, "{\"step\":\"Claimed\",\"state\":\"Done\"}"));

        Printed printed =
                run("kind: Namespace\n---\nkind: APIPublication\nmetadata: {name: widgets}\nstatus: {targets: 3}");

        assertThat(printed.err()).isEmpty();
        assertThat(printed.code()).isZero();
        assertThat(gateway.query(PATH)).isEqualTo("fieldValidation=Strict");
        assertThat(printed.out().lines())
                .containsExactly(
                        "PUBLICATION   CLUSTER   VERB     RESOURCE                             NAMESPACE   NAME",
                        "widgets       prod      create   services                             fairlead    things",
                        "widgets       prod      create   apiservices.apiregistration.k8s.io   -          "
                                + " v1.example.com");
    }

    @Test
    void whatIsInTheWay_isSaid_andIsTwo() throws IOException {
        gateway.answer(
                PATH,
                plan(
                        2,
                        "{\"step\":\"Claimed\",\"state\":\"Failed\",\"reason\":\"ObjectOfOthers\",\"message\":\"no\"},"
                                + "{\"step\":\"Service\",\"state\":\"Waiting\"}"));

        Printed printed = run("kind: APIPublication", "-o", "name");

        assertThat(printed.code()).isEqualTo(2);
        assertThat(printed.err().lines())
                .containsExactly(
                        "widgets: only the first 1 of 2 targets were looked at",
                        "widgets in prod: Claimed: ObjectOfOthers: no");
        assertThat(printed.out().lines())
                .containsExactly(
                        "widgets/prod/create/services/things",
                        "widgets/prod/create/apiservices.apiregistration.k8s.io/v1.example.com");
    }

    @Test
    void withoutATarget_isTwo() throws IOException {
        gateway.answer(PATH, "{\"metadata\":{\"name\":\"widgets\"},\"status\":{\"targets\":0,\"clusters\":[]}}");

        Printed printed = run("kind: APIPublication");

        assertThat(printed.code()).isEqualTo(2);
        assertThat(printed.err())
                .isEqualTo("widgets: no target (spec.target selects no registered attached cluster)\n");
    }

    @Test
    void refusal_isAnError_andNamesThePublication() throws IOException {
        gateway.answer(PATH, "{\"kind\":\"Status\",\"message\":\"spec.group: Invalid value\"}");
        gateway.code(PATH, 422);

        Printed printed = run("kind: APIPublication\nmetadata: {name: widgets}");

        assertThat(printed.code()).isEqualTo(1);
        assertThat(printed.out()).isEmpty();
        assertThat(printed.err()).isEqualTo("error: widgets: spec.group: Invalid value\n");
    }

    @Test
    void severalPlans_areAListForPrograms() throws IOException {
        gateway.answer(PATH, plan(1, ""));

        Printed printed = run("kind: List\nitems: [{kind: APIPublication}, {kind: APIPublication}]", "-o", "yaml");

        assertThat(printed.out()).startsWith("apiVersion: v1\nkind: List\nitems:\n");
        assertThat(printed.out().split("kind: APIPublicationPlan", -1)).hasSize(3);
    }

    @Test
    void fileWithoutAPublication_orWithAFieldTwice_isAnErrorBeforeAnyRequest() throws IOException {
        Printed none = run("kind: Namespace");
        assertThat(none.code()).isEqualTo(1);
        assertThat(none.err()).contains("widgets.yaml: no APIPublication in it (expected at least one)");

        Printed twice = run("kind: APIPublication\nkind: APIPublication");
        assertThat(twice.code()).isEqualTo(1);
        assertThat(twice.err()).contains("(expected every field once)");

        Printed missing = gateway.run(
                "publication", "plan", "-f", folder.resolve("missing").toString());
        assertThat(missing.code()).isEqualTo(1);
        assertThat(missing.err()).contains("missing: ");
        assertThat(gateway.query(PATH)).isEmpty();
    }
}
