package io.fairlead.testkit;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.classic.encoder.PatternLayoutEncoder;
import ch.qos.logback.classic.spi.Configurator;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.ConsoleAppender;
import ch.qos.logback.core.spi.ContextAwareBase;
import org.slf4j.Logger;

/**
 * What tests log: warnings and errors, to the console. It is code and not an XML file, since Logback's reader of such
 * files loads an appender whose own classes are not there; Lincheck cannot take over that one, and then takes over
 * each of the thousands of others by itself, twice in each test: half a minute instead of two seconds.
 */
public final class TestLogging extends ContextAwareBase implements Configurator {
    private static final String PATTERN = "%d{HH:mm:ss.SSS} %-5level %logger{20} %msg %kvp%n";

    @Override
    public ExecutionStatus configure(LoggerContext loggers) {
        PatternLayoutEncoder lines = new PatternLayoutEncoder();
        lines.setContext(loggers);
        lines.setPattern(PATTERN);
        lines.start();
        ConsoleAppender<ILoggingEvent> console = new ConsoleAppender<>();
        console.setContext(loggers);
        console.setName("CONSOLE");
        console.setEncoder(lines);
        console.start();
        ch.qos.logback.classic.Logger root = loggers.getLogger(Logger.ROOT_LOGGER_NAME);
        root.setLevel(Level.WARN);
        root.addAppender(console);
        // What uses it says what is worth saying.
        loggers.getLogger("io.fabric8").setLevel(Level.OFF);
        return ExecutionStatus.DO_NOT_INVOKE_NEXT_IF_ANY;
    }
}
