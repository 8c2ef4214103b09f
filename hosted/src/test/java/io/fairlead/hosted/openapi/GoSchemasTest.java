package io.fairlead.hosted.openapi;

import static org.assertj.core.api.Assertions.assertThat;

import io.fairlead.hosted.BuiltInKind;
import io.fairlead.hosted.ResourceType;
import io.fairlead.hosted.kinds.data.DataKinds;
import io.fairlead.schema.json.Json;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** The schemas of the kinds that are served as data are those of their Go types. */
class GoSchemasTest {
    private static final String POD_SPEC = "io.k8s.api.core.v1.PodSpec";

    @Test
    void everyReference_leadsToASchema_underTheNameOfKubernetes() {
        List<String> lost = new ArrayList<>();
        for (BuiltInKind kind : DataKinds.all()) {
            ObjectNode schemas = schemas(kind.type());

            assertThat(schemas.has(Schemas.component(kind.type())))
                    .as(kind.type().kind())
                    .isTrue();
            collectLost(schemas, schemas, lost);
        }
        assertThat(lost).isEmpty();
    }

    private static void collectLost(JsonNode node, ObjectNode schemas, List<String> lost) {
        node.forEach(member -> collectLost(member, schemas, lost));
        String reference = node.path("$ref").asString("");
        if (!reference.isEmpty()
                && !schemas.has(reference.substring(Schemas.ref("").length()))) {
            lost.add(reference);
        }
    }

    @Test
    void listsAndMaps_sayHowTheyAreMerged() {
        ObjectNode schemas = schemas(type("Deployment"));

        JsonNode containers = schemas.path(POD_SPEC).path("properties").path("containers");
        assertThat(containers.path("x-kubernetes-list-type").asString("")).isEqualTo("map");
        assertThat(containers.path("x-kubernetes-list-map-keys")).isEqualTo(Json.read("[\"name\"]"));
        assertThat(containers.path("x-kubernetes-patch-merge-key").asString("")).isEqualTo("name");
        assertThat(schemas.at("/io.k8s.api.core.v1.Volume/properties/configMap").isObject())
                .as("a field of an embedded struct")
                .isTrue();
        assertThat(schemas.path("io.k8s.api.apps.v1.Deployment").path("x-kubernetes-group-version-kind"))
                .isEqualTo(Json.read("[{\"group\":\"apps\",\"kind\":\"Deployment\",\"version\":\"v1\"}]"));
    }

    @Test
    void properties_sayWhatIsRequired_whichValuesTheyMayHave_andTheirDefaults() {
        ObjectNode schemas = schemas(type("Deployment"));

        JsonNode port = schemas.path("io.k8s.api.core.v1.ContainerPort");
        assertThat(port.path("required")).isEqualTo(Json.read("[\"containerPort\"]"));
        assertThat(port.at("/properties/containerPort"))
                .isEqualTo(Json.read("{\"type\":\"integer\",\"format\":\"int32\",\"default\":0}"));
        assertThat(port.at("/properties/protocol"))
                .isEqualTo(Json.read("{\"type\":\"string\",\"default\":\"TCP\",\"enum\":[\"SCTP\",\"TCP\",\"UDP\"]}"));
        assertThat(schemas.at("/io.k8s.api.apps.v1.Deployment/properties/spec/default"))
                .isEqualTo(Json.object());
        assertThat(schemas.at("/io.k8s.api.core.v1.ResourceRequirements/properties/limits/additionalProperties/$ref")
                        .asString(""))
                .isEqualTo("#/components/schemas/io.k8s.apimachinery.pkg.api.resource.Quantity");
        assertThat(schemas.path("io.k8s.apimachinery.pkg.util.intstr.IntOrString"))
                .isEqualTo(Json.read(
                        "{\"format\":\"int-or-string\",\"oneOf\":[{\"type\":\"integer\"},{\"type\":\"string\"}]}"));
        assertThat(schemas.at("/io.k8s.api.apps.v1.DeploymentList/required")).isEqualTo(Json.read("[\"items\"]"));
    }

    private static ObjectNode schemas(ResourceType type) {
        ObjectNode schemas = Json.object();
        Schemas.addTo(schemas, type);
        MetaSchemas.addTo(schemas, type.groupVersion());
        return schemas;
    }

    private static ResourceType type(String kind) {
        return DataKinds.all().stream()
                .map(BuiltInKind::type)
                .filter(type -> type.kind().equals(kind))
                .findFirst()
                .orElseThrow();
    }
}
