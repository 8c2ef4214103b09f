package io.fairlead.cli;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.fairlead.schema.json.Yaml;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

class LoginCommandTest {
    private final StringWriter out = new StringWriter();
    private final StringWriter err = new StringWriter();

    @Test
    void user_logsInByThePluginOfKubectl() {
        assertThat(execute("--oidc-extra-scope", "email", "--oidc-extra-scope", "groups"))
                .isZero();

        JsonNode user = Yaml.read(out.toString().getBytes(UTF_8)).at("/users/0");
        assertThat(user.path("name").asString()).isEqualTo("sso");
        assertThat(user.at("/user/exec/apiVersion").asString()).isEqualTo("client.authentication.k8s.io/v1");
        assertThat(command(user))
                .containsExactly(
                        "kubectl",
                        "oidc-login",
                        "get-token",
                        "--oidc-issuer-url=https://sso.test/realm",
                        "--oidc-client-id=fairlead",
                        "--oidc-extra-scope=email",
                        "--oidc-extra-scope=groups");
    }

    @Test
    void user_mayHaveTheProgramOfItsOwn_andAnotherName() {
        assertThat(execute("--plugin", "kubelogin", "--user", "work")).isZero();

        JsonNode user = Yaml.read(out.toString().getBytes(UTF_8)).at("/users/0");
        assertThat(user.path("name").asString()).isEqualTo("work");
        assertThat(command(user)).startsWith("kubelogin", "get-token");
    }

    @Test
    void mistakes_areNamed() {
        assertThat(execute("--plugin", "browser")).isEqualTo(64);
        assertThat(err.toString()).contains("--plugin: \"browser\" (expected oidc-login or kubelogin)");
        assertThat(run(List.of("login", "--oidc-issuer-url", "http://sso.test", "--oidc-client-id", "a")))
                .isEqualTo(64);
        assertThat(err.toString()).contains("--oidc-issuer-url \"http://sso.test\" (expected an https URL)");
        assertThat(run(List.of("login"))).isEqualTo(64);
        assertThat(out.toString()).isEmpty();
    }

    private static List<String> command(JsonNode user) {
        List<String> words = new ArrayList<>();
        words.add(user.at("/user/exec/command").asString());
        user.at("/user/exec/args").forEach(word -> words.add(word.asString()));
        return words;
    }

    private int execute(String... more) {
        List<String> arguments = new ArrayList<>(
                List.of("login", "--oidc-issuer-url", "https://sso.test/realm", "--oidc-client-id", "fairlead"));
        arguments.addAll(List.of(more));
        return run(arguments);
    }

    private int run(List<String> arguments) {
        return FairleadCommand.execute(arguments, new PrintWriter(out), new PrintWriter(err));
    }
}
