package io.fairlead.gateway.route;

import static io.fairlead.index.HolderType.BUILT_IN;
import static io.fairlead.index.HolderType.CRD;
import static org.assertj.core.api.Assertions.assertThat;

import io.fairlead.fleet.ClusterEntry;
import io.fairlead.index.Answer;
import io.fairlead.index.Evidence;
import io.fairlead.index.Location;
import io.fairlead.model.CallerName;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What a request is routed to by what the index knows. */
@Timeout(60)
final class RouterTest extends RouterFixture {
    @ParameterizedTest
    @CsvSource({
        "foos, HOSTED, crd-runtime",
        "foos, ATTACHED, crd-runtime",
        "foos, WITH_RUNTIME, crd-runtime",
        "builtins, HOSTED, base-handler",
        "builtins, ATTACHED, base-handler",
        "builtins, WITH_RUNTIME, base-handler",
        "nothings, HOSTED, base-handler",
        "nothings, ATTACHED, base-handler",
        "nothings, WITH_RUNTIME, base-handler",
        "aggregates, HOSTED, aggregated",
        "aggregates, ATTACHED, aggregated",
        "aggregates, WITH_RUNTIME, aggregated",
        "published, HOSTED, aggregated",
        "published, ATTACHED, aggregated",
        "published, WITH_RUNTIME, aggregated",
        "unlisted, HOSTED, base-handler",
        "unlisted, ATTACHED, base-handler",
        "unlisted, WITH_RUNTIME, base-handler",
        "lost, HOSTED, rejected",
        "lost, ATTACHED, base-handler",
        "lost, WITH_RUNTIME, rejected",
    })
    void kind_isWhatTheTableSays(String resource, Registered as, String kind) {
        relistAll();
        if (resource.equals("lost")) {
            ledger.markLost(Set.of(CRD));
        }

        Location location = questions.locate(PROD, groupOf(resource), "v1", resource);

        assertThat(Router.kind(location, groupOf(resource), entry(as)).word()).isEqualTo(kind);
    }

    /** The API server's own kinds come first there, whatever definition bears their name. */
    @Test
    void builtInKind_ofWhichADefinitionBearsTheName_staysWithTheBase() {
        String group = "rbac.authorization.k8s.io";
        ledger.relist(
                TYPES,
                List.of(holder(BUILT_IN, "v1." + group, group, null), holder(CRD, "roles." + group, group, "roles")),
                "7");

        Location location = questions.locate(PROD, group, "v1", "roles");

        assertThat(Router.kind(location, group, attached(true))).isEqualTo(Route.Kind.BASE_HANDLER);
    }

    @ParameterizedTest
    @CsvSource({
        "'', WITH_RUNTIME, base-handler",
        "apiextensions.k8s.io, WITH_RUNTIME, base-handler",
        "apps, WITH_RUNTIME, rejected",
        "'', HOSTED, rejected",
    })
    void groupThatNoDefinitionCanClaim_isTheBasesAlsoWhileNothingIsKnown(String group, Registered as, String kind) {
        Location location = questions.locate(PROD, group, "v1", "things");

        assertThat(location.answer()).isEqualTo(Answer.UNKNOWN);
        assertThat(Router.kind(location, group, entry(as)).word()).isEqualTo(kind);
    }

    @Test
    void kind_ofAClusterThatIsNotServedNow_isThatOfAHostedOne() {
        relistAll();

        assertThat(Router.kind(
                        index.locate(PROD, "aggregates.example.com", "v1", "aggregates"),
                        "aggregates.example.com",
                        new ClusterEntry.Unready(PROD, "Paused", "paused")))
                .isEqualTo(Route.Kind.AGGREGATED);
    }

