package io.fairlead.hosted.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import io.fairlead.hosted.cluster.Api.Answer;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

/** What a client may say of the metadata that the server writes; the texts are kube-apiserver's. */
@ParameterizedClass
@EnumSource(Engine.class)
final class SystemMetadataTest extends CustomResourcesFixture {
    private static final String MAPS = ObjectsFixture.MAPS;
    private static final String OWNERS = "[" + owner("1") + "," + owner("2") + "," + owner("1") + "]";
    private static final String ADVICE = "; API server dedups owner references in 1.20+, and may reject such requests"
            + " as early as 1.24; please fix your requests; duplicate UID(s) observed: 1\"";
    private static final String SENT = "299 - \".metadata.ownerReferences contains duplicate entries" + ADVICE;
    private static final String ADMITTED =
            "299 - \".metadata.ownerReferences contains duplicate entries after mutating admission happens" + ADVICE;

    SystemMetadataTest(Engine engine, @TempDir Path directory) {
        super(engine, directory);
    }

    private static String owner(String uid) {
        return "{\"apiVersion\":\"v1\",\"kind\":\"K\",\"name\":\"n\",\"uid\":\"" + uid + "\"}";
    }

    @Test
    void equalOwnerReferences_areStoredOnce_withAWarning() {
        String map = "metadata: {name: one, ownerReferences: " + OWNERS + "}";

        Answer created = api.create(MAPS, map).expect(201);
        Answer replaced = api.replace(MAPS + "/one", map).expect(200);
        Answer patched = api.merge(MAPS + "/one", "{\"metadata\":{\"ownerReferences\":" + OWNERS + "}}")
                .expect(200);

        assertOwners(created, SENT);
        assertOwners(replaced, SENT);
        assertOwners(patched, ADMITTED);
    }

    @Test
    void equalOwnerReferencesOfACustomResource_areStoredOnce_withAWarning() {
        establish("foos", "Foo");
        String owned = foo("a", 1).replace("name: a", "name: a, ownerReferences: " + OWNERS);

        Answer created = api.create(FOOS, owned).expect(201);
        Answer patched = api.merge(FOOS + "/a", "{\"metadata\":{\"ownerReferences\":" + OWNERS + "}}")
                .expect(200);

        assertOwners(created, SENT);
        assertOwners(patched, ADMITTED);
    }

    private static void assertOwners(Answer answer, String warning) {
        assertThat(answer.body().at("/metadata/ownerReferences"))
                .isEqualTo(tree("[" + owner("1") + "," + owner("2") + "]"));
        assertThat(answer.headers().get("Warning")).containsExactly(warning);
    }

    @Test
    void ownerReferencesThatDiffer_areKept_withoutAWarning() {
        String controlled = owner("1").replace("}", ",\"controller\":true}");

        Answer created = api.create(
                        MAPS, "metadata: {name: one, ownerReferences: [" + owner("1") + ", " + controlled + "]}")
                .expect(201);

        assertThat(created.body().at("/metadata/ownerReferences")).hasSize(2);
        assertThat(created.headers()).doesNotContainKey("Warning");
    }

    @Test
    void deletionTimestamp_cannotBeWritten() {
        establish("foos", "Foo");
        api.create(FOOS, foo("a", 1)).expect(201);
        api.create(MAPS, "metadata: {name: one}").expect(201);
        String time = "{\"metadata\":{\"deletionTimestamp\":\"2020-01-01T00:00:00Z\"}}";
        String grace = "{\"metadata\":{\"deletionGracePeriodSeconds\":5}}";

        assertThat(api.merge(FOOS + "/a", time).expect(422).message())
                .isEqualTo("Foo.example.com \"a\" is invalid: metadata.deletionTimestamp: Invalid value:"
                        + " \"2020-01-01T00:00:00Z\": field is immutable");
        assertThat(api.merge(FOOS + "/a", grace).expect(422).message())
                .isEqualTo("Foo.example.com \"a\" is invalid: metadata.deletionGracePeriodSeconds: Invalid value: 5:"
                        + " field is immutable");
        api.merge(MAPS + "/one", time).expect(422);
        api.merge(MAPS + "/one", grace).expect(422);
        api.replace(MAPS + "/one", "metadata: {name: one, deletionTimestamp: \"2020-01-01T00:00:00Z\"}")
                .expect(422);
    }

    @Test
    void deletionTimestampThatIsNull_isNone() {
        establish("foos", "Foo");
        String revision = api.create(FOOS, foo("a", 1)).expect(201).resourceVersion();
        String none = "resourceVersion: '" + revision
                + "', creationTimestamp: null, deletionTimestamp: null, deletionGracePeriodSeconds: null";

        Answer replaced = api.replace(FOOS + "/a", foo("a", 2).replace("name: a", "name: a, " + none))
                .expect(200);

        assertThat(replaced.body().path("metadata").has("deletionTimestamp")).isFalse();
        assertThat(replaced.body().path("metadata").has("deletionGracePeriodSeconds"))
                .isFalse();
    }

    @Test
    void terminatingObject_keepsItsTime_andHasItsOwnGracePeriod() {
        api.create(MAPS, "metadata: {name: one, finalizers: [example.com/mine]}")
                .expect(201);
        String time = api.delete(MAPS + "/one").expect(200).at("/metadata/deletionTimestamp");

        Answer other = api.merge(MAPS + "/one", "{\"metadata\":{\"deletionTimestamp\":\"2020-01-01T00:00:00Z\"}}")
                .expect(200);
        Answer without = api.replace(MAPS + "/one", "metadata: {name: one, finalizers: [example.com/mine]}")
                .expect(200);

        assertThat(other.at("/metadata/deletionTimestamp")).isEqualTo(time);
        assertThat(without.at("/metadata/deletionTimestamp")).isEqualTo(time);
        assertThat(without.body().at("/metadata/deletionGracePeriodSeconds").asInt(-1))
                .isZero();
        assertThat(api.merge(MAPS + "/one", "{\"metadata\":{\"deletionGracePeriodSeconds\":5}}")
                        .expect(422)
                        .message())
                .isEqualTo("ConfigMap \"one\" is invalid: metadata.deletionGracePeriodSeconds: Invalid value: 5:"
                        + " field is immutable");
        api.replace(MAPS + "/one", "metadata: {name: one}").expect(200);
        api.get(MAPS + "/one").expect(404);
    }

    @Test
    void resourceVersionOfANewObject_isAnErrorOfTheStore_whichADryRunNeverMeets() {
        String map = "metadata: {name: one, resourceVersion: '3'}";

        assertThat(api.create(MAPS + "?dryRun=All", map).expect(201).resourceVersion())
                .isEqualTo("3");
        assertThat(api.create(MAPS, map).expect(500).message())
                .isEqualTo("resourceVersion should not be set on objects to be created");
        api.get(MAPS + "/one").expect(404);
    }
}
