package io.fairlead.clustersync.fabric8;

import static org.assertj.core.api.Assertions.assertThat;

import io.fairlead.clustersync.source.TypeReader;
import io.fairlead.index.FleetIndex;
import io.fairlead.schema.json.Json;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import tools.jackson.core.StreamReadConstraints;
import tools.jackson.core.json.JsonFactory;
import tools.jackson.databind.DeserializationFeature;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.module.SimpleModule;

/** What is kept of a definition's {@code spec}, however deep it is nested. */
class SpecReaderTest {
    private static final JsonMapper JSON = JsonMapper.builder(JsonFactory.builder()
                    .streamReadConstraints(StreamReadConstraints.builder()
                            .maxNestingDepth(1_000)
                            .build())
                    .build())
            .disable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES)
            .addModule(new SimpleModule()
                    .addDeserializer(
                            CrdObject.Spec.class,
                            new SpecReader(new TypeReader(FleetIndex.create().types()))))
            .build();

    @Test
    void spec_isWhatIsServedAndWhatIsDefined() {
        CrdObject.Spec spec = read("{}");

        assertServed(spec);
        assertThat(Objects.requireNonNull(spec.defines()).groupKind()).isEqualTo("Any.example.com");
    }

    @Test
    void specThatIsAsDeepAsMayBe_hasADigest() {
        CrdObject.Spec spec = read(lists(Json.DEPTH_MAX - 1));

        assertServed(spec);
        assertThat(spec.defines()).isNotNull();
    }

    @Test
    void whatIsTooDeep_isPassedOver_andTheRestRead() {
        CrdObject.Spec spec = read(lists(Json.DEPTH_MAX));

        assertServed(spec);
        assertThat(spec.defines()).isNull();
    }

    @Test
    void objectThatIsTooDeep_isPassedOver() {
        CrdObject.Spec spec = read("{\"a\":".repeat(600) + "1" + "}".repeat(600));

        assertServed(spec);
        assertThat(spec.defines()).isNull();
    }

    @Test
    void specThatIsNoObject_isNone() {
        CrdObject crd = JSON.readValue("{\"spec\":null}", CrdObject.class);

        assertThat(crd.getSpec()).isEqualTo(CrdObject.Spec.NONE);
    }

    private static void assertServed(CrdObject.Spec spec) {
        assertThat(spec.served().group()).isEqualTo("example.com");
        assertThat(Objects.requireNonNull(spec.served().names()).plural()).isEqualTo("anys");
        assertThat(spec.served().versions()).containsExactly(new CrdObject.ServedVersion("v1", true));
    }

    /** A spec with something in its midst. */
    private static CrdObject.Spec read(String amid) {
        return JSON.readValue(
                "{\"group\":\"example.com\",\"names\":{\"plural\":\"anys\",\"kind\":\"Any\"},\"amid\":" + amid
                        + ",\"scope\":\"Namespaced\",\"versions\":[{\"name\":\"v1\",\"served\":true,\"storage\":true,"
                        + "\"schema\":{\"openAPIV3Schema\":{\"type\":\"object\"}}}]}",
                CrdObject.Spec.class);
    }

    private static String lists(int depth) {
        return "[".repeat(depth) + "]".repeat(depth);
    }
}
