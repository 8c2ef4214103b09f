package io.fairlead.ittests;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.SequencedMap;
import java.util.TreeMap;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import javax.xml.parsers.DocumentBuilderFactory;
import javax.xml.parsers.ParserConfigurationException;
import org.w3c.dom.Element;
import org.w3c.dom.NodeList;
import org.xml.sax.SAXException;

/**
 * Kubernetes' own end-to-end suite, and those of its tests that pass in a cluster that has neither nodes nor pods.
 *
 * <p>Built from the version that {@code e2e/go.mod} pins; the first run on a machine takes minutes more.
 */
final class UpstreamSuite {
    private static final String STAMP = "-X k8s.io/component-base/version.";
    private static final GoModule MODULE = GoModule.ofTests(
            "e2e",
            List.of(new GoModule.Program(
                    "e2e.test",
                    "k8s.io/kubernetes/test/e2e",
                    "-s -w " + STAMP + "gitVersion=v1.36.3 " + STAMP + "gitMajor=1 " + STAMP + "gitMinor=36")));

    /** Ginkgo matches what is to run with the suite's name in front, and reports it with the kind of node in front. */
    private static final String SUITE = "Kubernetes e2e suite ";

    private static final String TEST = "[It] ";
    private static final Pattern SPECIAL = Pattern.compile("[\\\\.+*?()|\\[\\]{}^$]");

    private final Path folder;
    private final Path kubeconfig;

    /** The suite against one cluster; its report and output are written to a folder. */
    UpstreamSuite(Path folder, Path kubeconfig) {
        this.folder = folder;
        this.kubeconfig = kubeconfig;
    }

    /** The names of all tests that need no node. */
    static List<String> names() throws IOException {
        return lines("e2e-tests.txt");
    }

    /** The names of those that need nothing that a hosted cluster with every built-in kind has not. */
    static List<String> namesForHosted() throws IOException {
        List<String> others = lines("e2e-not-hosted.txt");
        return names().stream().filter(name -> !others.contains(name)).toList();
    }

    private static List<String> lines(String resource) throws IOException {
        try (var stream = UpstreamSuite.class.getResourceAsStream(resource)) {
            byte[] text = Objects.requireNonNull(stream, resource).readAllBytes();
            return new String(text, StandardCharsets.UTF_8).lines().toList();
        }
    }

    /** Runs tests one after the other; what came of each, by its name: {@code passed} or another word of Ginkgo's. */
    SequencedMap<String, String> run(List<String> names, Duration timeout) throws IOException {
        // Its kubectl keeps caches at home.
        Map<String, String> environment = Map.of("HOME", folder.toString());
        try (OwnedProcess suite = OwnedProcess.start("suite", folder, environment, command(names))) {
            int exitCode = suite.awaitEnd(timeout);
            SequencedMap<String, String> outcomes = outcomes();
            if (exitCode != 0 && outcomes.values().stream().allMatch("passed"::equals)) {
                throw new AssertionError("the suite ended with " + exitCode + "; " + suite.tail());
            }
            return outcomes;
        }
    }

    private List<String> command(List<String> names) {
        var command = new ArrayList<>(List.of(MODULE.built().resolve("e2e.test").toString()));
        command.addAll(List.of(
                "--kubeconfig=" + kubeconfig,
                "--kubectl-path=" + RealServers.get().kubectl(),
                "--report-dir=" + folder,
                "--provider=skeleton",
                "--num-nodes=0",
                "--allowed-not-ready-nodes=-1",
                "--minStartupPods=-1",
                "--dump-logs-on-failure=false",
                "--disable-log-dump",
                "--ginkgo.no-color",
                "--ginkgo.v",
                "--ginkgo.focus="
                        + names.stream()
                                .map(UpstreamSuite::quoted)
                                .collect(Collectors.joining("|", "^" + SUITE + "(", ")$"))));
        return command;
    }

    /** Go's expressions know no {@code \Q}. */
    private static String quoted(String name) {
        return SPECIAL.matcher(name).replaceAll("\\\\$0");
    }

    /** What ran, out of a report that names the thousands of tests that did not, too. */
    private SequencedMap<String, String> outcomes() throws IOException {
        var outcomes = new TreeMap<String, String>();
        NodeList cases = report().getElementsByTagName("testcase");
        for (int i = 0; i < cases.getLength(); i++) {
            if (cases.item(i) instanceof Element test
                    && test.getAttribute("name").startsWith(TEST)
                    && !test.getAttribute("status").equals("skipped")) {
                outcomes.put(test.getAttribute("name").substring(TEST.length()), test.getAttribute("status"));
            }
        }
        return outcomes;
    }

    private Element report() throws IOException {
        try {
            return DocumentBuilderFactory.newDefaultInstance()
                    .newDocumentBuilder()
                    .parse(folder.resolve("junit_01.xml").toFile())
                    .getDocumentElement();
        } catch (ParserConfigurationException | SAXException e) {
            throw new IOException(e);
        }
    }
}
