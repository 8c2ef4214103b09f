package io.fairlead.schema.structural;

import static org.assertj.core.api.Assertions.assertThat;

import io.fairlead.schema.field.FieldError;
import io.fairlead.schema.field.FieldErrors;
import io.fairlead.schema.field.FieldPath;
import io.fairlead.schema.json.Json;
import io.fairlead.schema.text.Effort;
import io.fairlead.schema.typed.TypedDecoder;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

class StructuralSchemaTest {
    @Test
    void prune_unknownFields_areRemovedAndToldByPath() {
        ObjectNode object = json(
                "{'apiVersion':'a/v1','kind':'A','metadata':{'x':1},'spec':{'a':'b','u':{'v':1},'l':[{'n':1,'o':2}]},'other':1}");

        List<String> unknown = schema("""
            {'type':'object','properties':{'spec':{'type':'object','properties':{
              'a':{'type':'string'},
              'l':{'type':'array','items':{'type':'object','properties':{'n':{'type':'integer'}}}}}}}}\
            """).prune(object);

        assertThat(unknown).containsExactly("other", "spec.l[0].o", "spec.u");
        assertThat(object)
                .isEqualTo(json("{'apiVersion':'a/v1','kind':'A','metadata':{'x':1},'spec':{'a':'b','l':[{'n':1}]}}"));
    }

    @Test
    void read_unknownMetadata_isToldWithTheRest() {
        ObjectNode object = json("{'metadata':{'name':'a','bogus':1},'zeta':1,'alpha':2}");

        StructuralSchema.Reading reading = schema("{'type':'object'}").read(object, false);

        assertThat(reading.messages())
                .containsExactly(
                        "unknown field \"alpha\"", "unknown field \"metadata.bogus\"", "unknown field \"zeta\"");
        assertThat(object).isEqualTo(json("{'metadata':{'name':'a'}}"));
    }

    @Test
    void read_malformedMetadata_isAProblem_butDroppedFromStorage() {
        StructuralSchema schema = schema("{'type':'object'}");

        assertThat(texts(schema.read(json("{'metadata':{'labels':{'a':1}}}"), false)
                        .problems()))
                .containsExactly(
                        "metadata: Invalid value: {\"labels\":{\"a\":1}}: json: cannot unmarshal number into Go"
                                + " struct field ObjectMeta.labels of type string");
        ObjectNode stored = json("{'metadata':{'name':'a','labels':{'a':1}}}");
        assertThat(schema.read(stored, true).problems()).isEmpty();
        assertThat(stored).isEqualTo(json("{'metadata':{'name':'a'}}"));
    }

    @Test
    void prune_preservedFields_keepsSiblingsButPrunesDeclaredOnes() {
        ObjectNode object = json("{'spec':{'free':{'x':1},'p':{'q':1,'r':2}}}");

        List<String> unknown = schema("""
            {'type':'object','properties':{'spec':{'type':'object','x-kubernetes-preserve-unknown-fields':true,
              'properties':{'p':{'type':'object','properties':{'q':{'type':'integer'}}}}}}}\
            """).prune(object);

        assertThat(unknown).containsExactly("spec.p.r");
        assertThat(object).isEqualTo(json("{'spec':{'free':{'x':1},'p':{'q':1}}}"));
    }

    @Test
    void applyDefaults_nulls_areReplacedKeptOrDropped() {
        ObjectNode object = json("{'defaulted':null,'nullable':null,'plain':null,'list':[null],'map':{'k':null}}");

        schema("""
            {'type':'object','properties':{
              'defaulted':{'type':'string','default':'d'},
              'nullable':{'type':'string','nullable':true,'default':'d'},
              'plain':{'type':'string'},
              'missing':{'type':'object','default':{},'properties':{'deep':{'type':'integer','default':3}}},
              'list':{'type':'array','items':{'type':'integer','default':7}},
              'map':{'type':'object','additionalProperties':{'type':'integer'}}}}\
            """).applyDefaults(object);

        assertThat(object)
                .isEqualTo(json("{'defaulted':'d','nullable':null,'list':[7],'map':{},'missing':{'deep':3}}"));
    }

    @Test
    void applyDefaults_defaultOfTheSchema_isNotShared() {
        StructuralSchema schema = schema("{'type':'object','properties':{'a':{'type':'object','default':{'b':1}}}}");
        ObjectNode object = json("{}");
        schema.applyDefaults(object);

        ((ObjectNode) object.get("a")).put("b", 2);

        ObjectNode other = json("{}");
        schema.applyDefaults(other);
        assertThat(other).isEqualTo(json("{'a':{'b':1}}"));
    }

