package io.fairlead.ittests;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** A real cluster and a hosted one that define the same kind differently, and pins that notice. */
final class TypePinIT {
    private static final BoundedType KEEL = new BoundedType("keels", "Keel", "pins.example.com", "depth");
    private static final Duration SOON = Duration.ofSeconds(30);
    private static final Path FOLDER = Checkout.scratch("TypePinIT");
    private static final String CRDS = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions";
    private static final String KEELS = "/clusters/prod/apis/pins.example.com/v1/namespaces/default/keels";
    private static final Pattern DIGEST = Pattern.compile("v1:sha256:[0-9a-f]{64}");
    private static final AttachedCluster ATTACHED =
            AttachedCluster.ofShared(FOLDER).with("--types-max-staleness", "3s");

    private static Kubectl root;
    private static Kubectl dev;
    private static Kubectl prod;

    @BeforeAll
    static void start() {
        FairleadProcess fairlead = ATTACHED.startRelayed().fairlead();
        assertThat(fairlead.command("cluster", "create", "dev").exitCode()).isZero();
        root = new Kubectl(FOLDER.resolve("root"), fairlead.adminKubeconfig());
        dev = new Kubectl(FOLDER.resolve("dev"), fairlead.kubeconfigOf("dev"));
        prod = new Kubectl(FOLDER.resolve("prod"), fairlead.kubeconfigOf("prod"));
        prod.succeedWith(KEEL.definition(10), "apply", "-f", "-");
        dev.succeedWith(KEEL.definition(10), "apply", "-f", "-");
        for (Kubectl cluster : List.of(prod, dev)) {
            cluster.succeed("wait", "--for=condition=Established", "crd/keels.pins.example.com", "--timeout=60s");
        }
    }

    @AfterAll
    static void stop() {
        prod.run("delete", "crd", "keels.pins.example.com", "--wait=false");
        ATTACHED.close();
    }

    @Test
    void pins_denyWarnAndFailClosed_andRecoverByThemselves() throws Exception {
        try (var probe = HttpProbe.withToken(ATTACHED.fairlead().endpoint(), AttachedCluster.ROOT_TOKEN)) {
            driftIsDeniedUntilItIsRepaired();
            digestOfTheCaller(probe);
            staleEvidenceIs503(probe);
        } finally {
            ATTACHED.relay().release();
        }
    }

    private static void driftIsDeniedUntilItIsRepaired() {
        root.succeedWith(pin("consistentAcross: {matchNames: [prod, dev]}", "Deny"), "apply", "-f", "-");
        awaitSatisfied("True");
        dev.succeedWith(KEEL.definition(11), "apply", "-f", "-");
        awaitSatisfied("False");

        Output denied = prod.apply(keel(), "create", "-f", "-");
        assertThat(denied.exitCode()).isEqualTo(1);
        assertThat(denied.errors())
                .contains("keels.pins.example.com is forbidden: TypePin \"keels\" denied", "\"prod\"", "\"dev\"");
        assertThat(digestsIn(denied.errors())).hasSize(2).doesNotHaveDuplicates();

        root.succeedWith(pin("consistentAcross: {matchNames: [prod, dev]}", "Warn"), "apply", "-f", "-");
        Await.until("the write is warned of", SOON, () -> {
            Output warned = prod.apply(keel(), "apply", "-f", "-");
            return warned.exitCode() == 0 && warned.errors().contains("Warning: TypePin \"keels\"");
        });

        root.succeedWith(pin("consistentAcross: {matchNames: [prod, dev]}", "Deny"), "apply", "-f", "-");
        dev.succeedWith(KEEL.definition(10), "apply", "-f", "-");
        awaitSatisfied("True");
        Await.until(
                "the write passes",
                SOON,
                () -> prod.run("label", "keel", "k", "repaired=yes", "--overwrite")
                                .exitCode()
                        == 0);
        assertThat(root.succeed("get", "typepins")).contains("keels", "pins.example.com", "Keel", "Deny", "True");
    }

    private static void digestOfTheCaller(HttpProbe probe) throws Exception {
        String message = probe.get(KEELS, Map.of("Fairlead-Type-Digest", "v1:sha256:" + "0".repeat(64)))
                .body();
        List<String> digests = digestsIn(message);

        assertThat(message).contains("\"code\":412", "TypeDigestMismatch");
        for (String digest : digests.stream()
                .filter(found -> !found.endsWith("0".repeat(64)))
                .toList()) {
            assertThat(probe.get(KEELS, Map.of("Fairlead-Type-Digest", digest)).status())
                    .isEqualTo(200);
        }
    }

    private static void staleEvidenceIs503(HttpProbe probe) throws Exception {
        ATTACHED.relay().hold(CRDS);
        ATTACHED.relay().cut();
        String patch = "{\"metadata\":{\"labels\":{\"late\":\"yes\"}}}";

        Await.until("writes fail closed", SOON, () -> {
            var answer = probe.send("PATCH", KEELS + "/k", "application/merge-patch+json", patch);
            return answer.status() == 503 && answer.body().contains("is stale");
        });
        assertThat(probe.get(KEELS + "/k").status()).as("reads are not pinned").isEqualTo(200);

        ATTACHED.relay().release();
        Await.until(
                "writes pass again",
                SOON,
                () -> probe.send("PATCH", KEELS + "/k", "application/merge-patch+json", patch)
                                .status()
                        == 200);
    }

    private static List<String> digestsIn(String text) {
        return DIGEST.matcher(text).results().map(MatchResult::group).distinct().toList();
    }

    private static void awaitSatisfied(String status) {
        root.succeed("wait", "--for=condition=Satisfied=" + status, "typepin/keels", "--timeout=60s");
    }

    private static String pin(String requirement, String action) {
        return """
            apiVersion: fairlead.io/v1alpha1
            kind: TypePin
            metadata: {name: keels}
            spec:
              clusters: {matchNames: [prod]}
              group: pins.example.com
              kind: Keel
              %s
              onMismatch: %s
            """.formatted(requirement, action);
    }

    private static String keel() {
        return "{apiVersion: pins.example.com/v1, kind: Keel, metadata: {name: k, namespace: default}, spec: {depth:"
                + " 3}}";
    }
}
