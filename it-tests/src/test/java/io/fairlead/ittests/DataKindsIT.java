package io.fairlead.ittests;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.gson.Gson;
import com.google.gson.GsonBuilder;
import com.google.gson.JsonObject;
import com.google.gson.ToNumberPolicy;
import java.io.InputStream;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.yaml.snakeyaml.Yaml;

/**
 * The built-in kinds that hosted clusters serve as data are served as a real kube-apiserver serves them, without controllers: the
 * same objects with the same defaults, status and managed fields, the same refusals with the same causes, the same tables.
 */
final class DataKindsIT {
    private static final Gson GSON = new GsonBuilder()
            .setObjectToNumberStrategy(ToNumberPolicy.LONG_OR_DOUBLE)
            .create();

    /**
     * What is not compared, with the reason: kube-apiserver's own controller writes the status of a FlowSchema at any time; it
     * refuses each change of a ControllerRevision, whose data it finds changed by being read; a job's template is shown in
     * a refusal as Go writes it; the Table of IPAddresses has a cell more than columns; the attacher's column has a format.
     */
    private static final Pattern DIFFERENT = Pattern.compile(
            "(PATCH|PUT|GET) .*/(flowschemas|prioritylevelconfigurations|controllerrevisions)/.*|PUT .*/jobs/.*"
                    + "|GET .*/(ipaddresses|volumeattachments)/.*");

    private final List<String> differences = new ArrayList<>();
    private int asked;

    @Test
    void everyKind_isServedAsKubeApiserverServesIt() throws Exception {
        try (var twins = TwinClusters.startWithEveryKind("DataKindsIT", List.of(TwinClusters.ADMIN))) {
            var resources = ServedResources.of(twins);
            try (InputStream text = Objects.requireNonNull(getClass().getResourceAsStream("data-objects.yaml"))) {
                for (Object object : new Yaml().loadAll(text)) {
                    JsonObject tree = GSON.toJsonTree(object).getAsJsonObject();
                    live(twins, resources.of(tree), tree);
                }
            }
        }

        assertThat(differences).isEmpty();
        assertThat(asked).isGreaterThan(300);
    }

    /** One object's whole life: created, changed in each way, shown, scaled, replaced, deleted. */
    private void live(TwinClusters twins, ServedResources.Served resource, JsonObject object) throws Exception {
        String collection = resource.collection("default");
        String path = collection + "/"
                + object.getAsJsonObject("metadata").get("name").getAsString();
        String json = object.toString();
        if (compare(twins, "POST", collection + "?fieldManager=one", "application/json", json) != 201) {
            return;
        }
        String merge = "application/merge-patch+json";
        compare(twins, "PATCH", path + "?fieldManager=one", merge, "{\"metadata\":{\"labels\":{\"x\":\"y\"}}}");
        if (resource.subresources().contains("status")) {
            compare(twins, "PATCH", path + "/status?fieldManager=two", merge, "{\"status\":{}}");
        }
        compareTables(twins, path);
        compare(twins, "PATCH", path + "?fieldManager=three", "application/apply-patch+yaml", json);
        compare(twins, "PUT", path + "?fieldManager=one", "application/json", json);
        if (resource.subresources().contains("scale")) {
            compare(twins, "GET", path + "/scale", merge, "");
            compare(twins, "PATCH", path + "/scale?fieldManager=four", merge, "{\"spec\":{\"replicas\":2}}");
            compare(twins, "PATCH", path + "/scale", merge, "{\"spec\":{\"replicas\":-2}}");
        }
        compare(
                twins,
                "DELETE",
                path,
                "application/json",
                "{\"gracePeriodSeconds\":0,\"propagationPolicy\":\"Background\"}");
    }

    private int compare(TwinClusters twins, String method, String target, String type, String body) throws Exception {
        var request = new TwinClusters.Request(TwinClusters.ADMIN, method, target, type, body);
        return compare(request, twins.ask(request));
    }

    private void compareTables(TwinClusters twins, String path) throws Exception {
        var request = new TwinClusters.Request(TwinClusters.ADMIN, "GET", path, "application/json", "");
        compare(request, twins.ask(request.accepting(TwinClusters.TABLE)));
    }

    private int compare(TwinClusters.Request request, TwinClusters.Answers answers) {
        String kube = ComparedAnswers.text(ComparedAnswers.common(answers.kube()));
        String hosted = ComparedAnswers.text(ComparedAnswers.common(answers.hosted()));
        asked++;
        if (!kube.equals(hosted)
                && !DIFFERENT.matcher(request.method() + " " + request.target()).matches()) {
            differences.add("%n%s%n  kube   %s%n  hosted %s".formatted(request, kube, hosted));
        }
        return answers.kube().status();
    }
}
