package io.fairlead.ittests;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Base64;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Commands print no credential, but those whose purpose that is ({@code kubeconfig}, {@code login}): neither the caller's
 * own, nor that of an attached cluster, nor one that is of no use.
 */
final class CommandCredentialsIT {
    private static final Path FOLDER = Checkout.scratch("CommandCredentialsIT");
    private static final KubeCluster.User JANE =
            new KubeCluster.User("xqzvkwjhtgpmxbnd-of-jane", "jane", "", "system:masters");
    private static final String UNKNOWN = "wvxkzqjmtphgfnbd-of-none";
    private static final String OF_CLUSTER = SharedKube.SECOND.token();
    private static final String SOUND = "{token: TOKEN}";
    private static final Pattern KEY = Pattern.compile("client-key-data: \"?([A-Za-z0-9+/=]+)");

    private static FairleadProcess fairlead = FairleadProcess.notStarted(FOLDER);
    private static Path ofJane;
    private static Path ofUnknown;

    @BeforeAll
    static void start() throws IOException {
        fairlead = FairleadProcess.start(
                FOLDER,
                "--token-auth-file",
                FairleadUsers.tokenFile(FOLDER, List.of(JANE)).toString());
        fairlead.attach("prod", SharedKube.get().kubeconfig("second", OF_CLUSTER));
        assertThat(fairlead.command("cluster", "create", "dev").exitCode()).isZero();
        ofJane = FairleadUsers.admit(fairlead, JANE.name(), JANE.token(), "dev");
        ofUnknown = FairleadUsers.kubeconfig(fairlead, "none", UNKNOWN, "dev");
    }

    @AfterAll
    static void stop() {
        fairlead.close();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "top",
                "top -o json",
                "cluster list",
                "cluster list -o yaml",
                "served -c dev core/v1/configmaps -o json",
                "served -c prod core/v1/configmaps",
                "index verify -c prod",
                "conflicts",
                "publication status none",
                "history -c prod",
                "types matrix",
                "doctor",
                "version",
                "cluster export dev -f -",
                "cluster attach third --print-rbac",
            })
    void whatACommandPrints_hasNoCredential_whicheverTheCallerPresents(String command) throws IOException {
        for (Path kubeconfig : List.of(ofJane, ofUnknown, fairlead.adminKubeconfig())) {
            List<String> arguments = new ArrayList<>(List.of(command.split(" ")));
            arguments.addAll(List.of("--kubeconfig", kubeconfig.toString()));

            Output printed = fairlead.command(arguments.toArray(String[]::new));

            assertThat(printed.output() + printed.errors()).as("%s", arguments).isNotBlank();
            assertThat(printed.exitCode()).as("%s: %s", arguments, printed).isNotEqualTo(64);
            assertThat(credentialsIn(printed)).as("%s: %s", arguments, printed).isEmpty();
        }
    }

    /** A file that is malformed, a credential that the server does not know, a server that is not there. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "{token: TOKEN",
                "{token: [TOKEN]}",
                "{token: TOKEN, client-key-data: TOKEN!, client-certificate-data: TOKEN!}",
                "{client-key-data: BASE64, client-certificate-data: BASE64}",
                "{token: TOKEN, exec: TOKEN}",
                "{username: jane, password: TOKEN}",
                "{token: \"TOKEN\\n\"}",
                SOUND,
            })
    void kubeconfigThatIsOfNoUse_isToldWithoutItsCredential(String user) throws Exception {
        String base64 = Base64.getEncoder().encodeToString(UNKNOWN.getBytes(UTF_8));
        for (String server : user.equals(SOUND)
                ? List.of(fairlead.endpoint(), SharedKube.get().url(), "https://127.0.0.1:1")
                : List.of(fairlead.endpoint())) {
            Path file = Files.writeString(FOLDER.resolve("useless.kubeconfig"), """
                apiVersion: v1
                kind: Config
                clusters: [{name: c, cluster: {server: "%s", insecure-skip-tls-verify: true}}]
                contexts: [{name: c, context: {cluster: c, user: u}}]
                current-context: c
                users: [{name: u, user: %s}]
                """.formatted(
                            server, user.replace("TOKEN", UNKNOWN).replace("BASE64", base64)));
            for (List<String> command : List.of(
                    List.of("cluster", "list", "--kubeconfig", file.toString()),
                    List.of("cluster", "attach", "other", "--timeout", "2", "--from-kubeconfig", file.toString()),
                    List.of(
                            "cluster",
                            "attach",
                            "prod",
                            "--replace",
                            "--timeout",
                            "2",
                            "--from-kubeconfig",
                            file.toString()))) {
                Output printed = fairlead.command(command.toArray(String[]::new));

                assertThat(printed.errors()).as("%s", command).isNotBlank();
                assertThat(credentialsIn(printed))
                        .as("%s %s: %s", user, command, printed)
                        .isEmpty();
            }
        }
    }

    @Test
    void credentialThatIsPrinted_isFound() throws IOException {
        Output printed = fairlead.command("kubeconfig", "dev");

        assertThat(credentialsIn(new Output(0, "Bearer " + JANE.token(), ""))).containsExactly("jane's token");
        assertThat(credentialsIn(printed)).as("%s", printed).containsExactly("the administrator's key");
    }

    /** The names of those that stand there. */
    private static List<String> credentialsIn(Output printed) throws IOException {
        String text = printed.output() + printed.errors();
        Map<String, List<String>> all = new LinkedHashMap<>();
        all.put("jane's token", forms(JANE.token()));
        all.put("a token that none knows", forms(UNKNOWN));
        all.put("the token for the attached cluster", forms(OF_CLUSTER));
        all.put("the administrator's key", List.of(administratorsKey()));
        return all.entrySet().stream()
                .filter(one -> one.getValue().stream().anyMatch(text::contains))
                .map(Map.Entry::getKey)
                .toList();
    }

    /** As it is, in base64, in hexadecimal digits, and of each its beginning alone. */
    private static List<String> forms(String token) {
        byte[] bytes = token.getBytes(UTF_8);
        return List.of(
                token.substring(0, 15),
                Base64.getEncoder().encodeToString(bytes).substring(0, 16),
                HexFormat.of().formatHex(bytes).substring(0, 24));
    }

    private static String administratorsKey() throws IOException {
        Matcher key = KEY.matcher(Files.readString(fairlead.adminKubeconfig()));
        assertThat(key.find()).isTrue();
        return key.group(1).substring(0, 200);
    }
}
