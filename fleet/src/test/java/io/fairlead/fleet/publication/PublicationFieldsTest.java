package io.fairlead.fleet.publication;

import static io.fairlead.fleet.root.RootCluster.ADMIN;
import static org.assertj.core.api.Assertions.assertThat;

import io.fairlead.fleet.root.RootCluster.Answer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Which fields of publications are refused. */
final class PublicationFieldsTest extends PublicationsFixture {
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "group: example.com | group: fairlead.io | spec.group",
                "group: example.com | group: rbac.authorization.k8s.io | spec.group",
                "group: example.com | group: things | spec.group",
                "{cluster: things} | {cluster: root} | spec.source.cluster",
                "{cluster: things} | {} | spec.source",
                "{cluster: things} | {external: true} | spec.caBundle",
                "groupPriority: 1000 | groupPriority: 20001 | spec.groupPriority",
                "name: v1 | name: V1 | spec.versions[0].name",
                "priority: 15 | priority: 0 | spec.versions[0].priority",
                "service: gateway | 'service: gateway, port: 0' | spec.backend.port",
                "service: gateway | 'service: gateway, clusterIP: None' | spec.backend.clusterIP",
                "service: gateway | service: 9gateway | spec.backend.service",
                "[10.1.1.1] | [127.0.0.1] | spec.backend.addresses[0]",
                "[10.1.1.1] | [169.254.1.1] | spec.backend.addresses[0]",
                "[10.1.1.1] | ['fe80::1'] | spec.backend.addresses[0]",
                "[10.1.1.1] | [0.0.0.0] | spec.backend.addresses[0]",
                "[10.1.1.1] | [224.0.0.1] | spec.backend.addresses[0]",
                "[10.1.1.1] | [example.com] | spec.backend.addresses[0]",
                "[10.1.1.1] | [10.1.1.1, '2001:db8::1'] | spec.backend.addresses[1]",
                "{all: true} | {} | spec.target",
            })
    void wrongField_isNamed(String right, String wrong, String field) {
        String yaml = yaml("{all: true}", "{cluster: things}");
        assertThat(yaml).contains(right);

        Answer refused = root.send(ADMIN, "POST", PUBLICATIONS, yaml.replace(right, wrong));

        assertThat(refused.code()).as("%s", refused.body()).isEqualTo(422);
        assertThat(refused.body().at("/details/causes").values().stream()
                        .map(cause -> cause.path("field").asString("")))
                .contains(field);
    }

    @Test
    void whereItIsMade_cannotBeChanged() {
        create("{all: true}", "{cluster: things}");

        Answer refused = root.send(
                ADMIN,
                "PUT",
                PUBLICATIONS + "/widgets",
                asStored(yaml("{all: true}", "{cluster: things}").replace("service: gateway", "service: other")));

        assertThat(refused.code()).isEqualTo(422);
        assertThat(refused.message()).contains("spec.backend.service").contains("field is immutable");
    }

    @Test
    void typesOfAnotherServer_cannotBeDeclared() {
        Answer refused = root.send(
                ADMIN,
                "POST",
                PUBLICATIONS,
                yaml(
                        "{all: true}",
                        "{external: true, types: [{resource: widgets, api: \"v1:sha256:" + "0".repeat(64) + "\"}]}"));

        assertThat(refused.fields()).contains("spec.source.types");
    }
}
