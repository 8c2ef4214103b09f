package io.fairlead.schema.crd;

import static java.nio.charset.StandardCharsets.UTF_8;
import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import io.fairlead.schema.field.FieldError;
import io.fairlead.schema.field.FieldErrors;
import io.fairlead.schema.json.Json;
import io.fairlead.schema.json.MergePatch;
import io.fairlead.schema.json.Yaml;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

class DefinitionRulesTest {
    private static final ObjectNode BASE = json("""
        {'apiVersion':'apiextensions.k8s.io/v1','kind':'CustomResourceDefinition',
         'metadata':{'name':'things.example.com','resourceVersion':'1'},
         'spec':{'group':'example.com','scope':'Namespaced','names':{'plural':'things','kind':'Thing'},
           'versions':[{'name':'v1','served':true,'storage':true,'schema':{'openAPIV3Schema':{'type':'object'}}}]},
         'status':{'conditions':[{'type':'Established','status':'True'}],'acceptedNames':{'plural':'things','kind':'Thing'},
           'storedVersions':['v1']}}\
        """);

    @Test
    void read_missingNames_areDefaulted() {
        CustomResourceDefinition definition = read(BASE);

        assertThat(definition.names().singular()).isEqualTo("thing");
        assertThat(definition.names().listKind()).isEqualTo("ThingList");
        assertThat(definition.conversionStrategy()).isEqualTo("None");
        assertThat(definition.status().established()).isTrue();
        assertThat(definition.isNamespaced()).isTrue();
        assertThat(definition.storageVersion())
                .hasValueSatisfying(v -> assertThat(v.name()).isEqualTo("v1"));
    }

    @Test
    void read_unknownFields_areToldAndDropped() {
        CustomResourceDefinition.Reading reading = CustomResourceDefinition.read(patched("""
            {'bogus':1,'spec':{'x':1,'versions':[{'name':'v1','served':true,'storage':true,'y':2,
              'schema':{'openAPIV3Schema':{'type':'object','properties':{'a':{'type':'string','z':3}}}}}]}}\
            """));

        assertThat(reading.unknownFields())
                .containsExactlyInAnyOrder(
                        "bogus",
                        "spec.x",
                        "spec.versions[0].y",
                        "spec.versions[0].schema.openAPIV3Schema.properties.a.z");
        assertThat(Json.text(requireNonNull(reading.definition()).tree())).doesNotContain("bogus", "\"z\"");
    }

