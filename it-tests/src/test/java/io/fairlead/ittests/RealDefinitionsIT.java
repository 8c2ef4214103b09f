package io.fairlead.ittests;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * CustomResourceDefinitions that others wrote have one digest each: in their file, read back from a real API server and from a
 * hosted cluster, in the index of both, and by a program in another language that knows {@code docs/digests.md} alone.
 */
final class RealDefinitionsIT {
    private static final String NAME = "RealDefinitionsIT";
    private static final Path FOLDER = Checkout.scratch(NAME);
    private static final Duration TIMEOUT = Duration.ofMinutes(3);
    private static final Pattern FIELD = Pattern.compile("\"(\\w+)\" ?: ?\"([^\"]*)\"");
    private static final Pattern MODULE_FOLDER = Pattern.compile("\"Dir\": \"([^\"]+)\"");

    private static final GoModule DIGESTS =
            new GoModule("digests", List.of(new GoModule.Program("digests", ".", "-s -w")));

    /** Where a Go module has definitions. */
    private record Source(String module, String folder) {}

    private static final List<Source> SOME = List.of(
            new Source("github.com/cert-manager/cert-manager", "deploy/crds"),
            new Source("knative.dev/serving", "config/core/300-resources"));

    private static final List<Source> OTHERS = List.of(
            new Source("sigs.k8s.io/gateway-api", "config/crd/experimental"),
            new Source("github.com/argoproj/argo-rollouts", "manifests/crds"),
            new Source("github.com/crossplane/crossplane", "cluster/crds"),
            new Source("github.com/fluxcd/source-controller", "config/crd/bases"),
            new Source("github.com/kedacore/keda/v2", "config/crd/bases"),
            new Source("github.com/tektoncd/pipeline", "config/300-crds"),
            new Source("github.com/prometheus-operator/prometheus-operator", "example/prometheus-operator-crd"),
            new Source("istio.io/api", "kubernetes"),
            new Source("sigs.k8s.io/cluster-api-provider-aws/v2", "config/crd/bases"),
            new Source("sigs.k8s.io/cluster-api", "core/config/crd/bases"),
            new Source("sigs.k8s.io/cluster-api", "bootstrap/kubeadm/config/crd/bases"),
            new Source("sigs.k8s.io/cluster-api", "controlplane/kubeadm/config/crd/bases"),
            new Source("sigs.k8s.io/cluster-api", "cmd/clusterctl/config/crd/bases"));

    @Test
    void definitionsOfTwoProjects_haveOneDigestEach() throws Exception {
        KubeCluster kube = SharedKube.get();
        try {
            assertThat(digestsEverywhere(kube, SOME)).isEqualTo(13);
        } finally {
            new Kubectl(FOLDER, kube.kubeconfig())
                    .run(
                            "delete",
                            "--ignore-not-found",
                            "--wait=false",
                            "-f",
                            FOLDER.resolve("all").toString());
        }
    }

    @Test
    @Tag("endurance")
    void definitionsOfTwelveProjects_haveOneDigestEach() throws Exception {
        try (KubeCluster kube = KubeCluster.start(Checkout.scratch("RealDefinitionsIT-kube"))) {
            assertThat(digestsEverywhere(
                            kube, Stream.concat(SOME.stream(), OTHERS.stream()).toList()))
                    .isGreaterThanOrEqualTo(135);
        }
    }

    /** A definition's group, kind, digests and versions as fields in their order. */
    private record Digests(List<String> fields) implements Comparable<Digests> {
        String name() {
            return fields.get(1) + "." + fields.get(0);
        }

        String api() {
            return fields.get(2);
        }

        @Override
        public int compareTo(Digests other) {
            return name().compareTo(other.name());
        }
    }

    /** How many definitions a real cluster and a hosted one gave back with the digests of their files; fails unless all agree. */
    private static int digestsEverywhere(KubeCluster kube, List<Source> sources) throws Exception {
        Path folder = Checkout.scratch(NAME);
        Path all = Files.createDirectory(folder.resolve("all"));
        for (Source source : sources) {
            collect(source, all);
        }
        var direct = new Kubectl(folder.resolve("direct"), kube.kubeconfig());
        try (FairleadProcess fairlead = FairleadProcess.start(folder)) {
            fairlead.attach("prod", kube.kubeconfig());
            assertThat(fairlead.command("cluster", "create", "dev").exitCode()).isZero();
            var hosted = new Kubectl(folder.resolve("hosted"), fairlead.kubeconfigOf("dev"));
            List<Digests> ofFiles = digests(fairlead, all);

            assertThat(ofTheOtherProgram(folder, all)).isEqualTo(ofFiles);
            assertThat(readBack(fairlead, direct, all)).isEqualTo(ofFiles);
            assertThat(readBack(fairlead, hosted, all)).isEqualTo(ofFiles);
            Await.until("the index has every digest", TIMEOUT, () -> isInMatrix(fairlead, ofFiles));
            return ofFiles.size();
        }
    }

