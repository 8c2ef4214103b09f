package io.fairlead.schema.digest;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.fairlead.schema.compare.TypeComparison;
import io.fairlead.schema.compare.Verdict;
import io.fairlead.schema.json.Json;
import io.fairlead.schema.json.UnreadableDocumentException;
import io.fairlead.schema.json.Yaml;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.junit.jupiter.api.Named;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** What changes a digest and what does not. */
class DefinitionDigestsTest {
    private static final String SPEC = "/versions/1/schema/openAPIV3Schema/properties/spec";
    private static final String FIELDS = SPEC + "/properties";

    @ParameterizedTest
    @MethodSource("meaningless")
    void meaningless_changeKeepsTheApi(Change change) {
        DefinitionDigests before = DefinitionDigests.of(definition());

        DefinitionDigests after = DefinitionDigests.of(change.made());

        assertThat(after.api()).isEqualTo(before.api());
        assertThat(after.versions()).containsExactlyInAnyOrderElementsOf(before.versions());
        assertThat(after.notUnderstood()).isEmpty();
        TypeComparison comparison = TypeComparison.of(before, after);
        assertThat(comparison.verdict()).as("%s", comparison).isEqualTo(Verdict.EQUAL);
    }

    static Stream<Named<Change>> meaningless() {
        return named(
                put("another CA bundle", "/conversion/webhook/clientConfig", "caBundle", "b3RoZXI="),
                put("another webhook namespace", "/conversion/webhook/clientConfig/service", "namespace", "else"),
                remove("no webhook address", "/conversion/webhook", "clientConfig"),
                put("a default name filled in", "/names", "singular", "database"),
                put("the list kind filled in", "/names", "listKind", "DatabaseList"),
                put("preserveUnknownFields false", "", "preserveUnknownFields", false),
                put("another deprecation text", "/versions/0", "deprecationWarning", "gone soon"),
                put("other printer columns", "/versions/1", "additionalPrinterColumns", Json.array()),
                reversed("versions in another order", "/versions"),
                reversed("selectable fields in another order", "/versions/1/selectableFields"),
                put("another description", "/versions/1/schema/openAPIV3Schema", "description", "Else."),
                remove("no title", SPEC, "title"),
                put("another example", FIELDS + "/engine", "example", "mysql"),
                put(
                        "external docs",
                        FIELDS + "/engine",
                        "externalDocs",
                        Json.object().put("url", "https://example.com")),
                reversed("required in another order", SPEC + "/required"),
                reversed("enum in another order", FIELDS + "/engine/enum"),
                reversed("anyOf in another order", FIELDS + "/port/anyOf"),
                reversed("oneOf in another order", FIELDS + "/backup/oneOf"),
                reversed("rules in another order", SPEC + "/x-kubernetes-validations"),
                put("another rule message", SPEC + "/x-kubernetes-validations/0", "message", "less, please"),
                put("a rule's reason", SPEC + "/x-kubernetes-validations/0", "reason", "FieldValueInvalid"),
                remove("optionalOldSelf not given", SPEC + "/x-kubernetes-validations/1", "optionalOldSelf"),
                put("nullable false", FIELDS + "/tier", "nullable", false),
                put("exclusiveMaximum false", FIELDS + "/replicas", "exclusiveMaximum", false),
                put("an empty list of required fields", FIELDS + "/labels", "required", Json.array()),
                put("no properties", FIELDS + "/labels", "properties", Json.object()),
                put("an empty format", FIELDS + "/tier", "format", ""),
                put("no default", FIELDS + "/ratio", "default", Json.nodes().nullNode()),
                put("a least length of 0", FIELDS + "/engine", "minLength", 0),
                put("an atomic list said", FIELDS + "/volumes/items", "x-kubernetes-map-type", "granular"),
                put("a number written otherwise", FIELDS + "/replicas", "maximum", decimal("1.5e3")),
                put("a fraction written otherwise", FIELDS + "/ratio", "minimum", decimal("50e-2")),
                new Change("members in another order", "", node -> reverseMembers(node)));
    }

    @ParameterizedTest
    @MethodSource("meaningful")
    void meaningful_changeChangesTheApi(Change change) {
        DefinitionDigests before = DefinitionDigests.of(definition());

        DefinitionDigests after = DefinitionDigests.of(change.made());

        assertThat(after.api()).isNotEqualTo(before.api());
        assertThat(after.full()).isNotEqualTo(before.full());
        assertThat(TypeComparison.of(before, after).verdict()).isNotEqualTo(Verdict.EQUAL);
    }

