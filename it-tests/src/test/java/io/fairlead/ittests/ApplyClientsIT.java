package io.fairlead.ittests;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.gson.JsonParser;
import io.fabric8.kubernetes.api.model.ConfigMapBuilder;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.GenericKubernetesResourceBuilder;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.apps.DeploymentBuilder;
import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.fabric8.kubernetes.client.dsl.base.PatchContext;
import io.fabric8.kubernetes.client.dsl.base.PatchType;
import io.kubernetes.client.custom.V1Patch;
import io.kubernetes.client.openapi.ApiClient;
import io.kubernetes.client.openapi.JSON;
import io.kubernetes.client.util.generic.KubernetesApiResponse;
import io.kubernetes.client.util.generic.dynamic.DynamicKubernetesApi;
import io.kubernetes.client.util.generic.dynamic.DynamicKubernetesObject;
import io.kubernetes.client.util.generic.options.PatchOptions;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/**
 * What client libraries do by server-side apply has the same results in a hosted cluster as in a real kube-apiserver: objects with
 * their managed fields, and conflicts.
 */
final class ApplyClientsIT {
    private static final TwinClusters TWINS =
            TwinClusters.startWithEveryKind("ApplyClientsIT", List.of(TwinClusters.ADMIN));
    private static final String GROUP = "applied.example.com";

    @BeforeAll
    static void define() {
        TWINS.apply(AppliedRequests.DEFINITION);
        TWINS.kubectl("wait", "--for", "condition=Established", "crd", "--all");
    }

    @AfterAll
    static void close() {
        TWINS.close();
    }

    @Test
    void fabric8_appliesAlike() throws Exception {
        List<String> kube = fabric8(TWINS.kubeconfigs().getFirst());
        List<String> hosted = fabric8(TWINS.kubeconfigs().getLast());

        assertThat(hosted).isEqualTo(kube);
        assertThat(kube).anyMatch(line -> line.startsWith("409 ")).anyMatch(line -> line.contains("two"));
    }

    @Test
    void officialClient_appliesAlike() throws Exception {
        List<String> kube = official(TWINS.kubeconfigs().getFirst());
        List<String> hosted = official(TWINS.kubeconfigs().getLast());

        assertThat(hosted).isEqualTo(kube);
        assertThat(kube).anyMatch(line -> line.startsWith("409 ")).anyMatch(line -> line.contains("two"));
    }

    private static List<String> fabric8(Path kubeconfig) throws Exception {
        Config config = Config.fromKubeconfig(Files.readString(kubeconfig));
        List<String> told = new ArrayList<>();
        try (KubernetesClient client =
                new KubernetesClientBuilder().withConfig(config).build()) {
            tell(told, client, () -> client.resource(configMap("a", "1")).serverSideApply());
            tell(told, client, () -> client.resource(configMap("a", "2")).serverSideApply());
            tell(told, client, () -> client.resource(configMap("a", "3")).patch(apply("two", false)));
            tell(told, client, () -> client.resource(configMap("a", "3")).patch(apply("two", true)));
            tell(
                    told,
                    client,
                    () -> client.resource(configMap("b", "3"))
                            .fieldManager("two")
                            .forceConflicts()
                            .serverSideApply());
            tell(told, client, () -> client.resource(deployment(1)).serverSideApply());
            tell(
                    told,
                    client,
                    () -> client.resource(deployment(2)).fieldManager("two").serverSideApply());
            tell(
                    told,
                    client,
                    () -> client.resource(deployment(2))
                            .fieldManager("two")
                            .forceConflicts()
                            .serverSideApply());
            tell(told, client, () -> client.resource(rig("a")).serverSideApply());
            tell(
                    told,
                    client,
                    () -> client.resource(rig("b")).fieldManager("two").serverSideApply());
            tell(told, client, () -> client.resource(rig("b")).patchStatus());
            tell(
                    told,
                    client,
                    () -> client.resource(rig("c")).dryRun().forceConflicts().serverSideApply());
            tell(told, client, () -> client.resource(rig("")).get());
        }
        return told;
    }

