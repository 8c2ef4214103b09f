package io.fairlead.clustersync.source;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.fairlead.clustersync.Crds;
import io.fairlead.index.DefinedType;
import io.fairlead.index.DefinedType.DefinedVersion;
import io.fairlead.index.FleetIndex;
import io.fairlead.index.IndexLimits;
import io.fairlead.index.IndexMetrics;
import io.fairlead.index.TypeStore;
import io.fairlead.schema.json.Json;
import java.time.Instant;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.node.ObjectNode;

/** What definitions define, read from their texts. */
class TypeReaderTest {
    private Instant now = Instant.parse("2026-11-22T10:00:00Z");
    private final TypeStore store = new FleetIndex(IndexLimits.NONE, IndexMetrics.NONE, () -> now).types();
    private final TypeReader reader = new TypeReader(store);

    @Test
    void definition_isReadAsItsDigests() {
        DefinedType type = read(spec());

        assertThat(type.groupKind()).isEqualTo("Any.example.com");
        assertThat(type.versions()).extracting(DefinedVersion::name).containsExactly("v1", "v2");
        assertThat(type.understood()).isTrue();
        assertThat(store.canonical(type.api()))
                .hasValueSatisfying(canonical ->
                        assertThat(canonical).isEqualTo(type.stored().canonical()));
    }

    @Test
    void definitionWithSomethingThatIsNotUnderstood_saysSo() {
        ObjectNode spec = spec();
        spec.put("unheardOf", true);

        assertThat(read(spec).understood()).isFalse();
    }

    @Test
    void textThatWasReadBefore_isTheSameType_andKeptAgain() {
        DefinedType type = read(spec());
        now = now.plus(TypeStore.GRACE.multipliedBy(2));
        assertThat(store.distinct()).as("no holder keeps it").isZero();

        assertThat(read(spec())).isSameAs(type);

        assertThat(store.distinct()).isEqualTo(1);
        assertThat(store.canonical(type.api())).isPresent();
    }

    @Test
    void otherTextsOfOneApi_shareIt() {
        ObjectNode other = spec();
        ((ObjectNode) other.at("/versions/0/schema/openAPIV3Schema")).put("description", "For people.");

        DefinedType one = read(spec());
        DefinedType two = read(other);

        assertThat(two.api()).isEqualTo(one.api());
        assertThat(two.stored()).isSameAs(one.stored());
        assertThat(two.full()).isNotEqualTo(one.full());
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "no JSON", "[]", "{}", "{\"group\":\"a.b\",\"group\":\"a.b\"}"})
    void textWithoutADigest_definesNothing(String text) {
        assertThat(reader.read(text.getBytes(UTF_8))).isNull();
    }

    @Test
    void memberThatIsThereTwice_leavesItWithoutADigest() {
        String text = Json.text(spec());
        assertThat(reader.read(text.getBytes(UTF_8))).isNotNull();

        assertThat(reader.read(
                        text.replaceFirst("\\{", "{\"group\":\"example.com\",").getBytes(UTF_8)))
                .isNull();
    }

    private DefinedType read(ObjectNode spec) {
        return Objects.requireNonNull(reader.read(Json.text(spec).getBytes(UTF_8)));
    }

    private static ObjectNode spec() {
        ObjectNode spec =
                (ObjectNode) Crds.crd("anys", "example.com", "v1", "v2").path("spec");
        spec.withArray("versions")
                .values()
                .forEach(version -> ((ObjectNode) version)
                        .putObject("schema")
                        .putObject("openAPIV3Schema")
                        .put("type", "object"));
        return spec;
    }
}
