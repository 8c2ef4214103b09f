package io.fairlead.gateway.logging;

import static org.assertj.core.api.Assertions.assertThat;

import io.fairlead.config.Configuration.LogFormat;
import io.fairlead.config.Configuration.LogLevel;
import io.fairlead.config.LogLevels;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** From which level on which lines are written. */
class LoggingTest {
    private static final LogLevels NONE = new LogLevels(Map.of());

    private final Logger ofNet = LoggerFactory.getLogger("io.fairlead.net.Call");
    private final Logger ofNetAddress = LoggerFactory.getLogger("io.fairlead.net.address.AddressPolicy");
    private final Logger ofIndex = LoggerFactory.getLogger("io.fairlead.index.FleetIndex");
    private final Logger ofLibrary = LoggerFactory.getLogger("io.netty.channel.Channel");

    @AfterEach
    void leaveNothingBehind() {
        Logging.quiet();
    }

    @Test
    void levelOfAPackage_countsForWhatIsInIt_andTheLongestNameDecides() {
        Logging.configure(
                LogFormat.TEXT,
                LogLevel.INFO,
                new LogLevels(Map.of("io.fairlead.net", LogLevel.DEBUG, "io.fairlead.net.address", LogLevel.ERROR)));

        assertThat(ofNet.isDebugEnabled()).isTrue();
        assertThat(ofNetAddress.isWarnEnabled()).isFalse();
        assertThat(ofNetAddress.isErrorEnabled()).isTrue();
        assertThat(ofIndex.isDebugEnabled()).isFalse();
        assertThat(ofIndex.isInfoEnabled()).isTrue();
    }

    @Test
    void levelThatIsTakenBack_isThatOfAllAgain() {
        Logging.configure(LogFormat.TEXT, LogLevel.INFO, new LogLevels(Map.of("io.fairlead.net", LogLevel.TRACE)));
        assertThat(ofNet.isTraceEnabled()).isTrue();

        Logging.change(LogLevel.INFO, new LogLevels(Map.of("io.fairlead.index", LogLevel.DEBUG)));
        assertThat(ofNet.isDebugEnabled()).isFalse();
        assertThat(ofIndex.isDebugEnabled()).isTrue();

        Logging.change(LogLevel.WARN, NONE);
        assertThat(ofNet.isInfoEnabled()).isFalse();
        assertThat(ofIndex.isInfoEnabled()).isFalse();
    }

    @Test
    void libraries_writeNoMoreThanWarnings() {
        Logging.configure(LogFormat.TEXT, LogLevel.TRACE, new LogLevels(Map.of("io.fairlead", LogLevel.TRACE)));

        assertThat(ofLibrary.isWarnEnabled()).isTrue();
        assertThat(ofLibrary.isInfoEnabled()).isFalse();
        assertThat(ofNet.isTraceEnabled()).isTrue();
    }
}