    private static PatchContext apply(String manager, boolean force) {
        return new PatchContext.Builder()
                .withPatchType(PatchType.SERVER_SIDE_APPLY)
                .withFieldManager(manager)
                .withForce(force)
                .build();
    }

    private static HasMetadata configMap(String key, String value) {
        return new ConfigMapBuilder()
                .withNewMetadata()
                .withName("by-fabric8")
                .withNamespace("default")
                .endMetadata()
                .addToData(key, value)
                .build();
    }

    private static HasMetadata deployment(int replicas) {
        return new DeploymentBuilder()
                .withNewMetadata()
                .withName("by-fabric8")
                .withNamespace("default")
                .endMetadata()
                .withNewSpec()
                .withReplicas(replicas)
                .withNewSelector()
                .addToMatchLabels("app", "a")
                .endSelector()
                .withNewTemplate()
                .withNewMetadata()
                .addToLabels("app", "a")
                .endMetadata()
                .withNewSpec()
                .addNewContainer()
                .withName("c")
                .withImage("example.com/a:1")
                .endContainer()
                .endSpec()
                .endTemplate()
                .endSpec()
                .build();
    }

    private static GenericKubernetesResource rig(String text) {
        return new GenericKubernetesResourceBuilder()
                .withApiVersion(GROUP + "/v1")
                .withKind("Rig")
                .withNewMetadata()
                .withName("by-fabric8")
                .withNamespace("default")
                .endMetadata()
                .addToAdditionalProperties("spec", Map.of("text", text, "set", List.of(text + "1", text + "2")))
                .addToAdditionalProperties("status", Map.of("phase", text))
                .build();
    }

    private static void tell(List<String> told, KubernetesClient client, Supplier<? extends HasMetadata> call) {
        try {
            told.add("200 " + comparable(client.getKubernetesSerialization().asJson(call.get())));
        } catch (KubernetesClientException refused) {
            told.add(refused.getCode() + " "
                    + comparable(client.getKubernetesSerialization().asJson(refused.getStatus())));
        }
    }

    private static List<String> official(Path kubeconfig) throws Exception {
        ApiClient client = io.kubernetes.client.util.Config.fromConfig(kubeconfig.toString());
        DynamicKubernetesApi configMaps = new DynamicKubernetesApi("", "v1", "configmaps", client);
        DynamicKubernetesApi rigs = new DynamicKubernetesApi(GROUP, "v1", "rigs", client);
        List<String> told = new ArrayList<>();
        String one = "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: by-client-java}\ndata: {a: '%s'}\n";
        apply(told, configMaps, one.formatted("1"), "one", false);
        apply(told, configMaps, one.formatted("2"), "one", false);
        apply(told, configMaps, one.formatted("3"), "two", false);
        apply(told, configMaps, one.formatted("3"), "two", true);
        apply(told, configMaps, "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: by-client-java}\n", "two", false);
        String rig = """
            apiVersion: applied.example.com/v1
            kind: Rig
            metadata: {name: by-client-java}
            spec: {ports: [{port: %d, tags: [%s]}]}
            """;
        apply(told, rigs, rig.formatted(1, "a"), "one", false);
        apply(told, rigs, rig.formatted(1, "b"), "two", false);
        apply(told, rigs, rig.formatted(2, "b"), "two", false);
        apply(told, rigs, rig.formatted(2, "b").replace("Rig", "Pig"), "two", false);
        return told;
    }

    private static void apply(List<String> told, DynamicKubernetesApi api, String yaml, String manager, boolean force) {
        PatchOptions options = new PatchOptions();
        options.setFieldManager(manager);
        options.setForce(force);
        KubernetesApiResponse<DynamicKubernetesObject> answer =
                api.patch("default", "by-client-java", V1Patch.PATCH_FORMAT_APPLY_YAML, new V1Patch(yaml), options);
        told.add(answer.getHttpStatusCode() + " "
                + comparable(
                        answer.isSuccess()
                                ? answer.getObject().getRaw().toString()
                                : JSON.serialize(answer.getStatus())));
    }

    /** Without what two servers cannot have in common. */
    private static String comparable(String json) {
        return ComparedAnswers.comparable(JsonParser.parseString(json)).toString();
    }
}