    @Test
    void route_carriesWhatItsLookUpSaid() {
        relistAll();

        ToAttached toFoos = router(SHORT, 1)
                .toAttachedAtOnce(admitted(FOOS), attached(true))
                .orElseThrow();

        assertThat(toFoos.route()).isInstanceOfSatisfying(Route.ToCrdRuntime.class, route -> {
            assertThat(route.definition().name()).isEqualTo("foos.example.com");
            assertThat(route.holders()).containsExactly(route.definition());
            assertThat(route.evidence().resourceVersion()).isEqualTo("7");
            assertThat(route.view()).contains(ledger.view());
            assertThat(route.silentNanos()).isEqualTo(42);
            assertThat(route.kind()).isEqualTo(Route.Kind.CRD_RUNTIME);
        });
        assertThat(questions.asked).containsExactly("silence of prod", "prod example.com/v1 foos");
        assertThat(routed).containsExactly("prod crd-runtime");
    }

    @Test
    void pathThatIsNoResource_isTheBases_withoutALookUp() {
        ToAttached routedTo = router(SHORT, 1)
                .toAttachedAtOnce(admitted("/apis/example.com/v1"), attached(true))
                .orElseThrow();

        assertThat(routedTo.route().kind()).isEqualTo(Route.Kind.BASE_HANDLER);
        assertThat(routedTo.route().view()).isEmpty();
        assertThat(routedTo.route().holders()).isEmpty();
        assertThat(routedTo.route().evidence()).isEqualTo(Evidence.NONE);
        assertThat(routedTo.route().silentNanos()).isZero();
        assertThat(routedTo.backend()).isSameAs(routedTo.cluster().base());
        assertThat(questions.asked).isEmpty();
        assertThat(routed).containsExactly("prod base-handler");
    }

    @Test
    void attached_leadsToTheServersThatTheRouteIsFor() {
        relistAll();
        ClusterEntry.Attached two = attached(true);
        ClusterEntry.Attached one = attached(false);

        ToAttached toFoos =
                router(SHORT, 1).toAttachedAtOnce(admitted(FOOS), two).orElseThrow();
        ToAttached toPods =
                router(SHORT, 1).toAttachedAtOnce(admitted("/api/v1/pods"), two).orElseThrow();
        ToAttached toOne =
                router(SHORT, 1).toAttachedAtOnce(admitted(FOOS), one).orElseThrow();

        ToAttached toAggregates = router(SHORT, 1)
                .toAttachedAtOnce(admitted("/apis/aggregates.example.com/v1/aggregates"), two)
                .orElseThrow();

        assertThat(toAggregates.route().kind()).isEqualTo(Route.Kind.AGGREGATED);
        assertThat(toAggregates.backend()).isSameAs(two.base());
        assertThat(toFoos.backend()).isSameAs(two.crdRuntime());
        assertThat(toPods.backend()).isSameAs(two.base());
        assertThat(toOne.backend()).isSameAs(one.base());
        assertThat(toFoos.cluster()).isSameAs(two);
        assertThat(toFoos.target()).isEqualTo(toFoos.described().target());
        assertThat(toFoos.described().info().resource()).isEqualTo("foos");
        assertThat(toFoos.user().name()).isEqualTo("admin");
    }

    @Test
    void hosted_carriesItsRequestOn() {
        relistAll();

        ToHosted toFoos = router(SHORT, 1).toHosted(authorized(FOOS));

        assertThat(toFoos.cluster()).isSameAs(hosted);
        assertThat(toFoos.target()).isEqualTo(toFoos.described().target());
        assertThat(toFoos.described().info().resource()).isEqualTo("foos");
        assertThat(toFoos.user().name()).isEqualTo("admin");
        assertThat(toFoos.caller()).isEqualTo(CallerName.ofGateway("admin"));
        assertThat(toFoos.route()).isInstanceOf(Route.ToCrdRuntime.class);
        assertThat(routed).containsExactly("prod crd-runtime");
    }

    @Test
    void hosted_routedAgain_isNotCountedAgain() {
        relistAll();

        assertThat(router(SHORT, 1).again(authorized(FOOS)).route()).isInstanceOf(Route.ToCrdRuntime.class);

        assertThat(routed).isEmpty();
    }
}
