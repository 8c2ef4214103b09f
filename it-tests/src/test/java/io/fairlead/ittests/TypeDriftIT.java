package io.fairlead.ittests;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** Two real API servers that mean different things by one name, or let different programs act on it: seen, pinned, repaired. */
final class TypeDriftIT {
    private static final Path FOLDER = Checkout.scratch("TypeDriftIT");
    private static final Duration SOON = Duration.ofSeconds(60);
    private static final Pattern DIGEST = Pattern.compile("v1:sha256:[0-9a-f]{64}");
    private static final BoundedType MASTS = new BoundedType("masts", "Mast", "drift.example.com", "height");
    private static final String TYPE = "Mast.drift.example.com";
    private static final String CRD = "masts.drift.example.com";

    /** A name of its own for each that is created. */
    private static final String MAST =
            "{apiVersion: drift.example.com/v1, kind: Mast, metadata: {generateName: m-, namespace: default}, spec:"
                    + " {height: 30}}";

    private static final KubeCluster SECOND = KubeCluster.start(Checkout.scratch("TypeDriftIT-second"));
    private static final FairleadProcess FAIRLEAD = FairleadProcess.start(FOLDER);
    private static final Kubectl ROOT = new Kubectl(FOLDER.resolve("root"), FAIRLEAD.adminKubeconfig());
    private static final Kubectl EAST = attached("east", SharedKube.get());
    private static final Kubectl WEST = attached("west", SECOND);

    private static Kubectl attached(String id, KubeCluster kube) {
        FAIRLEAD.attach(id, kube.kubeconfig());
        return new Kubectl(FOLDER.resolve(id), FAIRLEAD.kubeconfigOf(id));
    }

    @BeforeAll
    static void define() {
        for (Kubectl cluster : List.of(EAST, WEST)) {
            cluster.succeedWith(MASTS.definition(100), "apply", "-f", "-");
            cluster.succeed("wait", "--for=condition=Established", "crd/" + CRD, "--timeout=60s");
        }
    }

    @AfterAll
    static void stop() {
        EAST.run("delete", "crd", CRD, "--wait=false");
        FAIRLEAD.close();
        SECOND.close();
    }

    @Test
    void driftOfOneCluster_isNamedByTheMatrix_denied_warnedOf_andForgottenOnceRepaired() {
        awaitMatrix(TYPE + " +\\S+ +Unknown +east,west *");
        pin("consistentAcross: {all: true}", "Deny");
        succeedSoon(EAST);

        WEST.succeedWith(MASTS.definition(50), "apply", "-f", "-");
        awaitMatrix(TYPE + " +\\S+ +Unknown +west +Narrower: v1 \\.spec\\.height \\(maximum\\)");
        assertThat(deniedSoon(EAST)).satisfies(denied -> {
            assertThat(denied).contains("TypePin \"masts\" denied", "\"east\"", "\"west\"");
            assertThat(digestsIn(denied)).hasSize(2);
        });

        pin("consistentAcross: {all: true}", "Warn");
        Await.until("kubectl prints the warning", SOON, () -> {
            Output warned = EAST.apply(MAST, "create", "-f", "-");
            return warned.exitCode() == 0 && warned.errors().contains("Warning: TypePin \"masts\"");
        });

        pin("consistentAcross: {all: true}", "Deny");
        WEST.succeedWith(MASTS.definition(100), "apply", "-f", "-");
        succeedSoon(EAST);
        awaitMatrix(TYPE + " +\\S+ +Unknown +east,west *");
    }

    @Test
    void implementationsThatDiffer_standInColumns_andOnlyThePinnedOneMayBeWritten() {
        record(EAST, "sha256:aaaa");
        record(WEST, "sha256:bbbb");
        awaitMatrix(TYPE + " +\\S+ +sha256:aaaa +east *");
        awaitMatrix(TYPE + " +\\S+ +sha256:bbbb +west *");

        pin("implementations: ['sha256:aaaa']", "Deny");
        succeedSoon(EAST);
        assertThat(deniedSoon(WEST)).contains("sha256:aaaa", "sha256:bbbb");

        EAST.succeed("annotate", "crd", CRD, "fairlead.io/implementation-");
        awaitMatrix(TYPE + " +\\S+ +Unknown +east *");
        assertThat(deniedSoon(EAST)).contains("not recorded");
        WEST.succeed("annotate", "crd", CRD, "fairlead.io/implementation-");
        ROOT.succeed("delete", "typepin", "masts");
    }

    private static void record(Kubectl cluster, String implementation) {
        cluster.succeed("annotate", "crd", CRD, "fairlead.io/implementation=" + implementation);
    }

    private static void pin(String requirement, String action) {
        ROOT.succeedWith("""
            apiVersion: fairlead.io/v1alpha1
            kind: TypePin
            metadata: {name: masts}
            spec:
              clusters: {all: true}
              group: drift.example.com
              kind: Mast
              %s
              onMismatch: %s
            """.formatted(requirement, action), "replace", "--force", "-f", "-");
    }

    private static void awaitMatrix(String row) {
        Pattern expected = Pattern.compile("^" + row + "$", Pattern.MULTILINE);
        Await.until("the matrix has " + row, SOON, () -> {
            Output matrix = FAIRLEAD.command("types", "matrix", TYPE);
            return matrix.exitCode() == 0 && expected.matcher(matrix.output()).find();
        });
    }

    private static void succeedSoon(Kubectl cluster) {
        Await.until(
                "the write passes",
                SOON,
                () -> cluster.apply(MAST, "create", "-f", "-").exitCode() == 0);
    }

    /** What kubectl says once a write is denied; until then it may pass. */
    private static String deniedSoon(Kubectl cluster) {
        AtomicReference<String> said = new AtomicReference<>("");
        Await.until("the write is denied", SOON, () -> {
            Output tried = cluster.apply(MAST, "create", "-f", "-");
            said.set(tried.errors());
            return tried.exitCode() == 1 && tried.errors().contains("denied the request");
        });
        return String.valueOf(said.get());
    }

    private static List<String> digestsIn(String text) {
        return DIGEST.matcher(text).results().map(MatchResult::group).distinct().toList();
    }
}
