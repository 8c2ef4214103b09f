package io.fairlead.schema.managed;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.fairlead.schema.json.Json;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** The lives of one object under several managers. */
class FieldManagementTest extends ManagedBoat {
    @Test
    void applying_ownsWhatTheConfigurationHas_andNothingElse() {
        apply("a", "{color: red, size: 1, ports: [{port: 80, use: web}], names: [x]}");

        assertThat(fields("a")).isEqualTo("""
            {"f:spec":{"f:color":{},"f:names":{"v:\\"x\\"":{}},\
            "f:ports":{"k:{\\"port\\":80,\\"protocol\\":\\"TCP\\"}":{".":{},"f:port":{},"f:use":{}}},"f:size":{}}}\
            """);
    }

    @Test
    void updating_ownsWhatItChanges_withTheContainersThatItMakes() {
        update("a", "{color: red}");
        update("b", "{color: red, parts: {x: '1'}}");

        assertThat(fields("a")).isEqualTo("{\"f:spec\":{\".\":{},\"f:color\":{}}}");
        assertThat(fields("b")).isEqualTo("{\"f:spec\":{\"f:parts\":{\".\":{},\"f:x\":{}}}}");
    }

    @Test
    void fieldOfAnother_isRefused_untilForced_andTheSameValueIsShared() {
        apply("a", "{color: red, size: 1}");
        apply("b", "{color: red}");

        assertThatThrownBy(() -> apply("c", "{color: blue, size: 2}"))
                .isInstanceOfSatisfying(
                        ApplyConflictException.class,
                        conflict -> assertThat(conflict.conflicts())
                                .extracting(one -> one.message() + ": " + one.path())
                                .containsExactly(
                                        "conflict with \"a\": .spec.color",
                                        "conflict with \"a\": .spec.size",
                                        "conflict with \"b\": .spec.color"))
                .hasMessage("""
                    Apply failed with 3 conflicts: conflicts with "a":
                    - .spec.color
                    - .spec.size
                    conflicts with "b":
                    - .spec.color\
                    """);

        apply("c", true, boat("{color: blue, size: 2}"));

        assertThat(spec()).isEqualTo(yaml("{color: blue, size: 2}"));
        assertThat(List.of(fields("a"), fields("b"))).containsOnly("none");
    }

    @Test
    void whatAnApplierLeavesOut_goes_unlessAnotherHasIt() {
        apply("a", "{color: red, size: 1, parts: {x: '1', y: '2'}, names: [p, q], ports: [{port: 80}, {port: 81}]}");
        apply("b", "{size: 1, parts: {y: '2'}, names: [q], ports: [{port: 81, use: web}]}");
        apply("a", "{color: red}");

        assertThat(spec())
                .isEqualTo(yaml("{color: red, size: 1, parts: {y: '2'}, names: [q], ports: [{port: 81, use: web}]}"));
    }

    @Test
    void whatAnUpdaterAdded_stays_whenTheApplierLeavesItsOwnOut() {
        apply("a", "{parts: {x: '1'}}");
        update("u", "{parts: {x: '1', y: '2'}}");
        apply("a", "{color: red}");

        assertThat(spec()).isEqualTo(yaml("{color: red, parts: {y: '2'}}"));
    }

    @Test
    void whatIsAtomic_isOwnedAndReplacedAsAWhole() {
        apply("a", "{whole: {x: '1'}, order: [p, q]}");

        assertThat(fields("a")).isEqualTo("{\"f:spec\":{\"f:order\":{},\"f:whole\":{}}}");
        assertThatThrownBy(() -> apply("b", "{whole: {y: '2'}}"))
                .hasMessage("Apply failed with 1 conflict: conflict with \"a\": .spec.whole");

        apply("b", true, boat("{whole: {y: '2'}}"));

        assertThat(spec()).isEqualTo(yaml("{whole: {y: '2'}, order: [p, q]}"));
    }

    @Test
    void itemsOfAList_standInTheOrderOfTheConfiguration_othersBehindWhatTheyFollowed() {
        update("u", "{names: [a, b, c, d]}");
        apply("x", "{names: [d, b, e]}");

        assertThat(spec().path("names")).isEqualTo(Json.read("[\"a\",\"c\",\"d\",\"b\",\"e\"]"));
    }

    @Test
    void keyThatIsLeftOut_isItsDefault() {
        apply("a", "{ports: [{port: 80}]}");
        apply("b", "{ports: [{port: 80, protocol: TCP, use: web}]}");

        assertThat(spec().path("ports").size()).isOne();
        assertThatThrownBy(() -> apply("c", "{ports: [{port: 80, use: mail}]}"))
                .hasMessage("Apply failed with 1 conflict: conflict with \"b\":"
                        + " .spec.ports[port=80,protocol=\"TCP\"].use");
    }

