package io.fairlead.clustersync;

import static io.fairlead.clustersync.FollowedCluster.PROD;
import static io.fairlead.clustersync.FollowedCluster.QUICK;
import static io.fairlead.clustersync.FollowedCluster.eventually;
import static io.fairlead.index.HolderType.CRD;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatNoException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.AppenderBase;
import io.fairlead.clustersync.source.TypeChange;
import io.fairlead.index.Contribution;
import io.fairlead.index.Holder;
import io.fairlead.index.Sync;
import io.fairlead.model.ClusterName;
import io.fairlead.model.GroupVersion;
import io.fairlead.net.UpstreamSpec;
import java.net.URI;
import java.util.List;
import java.util.Optional;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.slf4j.LoggerFactory;

/** Clusters that are followed, without a server behind them. */
class ClusterSyncTest {
    private static final ClusterName DEV = new ClusterName("dev");
    private static final UpstreamSpec NOWHERE =
            new UpstreamSpec(List.of(URI.create("https://127.0.0.1:1")), null, null, null, null);

    private final FollowedCluster prod = new FollowedCluster();
    private final FakeTypeSource source = new FakeTypeSource();

    @AfterEach
    void close() {
        prod.close();
    }

    @Test
    void hostedCluster_isIndexed_askedAndReported() {
        HostedScope scope = prod.sync.follow(DEV, source);
        source.ask = () -> Optional.of(List.of(holder("bars")));

        source.tell(new TypeChange.Complete(Set.of(CRD), List.of(holder("foos")), "5"));

        assertThat(scope.name()).isEqualTo(DEV);
        assertThat(prod.index.view(DEV))
                .hasValueSatisfying(view -> assertThat(view.sync()).isEqualTo(Sync.SYNCED));
        assertThat(prod.sync.silentNanos(DEV)).isEqualTo(77);
        assertThat(scope.silentNanos()).isEqualTo(77);
        assertThat(prod.sync.verify(DEV))
                .hasValueSatisfying(audit -> assertThat(audit.missing()).isNotEmpty());
        assertThat(scope.verify()).isPresent();
        eventually(() ->
                !prod.reports.isEmpty() && prod.last().typesSynced().reason().equals("Synced"));
        assertThat(prod.last().cluster()).isEqualTo(DEV);
        assertThat(prod.last().reachable().reason()).isEqualTo("Served");
    }

    @Test
    void clusterThatIsNotFollowed_isNotKnown() {
        assertThat(prod.sync.silentNanos(DEV)).isEqualTo(Long.MAX_VALUE);
        assertThat(prod.sync.verify(DEV)).isEmpty();
        assertThat(prod.sync.types()).isNotNull();
    }

    @Test
    void nameOfACluster_isFreeOnceItsScopeIsClosed() {
        HostedScope scope = prod.sync.follow(DEV, source);
        assertThatThrownBy(() -> prod.sync.follow(DEV, source)).isInstanceOf(IllegalStateException.class);
        assertThatThrownBy(() -> prod.sync.attach(new AttachedCluster(DEV, NOWHERE, null)))
                .isInstanceOf(IllegalStateException.class);

        scope.close();

        assertThat(source.calls).containsExactly("close");
        assertThat(prod.index.view(DEV)).isEmpty();
        assertThat(prod.sync.silentNanos(DEV)).isEqualTo(Long.MAX_VALUE);
        prod.sync.follow(DEV, source).close();
    }

    @Test
    void closedScope_isNotAuditedAnyMore() {
        HostedScope scope = prod.sync.follow(DEV, source);
        eventually(() -> source.recounts.get() > 1);

        scope.close();

        int audits = source.recounts.get();
        FakeTypeSource other = new FakeTypeSource();
        prod.sync.follow(DEV, other);
        eventually(() -> other.recounts.get() > 4);
        assertThat(source.recounts.get()).as("at most one was under way").isLessThanOrEqualTo(audits + 1);
    }

