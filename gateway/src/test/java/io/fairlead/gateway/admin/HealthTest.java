package io.fairlead.gateway.admin;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import io.fairlead.fleet.ReadinessCheck;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.slf4j.LoggerFactory;

/** What is found out about readiness between probes, and what the log says of it. */
class HealthTest {
    private final Logger logger = (Logger) LoggerFactory.getLogger(Health.class);
    private final ListAppender<ILoggingEvent> log = new ListAppender<>();
    private Optional<String> onDisk = Optional.empty();
    private final Health health = new Health(List.of(new Store()));

    @BeforeEach
    void listen() {
        logger.setLevel(Level.INFO);
        log.start();
        logger.addAppender(log);
    }

    @AfterEach
    void stopListening() {
        logger.detachAppender(log);
        logger.setLevel(null);
    }

    @Test
    void shutDown_isToldToOthers() {
        AtomicInteger told = new AtomicInteger();
        Health health = new Health(List.of(), told::incrementAndGet);
        assertThat(told).hasValue(0);

        health.shutDown();

        assertThat(told).hasValue(1);
    }

    @Test
    void failingCheck_isLoggedOnceWithItsReason_andOnceWhenItIsWell() {
        health.look();
        assertThat(log.list).isEmpty();

        onDisk = Optional.of("the directory was deleted");
        health.look();
        health.look();
        assertThat(log.list).singleElement().satisfies(line -> {
            assertThat(line.getFormattedMessage()).isEqualTo("A readiness check fails");
            assertThat(line.getKeyValuePairs().toString()).contains("store", "the directory was deleted");
        });

        onDisk = Optional.empty();
        health.look();
        health.look();
        assertThat(log.list)
                .extracting(ILoggingEvent::getFormattedMessage)
                .containsExactly("A readiness check fails", "A readiness check is well again");
    }

    @Test
    void checkThatFailsNowAndThen_doesNotFillTheLog() {
        for (int i = 0; i < 500; i++) {
            onDisk = Optional.of("the directory was deleted");
            health.look();
            onDisk = Optional.empty();
            health.look();
        }

        assertThat(log.list).hasSize(10);
    }

    private final class Store implements ReadinessCheck {
        private Optional<String> seen = Optional.empty();

        @Override
        public String name() {
            return "store";
        }

        @Override
        public void refresh() {
            seen = onDisk;
        }

        @Override
        public Optional<String> failure() {
            return seen;
        }
    }
}
