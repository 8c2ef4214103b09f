package io.fairlead.hosted.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.AppenderBase;
import io.fairlead.storage.MemoryStore;
import io.fairlead.storage.RevisionedStore;
import io.fairlead.storage.RevisionedStore.StoreException;
import io.fairlead.storage.RevisionedStore.StoreException.Reason;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.slf4j.LoggerFactory;

/** What clients and the log are told while a store takes no values. */
class FullDiskTest {
    private static final String MAPS = "/api/v1/namespaces/default/configmaps";
    private static final String BEGIN = "ERROR The store refuses writes reason=the disk is full (the test says so)";

    private final Logger logger = (Logger) LoggerFactory.getLogger("io.fairlead.hosted");
    private final List<String> log = new CopyOnWriteArrayList<>();
    private final Lines lines = new Lines();

    private volatile Instant now = Instant.EPOCH;
    private volatile boolean full;
    private volatile boolean crowded;
    private volatile boolean dataIsKept;
    private final Fixture fixture = new Fixture(store(), Fixture.settings(1024, 1024), List.of(), () -> now);
    private final Api dev = fixture.dev();

    @BeforeEach
    void listen() {
        logger.setLevel(Level.INFO);
        lines.start();
        logger.addAppender(lines);
    }

    @AfterEach
    void close() {
        fixture.close();
        logger.detachAppender(lines);
        logger.setLevel(null);
    }

    @Test
    void refusedWrite_is500SayingWhy() {
        full = true;

        Api.Answer answer = create("a");

        assertThat(answer.code()).isEqualTo(500);
        assertThat(answer.reason()).isEqualTo("InternalError");
        assertThat(answer.message()).contains("the store cannot do its work: the disk is full");
    }

    /** As every other limit: nothing was stored. */
    @Test
    void writeForWhichTheQueueHasNoRoom_is429_andMayBeSentAgain() {
        crowded = true;

        Api.Answer answer = create("a");

        assertThat(answer.code()).isEqualTo(429);
        assertThat(answer.reason()).isEqualTo("TooManyRequests");
        assertThat(answer.message()).contains("store.commitQueueBytesMax").doesNotContain("the test says so");
        assertThat(answer.at("/details/retryAfterSeconds")).isEqualTo("1");
        crowded = false;
        create("a").expect(201);
    }

    @Test
    void log_hasTwoLinesForAnyNumberOfRefusals() {
        full = true;
        for (int i = 0; i < 100; i++) {
            create("refused-" + i).expect(500);
        }
        assertThat(log).containsExactly(BEGIN);

        full = false;
        create("at-the-brim").expect(201);
        assertThat(log).containsExactly(BEGIN);

        now = now.plus(LoggedStore.QUIET);
        create("taken").expect(201);
        create("taken-too").expect(201);
        assertThat(log).hasSize(2).startsWith(BEGIN);
        // Controllers may have been refused too.
        assertThat(log.getLast()).matches("INFO The store takes writes again refused=1\\d\\d");
    }

    /** A namespace gets its account from a controller, which tries again and again. */
    @Test
    void refusedControllers_areNoFaultsOfThisProgram() {
        dev.create("/api/v1/namespaces", "metadata: {name: shop}").expect(201);
        Fixture.eventually(
                "an account in shop",
                () -> dev.get("/api/v1/namespaces/shop/serviceaccounts/default").code() == 200);
        full = true;

        dev.delete("/api/v1/namespaces/shop/serviceaccounts/default").expect(200);

        Fixture.eventually("a refusal", () -> !log.isEmpty());
        full = false;
        Fixture.eventually(
                "the account again",
                () -> dev.get("/api/v1/namespaces/shop/serviceaccounts/default").code() == 200);
        assertThat(log).containsExactly(BEGIN);
    }