    /** Copies each definition of a source into a file of its own. */
    private static void collect(Source source, Path all) throws IOException {
        Path from = module(source.module()).resolve(source.folder());
        try (Stream<Path> files = Files.list(from)) {
            for (Path file :
                    files.filter(one -> one.toString().endsWith(".yaml")).toList()) {
                for (String document : Files.readString(file).split("(?m)^---\\s*$", -1)) {
                    if (document.contains("kind: CustomResourceDefinition")) {
                        String name = "%s-%03d.yaml".formatted(file.getFileName(), count(all));
                        Files.writeString(all.resolve(name), document);
                    }
                }
            }
        }
    }

    private static long count(Path folder) throws IOException {
        try (Stream<Path> files = Files.list(folder)) {
            return files.count();
        }
    }

    /** The folder of a Go module of a pinned version, fetched if it is not there yet. */
    private static Path module(String path) {
        Path pins = Checkout.module().resolve("definitions");
        Output fetched = Output.of(pins, Map.of(), "", TIMEOUT, List.of("go", "mod", "download", "-json", path));
        Matcher folder = MODULE_FOLDER.matcher(fetched.output());
        if (fetched.exitCode() != 0 || !folder.find()) {
            throw new AssertionError("go mod download " + path + ": " + fetched);
        }
        return Path.of(folder.group(1));
    }

    private static List<Digests> readBack(FairleadProcess fairlead, Kubectl kubectl, Path definitions)
            throws IOException {
        kubectl.succeed("create", "-f", definitions.toString());
        Path file = Files.createTempFile(definitions.getParent(), "read-back", ".yaml");
        Files.writeString(file, kubectl.succeed("get", "-o", "yaml", "-f", definitions.toString()));
        return digests(fairlead, file);
    }

    private static List<Digests> digests(FairleadProcess fairlead, Path fileOrFolder) throws IOException {
        List<String> command = new ArrayList<>(List.of("types", "digest", "-o", "json"));
        files(fileOrFolder).forEach(file -> command.addAll(List.of("-f", file.toString())));
        Output printed = fairlead.command(command.toArray(String[]::new));
        assertThat(printed.exitCode()).as("%s", printed).isZero();
        assertThat(printed.errors()).as("what is not understood").isEmpty();
        return parsed(printed.output());
    }

    private static List<Digests> ofTheOtherProgram(Path folder, Path definitions) throws IOException {
        StringBuilder all = new StringBuilder();
        for (Path file : files(definitions)) {
            all.append("\n---\n").append(Files.readString(file));
        }
        String program = DIGESTS.built().resolve("digests").toString();
        Output printed = Output.of(folder, Map.of(), all.toString(), TIMEOUT, List.of(program));
        assertThat(printed.exitCode()).as("%s", printed).isZero();
        return parsed(printed.output());
    }

    private static List<Path> files(Path fileOrFolder) throws IOException {
        try (Stream<Path> files = Files.walk(fileOrFolder)) {
            return files.filter(Files::isRegularFile).sorted().toList();
        }
    }

    /** Both programs print the fields in one order, each definition from its group on. */
    private static List<Digests> parsed(String json) {
        List<Digests> all = new ArrayList<>();
        Matcher field = FIELD.matcher(json);
        while (field.find()) {
            if (field.group(1).equals("group")) {
                all.add(new Digests(new ArrayList<>()));
            }
            all.getLast().fields().add(field.group(2));
        }
        return all.stream().sorted().toList();
    }

    private static boolean isInMatrix(FairleadProcess fairlead, List<Digests> all) {
        String matrix = fairlead.command("types", "matrix").output();
        return all.stream().allMatch(type -> has(matrix, type));
    }

    private static boolean has(String matrix, Digests type) {
        String shown = type.api().substring(0, "v1:sha256:".length() + 12) + "…";
        String row = "^" + Pattern.quote(type.name()) + " +" + shown + " +\\S+ +dev,prod *$";
        return Pattern.compile(row, Pattern.MULTILINE).matcher(matrix).find();
    }
}
