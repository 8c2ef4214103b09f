package io.fairlead.ittests;

import static org.assertj.core.api.Assertions.assertThat;

import io.fairlead.ittests.HttpProbe.Answer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** A cluster with two kube-apiservers over one etcd, of which the second is named for what CRDs serve. */
final class CrdRuntimeIT {
    private static final Duration SOON = Duration.ofSeconds(60);
    private static final BoundedType KEEL = new BoundedType("keels", "Keel", "runtime.example.com", "depth");
    private static final String KEELS = "/apis/runtime.example.com/v1/namespaces/default/keels";
    private static final String CONFIG_MAPS = "/api/v1/namespaces/default/configmaps";

    @Test
    void whatACrdServes_goesToTheRuntime_allElseToTheBase_andAllToTheBaseAgain() throws Exception {
        Path folder = Checkout.scratch("CrdRuntimeIT");
        try (var attached = new AttachedCluster(folder).start();
                var second = RecordingRelay.start(
                        Files.createDirectories(folder.resolve("second")),
                        attached.kube().startSecondApiserver());
                var probe = HttpProbe.withToken(
                        attached.fairlead().endpoint() + "/clusters/prod", AttachedCluster.ROOT_TOKEN)) {
            var base = new Kubectl(folder.resolve("kubectl"), attached.kube().kubeconfig());
            base.succeedWith(KEEL.definition(10), "apply", "-f", "-");
            base.succeed("wait", "--for=condition=Established", "crd/keels.runtime.example.com", "--timeout=60s");
            attached.nameCrdRuntime("prod", second.url(), second.caFile());

            Await.until(
                    "the runtime is asked",
                    SOON,
                    () -> probe.get(KEELS).status() == 200 && second.received().contains("GET " + KEELS + " "));
            Answer created = probe.send("POST", KEELS, "application/json", keel("long", 3));
            Answer refused = probe.send("POST", KEELS, "application/json", keel("deep", 11));
            Answer configMaps = probe.get(CONFIG_MAPS);
            Answer discovery = probe.get("/apis/runtime.example.com/v1");

            assertThat(created.status()).as("%s", created).isEqualTo(201);
            assertThat(refused.status()).as("%s", refused).isEqualTo(422);
            assertThat(configMaps.status()).isEqualTo(200);
            assertThat(discovery.status()).isEqualTo(200);
            assertThat(base.succeed("get", "keel", "long", "-n", "default", "-o", "jsonpath={.spec.depth}"))
                    .isEqualTo("3");
            assertThat(second.received())
                    .contains("POST " + KEELS + " ", "Bearer " + KubeCluster.ADMIN_TOKEN)
                    .containsIgnoringCase("\r\nImpersonate-User: root\r\n")
                    .doesNotContain(AttachedCluster.ROOT_TOKEN, CONFIG_MAPS, " /apis/runtime.example.com/v1 ")
                    .doesNotContain("customresourcedefinitions");

            attached.nameNoCrdRuntime("prod");

            Await.until("the runtime is asked no more", SOON, () -> {
                second.forget();
                return probe.get(KEELS).status() == 200 && second.received().isEmpty();
            });
            assertThat(probe.get(KEELS + "/long").status()).isEqualTo(200);
            assertThat(second.received()).isEmpty();
        }
    }

    private static String keel(String name, int depth) {
        return "{\"apiVersion\":\"runtime.example.com/v1\",\"kind\":\"Keel\",\"metadata\":{\"name\":\"" + name
                + "\"},\"spec\":{\"depth\":" + depth + "}}";
    }
}
