package io.fairlead.clustersync.fabric8;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.ObjectMeta;
import io.fabric8.kubernetes.api.model.ObjectMetaBuilder;
import io.fabric8.kubernetes.api.model.OwnerReference;
import io.fabric8.kubernetes.api.model.OwnerReferenceBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.fairlead.clustersync.ManualScheduler;
import io.fairlead.clustersync.source.TypeSource;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.RejectedExecutionException;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What is recorded to act on the objects of a CRD, and when a package revision is read for it. */
class PackageRevisionsTest {
    private static final String PATH = "/apis/pkg.crossplane.io/v1/providerrevisions/p-1";
    private static final String DIGEST = "sha256:" + "ab".repeat(32);
    private static final int REVISIONS_MAX = 10_000;
    private static final Duration RETRY = Duration.ofSeconds(60);

    private final ManualScheduler scheduler = new ManualScheduler();
    private final Queue<Runnable> tasks = new ArrayDeque<>();
    private final Map<String, String> server = new HashMap<>();
    private final List<String> asked = new ArrayList<>();
    private final Set<String> named = new HashSet<>();
    private final List<String> told = new ArrayList<>();
    private boolean rejecting;
    private final ControllerImages implementations =
            new ControllerImages(client(), this::execute, scheduler, new ControllerImages.Definitions() {
                @Override
                public void implemented(String revision, String implementation) {
                    told.add(revision + " " + implementation);
                }

                @Override
                public Set<String> revisions() {
                    return named;
                }
            });

    @Test
    void crdOfNobody_isActedOnByNothing() {
        ObjectMeta crd = new ObjectMetaBuilder().withName("foos").build();
        crd.setAnnotations(null);
        crd.setOwnerReferences(null);

        assertThat(implementations.of(crd)).isEmpty();
        assertThat(implementations.revisionOf(crd)).isEmpty();
        assertThat(tasks).isEmpty();
    }

    @Test
    void annotation_isWhatActs_whateverControlsTheCrd() {
        ObjectMeta crd = owned("p-1", "r1");
        crd.setAnnotations(Map.of(TypeSource.IMPLEMENTATION, "sha256:one"));

        assertThat(implementations.of(crd)).isEqualTo("sha256:one");
        assertThat(implementations.revisionOf(crd)).isEmpty();
        assertThat(tasks).isEmpty();
    }

    @ParameterizedTest
    @CsvSource({
        "ProviderRevision, providerrevisions",
        "FunctionRevision, functionrevisions",
        "ConfigurationRevision, configurationrevisions"
    })
    void revision_isReadOnce_andToldOfLater(String kind, String resource) {
        String path = "/apis/pkg.crossplane.io/v1/" + resource + "/p-1";
        server.put(path, revision("r1", "registry.example/p@" + DIGEST));
        ObjectMeta crd = owned("p-1", "r1", owner -> owner.withKind(kind));

        assertThat(implementations.of(crd)).as("not known yet").isEmpty();
        assertThat(implementations.of(crd)).isEmpty();
        assertThat(implementations.revisionOf(crd)).isEqualTo("r1");
        assertThat(asked).as("read elsewhere").isEmpty();
        runTasks();

        assertThat(asked).containsExactly(path);
        assertThat(told).containsExactly("r1 " + DIGEST);
        assertThat(implementations.of(crd)).isEqualTo(DIGEST);
        assertThat(implementations.revisionOf(crd)).isEqualTo("r1");
        assertThat(tasks).isEmpty();
        assertThat(scheduler.dueCount()).isZero();
    }

    @Test
    void revisionWithoutADigest_isNotToldOf_norReadAgain() {
        server.put(PATH, revision("r1", "registry.example/p:v1"));
        named.add("r1");
        implementations.of(owned("p-1", "r1"));
        runTasks();

        assertThat(implementations.of(owned("p-1", "r1"))).isEmpty();

        assertThat(told).isEmpty();
        assertThat(tasks).isEmpty();
        assertThat(scheduler.dueCount()).isZero();
    }