    @Test
    void validateUpdate_unchangedValue_isLetPass_changedIsNot() {
        StructuralSchema schema = schema("""
            {'type':'object','properties':{'spec':{'type':'object','properties':{
              'a':{'type':'string','maxLength':1},
              'b':{'type':'string'},
              'm':{'type':'array','x-kubernetes-list-type':'map','x-kubernetes-list-map-keys':['k'],
                'items':{'type':'object','properties':{'k':{'type':'string'},'v':{'type':'integer','maximum':1}}}},
              'atomic':{'type':'array','items':{'type':'integer','maximum':1}}}}}}\
            """);
        ObjectNode old = json("{'spec':{'a':'long','b':'x','m':[{'k':'1','v':5}],'atomic':[5]}}");

        assertThat(schema.validate(old).size()).isEqualTo(3);
        assertThat(schema.validateUpdate(
                        json("{'spec':{'a':'long','b':'y','m':[{'k':'2','v':0},{'k':'1','v':5}],'atomic':[5]}}"), old))
                .isEmpty();
        assertThat(texts(schema.validateUpdate(
                        json("{'spec':{'a':'longer','b':'x','m':[{'k':'1','v':6}],'atomic':[5,0]}}"), old)))
                .containsExactly(
                        "spec.a: Too long: may not be more than 1 byte",
                        "spec.m[0].v: Invalid value: 6: spec.m[0].v in body should be less than or equal to 1",
                        "spec.atomic[0]: Invalid value: 5: spec.atomic[0] in body should be less than or equal to 1");
    }

    @Test
    void validateUpdate_duplicatesThatWereThere_areLetPass() {
        StructuralSchema schema = schema("""
            {'type':'object','properties':{'s':{'type':'array','x-kubernetes-list-type':'set',
              'items':{'type':'string'}}}}\
            """);

        assertThat(schema.validateUpdate(json("{'s':['a','a','b','b']}"), json("{'s':['a','a']}")))
                .isEmpty();
        assertThat(texts(schema.validateUpdate(json("{'s':['a','a']}"), json("{'s':['a']}"))))
                .containsExactly("s[1]: Duplicate value: \"a\"");
    }

    @Test
    void statusValues_areJudgedBelowStatus() {
        FieldErrors errors = new FieldErrors();
        schema("{'type':'object','properties':{'status':{'type':'object','properties':{'n':{'type':'integer'}}}}}")
                .statusValues(json("{'status':{'n':'x'}}"), json("{}"), errors);

        assertThat(texts(errors))
                .containsExactly("status.n: Invalid value: \"string\": n in body must be of type integer: \"string\"");
    }

    @Test
    void validate_moreProblemsThanAreKept_isBounded() {
        ObjectNode object = json("{}");
        var list = object.putArray("l");
        for (int i = 0; i < 5_000; i++) {
            list.add("x");
        }

        assertThat(schema("{'type':'object','properties':{'l':{'type':'array','items':{'type':'integer'}}}}")
                        .validate(object)
                        .size())
                .isEqualTo(Findings.KEPT_MAX);
    }

    /** Each message names every value that is allowed. */
    @Test
    void validate_valuesThatAreNoneOfALongEnum_areToldWithinABound() {
        ObjectNode schema = json("{'type':'object','properties':{'l':{'type':'array','items':{'type':'string'}}}}");
        ArrayNode allowed = ((ObjectNode) schema.at("/properties/l/items")).putArray("enum");
        for (int i = 0; i < 20_000; i++) {
            allowed.add("value-" + i);
        }

        FieldErrors errors = StructuralSchema.of(schema).validate(listOf(100, "other"));

        assertThat(errors).isNotEmpty();
        assertThat(texts(errors).stream().mapToLong(String::length).sum()).isLessThan(4L * Findings.KEPT_CHARS_MAX);
    }

    @ParameterizedTest
    @ValueSource(strings = {"oneOf", "anyOf"})
    void validate_manyAlternativesForManyElements_isGivenUp(String alternatives) {
        ObjectNode schema = json("{'type':'object','properties':{'l':{'type':'array','items':{'type':'string'}}}}");
        ArrayNode each = ((ObjectNode) schema.at("/properties/l/items")).putArray(alternatives);
        for (int i = 0; i < 10_000; i++) {
            each.addObject().put("maxLength", 1);
        }

        assertThat(texts(StructuralSchema.of(schema).validate(listOf(100_000, "other"))))
                .singleElement()
                .asString()
                .contains("takes more than " + Effort.STEPS_MAX + " comparisons with its schema");
    }

