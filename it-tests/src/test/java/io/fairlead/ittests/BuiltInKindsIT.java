package io.fairlead.ittests;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** What people do with built-in kinds of a hosted cluster all day, with kubectl. */
final class BuiltInKindsIT {
    private static final Path FOLDER = Checkout.scratch("BuiltInKindsIT");
    private static final String ACCOUNT = """
        apiVersion: v1
        kind: ServiceAccount
        metadata: {name: applied, labels: {from: file}}
        secrets: [{name: one}, {name: two}]
        """;

    private static final String MISTAKEN =
            ACCOUNT.replace("secrets:", "secrats:").replace("applied", "mistaken");

    private static FairleadProcess fairlead = FairleadProcess.notStarted(FOLDER);
    private static Kubectl kubectl = new Kubectl(FOLDER, FOLDER);

    @BeforeAll
    static void start() {
        fairlead = FairleadProcess.start(FOLDER);
        assertThat(fairlead.command("cluster", "create", "dev").exitCode()).isZero();
        kubectl = new Kubectl(FOLDER.resolve("kubectl"), fairlead.kubeconfigOf("dev"));
    }

    @AfterAll
    static void stop() {
        fairlead.close();
    }

    @Test
    void create_ofEveryKindThatKubectlMakes_works() {
        kubectl.succeed("create", "namespace", "made");
        kubectl.succeed("create", "configmap", "made", "--from-literal=a=1", "-n", "made");
        kubectl.succeed("create", "secret", "generic", "made", "--from-literal=p=q", "-n", "made");
        kubectl.succeed("create", "serviceaccount", "made", "-n", "made");
        kubectl.succeed("create", "role", "made", "--verb=get", "--resource=configmaps", "-n", "made");
        kubectl.succeed("create", "rolebinding", "made", "--role=made", "--serviceaccount=made:made", "-n", "made");
        kubectl.succeed("create", "clusterrole", "made", "--verb=list", "--resource=secrets");
        kubectl.succeed("create", "clusterrolebinding", "made", "--clusterrole=made", "--user=jane");

        assertThat(kubectl.succeed("get", "secret", "made", "-n", "made", "-o", "jsonpath={.data.p}"))
                .isEqualTo("cQ==");
        assertThat(kubectl.succeed("get", "rolebinding", "made", "-n", "made", "-o", "jsonpath={.roleRef.name}"))
                .isEqualTo("made");
        kubectl.succeed("delete", "clusterrole,clusterrolebinding", "made");
        kubectl.succeed("delete", "namespace", "made", "--timeout=60s");
        assertThat(kubectl.run("get", "namespace", "made").errors()).contains("\"made\" not found");
    }

    @Test
    void apply_again_mergesByKeysAndKeepsWhatOthersWrote() {
        assertThat(apply(ACCOUNT)).isEqualTo("serviceaccount/applied created\n");
        assertThat(apply(ACCOUNT)).isEqualTo("serviceaccount/applied unchanged\n");
        kubectl.succeed("patch", "serviceaccount", "applied", "-p", "{\"secrets\":[{\"name\":\"theirs\"}]}");

        Output diff = kubectl.apply(ACCOUNT.replace("two", "three"), "diff", "-f", "-");
        assertThat(diff.exitCode()).as("%s", diff).isEqualTo(1);
        assertThat(diff.output()).contains("-- name: two", "+- name: three");
        assertThat(apply(ACCOUNT.replace("two", "three"))).isEqualTo("serviceaccount/applied configured\n");

        assertThat(kubectl.succeed("get", "serviceaccount", "applied", "-o", "jsonpath={.secrets[*].name}")
                        .split(" "))
                .containsExactlyInAnyOrder("one", "theirs", "three");
        kubectl.succeed("delete", "serviceaccount", "applied");
    }

    @Test
    void label_annotate_edit_andPatch_change() throws Exception {
        kubectl.succeed("create", "configmap", "changed", "--from-literal=a=1");
        kubectl.succeed("label", "configmap", "changed", "tier=front");
        kubectl.succeed("annotate", "configmap", "changed", "note=seen");
        Path editor = Files.writeString(FOLDER.resolve("editor"), "#!/bin/sh\nsed -i 's/a: \"1\"/a: edited/' \"$1\"\n");
        Files.setPosixFilePermissions(editor, PosixFilePermissions.fromString("rwx------"));

        Output edited = kubectl.run("", Map.of("EDITOR", editor.toString()), List.of("edit", "configmap", "changed"));
        assertThat(edited.exitCode()).as("%s", edited).isZero();
        kubectl.succeed(
                "patch",
                "configmap",
                "changed",
                "--type=strategic",
                "-p",
                "{\"data\":{\"$patch\":\"replace\",\"b\":\"2\"}}");
        kubectl.succeed("label", "configmap", "changed", "tier-");

        assertThat(kubectl.succeed(
                        "get",
                        "configmap",
                        "changed",
                        "-o",
                        "jsonpath={.data} {.metadata.labels} {.metadata.annotations}"))
                .isEqualTo("{\"b\":\"2\"}  {\"note\":\"seen\"}");
        kubectl.succeed("delete", "configmap", "changed");
    }

    @Test
    void validation_isThatOfTheServer() {
        Output strict = kubectl.apply(MISTAKEN, "apply", "--validate=strict", "-f", "-");
        Output warned = kubectl.apply(MISTAKEN, "create", "--validate=warn", "--dry-run=server", "-f", "-");

        assertThat(strict.errors()).contains("strict decoding error: unknown field \"secrats\"");
        assertThat(warned.errors()).contains("Warning: unknown field \"secrats\"");
        assertThat(kubectl.succeed("explain", "serviceaccounts.secrets")).contains("FIELD: secrets", "name\t<string>");
        assertThat(kubectl.succeed("explain", "configmaps", "--recursive")).contains("binaryData", "ownerReferences");
    }

    private static String apply(String manifest) {
        Output applied = kubectl.apply(manifest, "apply", "-f", "-");
        assertThat(applied.errors()).isEmpty();
        return applied.output();
    }
}
