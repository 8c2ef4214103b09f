package io.fairlead.clustersync;

import static io.fairlead.clustersync.Crds.crd;
import static io.fairlead.clustersync.FakeApiServer.CRDS;
import static io.fairlead.clustersync.FollowedCluster.PROD;
import static io.fairlead.clustersync.FollowedCluster.eventually;
import static org.assertj.core.api.Assertions.assertThat;

import io.fairlead.index.Answer;
import io.fairlead.index.Holder;
import io.fairlead.index.HolderType;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.node.ObjectNode;

/** What our own informers make of a watch that goes backwards, over the real client. */
final class BackwardsWatchTest extends AttachedClusterFixture {
    private static final String A = "as.example.com";
    private static final String B = "bs.example.com";

    private FakeApiServer server = prod.server("h2");

    @BeforeEach
    void follow() {
        server.put(CRDS, A, crd("as", "example.com", "v1"));
        followed(server);
    }

    @Test
    void deletionWithAnOldVersion_isApplied_andTheWatchResumesFromItsHighWaterMark() {
        server.put(CRDS, B, crd("bs", "example.com", "v1"));
        server.put(CRDS, "cs.example.com", crd("cs", "example.com", "v1"));
        String last = version("cs.example.com");
        int lists = lists().size();

        server.deleteWithOldVersion(CRDS, A);
        eventually(() -> served("as", "v1") == Answer.ABSENT);
        int watches = watches().size();
        server.endWatches();
        eventually(() -> watches().size() > watches);

        assertThat(watches().getLast()).contains("resourceVersion=" + last + "&");
        assertThat(served("bs", "v1")).isEqualTo(Answer.SERVED);
        assertThat(served("cs", "v1")).isEqualTo(Answer.SERVED);
        assertThat(lists()).as("nothing has to be listed again").hasSize(lists);
    }

    @Test
    void stateFromThePast_isNotTakenOver_andEverythingIsListedAgain() {
        ObjectNode past = server.get(CRDS, A);
        server.put(CRDS, A, crd("as", "example.com", "v2"));
        eventually(() -> served("as", "v2") == Answer.SERVED);
        int lists = lists().size();

        server.repeat(CRDS, "MODIFIED", past);

        eventually(() -> {
            assertThat(served("as", "v2")).isEqualTo(Answer.SERVED);
            return lists().size() > lists && server.watcherCount() == 2;
        });
        awaitAnother(server);
        assertThat(served("as", "v1")).isEqualTo(Answer.ABSENT);
        assertThat(epoch()).as("the list shows that the history is the same").isEqualTo(1);
    }

    @Test
    void deletionThatIsReplayed_removesNothing_andEverythingIsListedAgain() {
        ObjectNode past = server.get(CRDS, A);
        server.put(CRDS, A, crd("as", "example.com", "v2"));
        eventually(() -> served("as", "v2") == Answer.SERVED);
        int lists = lists().size();

        server.repeat(CRDS, "DELETED", past);

        eventually(() -> {
            assertThat(served("as", "v2")).isEqualTo(Answer.SERVED);
            return lists().size() > lists && server.watcherCount() == 2;
        });
    }

    @Test
    void deletionOfAnEarlierIncarnation_isIgnored() {
        ObjectNode past = server.get(CRDS, A);
        server.delete(CRDS, A);
        server.put(CRDS, A, crd("as", "example.com", "v2"));
        eventually(() -> served("as", "v2") == Answer.SERVED);
        int lists = lists().size();

        server.repeat(CRDS, "DELETED", past);

        awaitAnother(server);
        assertThat(served("as", "v2")).isEqualTo(Answer.SERVED);
        assertThat(lists()).hasSize(lists);
    }

    @Test
    void repeatedEvent_changesNothing() {
        server.put(CRDS, A, crd("as", "example.com", "v2"));
        int lists = lists().size();

        server.repeat(CRDS, "MODIFIED", server.get(CRDS, A));

        awaitAnother(server);
        assertThat(served("as", "v2")).isEqualTo(Answer.SERVED);
        assertThat(lists()).hasSize(lists);
    }

    @Test
    void bookmark_isEvidence_andAnOlderOneIsIgnored() {
        server.advance(500);
        server.bookmark(CRDS, 500);
        eventually(() ->
                prod.index.view(PROD).orElseThrow().evidence().resourceVersion().equals("500"));

        server.bookmark(CRDS, 300);
        int watches = watches().size();
        server.endWatches();
        eventually(() -> watches().size() > watches);

        assertThat(watches().getLast()).contains("resourceVersion=500&");
        awaitAnother(server);
        assertThat(epoch()).isEqualTo(1);
    }

    @Test
    void changeBelowABookmark_isFromThePast() {
        server.advance(500);
        server.bookmark(CRDS, 500);
        ObjectNode past = crd("bs", "example.com", "v1");
        past.withObject("metadata").put("name", B).put("uid", "b").put("resourceVersion", "400");
        int lists = lists().size();

        server.repeat(CRDS, "ADDED", past);

        eventually(() -> lists().size() > lists && server.watcherCount() == 2);
        assertThat(served("bs", "v1")).isEqualTo(Answer.ABSENT);
    }

    @Test
    void versionsThatCannotBeOrdered_areTakenAsTheyCome() {
        ObjectNode odd = crd("bs", "example.com", "v1");
        odd.withObject("metadata").put("name", B).put("uid", "b").put("resourceVersion", "abc");
        int lists = lists().size();

        server.repeat(CRDS, "ADDED", odd);

        eventually(() -> served("bs", "v1") == Answer.SERVED);
        assertThat(lists()).hasSize(lists);
    }

    private long epoch() {
        return prod.index.view(PROD).orElseThrow().evidence().epoch();
    }

    private String version(String crd) {
        eventually(() ->
                prod.index.view(PROD).orElseThrow().holder(HolderType.CRD, crd).isPresent());
        return prod.index
                .view(PROD)
                .flatMap(view -> view.holder(HolderType.CRD, crd))
                .map(Holder::resourceVersion)
                .orElseThrow();
    }

    private Answer served(String resource, String version) {
        return prod.lookup("example.com", version, resource);
    }

    /** The informers' lists, without those of censuses. */
    private List<String> lists() {
        return server.requests().stream()
                .filter(request -> request.contains(CRDS) && !request.contains("watch=true"))
                .toList();
    }

    private List<String> watches() {
        return server.requests().stream()
                .filter(request -> request.contains(CRDS) && request.contains("watch=true"))
                .toList();
    }
}
