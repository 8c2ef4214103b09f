package io.fairlead.ittests;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.gson.Gson;
import com.google.gson.GsonBuilder;
import com.google.gson.JsonObject;
import com.google.gson.ToNumberPolicy;
import java.io.IOException;
import java.io.InputStream;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.yaml.snakeyaml.LoaderOptions;
import org.yaml.snakeyaml.Yaml;

/**
 * HorizontalPodAutoscalers are served in both of their versions as a real kube-apiserver serves them: what is written through one is
 * read, changed, applied and refused through the other with the same fields, annotations and field managers.
 */
final class AutoscalerVersionsIT {
    private static final Gson GSON = new GsonBuilder()
            .setObjectToNumberStrategy(ToNumberPolicy.LONG_OR_DOUBLE)
            .create();

    private static final Map<String, String> TYPES = Map.of(
            "merge", "application/merge-patch+json",
            "strategic", "application/strategic-merge-patch+json",
            "json", "application/json-patch+json",
            "apply", "application/apply-patch+yaml");

    @Test
    void bothVersions_areServedAsKubeApiserverServesThem() throws Exception {
        List<String> differences = new ArrayList<>();
        int asked = 0;
        try (var twins = TwinClusters.startWithEveryKind("AutoscalerVersionsIT", List.of(TwinClusters.ADMIN))) {
            for (JsonObject step : steps()) {
                TwinClusters.Request request = request(step);
                TwinClusters.Answers answers = twins.ask(request);
                String kube = ComparedAnswers.text(ComparedAnswers.common(answers.kube()));
                String hosted = ComparedAnswers.text(ComparedAnswers.common(answers.hosted()));
                asked++;
                if (!kube.equals(hosted)) {
                    differences.add("%n%s%n  kube   %s%n  hosted %s".formatted(request, kube, hosted));
                }
            }
        }

        assertThat(differences).isEmpty();
        assertThat(asked).isGreaterThan(100);
    }

    private static List<JsonObject> steps() throws IOException {
        var options = new LoaderOptions();
        options.setMaxAliasesForCollections(100);
        try (InputStream text =
                Objects.requireNonNull(AutoscalerVersionsIT.class.getResourceAsStream("autoscaler-requests.yaml"))) {
            List<JsonObject> steps = new ArrayList<>();
            GSON.toJsonTree(new Yaml(options).load(text))
                    .getAsJsonArray()
                    .forEach(step -> steps.add(step.getAsJsonObject()));
            return steps;
        }
    }

    private static TwinClusters.Request request(JsonObject step) {
        if (step.has("dry")) {
            var annotations = new JsonObject();
            step.getAsJsonObject("dry")
                    .asMap()
                    .forEach((name, text) -> annotations.add("autoscaling.alpha.kubernetes.io/" + name, text));
            return new TwinClusters.Request(
                    TwinClusters.ADMIN,
                    "POST",
                    collection("V1") + "?dryRun=All",
                    "application/json",
                    scaled(annotations));
        }
        String[] words = step.get("ask").getAsString().split(" ", 2);
        String version = words[1].substring(0, 2);
        String as = step.has("as") ? step.get("as").getAsString() : "";
        var request = new TwinClusters.Request(
                TwinClusters.ADMIN,
                words[0].equals("TABLE") ? "GET" : words[0],
                collection(version) + words[1].substring(2),
                TYPES.getOrDefault(as, "application/json"),
                step.has("body") ? body(step, as, version) : "");
        return words[0].equals("TABLE") ? request.accepting(TwinClusters.TABLE) : request;
    }

    private static String scaled(JsonObject annotations) {
        return """
            {"apiVersion":"autoscaling/v1","kind":"HorizontalPodAutoscaler","metadata":{"name":"dry","annotations":%s},
            "spec":{"scaleTargetRef":{"apiVersion":"apps/v1","kind":"Deployment","name":"d"},"maxReplicas":3}}
            """.formatted(annotations);
    }

    private static String collection(String version) {
        return "/apis/autoscaling/" + version.toLowerCase(Locale.ROOT) + "/namespaces/default/horizontalpodautoscalers";
    }

    private static String body(JsonObject step, String as, String version) {
        if (step.get("body") instanceof JsonObject object && (as.isEmpty() || as.equals("apply"))) {
            JsonObject whole = object.deepCopy();
            if (!whole.has("apiVersion")) {
                whole.addProperty("apiVersion", "autoscaling/" + version.toLowerCase(Locale.ROOT));
            }
            if (!whole.has("kind")) {
                whole.addProperty("kind", "HorizontalPodAutoscaler");
            }
            return whole.toString();
        }
        return step.get("body").toString();
    }
}