    @Test
    void read_wrongType_isAProblem() {
        assertThat(CustomResourceDefinition.read(patched("{'spec':{'versions':[{'served':'yes'}]}}"))
                        .problem())
                .isEqualTo("json: cannot unmarshal string into Go struct field"
                        + " CustomResourceDefinitionVersion.spec.versions.served of type bool");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "{} | webhookClientConfig: Required value: required when strategy is set to Webhook;"
                        + " conversionReviewVersions: Required value",
                "{conversionReviewVersions: [v1], clientConfig: {}} | webhookClientConfig: Required value: exactly one"
                        + " of url or service is required",
                "{conversionReviewVersions: [v2, v2, V], clientConfig: {url: 'https://a'}} |"
                    + " conversionReviewVersions[1]: Invalid value: \"v2\": duplicate version;"
                    + " conversionReviewVersions[2]: Invalid value: \"V\": a DNS-1035 label must consist of lower case"
                    + " alphanumeric characters or '-', start with an alphabetic character, and end with an"
                    + " alphanumeric character (e.g. 'my-name',  or 'abc-123', regex used for validation is"
                    + " '[a-z]([-a-z0-9]*[a-z0-9])?'); conversionReviewVersions: Invalid value: [\"v2\",\"v2\",\"V\"]:"
                    + " must include at least one of v1, v1beta1",
                "{conversionReviewVersions: [v1], clientConfig: {url: 'http://me@/x?a#b'}} | webhookClientConfig.url:"
                        + " Invalid value: \"http\": 'https' is the only allowed URL scheme; desired format:"
                        + " https://host[/path]; webhookClientConfig.url: Invalid value: \"\": host must be specified;"
                        + " desired format: https://host[/path]; webhookClientConfig.url: Invalid value: \"me\": user"
                        + " information is not permitted in the URL; webhookClientConfig.url: Invalid value: \"b\":"
                        + " fragments are not permitted in the URL; webhookClientConfig.url: Invalid value: \"a\":"
                        + " query parameters are not permitted in the URL",
                "{conversionReviewVersions: [v1], clientConfig: {service: {name: '', namespace: '', port: 70000, path:"
                    + " 'a//B/'}}} | webhookClientConfig.service.name: Required value;"
                    + " webhookClientConfig.service.namespace: Required value; webhookClientConfig.service.port:"
                    + " Invalid value: 70000: port is not valid: must be between 1 and 65535, inclusive;"
                    + " webhookClientConfig.service.path: Invalid value: \"a//B/\": must start with a '/';"
                    + " webhookClientConfig.service.path: Invalid value: \"a//B/\": segment[0] may not be empty;"
                    + " webhookClientConfig.service.path: Invalid value: \"a//B/\": segment[1] may not be empty;"
                    + " webhookClientConfig.service.path: Invalid value: \"a//B/\": segment[2]: a lowercase RFC 1123"
                    + " subdomain must consist of lower case alphanumeric characters, '-' or '.', and must start and"
                    + " end with an alphanumeric character (e.g. 'example.com', regex used for validation is"
                    + " '[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*')",
                "{conversionReviewVersions: [v1], clientConfig: {service: {name: a, namespace: b, path: /c/d.e/}}} |",
            })
    void forCreate_webhookThatIsNone_isRefusedByPath(String webhook, @Nullable String problems) {
        String conversion = "{'spec':{'conversion':{'strategy':'Webhook','webhook':%s}}}"
                .formatted(Json.text(Yaml.read(webhook.getBytes(UTF_8))).replace('"', '\''));
        List<String> expected = problems == null
                ? List.of()
                : List.of(problems.split("; (?=webhook|conversionReview)", -1)).stream()
                        .map(problem -> "spec.conversion." + problem)
                        .toList();

        assertThat(create(conversion)).containsExactlyElementsOf(expected);
    }

    @Test
    void certificatesThatCannotBeRead_takeThePlaceOfNoneThatCan() {
        String conversion = "{'spec':{'conversion':{'strategy':'Webhook','webhook':{'conversionReviewVersions':['v1'],"
                + "'clientConfig':{'url':'https://a','caBundle':'Cg=='}}}}}";

        assertThat(create(conversion)).isEmpty();
        assertThat(update(conversion, "{}"))
                .containsExactly("spec.conversion.webhookClientConfig.caBundle: Invalid value: \"Cg==\": unable to load"
                        + " root certificates: unable to parse bytes as PEM block");
    }

    @Test
    void forCreate_ruleThatDoesNotCompile_isRefusedByPath() {
        assertThat(create("""
            {'spec':{'versions':[{'name':'v1','served':true,'storage':true,'schema':{'openAPIV3Schema':
              {'type':'object','x-kubernetes-validations':[{'rule':'self.x == 1'}]}}}]}}\
            """))
                .containsExactly("spec.validation.openAPIV3Schema.x-kubernetes-validations[0].rule: Invalid value:"
                                     + " {\"Rule\":\"self.x =="
                                     + " 1\",\"Message\":\"\",\"MessageExpression\":\"\",\"Reason\":null,\"FieldPath\":\"\",\"OptionalOldSelf\":null}:"
                                     + " compilation failed: ERROR: <input>:1:5: undefined field 'x'\n"
                                     + " | self.x == 1\n"
                                     + " | ....^");
    }

    @Test
    void forCreate_tooManyVersions_isRefusedAtOnce() {
        ObjectNode definition = BASE.deepCopy();
        var versions = ((ObjectNode) definition.get("spec")).putArray("versions");
        for (int i = 0; i <= DefinitionRules.VERSIONS_MAX; i++) {
            versions.addObject().put("name", "v" + i).put("served", true).put("storage", i == 1);
        }

        assertThat(texts(DefinitionRules.forCreate(read(definition))))
                .contains("spec.versions: Too many: 10001: must have at most 10000 items");
    }

    @Test
    void forCreate_hugeSchema_isRefused() {
        ObjectNode patch = json("""
            {'spec':{'versions':[{'name':'v1','served':true,'storage':true,'schema':{'openAPIV3Schema':{'type':'object'}}}]}}\
            """);
        ((ObjectNode) patch.at("/spec/versions/0/schema/openAPIV3Schema"))
                .put("description", "x".repeat(2 * 1024 * 1024));

        assertThat(create(Json.text(patch)))
                .containsExactly("spec.validation.openAPIV3Schema: Too long: may not be more than 2097152 bytes");
    }

    @Test
    void forCreate_deepSchema_isJudged() {
        int levels = 100;
        String deep = "{'type':'object','properties':{'a':".repeat(levels) + "{}" + "}}".repeat(levels);

        assertThat(create("{'spec':{'versions':[{'name':'v1','served':true,'storage':true,'schema':{'openAPIV3Schema':"
                        + deep + "}}]}}"))
                .singleElement()
                .asString()
                .endsWith(".type: Required value: must not be empty for specified object fields");
    }

    @Test
    void forUpdate_unchanged_isAllowed() {
        assertThat(update("{}", "{}")).isEmpty();
    }

    @Test
    void forUpdate_identity_isImmutable() {
        assertThat(update(
                        "{'spec':{'group':'other.com','scope':'Cluster','names':{'plural':'others','kind':'Other'}}}",
                        "{}"))
                .contains(
                        "spec.scope: Invalid value: \"Cluster\": field is immutable",
                        "spec.names.kind: Invalid value: \"Other\": field is immutable",
                        "spec.group: Invalid value: \"other.com\": field is immutable",
                        "spec.names.plural: Invalid value: \"others\": field is immutable");
    }

    @Test
    void forUpdate_notYetEstablished_scopeAndKindMayChange() {
        String notEstablished = "{'status':{'conditions':[]}}";

        assertThat(update("{'spec':{'scope':'Cluster','names':{'kind':'Other'}}}", notEstablished))
                .isEmpty();
    }

    @Test
    void forUpdate_storedVersion_mustStay() {
        assertThat(update("""
            {'spec':{'versions':[{'name':'v2','served':true,'storage':true,'schema':{'openAPIV3Schema':
              {'type':'object'}}}]},'status':{'storedVersions':['v1','v2']}}\
            """, "{}"))
                .containsExactly("status.storedVersions[0]: Invalid value: \"v1\": missing from spec.versions; v1 was"
                        + " previously a storage version, and must remain in spec.versions until a storage migration"
                        + " ensures no data remains persisted in v1 and removes v1 from status.storedVersions");
    }

    @Test
    void forUpdate_storageVersionNotStored_isRefused() {
        assertThat(update("{'status':{'storedVersions':['v9']}}", "{}"))
                .contains("status.storedVersions: Invalid value: [\"v9\"]: must have the storage version v1");
    }

    @Test
    void forUpdate_approvalAsBefore_isLetPass() {
        String group = "{'metadata':{'name':'things.x.k8s.io'},'spec':{'group':'x.k8s.io'}}";
        ObjectNode approved = MergePatch.apply(
                patched(group),
                json("{'metadata':{'annotations':{'api-approved.kubernetes.io':'unapproved, a test'}}}"));

        assertThat(update(group, group)).isEmpty();
        assertThat(ApprovalRule.state(read(approved))).isEqualTo(ApprovalRule.State.BYPASSED);
        assertThat(texts(DefinitionRules.forUpdate(read(patched(group)), read(approved))))
                .singleElement()
                .asString()
                .startsWith("metadata.annotations[api-approved.kubernetes.io]: Required value: protected groups");
    }

    @Test
    void deprecationWarning_isTheGivenOrTheStandardOne() {
        CustomResourceDefinition definition = read(patched("""
            {'spec':{'versions':[{'name':'v1','deprecated':true},{'name':'v2'},
              {'name':'v3','deprecated':true,'deprecationWarning':'use v4'}]}}\
            """));
        String kind = definition.names().kind();

        assertThat(definition.versions())
                .map(version -> version.deprecationWarning(definition))
                .hasSize(3)
                .endsWith("", "use v4")
                .first()
                .asString()
                .startsWith(definition.group() + "/v1 " + kind + " is deprecated");
    }

    @Test
    void stored_whatItDoesNotKnow_isDropped() {
        CustomResourceDefinition definition = CustomResourceDefinition.stored(patched("{'spec':{'scope':5,'x':1}}"));

        assertThat(definition.scope()).isEmpty();
        assertThat(definition.tree().path("spec").has("x")).isFalse();
    }

    @Test
    void customResource_typeMetadataAndReplicas_areChecked() {
        CustomResourceDefinition definition = read(patched("""
            {'spec':{'versions':[{'name':'v1','served':true,'storage':true,
              'schema':{'openAPIV3Schema':{'type':'object','properties':{'spec':{'type':'object',
                'properties':{'r':{'type':'integer'},'c':{'type':'string','enum':['red']}}}}}},
              'subresources':{'scale':{'specReplicasPath':'.spec.r','statusReplicasPath':'.status.r'}}}]}}\
            """));
        var rules = new CustomResourceRules(definition, definition.versions().getFirst());

        assertThat(texts(rules.forCreate(json("{'apiVersion':'example.com/v2','kind':'Thong'}"))))
                .containsExactly(
                        "kind: Invalid value: \"Thong\": must be Thing",
                        "apiVersion: Invalid value: \"example.com/v2\": must be example.com/v1");
        assertThat(texts(rules.forCreate(json("""
            {'apiVersion':'example.com/v1','kind':'Thing','metadata':{'name':'A','namespace':'n'},
             'spec':{'r':-1,'c':'blue'}}\
            """))))
                .hasSize(3)
                .contains(
                        "spec.c: Unsupported value: \"blue\": supported values: \"red\"",
                        ".spec.r: Invalid value: -1: should be a non-negative integer");
    }

    private static List<String> create(String patch) {
        return texts(DefinitionRules.forCreate(read(patched(patch))));
    }

    private static List<String> update(String patch, String oldPatch) {
        return texts(DefinitionRules.forUpdate(read(patched(patch)), read(patched(oldPatch))));
    }

    private static CustomResourceDefinition read(ObjectNode body) {
        return requireNonNull(CustomResourceDefinition.read(body).definition());
    }

    private static ObjectNode patched(String patch) {
        return MergePatch.apply(BASE, json(patch));
    }

    private static ObjectNode json(String singleQuoted) {
        JsonNode tree = Json.read(singleQuoted.replace('\'', '"'));
        return (ObjectNode) tree;
    }

    private static List<String> texts(FieldErrors errors) {
        return errors.list().stream().map(FieldError::toString).toList();
    }
}
