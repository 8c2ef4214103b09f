package io.fairlead.clustersync;

import static io.fairlead.clustersync.Crds.crd;
import static io.fairlead.clustersync.FakeApiServer.API_SERVICES;
import static io.fairlead.clustersync.FakeApiServer.CRDS;
import static org.assertj.core.api.Assertions.assertThat;

import io.fairlead.clustersync.source.AnswerLimits;
import io.fairlead.clustersync.source.TypeChange;
import io.fairlead.clustersync.source.TypeSource;
import io.fairlead.http.FieldName;
import io.fairlead.index.Holder;
import io.fairlead.index.HolderType;
import io.fairlead.net.Upstream;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** What a source lists, watches and tells. */
final class KubernetesTypeSourceTest extends KubernetesTypeSourceFixture {
    @Test
    void open_listsAllKindsAtOnce_andTellsEachOnceItIsComplete() {
        TypeSource.Feed feed = open();

        assertThat(upstream.calls()).hasSize(2).allSatisfy(call -> {
            assertThat(call.kind()).isEqualTo(Upstream.Kind.SHORT);
            assertThat(call.head().target()).contains("limit=3");
            assertThat(call.head().fields().get(FieldName.AUTHORIZATION)).isEqualTo("Bearer t0ken");
        });
        assertThat(feed.recount()).isEmpty();
        assertThat(feed.silentNanos()).isEqualTo(Long.MAX_VALUE);

        last(CRDS).answer(200, list("10", "", foos()));
        assertThat(told).singleElement().isInstanceOfSatisfying(TypeChange.Complete.class, complete -> {
            assertThat(complete.types()).containsExactly(HolderType.CRD);
            assertThat(complete.resourceVersion()).isEqualTo("10");
            assertThat(complete.holders()).extracting(Holder::name).containsExactly("foos.example.com");
        });
        assertThat(feed.recount()).as("one of two").isEmpty();
        assertThat(feed.silentNanos()).isEqualTo(Long.MAX_VALUE);

        last(API_SERVICES).answer(200, list("11", "", apps(), metrics()));
        assertThat(told)
                .hasSize(2)
                .last()
                .isInstanceOfSatisfying(
                        TypeChange.Complete.class,
                        complete -> assertThat(complete.types()).isEqualTo(SERVICES));
        assertThat(names(feed.recount())).containsExactly("foos.example.com", "v1.apps", "v1.metrics");
    }

    @Test
    void types_areKnownToBeHeard_onceBothWatchesStand() {
        TypeSource.Feed feed = open();
        last(CRDS).answer(200, list("10", "", foos()));
        last(API_SERVICES).answer(200, list("11", "", apps()));
        assertThat(feed.silentNanos()).isBetween(1L, Long.MAX_VALUE - 1);

        last(CRDS).begin(200);
        assertThat(feed.silentNanos()).as("one of two").isPositive();
        last(API_SERVICES).begin(200);

        assertThat(feed.silentNanos()).isZero();
        assertThat(scheduler.dueCount()).as("nothing is waited for").isZero();
        assertThat(last(CRDS).kind()).isEqualTo(Upstream.Kind.LONG_RUNNING);
        assertThat(last(CRDS).head().target()).contains("watch=true", "resourceVersion=10");
        assertThat(feed.look()).as("whether the cluster is away").isFalse();
    }

    @Test
    void changes_areToldAsTheWatchTellsThem() {
        followed();

        last(CRDS).say(event("MODIFIED", "apiextensions.k8s.io/v1", "CustomResourceDefinition", versioned("12")));
        last(API_SERVICES).say(event("DELETED", "apiregistration.k8s.io/v1", "APIService", apps()));

        assertThat(told).hasSize(2);
        assertThat(told.getFirst())
                .isInstanceOfSatisfying(
                        TypeChange.Upserted.class,
                        upserted ->
                                assertThat(upserted.holder().resourceVersion()).isEqualTo("12"));
        assertThat(told.getLast())
                .isInstanceOfSatisfying(
                        TypeChange.Deleted.class,
                        deleted -> assertThat(deleted.name()).isEqualTo("v1.apps"));
    }

    @Test
    void listsThatFailed_areTriedAgain_whenTheServerIsHeardOf() {
        TypeSource.Feed feed = open();
        last(CRDS).fail(RESET);
        last(API_SERVICES).fail(RESET);
        assertThat(told).hasSize(2).allSatisfy(change -> assertThat(change).isInstanceOf(TypeChange.Failed.class));
        assertThat(upstream.calls()).hasSize(2);

        feed.hurry();

        assertThat(upstream.calls(CRDS)).hasSize(2);
        assertThat(upstream.calls(API_SERVICES)).hasSize(2);
    }

