package io.fairlead.fleet.root;

import static org.assertj.core.api.Assertions.assertThat;

import io.fairlead.fleet.root.RootCluster.Answer;
import io.fairlead.schema.json.Document;
import io.fairlead.schema.json.Yaml;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

/** The examples that users begin with: the root cluster takes them, with every field known, and each kind that users write has one. */
final class ExamplesTest {
    private static final Path EXAMPLES = Path.of(Objects.requireNonNullElse(System.getProperty("basedir"), ""))
            .toAbsolutePath()
            .resolveSibling("config")
            .resolve("examples");
    private static final String GROUP = "/apis/fairlead.io/v1alpha1";

    /** Those that only Fairlead writes. */
    private static final List<String> INTERNAL = List.of("KeyReservation");

    @Test
    void everyKind_hasAnExample_thatIsAccepted() throws IOException {
        try (RootCluster root = new RootCluster(_ -> Optional.empty())) {
            JsonNode resources =
                    root.send(RootCluster.ADMIN, "GET", GROUP, "").body().path("resources");
            List<String> kinds = new ArrayList<>();
            for (JsonNode resource : resources.values()) {
                boolean isStored = resource.path("verbs")
                        .valueStream()
                        .anyMatch(verb -> verb.asString("").equals("list"));
                String kind = resource.path("kind").asString("");
                if (isStored && !INTERNAL.contains(kind)) {
                    kinds.add(kind);
                    List<JsonNode> examples = examples(kind);
                    assertThat(examples).as("examples of %s", kind).isNotEmpty();
                    String path = GROUP + "/" + resource.path("name").asString("") + "?fieldValidation=Strict";
                    for (JsonNode example : examples) {
                        Answer answer = root.send(RootCluster.ADMIN, "POST", path, example.toString());
                        assertThat(answer.code()).as("%s", answer.body()).isEqualTo(201);
                    }
                }
            }
            assertThat(kinds).contains("Cluster", "TypePin", "APIPublication", "ExclusiveKey", "ConditionRecord");
        }
    }

    private static List<JsonNode> examples(String kind) throws IOException {
        List<JsonNode> examples = new ArrayList<>();
        try (Stream<Path> files = Files.walk(EXAMPLES)) {
            for (Path file :
                    files.filter(path -> path.toString().endsWith(".yaml")).toList()) {
                for (Document document : Yaml.readAll(Files.readAllBytes(file))) {
                    if (document.root().path("kind").asString("").equals(kind)) {
                        examples.add(document.root());
                    }
                }
            }
        }
        return examples;
    }
}