    static Stream<Named<Change>> meaningful() {
        return named(
                put("another group", "", "group", "example.org"),
                put("another scope", "", "scope", "Cluster"),
                put("another plural", "/names", "plural", "dbs"),
                put("another singular", "/names", "singular", "db"),
                put("another kind", "/names", "kind", "DataBase"),
                put("another list kind", "/names", "listKind", "Databases"),
                remove("no short name", "/names", "shortNames"),
                remove("no category", "/names", "categories"),
                put("another conversion", "/conversion", "strategy", "None"),
                reversed("review versions in another order", "/conversion/webhook/conversionReviewVersions"),
                put("a version no longer served", "/versions/0", "served", false),
                put("another version name", "/versions/0", "name", "v1beta2"),
                put("another storage version", "/versions/0", "storage", true),
                remove("no status subresource", "/versions/1/subresources", "status"),
                put("another scale path", "/versions/1/subresources/scale", "specReplicasPath", ".spec.count"),
                put("a label selector path", "/versions/1/subresources/scale", "labelSelectorPath", ".status.selector"),
                remove("no selectable fields", "/versions/1", "selectableFields"),
                remove("no schema", "/versions/1", "schema"),
                put("another type", FIELDS + "/tier", "type", "integer"),
                put("a format", FIELDS + "/tier", "format", "uuid"),
                put("another pattern", FIELDS + "/tier", "pattern", "^[a-z]*$"),
                put("another least length", FIELDS + "/tier", "minLength", 2),
                put("another greatest length", FIELDS + "/tier", "maxLength", 17),
                put("another default", FIELDS + "/tier", "default", "large"),
                put("a default of another type", FIELDS + "/replicas", "default", "3"),
                put("an empty default", FIELDS + "/selector", "default", Json.object()),
                put("another minimum", FIELDS + "/replicas", "minimum", 0),
                put(
                        "a maximum a double cannot tell apart",
                        FIELDS + "/ratio",
                        "multipleOf",
                        decimal("0.25000000000000000001")),
                remove("an inclusive minimum", FIELDS + "/ratio", "exclusiveMinimum"),
                remove("not nullable", FIELDS + "/engine", "nullable"),
                put("one more value", FIELDS + "/engine/enum", "", "sqlite"),
                put("one more required field", SPEC + "/required", "", "tier"),
                put("a new field", FIELDS, "zone", Json.object().put("type", "string")),
                remove("a field less", FIELDS, "ratio"),
                remove("no int-or-string", FIELDS + "/port", "x-kubernetes-int-or-string"),
                put("an atomic list", FIELDS + "/hosts", "x-kubernetes-list-type", "atomic"),
                reversed("list keys in another order", FIELDS + "/volumes/x-kubernetes-list-map-keys"),
                remove("a granular map", FIELDS + "/selector", "x-kubernetes-map-type"),
                remove("unknown fields pruned", FIELDS + "/template", "x-kubernetes-preserve-unknown-fields"),
                remove("no embedded resource", FIELDS + "/template", "x-kubernetes-embedded-resource"),
                put("other additional properties", FIELDS + "/labels/additionalProperties", "type", "integer"),
                put("another count of items", FIELDS + "/hosts", "maxItems", 9),
                put("another count of properties", FIELDS + "/labels", "maxProperties", 11),
                put("another item", FIELDS + "/hosts/items", "format", "ipv4"),
                put("another rule", SPEC + "/x-kubernetes-validations/0", "rule", "self.replicas < 101"),
                put("an old value that may be missing", SPEC + "/x-kubernetes-validations/1", "optionalOldSelf", true),
                remove("no negation", FIELDS + "/backup", "not"),
                put("a negation of everything", FIELDS + "/tier", "not", Json.object()),
                put("letters that look alike", FIELDS + "/tier", "default", "sm\u0430ll"),
                put("an unknown keyword", FIELDS + "/tier", "x-kubernetes-future", true));
    }

    @Test
    void full_differsWithDescriptionsAndAgreesWithoutThem() {
        ObjectNode other = put("", "/conversion/webhook/clientConfig", "caBundle", "b3RoZXI=")
                .made();
        assertThat(DefinitionDigests.of(other).full())
                .isEqualTo(DefinitionDigests.of(definition()).full());

        ObjectNode described =
                put("", FIELDS + "/tier", "description", "How large.").made();
        assertThat(DefinitionDigests.of(described).full())
                .isNotEqualTo(DefinitionDigests.of(definition()).full());
    }