    @Test
    void close_endsEveryScope_andItsThreads() {
        ClusterSync sync = prod.sync(QUICK);
        sync.follow(DEV, source);

        sync.close();

        assertThat(source.calls).containsExactly("close");
        assertThat(prod.index.view(DEV)).isEmpty();
        assertThatThrownBy(() -> sync.follow(DEV, new FakeTypeSource())).isInstanceOf(RejectedExecutionException.class);
    }

    /** A source may be a moment ahead of what it told. */
    @Test
    void indexThatDiffersFromItsSource_isTold_ifItStillDoesAMomentLater() {
        Queue<ILoggingEvent> lines = new ConcurrentLinkedQueue<>();
        AppenderBase<ILoggingEvent> appender = new AppenderBase<>() {
            @Override
            protected void append(ILoggingEvent line) {
                lines.add(line);
            }
        };
        appender.start();
        Logger logger = (Logger) LoggerFactory.getLogger(ClusterSync.class);
        logger.addAppender(appender);
        try {
            FakeTypeSource ahead = new FakeTypeSource();
            AtomicInteger whileKnown = new AtomicInteger();
            ahead.recount = () -> {
                boolean isFirst = isSynced() && whileKnown.getAndIncrement() == 0;
                return Optional.of(List.of(holder(isFirst ? "bars" : "foos")));
            };
            source.recount = () -> Optional.of(List.of(holder("bars")));
            prod.sync.follow(PROD, ahead);
            prod.sync.follow(DEV, source);
            TypeChange foos = new TypeChange.Complete(Set.of(CRD), List.of(holder("foos")), "5");
            ahead.tell(foos);
            source.tell(foos);

            eventually(() -> lines.size() >= 5 && whileKnown.get() >= 5);

            assertThat(lines).allSatisfy(line -> {
                assertThat(line.getLevel()).isEqualTo(Level.ERROR);
                assertThat(line.getKeyValuePairs().toString()).contains("dev").doesNotContain("\"0\"");
            });
        } finally {
            logger.detachAppender(appender);
        }
    }

    @Test
    void clusterThatIsNotThere_isProbedAtOnce_andReported() {
        AttachedScope scope = prod.sync.attach(new AttachedCluster(PROD, NOWHERE, null));

        assertThat(scope.name()).isEqualTo(PROD);
        eventually(() -> prod.reachable().equals("ConnectionFailed"));
        assertThat(prod.index.view(PROD)).isPresent();
        assertThatThrownBy(() -> prod.sync.attach(new AttachedCluster(PROD, NOWHERE, null)))
                .isInstanceOf(IllegalStateException.class);
        scope.close();
        assertThat(prod.index.view(PROD)).isEmpty();
        assertThat(prod.sync.verify(PROD)).isEmpty();
    }

    @Test
    void attachedCluster_isFollowedWithItsToken_andProbedAgainAndAgain() {
        FakeApiServer server = prod.server("h2");
        server.requireToken("t0ken");

        prod.attach(server, "t0ken");

        eventually(() -> prod.sync() == Sync.SYNCED && prod.reachable().equals("Reachable"));
        eventually(() -> server.requests().stream()
                        .filter(request -> request.equals("GET /version"))
                        .count()
                > 3);
    }

    @Test
    void specificationThatCannotBeUsed_isRefused() {
        assertThatNoException().isThrownBy(() -> prod.sync.requireUsable(NOWHERE));
        assertThatThrownBy(() -> prod.sync.requireUsable(
                        new UpstreamSpec(List.of(URI.create("https://127.0.0.1:1")), "no PEM", null, null, null)))
                .isInstanceOf(IllegalArgumentException.class);
    }

    private boolean isSynced() {
        return prod.index.view(PROD).map(view -> view.sync() == Sync.SYNCED).orElse(false);
    }

    private static Holder holder(String name) {
        return new Holder(
                CRD, name, "u1", "5", List.of(Contribution.of(new GroupVersion("example.com", "v1"), Set.of(name))));
    }
}
