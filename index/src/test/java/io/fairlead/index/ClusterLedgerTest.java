package io.fairlead.index;

import static io.fairlead.index.HolderType.API_SERVICE;
import static io.fairlead.index.HolderType.BUILT_IN;
import static io.fairlead.index.HolderType.CRD;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.fairlead.model.ClusterName;
import io.fairlead.model.GroupVersion;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class ClusterLedgerTest {
    private static final ClusterName PROD = new ClusterName("prod");
    private static final Set<HolderType> CRDS = Set.of(CRD);
    private static final Set<HolderType> API_SERVICES = Set.of(API_SERVICE, BUILT_IN);
    private static final Instant NOW = Instant.parse("2026-11-21T10:00:00Z");

    private final FleetIndex index =
            new FleetIndex(new IndexLimits(8, 64, 100, 2), IndexMetrics.NONE, InstantSource.fixed(NOW));
    private final ClusterLedger ledger = index.open(PROD, CRDS);

    @AfterEach
    void consistent() {
        index.assertConsistent();
    }

    @Test
    void deleteOfOneOfTwoCrds_leavesTheVersionToTheOther() {
        ledger.relist(CRDS, List.of(crd("foos", "u1", 1, "v1"), crd("bars", "u2", 2, "v1")), "2");

        ledger.delete(CRD, "foos.example.com", "u1", "3");

        assertThat(index.lookup(PROD, "example.com", "v1")).isEqualTo(Answer.SERVED);
        assertThat(index.lookup(PROD, "example.com", "v1", "bars")).isEqualTo(Answer.SERVED);
        assertThat(index.lookup(PROD, "example.com", "v1", "foos")).isEqualTo(Answer.ABSENT);
    }

    @Test
    void deleteOfTheLastCrd_removesTheVersion() {
        ledger.relist(CRDS, List.of(crd("foos", "u1", 1, "v1"), crd("bars", "u2", 2, "v1")), "2");

        ledger.delete(CRD, "foos.example.com", "u1", "3");
        ledger.delete(CRD, "bars.example.com", "u2", "4");

        assertThat(index.lookup(PROD, "example.com", "v1")).isEqualTo(Answer.ABSENT);
        assertThat(ledger.view().apiVersions()).isEmpty();
        assertThat(index.keyCount()).isZero();
    }

    @Test
    void versionNoLongerServed_leavesTheSetOfItsHolders() {
        ledger.relist(CRDS, List.of(crd("foos", "u1", 1, "v1", "v2"), crd("bars", "u2", 2, "v1")), "2");
        assertThat(ledger.view().holders(new GroupVersion("example.com", "v1"))).hasSize(2);

        ledger.upsert(crd("foos", "u1", 3, "v2"));

        assertThat(ledger.view().holders(new GroupVersion("example.com", "v1"))).hasSize(1);
        assertThat(ledger.view().holders(new GroupVersion("example.com", "v2"))).hasSize(1);
        assertThat(index.lookup(PROD, "example.com", "v1", "foos")).isEqualTo(Answer.ABSENT);
    }

    @Test
    void emptyRelistAfterAGap_removesEveryKeyInOneSwap() {
        ledger.relist(CRDS, List.of(crd("foos", "u1", 1, "v1"), crd("bars", "u2", 2, "v1", "v2")), "2");
        ClusterView before = ledger.view();
        ledger.markLost(CRDS);

        ledger.relist(CRDS, List.of(), "9");

        assertThat(before.holders()).as("an older view stays as it was").hasSize(2);
        assertThat(ledger.view().holders()).isEmpty();
        assertThat(index.lookup(PROD, "example.com", "v1")).isEqualTo(Answer.ABSENT);
    }

    @Test
    void lookup_beforeACompleteList_isUnknown() {
        ledger.upsert(crd("foos", "u1", 1, "v1"));

        assertThat(index.lookup(PROD, "example.com", "v1")).isEqualTo(Answer.UNKNOWN);
        assertThat(index.lookup(PROD, "example.com", "v2")).isEqualTo(Answer.UNKNOWN);
        assertThat(index.explain(PROD, "example.com", "v1", ""))
                .isEqualTo(new Lookup.Unknown(
                        Lookup.Reason.NOT_SYNCED, ledger.view().evidence()));
    }

    @Test
    void lookup_untilEveryFeedIsComplete_isUnknown() {
        ClusterLedger both = index.open(new ClusterName("both"), Set.of(CRD, API_SERVICE, BUILT_IN));
        both.relist(CRDS, List.of(crd("foos", "u1", 1, "v1")), "1");
        assertThat(index.lookup(both.cluster(), "example.com", "v1")).isEqualTo(Answer.UNKNOWN);

        both.relist(API_SERVICES, List.of(), "2");

        assertThat(index.lookup(both.cluster(), "example.com", "v1")).isEqualTo(Answer.SERVED);
        assertThat(index.lookup(both.cluster(), "example.com", "v2")).isEqualTo(Answer.ABSENT);
    }

    @Test
    void lookup_whileAFeedIsLost_saysWhatWasServedAndNeverAbsent() {
        ledger.relist(CRDS, List.of(crd("foos", "u1", 1, "v1")), "1");

        ledger.markLost(CRDS);

        assertThat(index.lookup(PROD, "example.com", "v1")).isEqualTo(Answer.SERVED);
        assertThat(index.lookup(PROD, "example.com", "v2")).isEqualTo(Answer.UNKNOWN);
        assertThat(index.explain(PROD, "example.com", "v2", ""))
                .isEqualTo(new Lookup.Unknown(Lookup.Reason.LOST, ledger.view().evidence()));
        ledger.markCurrent(CRDS);
        assertThat(index.lookup(PROD, "example.com", "v2")).isEqualTo(Answer.ABSENT);
    }

    @Test
    void lookup_ofAClusterThatIsNotOpen_isUnknown() {
        assertThat(index.lookup(new ClusterName("nowhere"), "example.com", "v1"))
                .isEqualTo(Answer.UNKNOWN);
        assertThat(index.explain(new ClusterName("nowhere"), "", "v1", ""))
                .isEqualTo(new Lookup.Unknown(Lookup.Reason.NO_SUCH_CLUSTER, Evidence.NONE));
    }

    @Test
    void explain_namesTheHoldersAndTheAgeOfTheEvidence() {
        Holder foos = crd("foos", "u1", 1, "v1");
        ledger.relist(CRDS, List.of(foos), "7");

        assertThat(index.explain(PROD, "example.com", "v1", "foos"))
                .isEqualTo(new Lookup.Served(List.of(foos), new Evidence(Sync.SYNCED, 1, "7", NOW)));
        assertThat(index.explain(PROD, "example.com", "v1", "bars"))
                .isEqualTo(new Lookup.Absent(new Evidence(Sync.SYNCED, 1, "7", NOW)));
    }

    @Test
    void sameEventTwice_changesNothing() {
        ledger.relist(CRDS, List.of(), "1");

        assertThat(ledger.upsert(crd("foos", "u1", 2, "v1")).effect()).isEqualTo(Outcome.Effect.CHANGED);
        assertThat(ledger.upsert(crd("foos", "u1", 2, "v1")).effect()).isEqualTo(Outcome.Effect.UNCHANGED);
        assertThat(ledger.view().holders()).hasSize(1);
        ledger.delete(CRD, "foos.example.com", "u1", "3");
        assertThat(ledger.delete(CRD, "foos.example.com", "u1", "3").effect()).isEqualTo(Outcome.Effect.UNCHANGED);
    }

    @Test
    void delete_ofAnEarlierIncarnation_changesNothing() {
        ledger.relist(CRDS, List.of(crd("foos", "old", 1, "v1")), "1");
        ledger.delete(CRD, "foos.example.com", "old", "2");
        ledger.upsert(crd("foos", "new", 3, "v1"));

        ledger.delete(CRD, "foos.example.com", "old", "2");

        assertThat(index.lookup(PROD, "example.com", "v1", "foos")).isEqualTo(Answer.SERVED);
    }

    @Test
    void upsert_ofALaterIncarnation_takesThePlaceOfTheEarlier() {
        ledger.relist(CRDS, List.of(crd("foos", "old", 1, "v1")), "1");

        ledger.upsert(crd("foos", "new", 3, "v2"));

        assertThat(ledger.view().apiVersions()).containsExactly("example.com/v2");
        assertThat(ledger.upsert(crd("foos", "old", 1, "v1")).effect()).isEqualTo(Outcome.Effect.STALE);
        assertThat(ledger.view().apiVersions()).containsExactly("example.com/v2");
    }

    @Test
    void upsert_ofAnOlderResourceVersion_changesNothing() {
        ledger.relist(CRDS, List.of(crd("foos", "u1", 10, "v1", "v2")), "10");

        assertThat(ledger.upsert(crd("foos", "u1", 9, "v1")).effect()).isEqualTo(Outcome.Effect.STALE);
        assertThat(ledger.view().apiVersions()).containsExactly("example.com/v1", "example.com/v2");
    }

    @Test
    void upsert_replayedAfterTheDeletion_bringsNothingBack() {
        ledger.relist(CRDS, List.of(crd("foos", "u1", 1, "v1")), "1");
        ledger.delete(CRD, "foos.example.com", "u1", "5");

        assertThat(ledger.upsert(crd("foos", "u1", 4, "v1")).effect()).isEqualTo(Outcome.Effect.STALE);
        assertThat(ledger.view().holders()).isEmpty();
    }

    @Test
    void relist_olderThanTheEvidence_isStaleUntilANewEpoch() {
        ledger.relist(CRDS, List.of(crd("foos", "u1", 8, "v1")), "10");

        assertThat(ledger.relist(CRDS, List.of(), "9").effect()).isEqualTo(Outcome.Effect.STALE);
        assertThat(index.lookup(PROD, "example.com", "v1")).isEqualTo(Answer.SERVED);

        ledger.nextEpoch();
        assertThat(index.lookup(PROD, "example.com", "v1")).isEqualTo(Answer.UNKNOWN);
        ledger.relist(CRDS, List.of(), "9");
        assertThat(index.lookup(PROD, "example.com", "v1")).isEqualTo(Answer.ABSENT);
        assertThat(ledger.view().evidence().epoch()).isEqualTo(2);
    }

    @Test
    void relist_ofOneFeed_keepsInMindWhatWasDeletedInTheOther() {
        ClusterLedger both = index.open(new ClusterName("both"), Set.of(CRD, API_SERVICE, BUILT_IN));
        both.relist(CRDS, List.of(), "1");
        Holder foos = crd("foos", "u1", 5, "v1");
        both.upsert(foos);
        both.delete(CRD, "foos.example.com", "u1", "6");

        both.relist(API_SERVICES, List.of(), "7");

        assertThat(both.upsert(foos).effect()).isEqualTo(Outcome.Effect.STALE);
    }

    @Test
    void relist_ofOneFeed_keepsTheHoldersOfTheOther() {
        ClusterLedger both = index.open(new ClusterName("both"), Set.of(CRD, API_SERVICE, BUILT_IN));
        both.relist(CRDS, List.of(crd("foos", "u1", 1, "v1")), "1");
        both.relist(API_SERVICES, List.of(apiService("metrics.k8s.io", "v1beta1")), "2");

        both.relist(CRDS, List.of(), "3");

        assertThat(both.view().apiVersions()).containsExactly("metrics.k8s.io/v1beta1");
    }

    @Test
    void crdThatIsNotEstablished_isHeldAndServesNothing() {
        ledger.relist(CRDS, List.of(new Holder(CRD, "foos.example.com", "u1", "1", List.of())), "1");

        assertThat(ledger.view().holders()).hasSize(1);
        assertThat(index.lookup(PROD, "example.com", "v1")).isEqualTo(Answer.ABSENT);
    }

    @Test
    void apiService_routesEveryResourceOfItsVersion() {
        ClusterLedger other = index.open(new ClusterName("other"), API_SERVICES);
        other.relist(API_SERVICES, List.of(apiService("metrics.k8s.io", "v1beta1")), "1");

        assertThat(index.lookup(other.cluster(), "metrics.k8s.io", "v1beta1")).isEqualTo(Answer.SERVED);
        assertThat(index.lookup(other.cluster(), "metrics.k8s.io", "v1beta1", "pods"))
                .isEqualTo(Answer.SERVED);
        assertThat(index.explain(other.cluster(), "metrics.k8s.io", "v1beta1", "pods"))
                .isInstanceOf(Lookup.Served.class);
        assertThat(index.lookup(other.cluster(), "metrics.k8s.io", "v1", "pods"))
                .isEqualTo(Answer.ABSENT);
    }

    @Test
    void builtInWithoutListedResources_leavesEveryResourceUnknown() {
        ClusterLedger other = index.open(new ClusterName("other"), API_SERVICES);
        Holder apps = new Holder(
                BUILT_IN, "v1.apps", "u1", "1", List.of(Contribution.unlisted(new GroupVersion("apps", "v1"))));
        other.relist(API_SERVICES, List.of(apps), "1");

        assertThat(index.lookup(other.cluster(), "apps", "v1")).isEqualTo(Answer.SERVED);
        assertThat(index.lookup(other.cluster(), "apps", "v1", "deployments")).isEqualTo(Answer.UNKNOWN);
        assertThat(index.explain(other.cluster(), "apps", "v1", "deployments"))
                .isEqualTo(new Lookup.Unknown(
                        Lookup.Reason.RESOURCES_UNLISTED, other.view().evidence()));
    }

    @Test
    void holderBeyondTheLimits_claimsNothingAndIsNamed_theOthersAreIndexed() {
        String[] versions = IntStream.range(0, 10_000).mapToObj(i -> "v" + i).toArray(String[]::new);
        Holder withoutGroup =
                new Holder(CRD, "odd", "u3", "1", List.of(Contribution.of(new GroupVersion("", "v1"), Set.of("odd"))));

        Outcome outcome = ledger.relist(
                CRDS, List.of(crd("foos", "u1", 1, versions), withoutGroup, crd("bars", "u2", 2, "v1")), "2");

        assertThat(outcome.problems()).hasSize(2);
        assertThat(outcome.problems().get(0)).contains("foos.example.com", "10000 versions", "at most 8");
        assertThat(outcome.problems().get(1)).contains("odd", "without a group");
        assertThat(ledger.view().apiVersions()).containsExactly("example.com/v1");
    }

    @Test
    void upsertBeyondTheLimits_dropsWhatTheHolderClaimedBefore() {
        ledger.relist(CRDS, List.of(crd("foos", "u1", 1, "v1")), "1");

        Outcome outcome = ledger.upsert(crd(
                "foos", "u1", 2, IntStream.range(0, 9).mapToObj(i -> "v" + i).toArray(String[]::new)));

        assertThat(outcome.problems()).hasSize(1);
        assertThat(ledger.view().holders()).isEmpty();
    }

    @Test
    void holdersBeyondTheClustersLimit_claimNothing() {
        List<Holder> holders = new ArrayList<>();
        IntStream.range(0, 101).forEach(i -> holders.add(crd("r" + i, "u" + i, 1, "v1")));

        Outcome outcome = ledger.relist(CRDS, holders, "1");

        assertThat(outcome.problems()).hasSize(1);
        assertThat(ledger.view().holders()).hasSize(100);
        assertThat(ledger.upsert(crd("more", "u", 2, "v1")).problems()).hasSize(1);
        assertThat(ledger.upsert(crd("r0", "u0", 2, "v2")).problems()).isEmpty();
    }

    @Test
    void close_dropsTheViewAndEveryClaim() {
        ledger.relist(CRDS, List.of(crd("foos", "u1", 1, "v1")), "1");
        assertThat(index.claimCount()).isEqualTo(2);

        ledger.close();
        ledger.close();

        assertThat(index.lookup(PROD, "example.com", "v1")).isEqualTo(Answer.UNKNOWN);
        assertThat(index.view(PROD)).isEmpty();
        assertThat(index.claimCount()).isZero();
        assertThat(index.keyCount()).isZero();
        assertThat(ledger.upsert(crd("foos", "u1", 2, "v1")).effect()).isEqualTo(Outcome.Effect.CLOSED);
        index.open(PROD, CRDS).close();
    }

    @Test
    void open_ofAClusterThatIsOpen_isRefused() {
        assertThatThrownBy(() -> index.open(PROD, CRDS)).hasMessageContaining("prod");
    }

    @Test
    void holderOfATypeThatNobodyExpects_isRefused() {
        assertThatThrownBy(() -> ledger.upsert(apiService("metrics.k8s.io", "v1")))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("API_SERVICE");
    }

    @Test
    void synced_completesWithTheCompleteList() {
        CompletableFuture<Void> waiter = index.synced(PROD).toCompletableFuture();
        assertThat(waiter).isNotDone();

        ledger.relist(CRDS, List.of(), "1");

        assertThat(waiter).isCompleted();
        assertThat(index.synced(PROD).toCompletableFuture()).isCompleted();
    }

    @Test
    void synced_beyondTheLimitOfWaiters_fails_andACancelledOneGivesUpItsPlace() {
        CompletableFuture<Void> first = index.synced(PROD).toCompletableFuture();
        CompletableFuture<Void> second = index.synced(PROD).toCompletableFuture();
        assertThat(index.synced(PROD).toCompletableFuture()).isCompletedExceptionally();

        first.cancel(false);

        assertThat(index.synced(PROD).toCompletableFuture()).isNotDone();
        ledger.close();
        assertThat(second).as("a waiter of a cluster that was removed").isCompleted();
    }

    @Test
    void audit_findsWhatTheViewLacksAndWhatItHasTooMuch() {
        int[] mismatches = new int[1];
        IndexMetrics metrics = new IndexMetrics() {
            @Override
            public void auditMismatched(int differences) {
                mismatches[0] += differences;
            }
        };
        FleetIndex counted = new FleetIndex(IndexLimits.NONE, metrics, InstantSource.fixed(NOW));
        ClusterLedger audited = counted.open(PROD, CRDS);
        audited.relist(CRDS, List.of(crd("foos", "u1", 1, "v1")), "1");

        assertThat(audited.compare(List.of(crd("foos", "u1", 1, "v1"))).isClean())
                .isTrue();
        assertThat(mismatches[0]).isZero();
        IndexComparison implemented =
                audited.compare(List.of(crd("foos", "u1", 1, "v1").implementedBy("sha256:one")));
        assertThat(implemented.missing()).singleElement().asString().contains("implementation sha256:one by CRD foos");

        IndexComparison compared = audited.compare(List.of(crd("bars", "u2", 1, "v1")));
        assertThat(compared.missing()).hasSize(2).first().asString().contains("example.com/v1 by CRD bars");
        assertThat(compared.surplus()).hasSize(2);
        assertThat(mismatches[0]).isEqualTo(5);
    }

    private static Holder crd(String plural, String uid, long resourceVersion, String... versions) {
        List<Contribution> contributions = new ArrayList<>();
        for (String version : versions) {
            contributions.add(Contribution.of(new GroupVersion("example.com", version), Set.of(plural)));
        }
        return new Holder(CRD, plural + ".example.com", uid, Long.toString(resourceVersion), contributions);
    }

    private static Holder apiService(String group, String version) {
        return new Holder(
                API_SERVICE,
                version + "." + group,
                "u-" + group,
                "1",
                List.of(Contribution.unlisted(new GroupVersion(group, version))));
    }
}