    @Test
    void unknownKeyword_isToldWithItsPath() {
        DefinitionDigests digests = DefinitionDigests.of(
                put("", FIELDS + "/tier", "x-kubernetes-future", true).made());

        assertThat(digests.notUnderstood())
                .containsExactly("spec.versions[1].schema.openAPIV3Schema.properties.spec.properties.tier"
                        + ".x-kubernetes-future");
    }

    @ParameterizedTest
    @CsvSource({
        "/spec/versions/1/schema, spec.versions[1].schema.future",
        "/spec/versions/1/subresources/status, spec.versions[1].subresources.status.future",
        "/spec/versions/1/subresources/scale, spec.versions[1].subresources.scale.future",
        "/spec/versions/1/selectableFields/0, spec.versions[1].selectableFields[].future",
        "/spec/conversion/webhook, spec.conversion.webhook.future"
    })
    void unknownMember_isToldWithItsPath(String place, String path) {
        ObjectNode definition = definition();
        ObjectNode version = (ObjectNode) definition.at("/spec/versions/1");
        version.withObject("subresources").withObject("status");
        version.withObject("subresources").withObject("scale");
        version.putArray("selectableFields").addObject().put("jsonPath", ".spec.tier");
        definition.withObject("spec").withObject("conversion").withObject("webhook");
        ((ObjectNode) definition.at(place)).put("future", true);

        assertThat(DefinitionDigests.of(definition).notUnderstood()).containsExactly(path);
    }

    @ParameterizedTest
    @ValueSource(strings = {"group", "scope", "names", "versions"})
    void missingField_isNamed(String field) {
        ObjectNode definition = definition();
        ((ObjectNode) definition.get("spec")).remove(field);

        assertThatThrownBy(() -> DefinitionDigests.of(definition))
                .isInstanceOf(UnreadableDocumentException.class)
                .hasMessageContaining("spec." + field);
    }

    @Test
    void anotherVersionOfTheKind_isRefused() {
        ObjectNode definition = definition().put("apiVersion", "apiextensions.k8s.io/v1beta1");

        assertThatThrownBy(() -> DefinitionDigests.of(definition))
                .hasMessageContaining("apiextensions.k8s.io/v1beta1")
                .hasMessageContaining("expected apiextensions.k8s.io/v1");
    }

    @Test
    void canonicalText_isAsSpecified() {
        JsonNode value = Json.readExact("""
            {"b": [1500, 0.50, -0, 10e-1, 1e400], "a": "é\\u0001\\n\\"\\/\\u2028", "ä": null, "B": {"": true}}\
            """.getBytes(UTF_8)).root();

        assertThat(CanonicalJson.text(value))
                .isEqualTo(
                        "{\"B\":{\"\":true},\"a\":\"é\\u0001\\n\\\"/\u2028\",\"b\":[15e2,5e-1,0,1,1e400],\"ä\":null}");
    }

    private static ObjectNode definition() {
        try (InputStream in = DefinitionDigestsTest.class.getResourceAsStream("database.yaml")) {
            return (ObjectNode) Yaml.readAllExact(in.readAllBytes()).getFirst().root();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** kube-apiserver refuses such a definition; two that it would refuse are never equal. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "{default: 1e400}",
                "{maximum: 1e400}",
                "{multipleOf: -1e400}",
                "{maxLength: 1e999999999}",
                "{enum: [1, 1e400]}",
                "{default: {a: [1e400]}}",
                "{not: {minimum: -1e309}}"
            })
    void numberThatNoDoubleHolds_isNotUnderstood(String field) {
        ObjectNode definition = definition();
        JsonNode schema = Yaml.readAllExact(field.getBytes(UTF_8)).getFirst().root();
        ((ObjectNode) definition.get("spec").at(FIELDS)).set("engine", schema);

        DefinitionDigests digests = DefinitionDigests.of(definition);

        assertThat(digests.notUnderstoodInSchemas())
                .singleElement()
                .asString()
                .contains("spec.versions[1].schema.openAPIV3Schema.properties.spec.properties.engine.");
        assertThat(digests.type().notUnderstood()).hasSize(1);
        assertThat(TypeComparison.of(digests, digests).verdict()).isEqualTo(Verdict.UNKNOWN);
    }

