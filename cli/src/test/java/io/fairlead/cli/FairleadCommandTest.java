package io.fairlead.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.fairlead.schema.json.Json;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import picocli.CommandLine.Command;
import tools.jackson.databind.JsonNode;

/** What the shell is told where no server is asked. */
class FairleadCommandTest {
    @TempDir
    private Path nowhere;

    private final StringWriter out = new StringWriter();
    private final StringWriter err = new StringWriter();

    @Test
    void everyCommand_isCalledByItsOwnName() {
        assertThat(CommandTree.all())
                .isNotEmpty()
                .allSatisfy((name, command) -> assertThat(name)
                        .isEqualTo(command.getCommandSpec()
                                .userObject()
                                .getClass()
                                .getAnnotation(Command.class)
                                .name()));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "nonsense",
                "cluster",
                "cluster list --nonsense",
                "cluster list -o wide",
                "cluster create",
                "cluster create Not_An_Id",
                "cluster create a b",
                "cluster attach a",
                "cluster attach a --from-kubeconfig k --identity root",
                "served -c a",
                "served v1",
                "served -c a v1/pods",
                "served -c a core/v1/pods/log",
                "index verify",
                "kubeconfig a --all",
                "kubeconfig --form header",
                "cluster attach a --from-kubeconfig k --timeout -5",
                "cluster attach a --from-kubeconfig k --timeout 0",
                "cluster list --version",
                "config check f -V",
                "types digest xpkg:registry.example.com/package:v1",
                "types digest tarball:f@sha256:0",
                "types lock -p xpkg:package@sha256:0",
                "serve --no-such-flag",
                "serve --secure-port many",
                "serve --limits-flood-window 0s",
                "serve --base-domain UPPER --client-ca-file /absent"
            })
    void wrongUsage_is64AndExplained(String arguments) {
        assertThat(execute(arguments)).isEqualTo(64);

        assertThat(err.toString()).startsWith("error: ").contains("hint: ");
        assertThat(out.toString()).isEmpty();
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
        serve --secure-prot 1 | did you mean --secure-port
        serve --port 1        | the port of the HTTPS endpoint is --secure-port
        serve --listen x      | 'fairlead serve --help' lists
        serve --authorization-config F | there is no configuration of authorizers
        serve --authorization-mode=Webhook | there is no configuration of authorizers
        serve --oidc-issuer-url=https://a | the issuers of tokens are in the file of --authentication-config
        serve --audit-webhook-config-file F | the audit log is a file
        --kubeconfig F cluster list | options follow the command: 'fairlead COMMAND --kubeconfig …'
        doctor prod           | option -c names a cluster: 'fairlead doctor -c prod'
        index verify prod     | option -c names the cluster, as in 'fairlead index verify -c prod'
        cluster create a b    | 'fairlead cluster create --help' lists
        """)
    void unknownWord_isNeverTakenForAnotherCommand(String arguments, String hint) {
        assertThat(execute(arguments)).isEqualTo(64);

        assertThat(err.toString()).contains("hint:  " + hint);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "cluster", "cluster attach"})
    void help_isThatOfTheCommand(String command) {
        assertThat(execute((command + " --help").strip())).isZero();
        String expected = out.toString();
        out.getBuffer().setLength(0);

        assertThat(execute(("help " + command).strip())).isZero();
        assertThat(out.toString()).isEqualTo(expected).contains("Usage: fairlead");
    }

    @ParameterizedTest
    @ValueSource(strings = {"cluster get dev", "cluster lst"})
    void wordThatIsNoCommand_isToldWhichThereAre(String arguments) {
        assertThat(execute(arguments)).isEqualTo(64);

        assertThat(err.toString())
                .contains("hint:  expected one of: " + String.join(", ", CommandTree.names("cluster")) + "\n");
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
        cluster list --nonsense                             | option --nonsense is unknown
        cluster list --kubeconfig                           | option --kubeconfig has no value (expected FILE)
        cluster list --kubeconfig -o json                   | option --kubeconfig has no value (expected FILE)
        cluster create                                      | ID is missing
        cluster create a b                                  | unexpected argument "b"
        cluster create Not_An_Id                            | cluster id: "Not_An_Id" (expected a DNS-1123 label: lower-case letters, digits and '-', at most 63 characters, beginning and ending with a letter or digit)
        cluster lst                                         | "lst" is not a command of fairlead cluster
        nonsense                                            | "nonsense" is not a command of fairlead
        cluster attach a --from-kubeconfig k --timeout soon | option --timeout "soon" (expected an integer of seconds, as 60)
        index verify                                        | option --cluster ID is missing
        served                                              | option --cluster ID is missing, GROUP/VERSION[/RESOURCE] is missing
        cluster create a --label bad                        | --label: "bad" (expected KEY=VALUE)
        cluster create a --built-ins al                     | --built-ins: "al" (expected Core or All)
        kubeconfig --form header                            | --form: "header" (expected path or host)
        cluster list -o wide                                | --output: "wide" (expected table, json, yaml or name)
        cluster attach a --from-kubeconfig k --identity x   | --identity: "x" (expected impersonate, passthrough or request-header)
        top --sort cpu                                      | --sort: "cpu" (expected rate, requests, short, waiting, watches, streams or bytes)
        login --oidc-issuer-url https://a --oidc-client-id b --plugin c | --plugin: "c" (expected oidc-login or kubelogin)
        completion tcsh                                     | SHELL: "tcsh" (expected bash, zsh or fish)
        index verify -c a -c b                              | option --cluster is given twice (expected once)
        """)
    void wrongUsage_isToldInWordsForPeople(String arguments, String error) {
        assertThat(execute(arguments)).isEqualTo(64);

        assertThat(err.toString().lines()).first().isEqualTo("error: " + error);
    }

    @ParameterizedTest
    @CsvSource({"cluster list, 1", "served -c a core/v1, 4", "kubeconfig, 1", "index verify -c a, 1", "version, 1"})
    void failure_isTheCommandsOwnCode(String arguments, int code) {
        assertThat(execute(arguments + " --kubeconfig " + nowhere.resolve("config")))
                .isEqualTo(code);

        assertThat(err.toString()).contains("does not exist", "hint: ");
    }

    @ParameterizedTest
    @ValueSource(strings = {"serve --client-ca-file /absent", "serve --config /absent", "config check /absent"})
    void fileThatCannotBeRead_isNoWrongUsage(String arguments) {
        assertThat(execute(arguments)).isEqualTo(1);

        assertThat(err.toString()).startsWith("error: ").contains("/absent", "there is no such file");
    }

    @ParameterizedTest
    @ValueSource(strings = {"--version", "-V"})
    void version_ofTheWhole_isPrinted(String option) {
        assertThat(execute(option)).isZero();
        assertThat(out.toString()).startsWith("fairlead ");
    }

    @Test
    void version_withoutAServer_saysThatNoneWasAsked() {
        assertThat(execute("version")).isZero();

        assertThat(out.toString()).matches("fairlead \\S+ \\(Java \\d+\\)\n");
        assertThat(err.toString())
                .isEqualTo("note: no server was asked for its version (--kubeconfig, --context or --data-dir names"
                        + " one)\n");
    }

    @ParameterizedTest
    @ValueSource(strings = {"--help", "cluster -h", "cluster list --help", "config check -h", "types digest --help"})
    void help_ofEveryCommand_isPrinted(String arguments) {
        assertThat(execute(arguments)).isZero();
        assertThat(out.toString()).contains("Usage: fairlead", "-h, --help");
        assertThat(out.toString().contains("--version")).isEqualTo(arguments.equals("--help"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"config check", "serve --config"})
    void configurationOfBoundlessNesting_isOneLine(String command) throws IOException {
        Path file = Files.writeString(nowhere.resolve("deep.yaml"), "[".repeat(200_000));

        assertThat(execute(command + " " + file)).isEqualTo(1);

        assertThat(err.toString())
                .startsWith("error: " + file + ": nested too deeply\n")
                .doesNotContain("\tat ");
    }

    @ParameterizedTest
    @CsvSource({"json, '\"valid\":true'", "yaml, 'valid: true'", "name, fairlead.yaml", "table, is valid"})
    void configCheck_printsInEveryForm(String form, String expected) throws IOException {
        Path file = Files.writeString(
                nowhere.resolve("fairlead.yaml"),
                "apiVersion: config.fairlead.io/v1alpha1\nkind: FairleadConfiguration\n");

        assertThat(execute("config check -o " + form + " " + file)).isZero();

        assertThat(out.toString().replace(" :", ":").replace(": true", ":true")).contains(expected.replace(": ", ":"));
    }

    @Test
    void configCheck_problemsForPrograms_nameWhere() throws IOException {
        Path file = Files.writeString(nowhere.resolve("bad.yaml"), "securePort: 1\nkind: FairleadConfiguration\n");

        assertThat(execute("config check -o json " + file)).isEqualTo(1);

        JsonNode document = Json.read(out.toString());
        assertThat(document.path("valid").asBoolean(true)).isFalse();
        assertThat(document.path("problems").get(0).path("where").stringValue()).isEqualTo(file + ":1:1");
        assertThat(document.path("problems").get(0).path("message").stringValue())
                .startsWith("apiVersion is missing");
        assertThat(err.toString()).startsWith("error: " + file + ":1:1: apiVersion");
    }

    @Test
    void restore_ofAFileThatIsNoArchive_saysSo_andMakesNothing() throws IOException {
        Path readme = Files.writeString(nowhere.resolve("README.md"), "# Fairlead\n\nOne endpoint.\n");
        Path data = nowhere.resolve("data");

        assertThat(execute("store restore -f " + readme + " --data-dir " + data))
                .isEqualTo(1);

        assertThat(err.toString())
                .isEqualTo("error: " + readme + " is no archive (expected what 'fairlead store backup' wrote)\n");
        assertThat(data).doesNotExist();
    }

    @Test
    void coreGroupLeftOut_namesTheRightSpelling() {
        execute("served -c a v1/pods");

        assertThat(err.toString()).contains("core/v1/pods");
    }

    @Test
    void version_withoutAServer_isItsOwn() {
        assertThat(execute("version -o json")).isZero();
        assertThat(out.toString()).contains("\"client\"").doesNotContain("\"server\"");
    }

    private int execute(String arguments) {
        List<String> words = new ArrayList<>(List.of(arguments.split(" ")));
        words.remove("");
        return FairleadCommand.execute(words, new PrintWriter(out, true), new PrintWriter(err, true));
    }
}