    @Test
    void updateThatRemoves_takesTheFieldFromItsOwner() {
        apply("a", "{color: red, size: 1}");
        update("u", "{size: 1}");

        assertThat(fields("a")).isEqualTo("{\"f:spec\":{\"f:size\":{}}}");
        assertThat(fields("u")).isEqualTo("none");
    }

    @Test
    void statusInAConfiguration_isNotOwned() {
        ObjectNode configuration = boat("{color: red}");
        configuration.putObject("status").put("phase", "Sunk");
        apply("a", false, configuration);

        assertThat(fields("a")).isEqualTo("{\"f:spec\":{\"f:color\":{}}}");
    }

    @Test
    void objectWithoutManagers_isThatOfBeforeFirstApply() {
        live = boat("{color: red, size: 1}");

        assertThatThrownBy(() -> apply("a", "{color: blue}"))
                .hasMessage("Apply failed with 1 conflict: conflict with \"before-first-apply\" using example.com/v1:"
                        + " .spec.color");

        apply("a", "{color: red}");

        assertThat(fields("before-first-apply")).isEqualTo("{\"f:spec\":{\".\":{},\"f:color\":{},\"f:size\":{}}}");
    }

    @Test
    void earlierConfigurationOfTheSameClient_isTakenOver_asFarAsItsValuesStand() {
        update("client-side", "{color: red, size: 1}");
        ObjectNode earlier = boat("{color: red, size: 7}");

        FieldManagement.Applied applied = management.applied(
                live,
                empty(),
                new FieldManagement.Configuration(boat("{color: blue}"), false, Optional.of(earlier)),
                managers,
                writer("kubectl"));

        assertThat(applied.object().path("spec")).isEqualTo(yaml("{color: blue, size: 1}"));
        assertThatThrownBy(() -> management.applied(
                        live,
                        empty(),
                        new FieldManagement.Configuration(boat("{color: blue, size: 2}"), false, Optional.of(earlier)),
                        managers,
                        writer("kubectl")))
                .hasMessage("Apply failed with 1 conflict: conflict with \"client-side\" using example.com/v1:"
                        + " .spec.size");
    }

    @Test
    void elevenUpdaters_areTen_theOldestTogether() {
        StringBuilder parts = new StringBuilder();
        for (int i = 0; i < 12; i++) {
            parts.append("x").append(i).append(": '1', ");
            update("u" + (char) ('a' + i), "{parts: {" + parts + "}}");
        }

        assertThat(managers.write().size()).isEqualTo(10);
        assertThat(fields("ancient-changes"))
                .isEqualTo("{\"f:spec\":{\".\":{},\"f:parts\":{\".\":{},\"f:x0\":{},\"f:x1\":{},\"f:x2\":{}}}}");
        assertThat(fields("ul")).contains("f:x11");
    }

    @Test
    void timeOfAManager_isThatOfItsLastChange() {
        apply("a", "{color: red}");
        String first = managers.write().get(0).path("time").stringValue();
        apply("a", "{color: red}");

        assertThat(managers.write().get(0).path("time").stringValue()).isEqualTo(first);

        apply("a", "{color: blue}");

        assertThat(managers.write().get(0).path("time").stringValue()).isGreaterThan(first);
    }

    @Test
    void partsOfWhatBecameAtomic_areTheWhole() {
        JsonNode entries = Json.read("""
            [{"manager":"old","operation":"Apply","apiVersion":"example.com/v1","fieldsType":"FieldsV1",\
            "fieldsV1":{"f:spec":{"f:whole":{"f:x":{},"f:y":{}}}}}]\
            """);
        live = boat("{whole: {x: '1', y: '2'}}");
        managers = ManagedFields.read(entries);

        assertThatThrownBy(() -> apply("a", "{whole: {x: '1'}}"))
                .hasMessage("Apply failed with 1 conflict: conflict with \"old\": .spec.whole");
    }

    @Test
    void managersOfAVersionThatIsNoMore_areForgotten() {
        JsonNode entries = Json.read("""
            [{"manager":"old","operation":"Update","apiVersion":"example.com/v0","fieldsType":"FieldsV1",\
            "fieldsV1":{"f:spec":{"f:color":{}}}}]\
            """);
        live = boat("{color: red}");
        managers = ManagedFields.read(entries);

        apply("a", "{color: blue}");

        assertThat(fields("old")).isEqualTo("none");
        assertThat(spec()).isEqualTo(yaml("{color: blue}"));
    }
}