    @Test
    void largestNumbers_areUnderstood() {
        ObjectNode definition = definition();
        JsonNode schema = Yaml.readAllExact("{default: 1e-300, maximum: 1.7e308, example: 1e400}".getBytes(UTF_8))
                .getFirst()
                .root();
        ((ObjectNode) definition.get("spec").at(FIELDS)).set("engine", schema);

        assertThat(DefinitionDigests.of(definition).notUnderstood()).isEmpty();
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
                                     | preserveUnknownFields    | "false"
        /names                       | singular                 | 5
        /names                       | listKind                 | true
        /names                       | shortNames               | db
        /names                       | categories               | [1]
        /conversion                  | strategy                 | 1
        /conversion                  | webhook                  | http
        /conversion/webhook          | conversionReviewVersions | v1
        /versions/1                  | served                   | "true"
        /versions/1                  | storage                  | "true"
        /versions/1                  | deprecated               | 0
        /versions/1                  | deprecationWarning       | 1
        /versions/1                  | schema                   | []
        /versions/1                  | subresources             | status
        /versions/1                  | additionalPrinterColumns | {}
        /versions/1                  | selectableFields         | [.spec.engine]
        /versions/1/subresources     | scale                    | []
        """)
    void memberBesideTheSchemaOfAnotherType_isNotUnderstood(String at, String field, String value) {
        ObjectNode definition = definition();
        JsonNode wrong = Yaml.readAllExact(value.getBytes(UTF_8)).getFirst().root();
        ((ObjectNode) definition.get("spec").at(at == null ? "" : at)).set(field, wrong);

        DefinitionDigests digests = DefinitionDigests.of(definition);

        assertThat(digests.notUnderstoodBeside()).singleElement().asString().contains(field);
        for (DefinitionDigests right : List.of(digests, DefinitionDigests.of(definition()))) {
            assertThat(TypeComparison.of(digests, right).verdict()).isNotEqualTo(Verdict.EQUAL);
            assertThat(TypeComparison.of(right, digests).verdict()).isNotEqualTo(Verdict.EQUAL);
        }
    }

    @ParameterizedTest
    @CsvSource({"'',group", "'',scope", "/names,kind", "/names,plural", "/versions/0,name"})
    void nameThatIsANumber_isRefusedByName(String at, String field) {
        ObjectNode definition = definition();
        ((ObjectNode) definition.get("spec").at(at)).put(field, 5);

        assertThatThrownBy(() -> DefinitionDigests.of(definition))
                .isInstanceOf(UnreadableDocumentException.class)
                .hasMessageContaining("." + field + " (expected a text that is not empty)");
    }

    private static JsonNode decimal(String digits) {
        return Json.readExact(digits.getBytes(UTF_8)).root();
    }

    private static Stream<Named<Change>> named(Change... changes) {
        return Stream.of(changes).map(change -> Named.of(change.name, change));
    }

    private static Change put(String name, String at, String field, Object value) {
        JsonNode node = switch (value) {
            case JsonNode tree -> tree;
            case Boolean flag -> Json.nodes().booleanNode(flag);
            case Integer number -> Json.nodes().numberNode(number);
            default -> Json.nodes().stringNode(value.toString());
        };
        return new Change(name, at, target -> {
            if (target instanceof ArrayNode array) {
                array.add(node);
            } else {
                ((ObjectNode) target).set(field, node);
            }
        });
    }

    private static Change remove(String name, String at, String field) {
        return new Change(
                name,
                at,
                target -> assertThat(((ObjectNode) target).remove(field)).isNotNull());
    }

    private static Change reversed(String name, String at) {
        return new Change(name, at, target -> {
            ArrayNode array = (ArrayNode) target;
            List<JsonNode> elements = new ArrayList<>(array.values());
            Collections.reverse(elements);
            array.removeAll();
            array.addAll(elements);
        });
    }

    private static void reverseMembers(JsonNode node) {
        if (node instanceof ObjectNode object) {
            List<Map.Entry<String, JsonNode>> members = new ArrayList<>(object.properties());
            object.removeAll();
            members.reversed().forEach(member -> object.set(member.getKey(), member.getValue()));
        }
        node.forEach(DefinitionDigestsTest::reverseMembers);
    }

    /** A change of the definition's spec at a JSON pointer. */
    record Change(String name, String at, Consumer<JsonNode> edit) {
        ObjectNode made() {
            ObjectNode definition = definition();
            edit.accept(definition.get("spec").at(at));
            return definition;
        }
    }
}
