package io.fairlead.clustersync.fabric8;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.ObjectMetaBuilder;
import io.fairlead.clustersync.source.TypeReader;
import io.fairlead.index.Contribution;
import io.fairlead.index.FleetIndex;
import io.fairlead.index.Holder;
import io.fairlead.index.HolderType;
import io.fairlead.model.GroupVersion;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import tools.jackson.databind.DeserializationFeature;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.module.SimpleModule;

/** What CRDs and APIServices claim, whatever is missing in them. */
class ClaimsTest {
    private static final JsonMapper JSON = JsonMapper.builder()
            .disable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES)
            .disable(DeserializationFeature.FAIL_ON_NULL_FOR_PRIMITIVES)
            .addModule(new SimpleModule()
                    .addDeserializer(
                            CrdObject.Spec.class,
                            new SpecReader(new TypeReader(FleetIndex.create().types()))))
            .build();
    private static final String ESTABLISHED = "{\"conditions\":[null,{\"type\":\"Established\",\"status\":\"True\"}]}";

    @Test
    void crd_claimsTheVersionsThatItServes() {
        Holder foos = crd(ESTABLISHED, version("v1", true), version("v2", false), version("v3", true));

        assertThat(foos.type()).isEqualTo(HolderType.CRD);
        assertThat(foos.name()).isEqualTo("foos.example.com");
        assertThat(foos.uid()).isEqualTo("uid-1");
        assertThat(foos.resourceVersion()).isEqualTo("7");
        assertThat(foos.implementation()).isEqualTo("sha256:1");
        assertThat(foos.contributions())
                .containsExactly(
                        Contribution.of(new GroupVersion("example.com", "v1"), Set.of("foos")),
                        Contribution.of(new GroupVersion("example.com", "v3"), Set.of("foos")));
        assertThat(foos.defines()).isNotNull();
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
        {}
        {"conditions":[]}
        {"conditions":[{"type":"Established","status":"False"}]}
        {"conditions":[{"type":"NamesAccepted","status":"True"}]}
        {"conditions":[{"type":"Established"},{"status":"True"}]}
        """)
    void crdThatIsNotEstablished_claimsNothing(String status) {
        assertThat(crd(status, version("v1", true)).contributions()).isEmpty();
    }

    @Test
    void versionsThatAreNone_areLeftOut() {
        assertThat(crd(ESTABLISHED, "null", version("", true), version("a/b", true), "{\"served\":true}", "{}")
                        .contributions())
                .isEmpty();
    }

    @Test
    void versions_areKeptUpToOneMoreThanMayBeIndexed() {
        String[] versions =
                IntStream.range(0, 300).mapToObj(i -> version("v" + i, true)).toArray(String[]::new);

        assertThat(crd(ESTABLISHED, versions).contributions()).hasSize(257);
    }

    @Test
    void crdWithoutAnything_claimsNothing() {
        CrdObject empty = JSON.readValue("{\"metadata\":null,\"spec\":null,\"status\":null}", CrdObject.class);

        Holder holder = Claims.of(empty, 256, "").orElseThrow();

        assertThat(holder.name()).isEmpty();
        assertThat(holder.contributions()).isEmpty();
        assertThat(holder.defines()).isNull();
    }

    @ParameterizedTest
    @CsvSource(
            nullValues = "-",
            value = {
                "service, -, API_SERVICE",
                "service, onstart, API_SERVICE",
                "-, onstart, BUILT_IN",
                "-, true, -",
                "-, -, -",
            })
    void apiService_isARouter_orTheServersOwn_orNothingOfItsOwn(
            @Nullable String service, @Nullable String automanaged, @Nullable HolderType type) {
        ApiServiceObject object = apiService("g", "v1", service);
        if (automanaged != null) {
            object.getMetadata().setLabels(Map.of("kube-aggregator.kubernetes.io/automanaged", automanaged));
        }

        assertThat(Claims.of(object).map(Holder::type).orElse(null)).isEqualTo(type);
        assertThat(Claims.of(object).map(Holder::contributions).orElse(List.of()))
                .isEqualTo(type == null ? List.of() : List.of(Contribution.unlisted(new GroupVersion("g", "v1"))));
    }

    @Test
    void apiServiceOfNoVersion_claimsNothing() {
        assertThat(Claims.of(apiService("g", "", "service"))).isEmpty();
        assertThat(Claims.of(apiService("g", "a/b", "service"))).isEmpty();
        assertThat(Claims.of(apiService("a/b", "v1", "service"))).isEmpty();
        assertThat(Claims.of(apiService("", "v1", "service"))).isPresent();
    }

    private static Holder crd(String status, String... versions) {
        CrdObject crd = JSON.readValue(
                "{\"spec\":{\"group\":\"example.com\",\"scope\":\"Namespaced\",\"names\":{\"plural\":\"foos\","
                        + "\"kind\":\"Foo\"},\"versions\":["
                        + List.of(versions).stream().collect(Collectors.joining(",")) + "]},\"status\":" + status + "}",
                CrdObject.class);
        crd.setMetadata(new ObjectMetaBuilder()
                .withName("foos.example.com")
                .withUid("uid-1")
                .withResourceVersion("7")
                .build());
        return Claims.of(crd, 256, "sha256:1").orElseThrow();
    }

    private static String version(String name, boolean served) {
        return "{\"name\":\"" + name + "\",\"served\":" + served + ",\"storage\":true}";
    }

    private static ApiServiceObject apiService(String group, String version, @Nullable String service) {
        return JSON.readValue(
                "{\"metadata\":{\"name\":\"" + version + "." + group + "\",\"uid\":\"u\"},\"spec\":{\"group\":\""
                        + group
                        + "\",\"version\":\"" + version + "\""
                        + (service == null ? "" : ",\"service\":{\"name\":\"" + service + "\"}") + "}}",
                ApiServiceObject.class);
    }
}