    @Test
    void validate_manyPropertiesForManyElements_isGivenUp() {
        ObjectNode schema = json("{'type':'object','properties':{'l':{'type':'array','items':{'type':'object'}}}}");
        ObjectNode properties = ((ObjectNode) schema.at("/properties/l/items")).putObject("properties");
        for (int i = 0; i < 20_000; i++) {
            properties.putObject("p" + i).put("type", "string");
        }
        ObjectNode object = json("{}");
        ArrayNode list = object.putArray("l");
        for (int i = 0; i < 100_000; i++) {
            list.addObject();
        }

        assertThat(texts(StructuralSchema.of(schema).validate(object)))
                .singleElement()
                .asString()
                .contains("comparisons with its schema");
    }

    /** A definition may change under a stored object, which must still be readable then, to be deleted if for nothing else. */
    @Test
    void read_longDefaultForManyElements_isRefused_butLeftOutFromStorage() {
        StructuralSchema schema =
                schema("{'type':'object','properties':{'l':{'type':'array','items':{'type':'object','properties':{"
                        + "'a':{'type':'string','default':'" + "x".repeat(100_000) + "'}}}}}}");
        ObjectNode object = json("{}");
        ArrayNode list = object.putArray("l");
        for (int i = 0; i < 100; i++) {
            list.addObject();
        }

        assertThat(texts(schema.read(object.deepCopy(), false).problems()))
                .singleElement()
                .asString()
                .contains("the defaults of its type would add more than " + Defaulting.BYTES_MAX);

        assertThat(schema.read(object, true).problems()).isEmpty();
        assertThat(object.toString().length()).isLessThan((int) Defaulting.BYTES_MAX);
        assertThat(object.at("/l/0/a").stringValue()).hasSize(100_000);
        assertThat(object.at("/l/99").isEmpty()).isTrue();
    }

    /** A thousand pods' worth of values, with alternatives. */
    @Test
    void validate_largeObject_isJudgedToItsEnd() {
        StructuralSchema schema = schema("""
            {'type':'object','properties':{'l':{'type':'array','items':{'type':'string','enum':['a','b','other'],
             'anyOf':[{'maxLength':1},{'maxLength':9},{'minLength':3}]}}}}\
            """);

        assertThat(schema.validate(listOf(300_000, "other"))).isEmpty();
    }

    private static ObjectNode listOf(int count, String value) {
        ObjectNode object = json("{}");
        ArrayNode list = object.putArray("l");
        for (int i = 0; i < count; i++) {
            list.add(value + (count < 1_000 ? i : ""));
        }
        return object;
    }

    @Test
    void validate_hostilePattern_takesLinearTime() {
        StructuralSchema schema = schema("{'type':'object','properties':{'a':{'type':'string','pattern':'^(a+)+$'}}}");

        assertThat(schema.validate(json("{'a':'" + "a".repeat(100_000) + "b'}")).size())
                .isEqualTo(1);
    }

    @Test
    void problems_defaultThatBreaksARule_isRefusedWhereTheRuleStands() {
        String rules = "'x-kubernetes-validations':[{'rule':'self > 5','message':'more than five'}]";

        assertThat(texts(schema("{'type':'object','properties':{'l':{'type':'array','maxItems':9,'default':[7,2],"
                                + "'items':{'type':'integer'," + rules + "}}}}")
                        .problems(FieldPath.of("s"), new Effort())))
                .containsExactly("s.properties[l].default[1]: Invalid value: 2: more than five");
    }

    @Test
    void problems_defaultThatIsRightOnlyWhereItReplacesItself_isRefused() {
        String rules = "'x-kubernetes-validations':[{'rule':'oldSelf.hasValue()','optionalOldSelf':true}]";

        assertThat(texts(schema("{'type':'object','properties':{'a':{'type':'string','default':'x'," + rules + "}}}")
                        .problems(FieldPath.of("s"), new Effort())))
                .containsExactly("s.properties[a].default: Invalid value: \"x\": failed rule: oldSelf.hasValue()");
    }

    @Test
    void problems_patternThatRepeatsTooOften_isRefusedWithoutBeingCompiled() {
        String pattern = "((((a{100}){100}){100}){100})";

        assertThat(texts(schema("{'type':'object','properties':{'a':{'type':'string','pattern':'" + pattern + "'}}}")
                        .problems(FieldPath.of("s"), new Effort())))
                .containsExactly("s.properties[a].pattern: Invalid value: \"" + pattern + "\": must be a valid regular"
                        + " expression, but isn't: error parsing regexp: invalid repeat count: `{100}`");
    }

