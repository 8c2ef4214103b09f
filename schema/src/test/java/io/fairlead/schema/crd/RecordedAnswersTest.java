package io.fairlead.schema.crd;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import io.fairlead.model.Status;
import io.fairlead.schema.field.FieldError;
import io.fairlead.schema.field.FieldErrors;
import io.fairlead.schema.json.Json;
import io.fairlead.schema.json.MergePatch;
import io.fairlead.schema.structural.StructuralSchema;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * Compares with what a kube-apiserver 1.36 answered; {@code record.py} beside the resources asks it again.
 *
 * <p>Causes are compared without their order, which upstream takes from Go's maps.
 */
class RecordedAnswersTest {
    private static final JsonNode DEFINITIONS = resource("definitions.json");
    private static final JsonNode VALUES = resource("values.json");
    private static final JsonNode EXPECTED = resource("expected.json");

    /** Values that upstream shows in the form of its internal Go types. */
    private static final Set<String> SHOWN_AS_GO_TYPES = Set.of("spec.versions", "spec.validation.openAPIV3Schema");

    static Stream<Arguments> definitions() {
        ObjectNode base = (ObjectNode) DEFINITIONS.get("base");
        Stream<Arguments> schemas = DEFINITIONS
                .get("schemas")
                .propertyStream()
                .map(e -> Arguments.of(e.getKey(), withSchema(base, (ObjectNode) e.getValue())));
        Stream<Arguments> patches = DEFINITIONS
                .get("patches")
                .propertyStream()
                .map(e -> Arguments.of(e.getKey(), MergePatch.apply(base, e.getValue())));
        return Stream.concat(schemas, patches);
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("definitions")
    void definition_isJudgedAsByKubeApiserver(String name, ObjectNode body) {
        JsonNode expected = EXPECTED.at("/definitions/" + name);
        CustomResourceDefinition definition = definition(body);

        FieldErrors errors = DefinitionRules.forCreate(definition);

        Status status = errors.status("apiextensions.k8s.io", "CustomResourceDefinition", definition.name());
        assertSameJudgement(expected, errors, status);
        if (errors.isEmpty()) {
            assertThat(definition.tree().get("spec")).isEqualTo(expected.get("kept"));
            assertThat(definition.warnings())
                    .map(warning -> "299 - " + Json.text(Json.nodes().stringNode(warning)))
                    .containsExactlyElementsOf(strings(expected.path("warnings")));
        }
    }

    static Stream<Arguments> values() {
        List<Arguments> arguments = new ArrayList<>();
        for (JsonNode group : VALUES) {
            String name = group.get("name").stringValue();
            for (int i = 0; i < group.get("values").size(); i++) {
                JsonNode expected = EXPECTED.at("/values/" + name + "/" + i);
                arguments.add(Arguments.of(name, group.get("values").get(i), expected));
            }
        }
        return arguments.stream();
    }

    @ParameterizedTest(name = "{0}: {1}")
    @MethodSource("values")
    void object_isReadAndJudgedAsByKubeApiserver(String name, JsonNode value, JsonNode expected) {
        ObjectNode object = Json.object()
                .put("apiVersion", "rules.example.com/v1")
                .put("kind", "Thing")
                .set("metadata", Json.object().put("name", "a").put("namespace", "default"));
        object.set("spec", Json.object().set(name, value.deepCopy()));
        StructuralSchema schema =
                requireNonNull(allValues().versions().getFirst().schema());

        StructuralSchema.Reading reading = schema.read(object, false);

        if (expected.get("code").asInt() == 400) {
            assertThat(reading.problems().list())
                    .map(FieldError::toString)
                    .singleElement()
                    .satisfies(problem ->
                            assertThat(expected.get("message").stringValue()).contains(problem));
            return;
        }
        assertThat(reading.problems()).isEmpty();
        FieldErrors errors = schema.validate(object);
        assertSameJudgement(expected, errors, errors.status("rules.example.com", "Thing", "a"));
        if (errors.isEmpty()) {
            assertThat(Json.read(Json.write(object.get("spec")))).isEqualTo(expected.get("kept"));
            assertThat(reading.messages())
                    .map(message -> "299 - " + Json.text(Json.nodes().stringNode(message)))
                    .containsExactlyElementsOf(strings(expected.path("warnings")));
        }
    }

    @Test
    void schema_isPublishedAsByKubeApiserver() {
        CustomResourceDefinition definition = allValues();
        CustomResourceDefinition.Version version = definition.versions().getFirst();

        assertThat(undescribed(PublishedSchema.object(definition, version))).isEqualTo(EXPECTED.get("published"));
        assertThat(undescribed(PublishedSchema.list(definition, version))).isEqualTo(EXPECTED.get("publishedList"));
        assertThat(PublishedSchema.componentName("rules.example.com", "v1", "Thing"))
                .isEqualTo("com.example.rules.v1.Thing");
    }

    private static void assertSameJudgement(JsonNode expected, FieldErrors errors, Status status) {
        if (expected.get("code").asInt() < 400) {
            assertThat(errors).isEmpty();
            return;
        }
        List<String> causes = new ArrayList<>();
        for (JsonNode cause : expected.get("causes")) {
            causes.add(comparable(
                    cause.get(0).stringValue(),
                    cause.get(1).stringValue(),
                    cause.get(2).stringValue()));
        }
        assertThat(errors.list())
                .map(error -> comparable(error.type().cause(), error.body(), error.field()))
                .containsExactlyInAnyOrderElementsOf(causes);
        if (errors.size() == 1
                && !SHOWN_AS_GO_TYPES.contains(errors.list().getFirst().field())) {
            assertThat(status.message()).isEqualTo(expected.get("message").stringValue());
        }
        assertThat(status.code()).isEqualTo(422);
    }

    private static String comparable(String reason, String message, String field) {
        boolean goType = SHOWN_AS_GO_TYPES.contains(field) && message.startsWith("Invalid value: ");
        String shown = goType ? message.replaceFirst("(?s)[\\[{\"].*[\\]}\"]: ", "…: ") : message;
        return reason + " | " + field + " | " + shown;
    }

    private static CustomResourceDefinition allValues() {
        ObjectNode properties = Json.object();
        VALUES.forEach(group -> properties.set(group.get("name").stringValue(), group.get("schema")));
        ObjectNode spec = Json.object().put("type", "object");
        spec.set("properties", properties);
        ObjectNode schema = Json.object().set("properties", Json.object().set("spec", spec));
        return definition(withSchema((ObjectNode) DEFINITIONS.get("base"), schema));
    }

    private static ObjectNode withSchema(ObjectNode base, ObjectNode schema) {
        ObjectNode definition = base.deepCopy();
        ObjectNode target = (ObjectNode) definition.at("/spec/versions/0/schema");
        target.set("openAPIV3Schema", MergePatch.apply(Json.object().put("type", "object"), schema));
        return definition;
    }

    /** The definition with the status that creating it gives. */
    private static CustomResourceDefinition definition(ObjectNode body) {
        ObjectNode created = body.deepCopy();
        ObjectNode status = created.putObject("status");
        status.putArray("conditions");
        var stored = status.putArray("storedVersions");
        for (JsonNode version : body.at("/spec/versions")) {
            if (version.path("storage").asBoolean(false) && stored.isEmpty()) {
                stored.add(version.get("name"));
            }
        }
        return requireNonNull(CustomResourceDefinition.read(created).definition());
    }

    private static JsonNode undescribed(JsonNode node) {
        JsonNode copy = node.deepCopy();
        dropDescriptions(copy);
        return copy;
    }

    private static void dropDescriptions(JsonNode node) {
        if (node instanceof ObjectNode object && object.path("description").isString()) {
            object.remove("description");
        }
        node.values().forEach(RecordedAnswersTest::dropDescriptions);
    }

    private static List<String> strings(JsonNode list) {
        return list.values().stream().map(JsonNode::stringValue).toList();
    }

    private static JsonNode resource(String name) {
        try (InputStream in = requireNonNull(RecordedAnswersTest.class.getResourceAsStream(name))) {
            return Json.read(in.readAllBytes());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