    @Test
    void deletion_doesNotEndTheTrouble() {
        create("a").expect(201);
        full = true;
        create("b").expect(500);
        now = now.plus(LoggedStore.QUIET);

        dev.delete(MAPS + "/a").expect(200);

        assertThat(log).containsExactly(BEGIN);
    }

    /** It is marked first, and its finalizers go one by one. */
    @Test
    void deletionThatWaitsForFinalizers_goesOn() {
        dev.create(MAPS, "metadata: {name: held, finalizers: [example.com/a, example.com/b]}")
                .expect(201);
        full = true;

        assertThat(dev.delete(MAPS + "/held").expect(200).at("/metadata/deletionTimestamp"))
                .isNotEmpty();
        dev.merge(MAPS + "/held", "{\"metadata\":{\"finalizers\":[\"example.com/b\"]}}")
                .expect(200);
        dev.merge(MAPS + "/held", "{\"data\":{\"a\":\"longer than before\"}}").expect(500);
        dev.merge(MAPS + "/held", "{\"metadata\":{\"finalizers\":null}}").expect(200);

        dev.get(MAPS + "/held").expect(404);
        fixture.clusters.delete(Fixture.DEV);
        Fixture.eventually("the data is gone", () -> fixture.store.count("/c/", null, fixture.store.revision()) == 0);
    }

    @Test
    void dataOfADeletedCluster_goesLaterIfItCouldNotGoAtOnce() {
        create("a").expect(201);
        dataIsKept = true;

        fixture.clusters.delete(Fixture.DEV);
        assertThat(fixture.store.count("/c/", null, fixture.store.revision())).isPositive();
        assertThat(fixture.clusters.stored()).doesNotContain(Fixture.DEV);

        dataIsKept = false;
        Fixture.eventually("the data is gone", () -> fixture.store.count("/c/", null, fixture.store.revision()) == 0);
        Fixture.eventually(
                "the record is gone",
                () -> fixture.store.count("/deleted-clusters/", null, fixture.store.revision()) == 0);
    }

    private Api.Answer create(String name) {
        return dev.create(MAPS, "metadata: {name: " + name + "}");
    }

    /** A store in memory that takes no values while the disk is full. */
    private RevisionedStore store() {
        MemoryStore memory = new MemoryStore();
        return (RevisionedStore) Proxy.newProxyInstance(
                getClass().getClassLoader(),
                new Class<?>[] {RevisionedStore.class},
                (Object _, Method method, Object[] arguments) -> {
                    if (full
                            && method.getName().equals("commit")
                            && arguments[0] instanceof RevisionedStore.Write.Put put
                            && !put.ofDeletion()) {
                        throw new StoreException(Reason.DISK_FULL, "the disk is full (the test says so)", null);
                    }
                    if (crowded && method.getName().equals("commit")) {
                        throw new StoreException(Reason.OVERLOADED, "writes wait (the test says so)", null);
                    }
                    if (dataIsKept
                            && method.getName().equals("commit")
                            && arguments[0] instanceof RevisionedStore.Write.Delete(String key, long _)
                            && key.startsWith("/c/")) {
                        throw new StoreException(Reason.DISK_FULL, "the disk is full (the test says so)", null);
                    }
                    try {
                        return method.invoke(memory, arguments);
                    } catch (InvocationTargetException e) {
                        throw e.getCause();
                    }
                });
    }

    private final class Lines extends AppenderBase<ILoggingEvent> {
        @Override
        protected void append(ILoggingEvent line) {
            boolean ofTheStore = line.getLoggerName().equals(LoggedStore.class.getName());
            if (!ofTheStore && !line.getLevel().isGreaterOrEqual(Level.WARN)) {
                return;
            }
            String values = line.getKeyValuePairs() == null
                    ? ""
                    : line.getKeyValuePairs().stream()
                            .map(pair -> " " + pair.key + "=" + pair.value)
                            .collect(Collectors.joining());
            log.add(line.getLevel() + " " + line.getFormattedMessage() + values);
        }
    }
}
