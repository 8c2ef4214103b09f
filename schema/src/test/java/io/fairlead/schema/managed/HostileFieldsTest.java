package io.fairlead.schema.managed;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.fairlead.schema.json.Json;
import java.util.List;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.node.ObjectNode;

/** Configurations and managed fields that are wrong, or larger than any that is meant well. */
class HostileFieldsTest extends ManagedBoat {
    @Test
    void problemsOfAConfiguration_areNamedWithTheirPlaces() {
        assertThat(management.problems(boat("{colour: red}")))
                .containsExactly(".spec.colour: field not declared in schema");
        assertThat(management.problems(boat("{size: many}")))
                .containsExactly(".spec.size: expected numeric (int or float), got string");
        assertThat(management.problems(boat("{names: [x, x]}")))
                .containsExactly(".spec.names: duplicate entries for key [=\"x\"]");
        assertThat(management.problems(boat("{ports: [{use: web, protocol: UDP}, 1]}")))
                .containsExactly(".spec.ports: element 1: associative list with keys may not have non-map elements");
        assertThat(management.problems(boat("{free: {x: [{y: 1}]}, parts: {x: null}}")))
                .isEmpty();
    }

    @Test
    void conflictsOfVeryLongNames_areCut_andVeryManyAreCounted() {
        String name = "n".repeat(100_000);
        StringBuilder parts = new StringBuilder();
        for (int i = 0; i < 3_000; i++) {
            parts.append(", p").append(i).append(": '1'");
        }
        apply("a", "{free: {? " + name + " : {x: 1}}, parts: {q: '1'" + parts + "}}");

        assertThatThrownBy(() -> apply(
                        "b",
                        "{free: {? " + name + " : {x: 2}}, parts: {q: '2'"
                                + parts.toString().replace("'1'", "'2'") + "}}"))
                .isInstanceOfSatisfying(ApplyConflictException.class, conflict -> {
                    assertThat(conflict.conflicts()).hasSize(1_000);
                    assertThat(conflict).hasMessageStartingWith("Apply failed with 3002 conflicts:");
                    assertThat(conflict).hasMessageEndingWith("and 2002 more");
                    assertThat(conflict.conflicts().getFirst().path()).hasSizeLessThan(400);
                });
    }

    @Test
    void problemsOfVeryLongNames_areCut_andTheFirstOfVeryMany() {
        ObjectNode configuration = boat("{color: red}");
        ObjectNode spec = (ObjectNode) configuration.get("spec");
        for (int i = 0; i < 1_000; i++) {
            spec.put("n".repeat(10_000) + i, 1);
        }

        assertThat(management.problems(configuration))
                .hasSize(100)
                .allSatisfy(problem -> assertThat(problem).hasSizeLessThan(400));
    }

    @Test
    void pathThatIsLong_isCutAsAWhole_andBetweenCharactersOnly() {
        FieldPlace place = FieldPlace.ROOT;
        for (int i = 0; i < 100; i++) {
            place = place.at(new PathElement.Member("n".repeat(198) + "\ud83d\ude00" + i));
        }

        assertThat(place.toString()).hasSizeLessThan(1_100).startsWith("…").doesNotContain("\ud83d");
    }

    @Test
    void deepValues_areManagedAsAWholeFromSomeDepthOn() {
        ObjectNode deep = boat("{free: {x: 1}}");
        ObjectNode at = (ObjectNode) deep.at("/spec/free");
        for (int i = 0; i < 250; i++) {
            at = at.putObject("x");
        }
        apply("a", false, deep);

        String written = Json.text(managers.write());
        assertThat(Json.read(written)).isEqualTo(managers.write());
        assertThat(ManagedFields.read(managers.write()).write()).isEqualTo(managers.write());
    }

    @Test
    void objectOfWhichItemsCannotBeToldApart_isNotOfItsType() {
        assertThat(management.problemsOfLive(boat("{names: [x, x]}"))).isEmpty();
        assertThat(management.problemsOfLive(boat("{ports: [{use: web, protocol: null}]}")))
                .isEmpty();
        assertThat(management.problemsOfLive(boat("{names: [{x: 1}]}")))
                .containsExactly(
                        ".spec.names: element 0: associative list without keys has an element that's a map type");
    }

    @Test
    void entriesBeyondAThousand_cannotBeRead_andManyAreCountedTogetherAtOnce() {
        StringBuilder entries = new StringBuilder("[");
        for (int i = 0; i < 1_000; i++) {
            entries.append(i == 0 ? "" : ",").append("""
                {"manager":"m%d","operation":"Update","apiVersion":"example.com/v1","fieldsType":"FieldsV1",\
                "fieldsV1":{"f:spec":{"f:parts":{"f:k%d":{}}}}}\
                """.formatted(i, i));
        }
        managers = ManagedFields.read(Json.read(entries + "]"));
        update("u", "{color: red}");

        assertThat(managers.write().size()).isEqualTo(10);
        assertThatThrownBy(() -> ManagedFields.read(Json.read(entries + ",{}]")))
                .hasMessageContaining("1001 entries (expected at most 1000)");
    }

    @Test
    void fieldsThatAreNone_areRefused() {
        for (String fields :
                List.of("[]", "{\"f:spec\":1}", "{\"spec\":{}}", "{\"v:{\":{}}", "{\"i:x\":{}}", "{\"k:1\":{}}")) {
            assertThatThrownBy(() -> FieldSet.read(Json.read(fields)))
                    .as(fields)
                    .isInstanceOf(IllegalArgumentException.class);
        }
        assertThat(FieldSet.read(Json.read("{\"z:x\":{},\"f:a\":{}}")).write()).isEqualTo(Json.read("{\"f:a\":{}}"));
    }
}
