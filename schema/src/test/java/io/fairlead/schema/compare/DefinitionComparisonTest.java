package io.fairlead.schema.compare;

import static org.assertj.core.api.Assertions.assertThat;

import io.fairlead.schema.digest.DefinitionDigests;
import io.fairlead.schema.json.Yaml;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import tools.jackson.databind.JsonNode;

/** What differs beside the schemas. */
class DefinitionComparisonTest {
    private static final String WIDGET = """
        apiVersion: apiextensions.k8s.io/v1
        kind: CustomResourceDefinition
        metadata: {name: widgets.example.com}
        spec:
          group: example.com
          names: {plural: widgets, kind: Widget, shortNames: [w], categories: [all]}
          scope: Namespaced
          conversion: {strategy: None}
          versions:
          - name: v1
            served: true
            storage: true
            subresources: {scale: {specReplicasPath: .spec.n, statusReplicasPath: .status.n}}
            selectableFields: [{jsonPath: .a}]
            schema: &schema {openAPIV3Schema: {type: object, properties: {a: {type: string}, status: {type: object}}}}
          - name: v1beta1
            served: true
            storage: false
            schema: *schema
          - name: v1alpha1
            served: true
            storage: false
            schema: {openAPIV3Schema: {type: object}}
        """;

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
        group: example.com | group: example.org                        | spec.group                            | Incompatible
        Namespaced         | Cluster                                   | spec.scope                            | Incompatible
        plural: widgets    | plural: widgetz                           | spec.names.plural                     | Incompatible
        kind: Widget       | singular: wid, kind: Widget               | spec.names.singular                   | Incompatible
        kind: Widget       | listKind: Widgets, kind: Widget           | spec.names.listKind                   | Incompatible
        shortNames: [w]    | shortNames: [w, wi]                       | spec.names.shortNames                 | Wider
        shortNames: [w]    | shortNames: [wi]                          | spec.names.shortNames                 | Incompatible
        categories: [all]  | categories: []                            | spec.names.categories                 | Narrower
        strategy: None     | strategy: Webhook, webhook: {conversionReviewVersions: [v1]} | spec.conversion    | Unknown
        scope: Namespaced  | 'scope: Namespaced, preserveUnknownFields: true' | spec.preserveUnknownFields     | Unknown
        scope: Namespaced  | 'scope: Namespaced, future: true'         | spec.future                           | Unknown
        scope: Namespaced  | 'scope: Namespaced, openAPIV3Schemas: true' | spec.openAPIV3Schemas               | Unknown
        .spec.n            | .spec.m                                   | spec.versions[v1].subresources.scale  | Incompatible
        [{jsonPath: .a}]   | '[{jsonPath: .a}, {jsonPath: .b}]'        | spec.versions[v1].selectableFields    | Wider
        [{jsonPath: .a}]   | []                                        | spec.versions[v1].selectableFields    | Narrower
        subresources: {    | 'subresources: {status: {}, '             | spec.versions[v1].subresources.status | Incompatible
        'statusReplicasPath: .status.n}}' | 'statusReplicasPath: .status.n}, later: {}}' | spec.versions[0].subresources.later | Unknown
        """)
    void change_isToldWithItsPathAndVerdict(String old, String now, String path, String verdict) {
        TypeComparison comparison = TypeComparison.of(definition(WIDGET), definition(changed(old, now)));

        assertThat(differences(comparison))
                .filteredOn(difference -> difference.path().equals(path))
                .extracting(difference -> difference.verdict().text())
                .as("%s", comparison)
                .contains(verdict);
        assertThat(comparison.verdict().text()).isEqualTo(verdict);
    }

    /** Of a version that is not served but kept the API says nothing; only the same definition is the same there. */
    @Test
    void storageVersionThatIsNotServed_isUnknown_unlessAllIsTheSame() {
        String hidden = WIDGET.replace("served: true\n    storage: true", "served: true\n    storage: false")
                        .replace("&schema ", "")
                        .replace("*schema", "{openAPIV3Schema: {type: object}}")
                + "  - {name: v2, served: false, storage: true, schema: {openAPIV3Schema: {type: object, properties:"
                + " {a: {type: string}}}}}\n";
        DefinitionDigests old = definition(hidden);
        DefinitionDigests now =
                definition(hidden.replace("properties: {a: {type: string}}}}}\n", "properties: {}}}}\n"));

        assertThat(now.api()).isEqualTo(old.api());
        assertThat(TypeComparison.of(old, now).verdict()).isEqualTo(Verdict.UNKNOWN);
        assertThat(TypeComparison.of(old, old).verdict()).isEqualTo(Verdict.EQUAL);
    }

    @Test
    void versionGone_isNarrower_andTheReverseWider() {
        DefinitionDigests fewer =
                definition(changed("name: v1alpha1\n    served: true", "name: v1alpha1\n    served: false"));

        TypeComparison gone = TypeComparison.of(definition(WIDGET), fewer);
        assertThat(gone.verdict()).isEqualTo(Verdict.NARROWER);
        assertThat(gone.versions())
                .extracting(version -> version.name() + " " + version.verdict().text())
                .containsExactly("v1 Equal", "v1alpha1 Narrower", "v1beta1 Equal");
        assertThat(TypeComparison.of(fewer, definition(WIDGET)).verdict()).isEqualTo(Verdict.WIDER);
    }

    @Test
    void storageVersion_mayMoveToOneWithTheSameSchema() {
        String unstored = WIDGET.replace("storage: true", "storage: false");
        String beta = unstored.replace(
                "v1beta1\n    served: true\n    storage: false", "v1beta1\n    served: true\n    storage: true");
        String alpha = unstored.replace(
                "v1alpha1\n    served: true\n    storage: false", "v1alpha1\n    served: true\n    storage: true");

        assertThat(TypeComparison.of(definition(WIDGET), definition(beta)).verdict())
                .isEqualTo(Verdict.WIDER);
        assertThat(TypeComparison.of(definition(WIDGET), definition(alpha)).verdict())
                .isEqualTo(Verdict.UNKNOWN);

        String webhook = "{strategy: Webhook, webhook: {conversionReviewVersions: [v1]}}";
        assertThat(TypeComparison.of(
                                definition(WIDGET.replace("{strategy: None}", webhook)),
                                definition(beta.replace("{strategy: None}", webhook)))
                        .verdict())
                .as("what a webhook does between them cannot be known")
                .isEqualTo(Verdict.UNKNOWN);
    }

    @Test
    void statusSubresource_ofWhatHasNoStatus_isWider() {
        String with = WIDGET.replace("schema: {openAPI", "subresources: {status: {}}\n    schema: {openAPI");

        assertThat(TypeComparison.of(definition(WIDGET), definition(with)).verdict())
                .isEqualTo(Verdict.WIDER);
        assertThat(TypeComparison.of(definition(with), definition(WIDGET)).verdict())
                .isEqualTo(Verdict.INCOMPATIBLE);
    }

    @Test
    void unknownKeywordOnBothSides_isUnknown() {
        DefinitionDigests future =
                definition(changed("a: {type: string}", "a: {type: string, x-kubernetes-future: 1}"));

        TypeComparison comparison = TypeComparison.of(future, future);

        assertThat(comparison.verdict()).isEqualTo(Verdict.UNKNOWN);
        assertThat(comparison.versions().getFirst().differences().getFirst().path())
                .isEqualTo(".a");
        assertThat(comparison.versions().getFirst().differences().getFirst().rule())
                .isEqualTo("x-kubernetes-future");
        assertThat(TypeComparison.added(future).verdict()).isEqualTo(Verdict.UNKNOWN);
    }

    @Test
    void unknownMemberThatIsCalledLikeTheSchema_isUnknown() {
        DefinitionDigests odd = definition(changed(
                "{openAPIV3Schema: {type: object}}",
                "{openAPIV3Schema: {type: object}," + " openAPIV3SchemaNext: {type: object}}"));

        assertThat(TypeComparison.of(odd, odd).verdict()).isEqualTo(Verdict.UNKNOWN);
    }

    private static List<Difference> differences(TypeComparison comparison) {
        List<Difference> differences = new ArrayList<>(comparison.differences());
        comparison.versions().forEach(version -> differences.addAll(version.differences()));
        return differences;
    }

    private static String changed(String old, String now) {
        assertThat(WIDGET).contains(old);
        return WIDGET.replace(old, now.replace("Namespaced, ", "Namespaced\n  "));
    }

    private static DefinitionDigests definition(String yaml) {
        JsonNode definition = Yaml.readAllExact(yaml.getBytes(StandardCharsets.UTF_8))
                .getFirst()
                .root();
        return DefinitionDigests.of(definition);
    }
}