    @Test
    void validate_storedPatternThatMayNotBeCompiled_isNotEnforced() {
        StructuralSchema stored = schema(
                "{'type':'object','properties':{'a':{'type':'string','pattern':'((((a{100}){100}){100}){100})'}}}");

        assertThat(stored.validate(json("{'a':'b'}")).isEmpty()).isTrue();
    }

    @Test
    void validate_longTextAndLargePattern_isRefusedUnseen() {
        StructuralSchema schema =
                schema("{'type':'object','properties':{'a':{'type':'string','pattern':'(x{10}){90}(y{10}){90}'}}}");

        assertThat(texts(schema.validate(json("{'a':'" + "a".repeat(1_000_000) + "'}"))))
                .singleElement()
                .asString()
                .contains("a in body is too long to be compared with '(x{10}){90}(y{10}){90}': 1000000 chars");
    }

    /** Each text alone is short enough. */
    @Test
    void values_manyTextsAndALargePattern_takeMoreThanTheEffort() {
        ObjectNode schema = json("{'type':'object','properties':{'l':{'type':'array','items':"
                + "{'type':'string','pattern':'([xy]?){1000}z'}}}}");

        assertThat(textsWithin(500_000, schema, listOf(100, "xy".repeat(50))))
                .singleElement()
                .asString()
                .contains("comparisons with its schema", "cheaper patterns");
        assertThat(textsWithin(500_000, schema, listOf(10, "xyz"))).isEmpty();
    }

    @Test
    void values_largeEnumValuesForManyElements_takeMoreThanTheEffort() {
        ObjectNode schema = json("{'type':'object','properties':{'l':{'type':'array','items':"
                + "{'type':'array','items':{'type':'integer'}}}}}");
        ArrayNode allowed = ((ObjectNode) schema.at("/properties/l/items")).putArray("enum");
        ObjectNode object = json("{}");
        ArrayNode list = object.putArray("l");
        for (int i = 0; i < 50; i++) {
            IntStream.range(0, 200).forEach(allowed.addArray()::add);
            IntStream.range(1, 201).forEach(list.addArray()::add);
        }

        assertThat(textsWithin(100_000, schema, object))
                .singleElement()
                .asString()
                .contains("comparisons with its schema");
    }

    /** Each of them alone is cheap enough. */
    @Test
    void problems_manyLargePatterns_areRefusedByPath_atTheFirstThatIsTooMuch() {
        ObjectNode schema = json("{'type':'object'}");
        ObjectNode properties = schema.putObject("properties");
        for (int i = 0; i < 50; i++) {
            properties.putObject("p%04d".formatted(i)).put("type", "string").put("pattern", "([xy]?" + i + "){1000}");
        }

        assertThat(StructuralSchema.of(schema).problems(FieldPath.of("s"), new Effort()))
                .isEmpty();
        assertThat(texts(StructuralSchema.of(schema).problems(FieldPath.of("s"), new Effort(100_000))))
                .singleElement()
                .asString()
                .startsWith("s.properties[p0")
                .contains("steps to compile (expected fewer or simpler patterns in one definition)");
    }

    @Test
    void problems_defaultsOfLongLists_areJudgedWithinTheEffortOfOneDefinition() {
        ObjectNode schema = json("{'type':'object'}");
        ObjectNode properties = schema.putObject("properties");
        for (int i = 0; i < 4; i++) {
            ObjectNode property = properties.putObject("p" + i).put("type", "array");
            IntStream.range(0, 2_000).forEach(property.putArray("default")::add);
            IntStream.range(2_000, 4_000)
                    .forEach(property.putObject("items").put("type", "integer").putArray("enum")::add);
        }

        assertThat(texts(StructuralSchema.of(schema).problems(FieldPath.of("s"), new Effort())))
                .anySatisfy(text -> assertThat(text)
                        .startsWith("s.properties[p2].default")
                        .contains("comparisons with its schema"));
    }

    private static StructuralSchema schema(String text) {
        return StructuralSchema.of(TypedDecoder.decode(SchemaTypes.JSON_SCHEMA_PROPS, json(text), "", false)
                .tree());
    }

    private static ObjectNode json(String singleQuoted) {
        return (ObjectNode) Json.read(singleQuoted.replace('\'', '"'));
    }

    private static List<String> textsWithin(long steps, ObjectNode schema, ObjectNode object) {
        FieldErrors errors = new FieldErrors();
        ValueValidation.validate(JsonSchema.of(schema), object, null, new Effort(steps))
                .addTo(errors, FieldPath.ROOT);
        return texts(errors);
    }

    private static List<String> texts(FieldErrors errors) {
        return errors.list().stream().map(FieldError::toString).toList();
    }
}
