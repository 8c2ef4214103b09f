package io.fairlead.clustersync;

import static io.fairlead.clustersync.Crds.crd;
import static io.fairlead.clustersync.FakeApiServer.CRDS;
import static io.fairlead.clustersync.FollowedCluster.PROD;
import static io.fairlead.clustersync.FollowedCluster.eventually;
import static org.assertj.core.api.Assertions.assertThat;

import io.fairlead.clustersync.source.TypeSource;
import io.fairlead.index.Holder;
import io.fairlead.index.HolderType;
import io.fairlead.index.Sync;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.node.ObjectNode;

/** What acts on the objects of a cluster's CRDs, as it is recorded there. */
final class ControllerImagesTest {
    private static final String REVISIONS = "/apis/pkg.crossplane.io/v1/providerrevisions/";

    private final FollowedCluster prod = new FollowedCluster();

    @AfterEach
    void close() {
        prod.close();
    }

    @Test
    void implementation_isTheAnnotation_andChangesWithIt() {
        FakeApiServer server = prod.server("h2");
        server.put(CRDS, "foos.example.com", annotated("sha256:one"));
        prod.attach(server, null);
        eventually(() -> implementation().equals("sha256:one"));

        server.put(CRDS, "foos.example.com", annotated("sha256:two"));
        eventually(() -> implementation().equals("sha256:two"));

        server.put(CRDS, "foos.example.com", crd("foos", "example.com", "v1"));
        eventually(() -> implementation().isEmpty());
    }

    @Test
    void implementation_isTheImageOfTheRevisionThatControlsTheCrd_readOnce() {
        FakeApiServer server = prod.server("h2");
        String digest = "sha256:" + "ab".repeat(32);
        server.document(
                REVISIONS + "p-1",
                "{\"metadata\":{\"uid\":\"r1\"},\"spec\":{\"image\":\"registry.example/p@" + digest + "\"}}");
        server.put(CRDS, "foos.example.com", owned("foos", "p-1", "r1"));
        server.put(CRDS, "bars.example.com", owned("bars", "p-1", "r1"));
        prod.attach(server, null);

        eventually(() -> implementation().equals(digest)
                && implementation("bars.example.com").equals(digest));

        server.put(CRDS, "bazs.example.com", owned("bazs", "p-1", "r1"));
        eventually(() -> implementation("bazs.example.com").equals(digest));
        assertThat(server.requests())
                .filteredOn(request -> request.contains("/p-1"))
                .hasSize(1);
        eventually(() -> prod.sync() == Sync.SYNCED);
        prod.index.assertConsistent();
    }

    @Test
    void implementation_ofARevisionThatIsAnotherOrHasNoDigest_isNotRecorded() {
        FakeApiServer server = prod.server("h2");
        server.document(REVISIONS + "other", "{\"metadata\":{\"uid\":\"r9\"},\"spec\":{\"image\":\"p@sha256:00\"}}");
        server.document(REVISIONS + "tagged", "{\"metadata\":{\"uid\":\"r2\"},\"spec\":{\"image\":\"p:v1\"}}");
        server.put(CRDS, "foos.example.com", owned("foos", "other", "r1"));
        server.put(CRDS, "bars.example.com", owned("bars", "tagged", "r2"));
        server.put(CRDS, "bazs.example.com", owned("bazs", "../../../version", "r3"));
        server.put(CRDS, "quxs.example.com", owned("quxs", "absent", "r4"));
        prod.attach(server, null);

        eventually(() -> prod.sync() == Sync.SYNCED
                && Stream.of("other", "tagged", "absent")
                        .allMatch(name ->
                                server.requests().stream().anyMatch(request -> request.endsWith(REVISIONS + name))));

        assertThat(Stream.of("foos", "bars", "bazs", "quxs").map(plural -> implementation(plural + ".example.com")))
                .containsOnly("");
        assertThat(server.requests()).noneMatch(request -> request.contains(".."));
    }

    @Test
    void implementation_ofACrdThatChangesHands_isThatOfTheLast() {
        FakeApiServer server = prod.server("h2");
        server.document(REVISIONS + "p-1", revision("r1", "sha256:one"));
        server.document(REVISIONS + "p-2", revision("r2", "sha256:two"));
        server.put(CRDS, "foos.example.com", owned("foos", "p-1", "r1"));
        server.put(CRDS, "bars.example.com", owned("bars", "p-1", "r1"));
        prod.attach(server, null);
        eventually(() -> implementation().equals("sha256:one"));

        server.put(CRDS, "foos.example.com", owned("foos", "p-2", "r2"));

        eventually(() -> implementation().equals("sha256:two"));
        assertThat(implementation("bars.example.com")).isEqualTo("sha256:one");
    }

    @Test
    void revision_thatControlsNothingAnyMore_isForgotten() {
        FakeApiServer server = prod.server("h2");
        server.document(REVISIONS + "p-1", revision("r1", "sha256:one"));
        server.document(REVISIONS + "p-2", revision("r2", "sha256:two"));
        server.put(CRDS, "foos.example.com", owned("foos", "p-1", "r1"));
        prod.attach(server, null);
        eventually(() -> server.watcherCount() == 2 && implementation().equals("sha256:one"));

        server.delete(CRDS, "foos.example.com");
        eventually(() -> implementation().equals("nothing"));
        server.put(CRDS, "bars.example.com", owned("bars", "p-2", "r2"));
        eventually(() -> implementation("bars.example.com").equals("sha256:two"));
        server.put(CRDS, "foos.example.com", owned("foos", "p-1", "r1"));
        eventually(() -> implementation().equals("sha256:one"));

        assertThat(server.requests())
                .filteredOn(request -> request.endsWith("/p-1"))
                .as("read anew, since it was forgotten")
                .hasSize(2);
    }

    private String implementation() {
        return implementation("foos.example.com");
    }

    private String implementation(String crd) {
        return prod.index
                .view(PROD)
                .flatMap(view -> view.holder(HolderType.CRD, crd))
                .map(Holder::implementation)
                .orElse("nothing");
    }

    private static ObjectNode annotated(String implementation) {
        ObjectNode crd = crd("foos", "example.com", "v1");
        crd.withObject("metadata").putObject("annotations").put(TypeSource.IMPLEMENTATION, implementation);
        return crd;
    }

    private static ObjectNode owned(String plural, String revision, String uid) {
        ObjectNode crd = crd(plural, "example.com", "v1");
        crd.withObject("metadata")
                .putArray("ownerReferences")
                .addObject()
                .put("apiVersion", "pkg.crossplane.io/v1")
                .put("kind", "ProviderRevision")
                .put("name", revision)
                .put("uid", uid)
                .put("controller", true);
        return crd;
    }

    private static String revision(String uid, String digest) {
        return "{\"metadata\":{\"uid\":\"" + uid + "\"},\"spec\":{\"image\":\"registry.example/p@" + digest + "\"}}";
    }
}
