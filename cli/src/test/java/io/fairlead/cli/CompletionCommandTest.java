package io.fairlead.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Scripts that shells can read, and that complete what there is. */
class CompletionCommandTest {
    @Test
    void bash_readsItsScript() throws Exception {
        assertThat(bash("-n", script("bash"))).isEqualTo(new Answer(0, ""));
        assertThat(bash("-n", "if then (").exitCode())
                .as("a broken script is noticed")
                .isNotZero();
    }

    @ParameterizedTest
    @CsvSource({"clu, cluster", "ver, version", "compl, completion"})
    void bash_completesCommands(String begun, String completed) throws Exception {
        String ask = script("bash") + "\nCOMP_WORDS=(fairlead " + begun
                + ")\nCOMP_CWORD=1\n_complete_fairlead\necho \"${COMPREPLY[@]}\"\n";

        assertThat(bash("-s", ask).output()).contains(completed);
    }

    @ParameterizedTest
    @CsvSource({
        "completion '', bash zsh fish",
        "kubeconfig --form '', path host",
        "cluster list -o '', table json yaml name",
        "types lock --output j, json"
    })
    void bash_completesValues(String begun, String completed) throws Exception {
        int word = begun.split(" ").length;
        String ask = script("bash") + "\nCOMP_WORDS=(fairlead " + begun + ")\nCOMP_CWORD=" + word
                + "\n_complete_fairlead\necho \"${COMPREPLY[@]}\"\n";

        assertThat(bash("-s", ask).output().lines()).contains(completed);
    }

    @Test
    void fish_completesValues() {
        assertThat(script("fish").lines())
                .anyMatch(line -> line.contains("from kubeconfig' -l form -r -f -a 'path host' -d"))
                .anyMatch(line -> line.contains("from completion' -a 'bash zsh fish'"));
    }

    @Test
    void fish_hasALineForEveryCommandAndOption() {
        assertThat(script("fish").lines())
                .allMatch(line -> line.startsWith("complete -c fairlead "))
                .contains("complete -c fairlead -n '__fish_seen_subcommand_from cluster; and not"
                        + " __fish_seen_subcommand_from " + String.join(" ", CommandTree.names("cluster"))
                        + "' -a create -d"
                        + " 'Create a hosted cluster, or serve a retained one again.'")
                .anyMatch(line -> line.contains("from serve' -l secure-port -r -F -d"))
                .anyMatch(line -> line.contains("from delete' -l purge -d"));
    }

    @Test
    void zsh_isTaughtToReadTheScriptOfBash() {
        assertThat(script("zsh")).contains("bashcompinit");
    }

    @Test
    void otherShell_isWrongUsage() {
        assertThat(execute(new StringWriter(), "completion", "tcsh")).isEqualTo(64);
    }

    private static String script(String shell) {
        StringWriter out = new StringWriter();
        assertThat(execute(out, "completion", shell)).isZero();
        return out.toString();
    }

    private static int execute(StringWriter out, String... arguments) {
        return FairleadCommand.execute(
                List.of(arguments), new PrintWriter(out, true), new PrintWriter(new StringWriter(), true));
    }

    private record Answer(int exitCode, String output) {}

    private static Answer bash(String option, String script) throws Exception {
        Process bash =
                new ProcessBuilder("bash", option).redirectErrorStream(true).start();
        bash.getOutputStream().write(script.getBytes(StandardCharsets.UTF_8));
        bash.getOutputStream().close();
        String output = new String(bash.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(bash.waitFor(20, TimeUnit.SECONDS)).isTrue();
        return new Answer(bash.exitValue(), output);
    }
}
