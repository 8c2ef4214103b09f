package io.fairlead.schema.meta;

import static org.assertj.core.api.Assertions.assertThat;

import io.fairlead.schema.field.FieldError;
import io.fairlead.schema.field.FieldErrors;
import io.fairlead.schema.field.FieldPath;
import io.fairlead.schema.json.Json;
import io.fairlead.schema.typed.TypedDecoder;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;

class ObjectMetadataTest {
    private static final FieldPath METADATA = FieldPath.of("metadata");
    private static final String SUBDOMAIN_RULE = "a lowercase RFC 1123 subdomain must consist of lower case"
            + " alphanumeric characters, '-' or '.', and must start and end with an alphanumeric character (e.g."
            + " 'example.com', regex used for validation is"
            + " '[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*')";
    private static final String LABEL_KEY_RULE = "must consist of alphanumeric characters, '-', '_' or '.', and must"
            + " start and end with an alphanumeric character (e.g. 'MyName',  or 'my.name',  or '123-abc', regex used"
            + " for validation is '([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]')";

    @ParameterizedTest
    @ValueSource(strings = {"a", "a.b", "a-b.c--d", "0", "a1.2"})
    void dns1123Subdomain_wellFormed_hasNoProblem(String name) {
        assertThat(Names.dns1123Subdomain(name)).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "A", "a..b", "-a", "a-", "a.", "a_b", ".a", "a.-b", "é"})
    void dns1123Subdomain_malformed_saysTheRule(String name) {
        assertThat(Names.dns1123Subdomain(name)).containsExactly(SUBDOMAIN_RULE);
    }

    @Test
    void dns1123Label_withDots_saysSo() {
        assertThat(Names.dns1123Label("a.b")).containsExactly("must not contain dots");
        assertThat(Names.dns1123Label("a".repeat(64))).containsExactly("must be no more than 63 characters");
        assertThat(Names.dns1035Label("1a")).hasSize(1);
    }

    @Test
    void names_hugeInput_isJudgedQuickly() {
        assertThat(Names.dns1123Subdomain("a-".repeat(500_000))).hasSize(2);
        assertThat(Names.qualifiedName("a.".repeat(500_000))).hasSize(2);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "a|0",
                "example.com/a|0",
                "A_b.C-1|0",
                "a/b/c|1",
                "/a|1",
                "example.com/|2",
                "Example.com/a|1",
                "-a|1",
                "''|2"
            })
    void qualifiedName_countsProblems(String name, int problems) {
        assertThat(Names.qualifiedName(name)).hasSize(problems);
    }

    @Test
    void qualifiedName_malformed_saysWhichPart() {
        assertThat(Names.qualifiedName("/a b"))
                .containsExactly("prefix part must be non-empty", "name part " + LABEL_KEY_RULE);
        assertThat(Names.qualifiedName("a/b/c"))
                .containsExactly("a valid label key " + LABEL_KEY_RULE
                        + " with an optional DNS subdomain prefix and '/' (e.g. 'example.com/MyName')");
    }

    @Test
    void forCreate_allWell_findsNothing() {
        assertThat(create("""
            {"name":"a.b","generateName":"a-","namespace":"n","labels":{"example.com/x":"","y":"Z_1"},
             "annotations":{"A/b":"any thing"},"finalizers":["example.com/f","orphan"],
             "ownerReferences":[{"apiVersion":"apps/v1","kind":"K","name":"n","uid":"u","controller":true}],
             "managedFields":[{"manager":"kubectl","operation":"Apply","fieldsType":"FieldsV1"}]}\
            """)).isEmpty();
    }

    @Test
    void forCreate_manyProblems_areAllTold() {
        assertThat(create("""
            {"generateName":"X","labels":{"a b":"c d"},"finalizers":["orphan","foregroundDeletion"],
             "ownerReferences":[{"controller":true,"kind":"A","name":"1"},
                {"apiVersion":"v1","kind":"B","name":"2","uid":"u","controller":true}],
             "managedFields":[{"operation":"x"}]}\
            """))
                .containsExactly(
                        "metadata.generateName: Invalid value: \"X\": " + SUBDOMAIN_RULE,
                        "metadata.name: Required value: name or generateName is required",
                        "metadata.namespace: Required value",
                        "metadata.labels: Invalid value: \"a b\": name part " + LABEL_KEY_RULE,
                        "metadata.labels: Invalid value: \"c d\": a valid label must be an empty string or consist of"
                                + " alphanumeric characters, '-', '_' or '.', and must start and end with an"
                                + " alphanumeric character (e.g. 'MyValue',  or 'my_value',  or '12345', regex used for"
                                + " validation is '(([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9])?')",
                        "metadata.ownerReferences.apiVersion: Invalid value: \"\": version must not be empty",
                        "metadata.ownerReferences.uid: Invalid value: \"\": must not be empty",
                        "metadata.ownerReferences: Invalid value:"
                            + " [{\"controller\":true,\"kind\":\"A\",\"name\":\"1\"},"
                            + "{\"apiVersion\":\"v1\",\"controller\":true,\"kind\":\"B\",\"name\":\"2\",\"uid\":\"u\"}]:"
                            + " Only one reference can have Controller set to true. Found \"true\" in references for"
                            + " A/1 and B/2",
                        "metadata.finalizers: Invalid value: [\"orphan\",\"foregroundDeletion\"]: finalizer orphan and"
                                + " foregroundDeletion cannot be both set",
                        "metadata.managedFields[0].operation: Invalid value: \"x\": must be `Apply` or `Update`");
    }

    @Test
    void forCreate_clusterScopedWithNamespace_isForbidden() {
        FieldErrors errors = ObjectMetadata.forCreate(
                Json.read("{\"name\":\"a:b\",\"namespace\":\"n\"}"), false, NameRule.PATH_SEGMENT, METADATA);

        assertThat(errors.list())
                .map(FieldError::toString)
                .containsExactly("metadata.namespace: Forbidden: not allowed on this type");
    }

    @Test
    void forCreate_annotationsBeyond256Kilobytes_areTooLong() {
        JsonNode metadata = Json.object()
                .put("name", "a")
                .put("namespace", "n")
                .set("annotations", Json.object().put("k", "x".repeat(256 * 1024)));

        assertThat(create(Json.text(metadata)))
                .containsExactly("metadata.annotations: Too long: may not be more than 262144 bytes");
    }

    @Test
    void pathSegment_refusesWhatAUrlCannotCarry() {
        assertThat(NameRule.PATH_SEGMENT.problems("a/b%c", false))
                .containsExactly("may not contain '/'", "may not contain '%'");
        assertThat(NameRule.PATH_SEGMENT.problems("..", false)).containsExactly("may not be '..'");
        assertThat(NameRule.PATH_SEGMENT.problems("system:x", false)).isEmpty();
    }

    @Test
    void forUpdate_immutableFieldsAndVersion_areChecked() {
        assertThat(update(
                        "{\"name\":\"b\",\"uid\":\"2\",\"generation\":1}",
                        "{\"name\":\"a\",\"uid\":\"1\",\"generation\":2,\"resourceVersion\":\"5\"}"))
                .containsExactly(
                        "metadata.resourceVersion: Invalid value: \"\": must be specified for an update",
                        "metadata.generation: Invalid value: 1: must not be decremented",
                        "metadata.name: Invalid value: \"b\": field is immutable",
                        "metadata.uid: Invalid value: \"2\": field is immutable");
    }

    @Test
    void forUpdate_newFinalizerWhileDeleting_isForbidden() {
        assertThat(update(
                        "{\"resourceVersion\":\"5\",\"deletionTimestamp\":\"t\",\"finalizers\":[\"a/b\",\"c/d\"]}",
                        "{\"deletionTimestamp\":\"t\",\"finalizers\":[\"c/d\"]}"))
                .containsExactly("metadata.finalizers: Forbidden: no new finalizers can be added if the object is"
                        + " being deleted, found new finalizers []string{\"a/b\"}");
    }

    @Test
    void finalizerWarnings_nameWhatIsNotQualified() {
        assertThat(ObjectMetadata.finalizerWarnings(
                        Json.read("{\"finalizers\":[\"a/b\",\"orphan\",\"x\",\"x.y\"]}"), METADATA))
                .containsExactly(
                        "metadata.finalizers: \"x\": prefer a domain-qualified finalizer name to avoid accidental"
                                + " conflicts with other finalizer writers",
                        "metadata.finalizers: \"x.y\": prefer a domain-qualified finalizer name including a path (/) to"
                                + " avoid accidental conflicts with other finalizer writers");
    }

    @Test
    void decode_dropsUnknownAndEmptyFields() {
        var decoded = MetadataTypes.decode(Json.read("""
            {"name":"a","x":1,"labels":{},"creationTimestamp":null,"generation":0,
             "deletionGracePeriodSeconds":0,"annotations":{"k":null},
             "deletionTimestamp":"2026-01-02T03:04:05.678+01:00",
             "ownerReferences":[{"kind":"K","y":2,"controller":false}]}\
            """), METADATA, false);

        assertThat(decoded.problem()).isNull();
        assertThat(decoded.unknownFields()).containsExactly("metadata.x", "metadata.ownerReferences[0].y");
        assertThat(decoded.tree()).isEqualTo(Json.read("""
            {"name":"a","deletionGracePeriodSeconds":0,"annotations":{"k":""},
             "deletionTimestamp":"2026-01-02T02:04:05Z",
             "ownerReferences":[{"apiVersion":"","kind":"K","name":"","uid":"","controller":false}]}\
            """));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "{\"labels\":{\"a\":1}}|json: cannot unmarshal number into Go struct field ObjectMeta.labels of type"
                        + " string",
                "{\"name\":{}}|json: cannot unmarshal object into Go struct field ObjectMeta.name of type string",
                "{\"finalizers\":\"x\"}|json: cannot unmarshal string into Go struct field ObjectMeta.finalizers of"
                        + " type []string",
                "{\"creationTimestamp\":\"x\"}|parsing time \"x\" as \"2006-01-02T15:04:05Z07:00\": cannot parse \"x\""
                        + " as \"2006\""
            })
    void decode_wrongType_isAProblemOrDropped(String metadata, String problem) {
        assertThat(MetadataTypes.decode(Json.read(metadata), METADATA, false).problem())
                .isEqualTo(problem);
        assertThat(MetadataTypes.decode(Json.read(metadata), METADATA, true))
                .isEqualTo(new TypedDecoder.Decoded(Json.object(), List.of(), null));
    }

    private static List<String> create(String metadata) {
        return texts(ObjectMetadata.forCreate(Json.read(metadata), true, NameRule.DNS_SUBDOMAIN, METADATA));
    }

    private static List<String> update(String metadata, String old) {
        return texts(ObjectMetadata.forUpdate(Json.read(metadata), Json.read(old), METADATA));
    }

    private static List<String> texts(FieldErrors errors) {
        return errors.list().stream().map(FieldError::toString).toList();
    }
}