    @Test
    void restart_listsEverythingAnew_overNewWatches() {
        TypeSource.Feed feed = followed();
        ManualUpstream.Call watch = last(CRDS);

        feed.restart();

        assertThat(watch.isCancelled()).isTrue();
        assertThat(last(CRDS).head().target()).doesNotContain("watch=true");
        assertThat(last(API_SERVICES).head().target()).doesNotContain("watch=true");
        last(CRDS).answer(200, list("20", "", versioned("19")));
        assertThat(told).singleElement().isInstanceOf(TypeChange.Complete.class);
    }

    @Test
    void close_endsBothWatches_andTellsNothingMore() {
        TypeSource.Feed feed = followed();
        ManualUpstream.Call crds = last(CRDS);
        ManualUpstream.Call services = last(API_SERVICES);
        crds.finish();
        int before = upstream.calls().size();

        feed.close();

        assertThat(services.isCancelled()).isTrue();
        assertThat(scheduler.dueCount()).isZero();
        feed.restart();
        feed.hurry();
        scheduler.pass(LOST_AFTER);
        assertThat(upstream.calls()).hasSize(before);
        assertThat(told).isEmpty();
        assertThat(upstream.isClosed()).as("the connections are the caller's").isFalse();
    }

    @Test
    void ask_isAListOfItsOwn_ofAllKinds() {
        TypeSource.Feed feed = followed();
        upstream.whenCalled(call -> {
            boolean isNext = call.head().target().contains("continue=more");
            String body = switch (call.path()) {
                case CRDS ->
                    isNext
                            ? list("30", "", named(crd("bars", "example.com", "v1"), "bars.example.com", "29"))
                            : list("30", "more", foos());
                default -> list("30", "", apps());
            };
            call.answer(200, body);
        });

        assertThat(names(feed.ask())).containsExactly("bars.example.com", "foos.example.com", "v1.apps");
        assertThat(told).as("nothing is learnt of it").isEmpty();
    }

    @Test
    void ask_ofAServerThatRefuses_saysNothing() {
        TypeSource.Feed feed = followed();
        upstream.whenCalled(call -> {
            if (call.path().equals(CRDS)) {
                call.answer(200, list("30", "", foos()));
            } else {
                call.answer(403, "{\"kind\":\"Status\",\"apiVersion\":\"v1\",\"code\":403}");
            }
        });

        assertThat(feed.ask()).isEmpty();
    }

    @Test
    void list_isBoundedInAllItsPages() {
        String first = list("10", "more", foos());
        int bytes = first.length() + 10;
        TypeSource.Feed feed = open(
                settings(new AnswerLimits(bytes, bytes, Integer.MAX_VALUE, AnswerLimits.Kept.ofAll(1 << 30), _ -> {})));

        last(CRDS).answer(200, first);
        assertThat(last(CRDS).head().target()).contains("continue=more");
        last(CRDS).answer(200, list("10", "", versioned("9")));

        assertThat(told)
                .singleElement()
                .isInstanceOfSatisfying(
                        TypeChange.Failed.class,
                        failed -> assertThat(failed.why().reason()).isEqualTo("AnswerTooLarge"));
        feed.close();
    }

    @Test
    void revisionThatControlsACrd_isReadBesideTheInformer_andTold() {
        followed();
        upstream.whenCalled(call -> {
            if (call.path().equals(REVISION)) {
                call.answer(200, "{\"metadata\":{\"uid\":\"r1\"},\"spec\":{\"image\":\"p@sha256:00\"}}");
            }
        });

        sayOwned();

        assertThat(told.stream()
                        .map(change -> ((TypeChange.Upserted) change).holder().implementation()))
                .containsExactly("", "sha256:00");
    }

    @Test
    void revisionThatCannotBeRead_isReadAgain_whileACrdNamesIt() {
        followed();
        upstream.whenCalled(call -> {
            if (call.path().equals(REVISION)) {
                call.answer(404, "{}");
            }
        });
        sayOwned();
        assertThat(upstream.calls(REVISION)).hasSize(1);

        scheduler.pass(Duration.ofSeconds(60));
        assertThat(upstream.calls(REVISION)).hasSize(2);

        last(CRDS).say(event("MODIFIED", "apiextensions.k8s.io/v1", "CustomResourceDefinition", versioned("13")));
        scheduler.pass(Duration.ofSeconds(60));
        scheduler.pass(Duration.ofSeconds(60));
        assertThat(upstream.calls(REVISION)).as("nothing names it any more").hasSizeLessThanOrEqualTo(3);
    }
}