    @Test
    void digest_isThatOfTheImage_evenAtTheBegin() {
        server.put(PATH, revision("r1", "@" + DIGEST));
        implementations.of(owned("p-1", "r1"));
        runTasks();

        assertThat(told).containsExactly("r1 " + DIGEST);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "nothing",
                "no JSON",
                "{\"metadata\":{\"uid\":\"r9\"},\"spec\":{\"image\":\"p@sha256:00\"}}",
                "{\"spec\":{\"image\":\"p@sha256:00\"}}"
            })
    void revisionThatIsNotIt_isReadAgainAfterAWhile_whileACrdNamesIt(String answer) {
        if (!answer.equals("nothing")) {
            server.put(PATH, answer);
        }
        named.add("r1");
        implementations.of(owned("p-1", "r1"));
        runTasks();
        assertThat(told).isEmpty();
        assertThat(implementations.of(owned("p-1", "r1")))
                .as("nor is it read at once for another CRD")
                .isEmpty();
        assertThat(tasks).isEmpty();

        scheduler.pass(RETRY.minusNanos(1));
        assertThat(tasks).isEmpty();
        server.put(PATH, revision("r1", "p@" + DIGEST));
        scheduler.pass(Duration.ofNanos(1));
        runTasks();

        assertThat(asked).containsExactly(PATH, PATH);
        assertThat(told).containsExactly("r1 " + DIGEST);
    }

    @Test
    void serverThatSaysNothing_isAskedAgain() {
        server.put(PATH, "");
        named.add("r1");
        implementations.of(owned("p-1", "r1"));

        runTasks();

        assertThat(scheduler.dueCount()).isEqualTo(1);
    }

    @Test
    void revisionThatNothingNames_isNotReadAgain_butAnewForTheNextCrd() {
        implementations.of(owned("p-1", "r1"));
        runTasks();

        assertThat(scheduler.dueCount()).isZero();
        implementations.of(owned("p-1", "r1"));
        assertThat(tasks).hasSize(1);
    }

    @Test
    void afterTheEnd_nothingIsReadAgain() {
        named.add("r1");
        implementations.of(owned("p-1", "r1"));
        implementations.close();

        runTasks();

        assertThat(scheduler.dueCount()).isZero();
    }

    @Test
    void threadsThatAreGone_areNoFailure() {
        rejecting = true;

        assertThat(implementations.of(owned("p-1", "r1"))).isEmpty();
    }

    @Test
    void revisionThatControlsNothingAnyMore_isForgotten_onceAnotherIsRead() {
        server.put(PATH, revision("r1", "p@" + DIGEST));
        implementations.of(owned("p-1", "r1"));
        runTasks();
        named.add("r1");
        implementations.of(owned("p-2", "r2"));
        runTasks();
        assertThat(implementations.of(owned("p-1", "r1"))).as("it is named").isEqualTo(DIGEST);

        named.remove("r1");
        implementations.of(owned("p-3", "r3"));
        runTasks();

        assertThat(implementations.of(owned("p-1", "r1"))).isEmpty();
        assertThat(tasks).as("it is read anew").hasSize(1);
    }

    @Test
    void revisionThatIsForgottenWhileItIsRead_isKnownAfterwards() {
        server.put(PATH, revision("r1", "p@" + DIGEST));
        implementations.of(owned("p-1", "r1"));
        Runnable first = tasks.remove();
        implementations.of(owned("p-2", "r2"));
        runTasks();

        first.run();

        assertThat(told).containsExactly("r1 " + DIGEST);
        assertThat(implementations.of(owned("p-1", "r1"))).isEqualTo(DIGEST);
    }

    @Test
    void revisionThatIsReadTwiceAtOnce_isAskedForAgainOnce() {
        named.add("r1");
        named.add("r2");
        implementations.of(owned("p-1", "r1"));
        Runnable first = tasks.remove();
        named.remove("r1");
        implementations.of(owned("p-2", "r2"));
        runTasks();
        named.add("r1");
        implementations.of(owned("p-1", "r1"));
        runTasks();
        assertThat(scheduler.dueCount()).as("for both").isEqualTo(2);

        first.run();

        assertThat(scheduler.dueCount()).as("the later one goes on").isEqualTo(2);
    }

    @Test
    void moreRevisionsThanAreKept_areNotRead() {
        for (int i = 0; i < REVISIONS_MAX; i++) {
            implementations.of(owned("p", "uid-" + i));
        }
        assertThat(tasks).hasSize(REVISIONS_MAX);

        assertThat(implementations.of(owned("p-1", "r1"))).isEmpty();

        assertThat(tasks).hasSize(REVISIONS_MAX);
        assertThat(implementations.revisionOf(owned("p-1", "r1")))
                .as("it is named, though it is not read")
                .isEqualTo("r1");
    }

    @Test
    void ownerThatIsNoRevision_isNone() {
        assertNotRead(owner -> owner.withController(false));
        assertNotRead(owner -> owner.withController(null));
        assertNotRead(owner -> owner.withApiVersion("pkg.crossplane.io/v1beta1"));
        assertNotRead(owner -> owner.withKind("Provider"));
        assertNotRead(owner -> owner.withKind(null));
        assertNotRead(owner -> owner.withUid(""));
        assertNotRead(owner -> owner.withUid(null));
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "a/b", "..", "a..b", "A", "a?b", "a%2fb", "a_b", "`", "{", "/", ":"})
    void ownerWhoseNameIsNoSegmentOfAPath_isNone(String name) {
        assertNotRead(owner -> owner.withName(name));
    }

    @ParameterizedTest
    @ValueSource(strings = {"a", "z", "0", "9", "a-b.c"})
    void ownerWithAName_isRead(String name) {
        implementations.of(owned(name, "r1"));
        runTasks();

        assertThat(asked).containsExactly("/apis/pkg.crossplane.io/v1/providerrevisions/" + name);
    }

    @Test
    void nameOfAnOwner_isAsLongAsKubernetesAllows() {
        implementations.of(owned("a".repeat(253), "r1"));
        assertThat(tasks).hasSize(1);

        tasks.clear();
        assertNotRead(owner -> owner.withName("a".repeat(254)));
        assertNotRead(owner -> owner.withName(null));
    }

    @Test
    void firstOwnerThatIsARevision_counts() {
        ObjectMeta crd = owned("p-1", "r1");
        crd.setOwnerReferences(List.of(
                new OwnerReferenceBuilder(crd.getOwnerReferences().getFirst())
                        .withKind("Other")
                        .withUid("r0")
                        .build(),
                crd.getOwnerReferences().getFirst()));

        assertThat(implementations.revisionOf(crd)).isEqualTo("r1");
    }

    private void assertNotRead(UnaryOperator<OwnerReferenceBuilder> change) {
        ObjectMeta crd = owned("p-1", "r1", change);
        assertThat(implementations.of(crd)).isEmpty();
        assertThat(implementations.revisionOf(crd)).isEmpty();
        assertThat(tasks).isEmpty();
    }

    private void runTasks() {
        for (Runnable task = tasks.poll(); task != null; task = tasks.poll()) {
            task.run();
        }
    }

    private void execute(Runnable task) {
        if (rejecting) {
            throw new RejectedExecutionException("of a test");
        }
        tasks.add(task);
    }

    /** Answers {@code raw(path)}: null for an empty document, and a 404 where there is none. */
    private KubernetesClient client() {
        return (KubernetesClient) Proxy.newProxyInstance(
                KubernetesClient.class.getClassLoader(),
                new Class<?>[] {KubernetesClient.class},
                (_, method, arguments) -> {
                    assertThat(method.getName()).isEqualTo("raw");
                    return raw((String) Objects.requireNonNull(arguments)[0]);
                });
    }

    private @Nullable String raw(String path) {
        asked.add(path);
        String document = server.get(path);
        if (document == null) {
            throw new KubernetesClientException("of a test", 404, null);
        }
        return document.isEmpty() ? null : document;
    }

    private static ObjectMeta owned(String revision, String uid) {
        return owned(revision, uid, owner -> owner);
    }

    private static ObjectMeta owned(String revision, String uid, UnaryOperator<OwnerReferenceBuilder> change) {
        OwnerReference owner = change.apply(new OwnerReferenceBuilder()
                        .withApiVersion("pkg.crossplane.io/v1")
                        .withKind("ProviderRevision")
                        .withName(revision)
                        .withUid(uid)
                        .withController(true))
                .build();
        return new ObjectMetaBuilder()
                .withName("foos")
                .withOwnerReferences(List.of(owner))
                .build();
    }

    private static String revision(String uid, String image) {
        return "{\"metadata\":{\"uid\":\"" + uid + "\"},\"spec\":{\"image\":\"" + image + "\"}}";
    }
}
